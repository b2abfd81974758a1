import type { GraphColumn } from '../../protocol/objects.ts';
import type { ColumnType } from './column-type.ts';
import type { PivotConfig } from './pivot.ts';
import type { TableColumn } from './table.ts';

const aggregations: ReadonlySet<string> = new Set(['sum', 'count', 'avg', 'min', 'max']);

/**
 * Returns the pivot of a table that is shown as a chart for the first time: the first column of
 * texts or dates by the first column of numbers after it, or before it if there is none. Without
 * numbers it has no values, because text makes a chart of zeros. If no column types are given, it
 * is column 0 by column 1 (as in Zeppelin 0.8.2).
 */
export function defaultPivot(
  columns: readonly TableColumn[],
  types?: readonly ColumnType[],
): PivotConfig {
  if (!types) return { keys: columns.slice(0, 1), groups: [], values: columns.slice(1, 2) };
  const key = Math.max(
    0,
    types.findIndex((type) => type !== 'number'),
  );
  const numbers = columns.filter(({ index }) => index !== key && types[index] === 'number');
  const value = numbers.find(({ index }) => index > key) ?? numbers[0];
  return { keys: columns.slice(key, key + 1), groups: [], values: value ? [value] : [] };
}

/**
 * Adapts a saved pivot to a table: columns that the table lacks (by name and index) are removed,
 * and so are duplicates among keys and among groups (as in Zeppelin 0.8.2). A pivot without any
 * part becomes the default one. An unknown aggregation is replaced by sum.
 */
export function cleanPivot(
  config: Partial<PivotConfig> | undefined,
  columns: readonly TableColumn[],
  types?: readonly ColumnType[],
): PivotConfig {
  const { keys, groups, values } = config ?? {};
  if (!keys && !groups && !values) return defaultPivot(columns, types);
  const known = (part: readonly GraphColumn[] = []): GraphColumn[] =>
    part.filter(({ name, index }) =>
      columns.some((column) => column.name === name && column.index === index),
    );
  const once = (part: readonly GraphColumn[]): GraphColumn[] =>
    part.filter(({ index }, at) => part.findIndex((other) => other.index === index) === at);
  const aggregated = (part: readonly GraphColumn[]): GraphColumn[] =>
    part.map((column) =>
      column.aggr === undefined || aggregations.has(column.aggr)
        ? column
        : { ...column, aggr: 'sum' },
    );
  return {
    keys: once(known(keys)),
    groups: once(known(groups)),
    values: aggregated(known(values)),
  };
}

/** Returns the names of columns that a saved pivot uses but the table lacks, without duplicates. */
export function missingColumns(
  config: readonly (GraphColumn | null | undefined)[],
  columns: readonly TableColumn[],
): string[] {
  const gone = config.filter(
    (one) => one && !columns.some(({ name, index }) => name === one.name && index === one.index),
  );
  return [...new Set(gone.map((one) => one!.name))];
}
