import type { RecordColumn } from './parts.tsx';

/**
 * Drops columns that are empty in every row. The first column, and columns without `value`, always
 * stay.
 */
export function filledColumns<Row>(
  rows: readonly Row[],
  columns: readonly RecordColumn<Row>[],
): readonly RecordColumn<Row>[] {
  return columns.filter(
    ({ value }, at) => at === 0 || !value || rows.some((row) => (value(row) ?? '') !== ''),
  );
}
