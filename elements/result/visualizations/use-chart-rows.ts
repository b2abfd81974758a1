import { type ColumnType, type TableColumn, type TableData, textRows } from '@tiding/client/model';
import { useMemo } from 'react';
import { useStableValue } from '../../runtime/hooks.ts';
import type { RowSource } from '../rows/row-source.ts';
import { naturalType } from './table/layout/cell-formats.ts';

interface ChartRows {
  readonly rows: RowSource;
  readonly columns: readonly TableColumn[];
  readonly types: readonly ColumnType[];
}

/** Returns the rows that a chart draws, and their columns, which are the same while rows arrive. */
export function useChartRows({
  table,
  source,
  types,
}: {
  readonly table: TableData;
  readonly source?: RowSource | undefined;
  readonly types?: readonly ColumnType[] | undefined;
}): ChartRows {
  const rows = useMemo(() => source ?? textRows(table, types), [source, table, types]);
  const described = rows.columns.map(({ name, kind }) => `${kind} ${name}`).join('\n');
  const { columns } = useStableValue(rows, [described]);
  const read = useMemo(
    () => ({
      columns: columns.map(({ name, index }): TableColumn => ({ name, index, aggr: 'sum' })),
      types: columns.map(naturalType),
    }),
    [columns],
  );
  return { rows, ...read };
}
