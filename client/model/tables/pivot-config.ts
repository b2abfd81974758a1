import type { GraphColumn } from '../../protocol/objects.ts';
import type { ColumnType } from './column-type.ts';
import type { PivotConfig } from './pivot.ts';
import type { TableColumn } from './table.ts';

const aggregations: ReadonlySet<string> = new Set(['sum', 'count', 'avg', 'min', 'max']);

/**
 * Returns the pivot of a table that is shown as a chart for the first time: column 0 by column 1
 * (as in Zeppelin 0.8.2). If column types are given, the first column of numbers is drawn instead,
 * because text makes a chart of zeros. If only column 0 has numbers, it is drawn by column 1.
 */
export function defaultPivot(
  columns: readonly TableColumn[],
  types: readonly ColumnType[] = [],
): PivotConfig {
  const number = types.findIndex((type, at) => at > 0 && type === 'number');
  if (number < 0 && types[0] === 'number' && columns.length > 1)
    return { keys: columns.slice(1, 2), groups: [], values: columns.slice(0, 1) };
  const drawn = number < 0 ? 1 : number;
  return { keys: columns.slice(0, 1), groups: [], values: columns.slice(drawn, drawn + 1) };
}

/**
 * Adapts a saved pivot to a table: columns that the table lacks (by name and index) are removed,
 * and so are duplicates among keys and among groups (as in Zeppelin 0.8.2). A pivot without any
 * part becomes the default one. An unknown aggregation is replaced by sum.
 */
export function cleanPivot(
  config: Partial<PivotConfig> | undefined,
  columns: readonly TableColumn[],
  types: readonly ColumnType[] = [],
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
