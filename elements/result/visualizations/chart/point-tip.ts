import type { Pivot } from '@tiding/client/model';
import { formatTick } from '../../parts/numbers.ts';
import { keyFormat } from './axes.ts';
import type { TipText } from './chart-tip.tsx';

/** Returns the tooltip for a point on the x axis, with all visible series. */
export function pointTip(
  pivot: Pivot,
  hidden: ReadonlySet<string>,
  point: number,
  format: (key: string | number) => string = keyFormat(pivot),
  value: (series: number, point: number) => string | null = () => null,
  number: (value: number) => string = formatTick,
): TipText | null {
  const { x, series } = pivot;
  const key = x[point];
  if (key === undefined) return null;
  const lines = series
    .map(({ name, values }, at) => ({ at, count: series.length, name, value: values[point] }))
    .filter(({ name }) => !hidden.has(name))
    .map((line) => ({
      ...line,
      value:
        line.value === null || line.value === undefined
          ? ''
          : (value(line.at, point) ?? number(line.value)),
    }));
  return { head: format(key), lines };
}
