/** The bar of the categories that don't fit in the chart. */
import type { Pivot } from '@tiding/client/model';

/** Height of the bar relative to the largest other bar; it is cut there. */
const MAX_HEIGHT = 1.2;

/** How the bar of the combined categories is drawn. */
export interface OtherBar {
  /** Index of its category. */
  readonly point: number;
  /** Uncut values by series; `undefined` if the bar is not cut. */
  readonly uncut: readonly (number | null)[] | undefined;
}

/** Index of the category that combines others: it has no key. -1 if there is none. */
const otherPoint = ({ keys }: Pivot): number =>
  keys.length > 1 && keys.at(-1)?.length === 0 ? keys.length - 1 : -1;

/**
 * Cuts the bar of the combined categories if the others could not be compared next to it. Returns
 * the pivot to draw, and how the bar differs from its values; `undefined` if there is none.
 */
export function cutOther(
  pivot: Pivot,
  stacked: boolean,
  hidden: ReadonlySet<string>,
): { readonly pivot: Pivot; readonly other: OtherBar | undefined } {
  const point = otherPoint(pivot);
  if (point < 0) return { pivot, other: undefined };
  const shown = pivot.series.filter(({ name }) => !hidden.has(name));
  const height = (at: number): number =>
    shown.reduce((found, { values }) => {
      const value = Math.abs(values[at] ?? 0);
      return stacked ? found + value : Math.max(found, value);
    }, 0);
  let limit = 0;
  for (let at = 0; at < point; at += 1) limit = Math.max(limit, MAX_HEIGHT * height(at));
  const own = height(point);
  if (limit === 0 || own <= limit) return { pivot, other: { point, uncut: undefined } };
  const cut = (value: number | null): number | null =>
    value === null
      ? null
      : stacked
        ? (value * limit) / own
        : Math.sign(value) * Math.min(Math.abs(value), limit);
  return {
    pivot: {
      ...pivot,
      series: pivot.series.map((series) => ({
        ...series,
        values: series.values.map((value, at) => (at === point ? cut(value) : value)),
      })),
    },
    other: { point, uncut: pivot.series.map(({ values }) => values[point] ?? null) },
  };
}
