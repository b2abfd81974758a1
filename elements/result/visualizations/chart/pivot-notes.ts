/** What a chart of a pivot doesn't show. */
import {
  aggregationOf,
  type Pivot,
  type PivotConfig,
  type RowColumn,
  type TableColumn,
} from '@tiding/client/model';
import { formatInteger } from '../../parts/numbers.ts';
import type { ChartKind } from './chart-kind.ts';
import { chartTexts } from './texts.ts';

/** Measures that differ more share an axis on which the smaller ones look flat. */
const MAX_RATIO = 20;
const NUMBERS = ['integer', 'float', 'decimal', 'boolean'];
const t = chartTexts.notes;

/** Notes about rows and values without a place in the chart, and about its only value axis. */
export function pivotNotes(
  { notFinite, unplaced, measures, series }: Pivot,
  { keys, values }: PivotConfig,
  columns: readonly RowColumn[],
  unused: readonly TableColumn[],
  { isOneAxis = true }: Pick<ChartKind, 'isOneAxis'>,
): string[] {
  const texts = values.flatMap(({ name, index, aggr }) => {
    const kind = columns[index]?.kind ?? 'text';
    return NUMBERS.includes(kind) || aggregationOf(aggr) === 'count'
      ? []
      : [kind === 'text' ? t.texts(name) : t.noNumbers(name)];
  });
  const sizes = measures.map((_, at) =>
    series.reduce(
      (size, { value, values: drawn }) =>
        value === at
          ? drawn.reduce<number>((max, y) => Math.max(max, Math.abs(y ?? 0)), size)
          : size,
      0,
    ),
  );
  const [largest, smallest] = [Math.max(...sizes), Math.min(...sizes)];
  const ratio = smallest > 0 ? largest / smallest : 0;
  const nameOf = (size: number): string => measures[sizes.indexOf(size)]!;
  return [
    ...new Set(texts),
    ...(notFinite > 0 ? [t.notFinite(formatInteger(notFinite), notFinite === 1)] : []),
    ...(unplaced > 0
      ? [t.unplaced(formatInteger(unplaced), unplaced === 1, keys[0]?.name ?? '')]
      : []),
    ...(isOneAxis && ratio > MAX_RATIO
      ? [t.oneAxis(nameOf(largest), nameOf(smallest), formatInteger(ratio))]
      : []),
    ...(unused.length > 0 ? [t.unused(unused.map(({ name }) => name).join(', '))] : []),
  ];
}
