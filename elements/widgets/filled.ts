import type { RecordColumn } from './parts.tsx';

/** The columns that say something in one of the rows; the first stays always. */
export function filled<Row>(
  rows: readonly Row[],
  columns: readonly RecordColumn<Row>[],
): readonly RecordColumn<Row>[] {
  return columns.filter(
    ({ value }, at) => at === 0 || !value || rows.some((row) => (value(row) ?? '') !== ''),
  );
}
