import { type ColumnType, columnTypes, type TableData } from '@tiding/client/model';
import { useMemo } from 'react';
import { useStableValue } from '../../runtime/hooks.ts';
import type { RowSource } from '../rows/row-source.ts';
import { naturalType } from './table/layout/cell-formats.ts';
import { growthStep, sampleRows } from './table/layout/columns.ts';

interface TypedTable {
  readonly table: TableData;
  /** All rows, if `table` contains only the first ones. */
  readonly source?: RowSource | undefined;
  /** Column types reported by the server. */
  readonly known?: readonly ColumnType[] | undefined;
}

/**
 * Returns the type of each column: the one reported by the server if known, otherwise derived from
 * a sample of the cells.
 */
export function useColumnTypes({ table, source, known }: TypedTable): readonly ColumnType[] {
  const given = known?.length === table.columns.length ? known.join() : undefined;
  // A growing table is not analysed again for each row.
  const sampled = useStableValue({ table }, [
    table.columns,
    table.rows,
    growthStep(table.rows.length),
  ]);
  return useMemo(() => {
    if (source) return source.columns.map(naturalType);
    if (given !== undefined) return given.split(',') as ColumnType[];
    const { rows, columns } = sampled.table;
    return columnTypes({
      ...sampled.table,
      rows: sampleRows(rows.length, columns.length).map((row) => rows[row]!),
    });
  }, [source, given, sampled]);
}
