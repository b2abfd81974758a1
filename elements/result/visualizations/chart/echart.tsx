import { AxisPointerComponent, GridComponent } from 'echarts/components';
import { type EChartsCoreOption, type EChartsType, init, use } from 'echarts/core';
import { SVGRenderer } from 'echarts/renderers';
import { type KeyboardEvent, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useEvent } from '../../../runtime/hooks.ts';
import { usePrinting } from '../../parts/use-printing.ts';
import { useThemeChange } from '../../parts/use-theme-change.ts';
import type { MakePicture } from '../contract.ts';
import type { ChartImage } from './chart-image.ts';
import type { ChartPointing, ChartSpot } from './chart-pointing.ts';
import { ChartTip, type TipText } from './chart-tip.tsx';
import { replaceInnerHtmlSetter } from './inner-html-setter.ts';
import { type ChartPalette, resolvePalette } from './palette.ts';
import { chartTexts } from './texts.ts';
import { still, withCurrentZoom, zoomByKey } from './zoom.ts';

// SVG is sharp, prints well and is cheap on pages with many charts. Charts with very many points
// load the canvas renderer themselves.
use([GridComponent, AxisPointerComponent, SVGRenderer]);

interface EChartProps {
  /** Builds the option for the current theme; a new function redraws the chart. */
  option: (palette: ChartPalette) => EChartsCoreOption;
  /** Identity of the data; the chart animates only if it changes. */
  of: object;
  /** Description of the chart in one sentence. */
  label: string;
  /** Whether to draw on a canvas; the view must have loaded that renderer. */
  canvas?: boolean;
  pointing: ChartPointing;
  /** Returns the tooltip for a spot; `series` is -1 if the spot covers all series. */
  tip: (spot: ChartSpot) => TipText | null;
  /** Called when the user selects something, or null for empty space. */
  onPick: (spot: ChartSpot | null) => void;
  /** Title and legend added to a saved image. */
  picture: Pick<ChartImage, 'title' | 'subtitle' | 'legend'>;
  onPicture: ((make: MakePicture | null) => void) | undefined;
}

/** The spot with a tooltip, and its position in px. */
interface ShownTip {
  readonly spot: ChartSpot;
  readonly x: number;
  readonly y: number;
  /** Whether it was reached by keyboard and must be announced. */
  readonly aloud: boolean;
}

/** The parts of an ECharts event that are used. */
interface ChartEvent {
  readonly seriesId?: unknown;
  readonly dataIndex?: unknown;
  readonly data?: unknown;
}

/**
 * Converts an event to a spot. A pie slice carries its index in its data; elsewhere the series id
 * is the index.
 */
function spotOf({ seriesId, dataIndex, data }: ChartEvent): ChartSpot | null {
  if (typeof dataIndex !== 'number') return null;
  const at = typeof data === 'object' && data !== null && 'at' in data ? data.at : undefined;
  return typeof at === 'number'
    ? { series: at, point: 0 }
    : { series: Number(seriesId), point: dataIndex };
}

/**
 * Renders an ECharts chart that follows its container's size and the theme, and handles pointer and
 * keyboard.
 */
