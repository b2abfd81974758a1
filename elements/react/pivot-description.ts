import { TidingError } from '@tiding/client';
import type { Aggregation, PivotConfig, PivotOptions, RowColumn } from '@tiding/client/model';

/** What `usePivot` computes, by the names of columns. */
export interface PivotDescription extends Pick<PivotOptions, 'bins' | 'grain' | 'scale'> {
  /** Columns of the x axis. Default: none, which makes one point. */
  readonly keys?: readonly string[];
  /** Columns whose values split the rows into series. Default: none. */
  readonly groups?: readonly string[];
  /** Columns to aggregate, and how: `sum` by default. */
  readonly values: readonly { readonly column: string; readonly aggr?: Aggregation }[];
}

/** Finds the columns of a description. */
export function pivotConfig(
  columns: readonly RowColumn[],
  { keys = [], groups = [], values }: PivotDescription,
): PivotConfig {
  const find = (name: string) => {
    const column = columns.find((each) => each.name === name);
    if (column) return { name, index: column.index };
    const names = columns.map((each) => each.name).join(', ');
    throw new TidingError('protocol', `The table has no column '${name}'. It has ${names}.`);
  };
  return {
    keys: keys.map(find),
    groups: groups.map(find),
    values: values.map(({ column, aggr = 'sum' }) => ({ ...find(column), aggr })),
  };
}
