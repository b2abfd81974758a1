import type { ColumnType, TableColumn } from '@tiding/client/model';
import { useMemo } from 'react';
import { useStableValue } from '../../runtime/hooks.ts';
import type { RowSource } from '../rows/row-source.ts';
import { naturalType } from './table/layout/cell-formats.ts';

/** Returns the columns of rows and their types, which are the same while rows arrive. */
export function useChartColumns({ columns: given }: RowSource): {
  readonly columns: readonly TableColumn[];
  readonly types: readonly ColumnType[];
} {
  const described = given.map(({ name, kind }) => `${kind} ${name}`).join('\n');
  const columns = useStableValue(given, [described]);
  return useMemo(
    () => ({
      columns: columns.map(({ name, index }): TableColumn => ({ name, index, aggr: 'sum' })),
      types: columns.map(naturalType),
    }),
    [columns],
  );
}
