import { init, use, type EChartsCoreOption, type EChartsType } from 'echarts/core';
import { AxisPointerComponent, GridComponent } from 'echarts/components';
import { SVGRenderer } from 'echarts/renderers';
import { useEffect, useLayoutEffect, useRef, useState, type KeyboardEvent } from 'react';
import { chartTexts } from '../../../text/charts.ts';
import { useThemeChange } from '../../use-theme.ts';
import type { MakePicture } from '../contract.ts';
import { ChartTip, type TipText } from './chart-tip.tsx';
import { resolvePalette, type Palette } from './palette.ts';
import type { Pointing, Spot } from './pointing.ts';
import { withoutSink } from './sink.ts';
import { keptZoom, zoomByKey } from './zoom.ts';

// SVG: sharp, printed, and light on a page of many charts. Those with very many points bring the canvas renderer.
use([GridComponent, AxisPointerComponent, SVGRenderer]);

interface EChartProps {
  /** The chart in the colours of the theme; a new function draws anew. */
  option: (palette: Palette) => EChartsCoreOption;
  /** What is drawn; only when that is another one, something moves. */
  of: object;
  /** What the chart shows, in a sentence. */
  label: string;
  /** Draws on a canvas, whose renderer the view has brought. */
  canvas?: boolean;
  pointing: Pointing;
  /** What to say about a place; its `series` is -1 where it is about all series. */
  tip: (spot: Spot) => TipText | null;
  /** A reader has chosen something, or empty space. */
  onPick: (spot: Spot | null) => void;
  /** What a picture of the chart has besides. */
  picture: {
    readonly title: string;
    readonly legend: readonly {
      readonly name: string;
      readonly at: number;
      readonly count: number;
    }[];
  };
  onPicture: ((make: MakePicture | null) => void) | undefined;
}

/** What is told about, and where. */
interface Told {
  readonly spot: Spot;
  readonly x: number;
  readonly y: number;
  /** By keys: it is read aloud too. */
  readonly aloud: boolean;
}

/** What the library says about a thing that was hit. */
interface Found {
  readonly seriesId?: unknown;
  readonly dataIndex?: unknown;
  readonly data?: unknown;
}

/** A slice carries its number with it; elsewhere a series is one. */
function spotOf({ seriesId, dataIndex, data }: Found): Spot | null {
  if (typeof dataIndex !== 'number') return null;
  const at = typeof data === 'object' && data !== null && 'at' in data ? data.at : undefined;
  return typeof at === 'number'
    ? { series: at, point: 0 }
    : { series: Number(seriesId), point: dataIndex };
}

/** A drawn chart that follows the size of its box and the theme, and answers pointer and keys. */
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
  const [told, setTold] = useState<Told | null>(null);
  const latest = useRef({ pointing, onPick, option, picture });
  useLayoutEffect(() => {
    latest.current = { pointing, onPick, option, picture };
  });

  useLayoutEffect(() => {
    const element = box.current!;
    withoutSink(element);
    const drawn = init(element, null, { renderer: canvas ? 'canvas' : 'svg' });
    chart.current = drawn;
    drawnOf.current = null;
    // It tells the size at once too, and the library would draw everything a second time.
    const sizes = new ResizeObserver(() => {
      if (drawn.getWidth() !== element.clientWidth || drawn.getHeight() !== element.clientHeight)
        drawn.resize();
    });
    sizes.observe(element);
    let found: Spot | null = null;
    let clicked: Spot | null = null;
    drawn.on('mouseover', (event) => void (found = spotOf(event as Found)));
    drawn.on('mouseout', () => void (found = null));
    drawn.on('click', (event) => void (clicked = spotOf(event as Found)));
    const zr = drawn.getZr();
    zr.on('mousemove', ({ offsetX: x, offsetY: y }) => {
      const spot = latest.current.pointing.hover(drawn, x, y, found);
      setTold(spot && { spot, x, y, aloud: false });
    });
    zr.on('globalout', () => setTold((now) => (now?.aloud ? now : null)));
    // The library tells what was hit after all other listeners.
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
      for (const one of element.querySelectorAll('svg')) withoutSink(one);
      drawn.dispose();
    };
  }, [canvas]);
  useEffect(() => {
    const drawn = chart.current;
    if (!box.current || !drawn) return;
    const next = option(resolvePalette(box.current));
    if (drawnOf.current === of) next['animation'] = false;
    drawnOf.current = of;
    drawn.setOption(keptZoom(drawn, next), { notMerge: true });
  }, [option, of, theme, canvas]);
  useEffect(() => {
    onPicture?.(async (format) => {
      const element = box.current!;
      const palette = resolvePalette(element);
      const { drawPicture } = await import('./picture.ts');
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
    return () => onPicture?.(null);
    // eslint-disable-next-line react-hooks/exhaustive-deps -- the function reads what is current
  }, []);

  const onKeyDown = (event: KeyboardEvent): void => {
    const drawn = chart.current;
    if (!drawn || event.altKey || event.ctrlKey || event.metaKey) return;
    const spot = told?.spot && told.spot.series >= 0 ? told.spot : null;
    if (event.key === 'Escape' && told) {
      setTold(null);
      onPick(null);
    } else if ((event.key === 'Enter' || event.key === ' ') && spot) onPick(spot);
    else if (!zoomByKey(drawn, event)) {
      const next = /^(Arrow|Home|End)/.test(event.key) ? pointing.step(spot, event.key) : null;
      if (!next) return;
      const [x, y] = pointing.place(drawn, next) ?? [0, 0];
      setTold({ spot: next, x, y, aloud: true });
    }
    event.preventDefault();
    event.stopPropagation();
  };
  const text = told && tip(told.spot);
  return (
    <div className="chart-frame" onPointerLeave={() => setTold(null)}>
      <div
        ref={box}
        className="chart-box"
        role="img"
        aria-label={label}
        tabIndex={0}
        onKeyDown={onKeyDown}
        onBlur={() => setTold(null)}
      />
      {text && (
        <ChartTip
          text={text}
          spot={told.spot}
          x={told.x}
          y={told.y}
          width={box.current?.clientWidth ?? 0}
          mark={told.aloud}
        />
      )}
      <p className="visually-hidden" role="status">
        {text && told.aloud ? spoken(text, told.spot) : ''}
      </p>
    </div>
  );
}

/** A place in words: its head and its own line. */
function spoken({ head, lines }: TipText, { series }: Spot): string {
  const own = lines.find(({ at }) => at === series) ?? lines[0];
  return [head, own && `${own.name}: ${own.value || chartTexts.noValue}`]
    .filter(Boolean)
    .join(', ');
}
