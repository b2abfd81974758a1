import { init, use, type EChartsCoreOption, type EChartsType } from 'echarts/core';
import { AxisPointerComponent, GridComponent } from 'echarts/components';
import { SVGRenderer } from 'echarts/renderers';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useThemeChange } from '../../use-theme.ts';
import { ChartTip, type TipText } from './chart-tip.tsx';
import { resolvePalette, type Palette } from './palette.ts';

// The SVG renderer: the canvas one sets markup, which a strict page policy forbids.
use([GridComponent, AxisPointerComponent, SVGRenderer]);

interface EChartProps {
  /** The chart in the colours of the theme; a new function draws anew. */
  option: (palette: Palette) => EChartsCoreOption;
  /** What the chart shows, in a sentence. */
  label: string;
  /** What to say about the point of that index on the x axis. */
  tip: (index: number) => TipText | null;
}

/** The pointer over a chart: a point of the x axis, and where. */
interface Hover {
  readonly index: number;
  readonly x: number;
  readonly y: number;
  readonly width: number;
}

/** A drawn chart that follows the size of its box and the theme. */
export function EChart({ option, label, tip }: EChartProps) {
  const box = useRef<HTMLDivElement>(null);
  const chart = useRef<EChartsType>(null);
  const theme = useThemeChange(box);
  const [hover, setHover] = useState<Hover | null>(null);

  useLayoutEffect(() => {
    const element = box.current!;
    const drawn = init(element, null, { renderer: 'svg' });
    chart.current = drawn;
    const sizes = new ResizeObserver(() => drawn.resize());
    sizes.observe(element);
    let pointer = { x: 0, y: 0 };
    drawn.getZr().on('mousemove', ({ offsetX, offsetY }) => {
      pointer = { x: offsetX, y: offsetY };
    });
    drawn.getZr().on('globalout', () => setHover(null));
    drawn.on('updateAxisPointer', (event) => {
      const axis = (event as { axesInfo?: { value?: unknown }[] }).axesInfo?.[0];
      setHover(typeof axis?.value === 'number' ? { index: axis.value, ...pointer, width: element.clientWidth } : null);
    });
    return () => {
      sizes.disconnect();
      chart.current = null;
      for (const drawnIn of [element, ...element.querySelectorAll('svg')]) withoutSink(drawnIn);
      drawn.dispose();
    };
  }, []);
  useEffect(() => {
    if (box.current) chart.current?.setOption(option(resolvePalette(box.current)), { notMerge: true });
  }, [option, theme]);
  const text = hover && tip(hover.index);
  return (
    <div className="chart-frame" onPointerLeave={() => setHover(null)}>
      <div ref={box} className="chart-box" role="img" aria-label={label} />
      {text && <ChartTip text={text} {...hover} />}
    </div>
  );
}

/** The library empties its elements through `innerHTML`, which a strict page policy guards, even for nothing. */
function withoutSink(element: Element): void {
  Object.defineProperty(element, 'innerHTML', { configurable: true, set: () => element.replaceChildren() });
}