export function EChart({
  option,
  of,
  label,
  canvas = false,
  pointing,
  tip,
  onPick,
  picture,
  onPicture,
}: EChartProps) {
  const box = useRef<HTMLDivElement>(null);
  const chart = useRef<EChartsType>(null);
  const drawnOf = useRef<object>(null);
  const theme = useThemeChange(box);
  const printing = usePrinting();
  const [shownTip, setShownTip] = useState<ShownTip | null>(null);
  const latest = useRef({ pointing, onPick, option, picture });
  useLayoutEffect(() => {
    latest.current = { pointing, onPick, option, picture };
  });

  useLayoutEffect(() => {
    const element = box.current!;
    replaceInnerHtmlSetter(element);
    const drawn = init(element, null, { renderer: canvas ? 'canvas' : 'svg' });
    chart.current = drawn;
    drawnOf.current = null;
    // ResizeObserver also fires initially; resizing then would draw everything a second time.
    const sizes = new ResizeObserver(() => {
      if (drawn.getWidth() !== element.clientWidth || drawn.getHeight() !== element.clientHeight)
        drawn.resize();
    });
    sizes.observe(element);
    let found: ChartSpot | null = null;
    let clicked: ChartSpot | null = null;
    drawn.on('mouseover', (event) => void (found = spotOf(event as ChartEvent)));
    drawn.on('mouseout', () => void (found = null));
    drawn.on('click', (event) => void (clicked = spotOf(event as ChartEvent)));
    const zr = drawn.getZr();
    zr.on('mousemove', ({ offsetX: x, offsetY: y }) => {
      const spot = latest.current.pointing.hover(drawn, x, y, found);
      setShownTip(spot && { spot, x, y, aloud: false });
    });
    zr.on('globalout', () => setShownTip((now) => (now?.aloud ? now : null)));
    // ECharts reports the hit element after all other listeners have run.
    zr.on('click', ({ offsetX: x, offsetY: y }) =>
      queueMicrotask(() => {
        const hit = clicked;
        clicked = null;
        if (chart.current) latest.current.onPick(latest.current.pointing.hit(drawn, x, y, hit));
      }),
    );
    return () => {
      sizes.disconnect();
      chart.current = null;
      for (const one of element.querySelectorAll('svg')) replaceInnerHtmlSetter(one);
      drawn.dispose();
    };
  }, [canvas]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new theme or canvas draws again
  useEffect(() => {
    const drawn = chart.current;
    if (!box.current || !drawn) return;
    const next = option(resolvePalette(box.current));
    if (drawnOf.current === of) next['animation'] = false;
    drawnOf.current = of;
    const wanted = withCurrentZoom(drawn, next);
    // The browser lays out the paper without giving scripts a turn: draw everything now, and let
    // the style sheet scale the picture to the width of the paper.
    if (printing) drawn.resize();
    drawn.setOption(printing ? still(wanted) : wanted, { notMerge: true });
    drawn.getZr().flush();
    const svg = box.current.querySelector('svg');
    if (printing) svg?.setAttribute('viewBox', `0 0 ${drawn.getWidth()} ${drawn.getHeight()}`);
    else svg?.removeAttribute('viewBox');
  }, [option, of, theme, canvas, printing]);
  const offer = useEvent((draw: Parameters<NonNullable<typeof onPicture>>[0]) => onPicture?.(draw));
  useEffect(() => {
    offer(async (format) => {
      const element = box.current!;
      const palette = resolvePalette(element);
      const { drawChartImage: drawPicture } = await import('./chart-image.ts');
      const now = latest.current;
      return drawPicture(
        {
          option: now.option(palette),
          palette,
          width: element.clientWidth,
          height: element.clientHeight,
          ...now.picture,
        },
        format,
      );
    });
    return () => offer(null);
  }, [offer]);

  const onKeyDown = (event: KeyboardEvent): void => {
    const drawn = chart.current;
    if (!drawn || event.altKey || event.ctrlKey || event.metaKey) return;
    const spot = shownTip?.spot && shownTip.spot.series >= 0 ? shownTip.spot : null;
    if (event.key === 'Escape' && shownTip) {
      setShownTip(null);
      onPick(null);
    } else if ((event.key === 'Enter' || event.key === ' ') && spot) onPick(spot);
    else if (!zoomByKey(drawn, event)) {
      const next = /^(Arrow|Home|End)/.test(event.key) ? pointing.step(spot, event.key) : null;
      if (!next) return;
      const [x, y] = pointing.place(drawn, next) ?? [0, 0];
      setShownTip({ spot: next, x, y, aloud: true });
    }
    event.preventDefault();
    event.stopPropagation();
  };
  const text = shownTip && tip(shownTip.spot);
  return (
    <div className="chart-frame" onPointerLeave={() => setShownTip(null)}>
      <div
        ref={box}
        className="chart-box"
        role="img"
        aria-label={label}
        tabIndex={0}
        onKeyDown={onKeyDown}
        onBlur={() => setShownTip(null)}
      />
      {text && (
        <ChartTip
          text={text}
          spot={shownTip.spot}
          x={shownTip.x}
          y={shownTip.y}
          width={box.current?.clientWidth ?? 0}
          mark={shownTip.aloud}
        />
      )}
      <p className="visually-hidden" role="status">
        {text && shownTip.aloud ? spoken(text, shownTip.spot) : ''}
      </p>
    </div>
  );
}

/** Describes a spot for screen readers: the heading and the line of its series. */
function spoken({ head, lines }: TipText, { series }: ChartSpot): string {
  const own = lines.find(({ at }) => at === series) ?? lines[0];
  return [head, own && `${own.name}: ${own.value || chartTexts.noValue}`]
    .filter(Boolean)
    .join(', ');
}
