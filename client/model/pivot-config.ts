/** Which columns a pivot is made of: by default, and as they were saved for another table. */
import type { GraphColumn } from '../protocol/objects.ts';
import type { PivotConfig } from './pivot.ts';
import type { TableColumn } from './table.ts';

const aggregations: ReadonlySet<string> = new Set(['sum', 'count', 'avg', 'min', 'max']);

/** The pivot of a table that is shown as a chart for the first time: column 0 by column 1 (upstream 0.8.2). */
export function defaultPivot(columns: readonly TableColumn[]): PivotConfig {
  return { keys: columns.slice(0, 1), groups: [], values: columns.slice(1, 2) };
}

/**
 * A saved pivot made fit for a table: columns that the table does not have by name and index go, as do duplicates among
 * keys and among groups (upstream 0.8.2). A pivot with none of its three parts is the default one. An aggregation that is none
 * counts as sum, as it does in the pivot.
 */
export function cleanPivot(
  config: Partial<PivotConfig> | undefined,
  columns: readonly TableColumn[],
): PivotConfig {
  const { keys, groups, values } = config ?? {};
  if (!keys && !groups && !values) return defaultPivot(columns);
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

/** Names of the columns that a saved pivot asks for and the table does not have, each once. */
export function missingColumns(
  config: readonly (GraphColumn | null | undefined)[],
  columns: readonly TableColumn[],
): string[] {
  const gone = config.filter(
    (one) => one && !columns.some(({ name, index }) => name === one.name && index === one.index),
  );
  return [...new Set(gone.map((one) => one!.name))];
}
