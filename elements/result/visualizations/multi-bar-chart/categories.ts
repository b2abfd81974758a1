/** Categories that don't fit in a bar chart: the most important ones are kept. */
import type { Pivot, PivotConfig } from '@tiding/client/model';
import { formatInteger } from '../../parts/numbers.ts';
import type { ArrangedPivot } from '../chart/axis-settings.ts';
import type { CategoryChoice } from '../chart/chart-kind.ts';
import { chartTexts } from '../chart/texts.ts';

/** More bars than a window has pixel columns, and more than SVG can draw quickly. */
const MAX_BARS = 4_000;
/** Width before the chart is measured, in px. */
const USUAL_WIDTH_PX = 700;
/** Minimum width of a category, in px. */
const CATEGORY_PX = 16;
const MIN_CATEGORIES = 10;

/** Combines values of one aggregation; an average can't be computed from averages. */
const COMBINED: Readonly<Record<string, (one: number, other: number) => number>> = {
  sum: (one, other) => one + other,
  count: (one, other) => one + other,
  min: (one, other) => Math.min(one, other),
  max: (one, other) => Math.max(one, other),
};

/** Whether the bars have names. Numbers and dates are an axis, of which no part may be missing. */
const areCategories = (pivot: Pivot): boolean =>
  isKeyed(pivot) && pivot.x.some((key) => typeof key === 'string');
const isKeyed = ({ keys, time, gathered }: Pivot): boolean =>
  gathered === undefined && time === undefined && (keys[0]?.length ?? 0) > 0;

/** Keeps the first points of an axis, as many as can be drawn. */
function firstPoints(arranged: ArrangedPivot): ArrangedPivot {
  const { pivot } = arranged;
  const most = Math.max(1, Math.floor(MAX_BARS / Math.max(1, pivot.series.length)));
  const left = pivot.x.length - most;
  if (left <= 0) return arranged;
  return {
    ...arranged,
    pivot: {
      ...pivot,
      x: pivot.x.slice(0, most),
      keys: pivot.keys.slice(0, most),
      series: pivot.series.map((each) => ({ ...each, values: each.values.slice(0, most) })),
      omitted: { ...pivot.omitted, points: pivot.omitted.points + left },
    },
  };
}

/**
 * Keeps as many categories as are wanted or fit in a width: those with the largest sums, or with
 * the smallest ones if they are sorted like that. The others become one bar at the end, if their
 * values can be combined.
 *
 * @param width in px; 0 if it is unknown
 */
export function fitCategories(
  arranged: ArrangedPivot,
  { values }: PivotConfig,
  { sort, top, others }: CategoryChoice,
  width: number,
): ArrangedPivot {
  const { pivot } = arranged;
  const count = pivot.x.length;
  const fits = Math.min(
    Math.max(MIN_CATEGORIES, Math.floor((width || USUAL_WIDTH_PX) / CATEGORY_PX)),
    Math.max(2, Math.floor(MAX_BARS / Math.max(1, pivot.series.length))),
  );
  const isChosen = top !== undefined && isKeyed(pivot);
  if (isChosen ? count <= top : count <= fits || !areCategories(pivot))
    return firstPoints(arranged);
  const combineOf = (value: number) => COMBINED[values[value]?.aggr ?? 'sum'];
  const isCombinable = pivot.series.every(({ value }) => combineOf(value));
  const combines = isCombinable && (others || !isChosen);
  const sums = pivot.x.map((_, point) =>
    pivot.series.reduce((sum, series) => sum + Math.abs(series.values[point] ?? 0), 0),
  );
  const direction = sort === 'smallest' ? -1 : 1;
  const order = sums
    .map((_, point) => point)
    .sort((one, other) => direction * (sums[other]! - sums[one]!));
  const keeps = isChosen ? top : combines ? fits - 1 : fits;
  const kept = order.slice(0, keeps).sort((one, other) => one - other);
  const rest = order.slice(kept.length);
  const only = <Item>(items: readonly Item[], last: Item): Item[] => [
    ...kept.map((point) => items[point]!),
    ...(combines ? [last] : []),
  ];
  const numbers = { count: formatInteger(rest.length), all: formatInteger(count) };
  return {
    points: only(arranged.points ?? pivot.x.map((_, point) => point), -1),
    pivot: {
      ...pivot,
      x: only<string | number>(pivot.x, chartTexts.other(numbers.count)),
      keys: only(pivot.keys, []),
      series: pivot.series.map((series) => {
        const left = rest.flatMap((point) => series.values[point] ?? []);
        const combine = combineOf(series.value);
        return {
          ...series,
          values: only(series.values, combine && left.length > 0 ? left.reduce(combine) : null),
        };
      }),
    },
    note: combines
      ? chartTexts.folded.categories(numbers.count, numbers.all)
      : isCombinable
        ? chartTexts.folded.left(numbers.count, numbers.all)
        : chartTexts.folded.averages(numbers.count, numbers.all),
  };
}
