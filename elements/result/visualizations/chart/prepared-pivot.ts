/** The steps between a pivot and its drawing. */
import {
  type ColumnType,
  type Pivot,
  type PivotConfig,
  runningOf,
  runningValues,
} from '@tiding/client/model';
import { formatInteger } from '../../parts/numbers.ts';
import type { ViewSetting } from './axes.ts';
import { type ArrangedPivot, arranged, axisSettings } from './axis-settings.ts';
import type { ChartKind } from './chart-kind.ts';
import { chartTexts } from './texts.ts';

/** The column whose numbers are distributed: the first value, or a key if there is no value. */
export const distributedColumn = (
  { keys, values }: PivotConfig,
  types: readonly ColumnType[],
): PivotConfig['values'][number] | undefined =>
  values[0] ?? keys.find(({ index }) => types[index] === 'number');

/** Sorts the categories of a pivot, combines those that have no place, and adds running values. */
export function preparedPivot(
  kind: ChartKind,
  pivot: Pivot,
  config: PivotConfig,
  setting: ViewSetting,
  width: number,
): ArrangedPivot {
  const { sort, grain, top, others } = axisSettings(setting);
  const order = kind.offers.includes('sort') && grain === undefined ? sort : 'none';
  const made = arranged(pivot, order);
  const fitted = kind.fit?.(made, config, { sort: order, top, others }, width) ?? made;
  return { ...fitted, pivot: withRunning(fitted.pivot, config) };
}

/** Replaces measures by their running total or moving average, with names that say so. */
function withRunning(pivot: Pivot, { values }: PivotConfig): Pivot {
  const runnings = values.map(runningOf);
  if (pivot.gathered || !runnings.some(Boolean)) return pivot;
  const measures = pivot.measures.map((name, at) => {
    const running = runnings[at];
    if (!running) return name;
    return running.how === 'total'
      ? chartTexts.running.total(name)
      : chartTexts.running.mean(name, formatInteger(running.points));
  });
  return {
    ...pivot,
    measures,
    series: pivot.series.map((series) => {
      const running = runnings[series.value];
      const old = pivot.measures[series.value]!;
      if (!running) return series;
      return {
        ...series,
        // Without groups, the name is that of the measure; with several measures, it ends so.
        name: series.name.endsWith(old)
          ? series.name.slice(0, -old.length) + measures[series.value]!
          : series.name,
        values: runningValues(series.values, running),
      };
    }),
  };
}
