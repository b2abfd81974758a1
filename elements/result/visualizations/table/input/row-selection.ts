import { type Cell, columnNumber, fitsDouble, plainText } from '@tiding/client/model';
import type { Selection } from '../../../contract.ts';
import { formatInteger } from '../../../parts/numbers.ts';
import type { RowSource } from '../../../rows/row-source.ts';
import { gridTexts } from '../texts.ts';

/**
 * Converts a row for the host page: exact numbers stay numbers, everything else becomes text. If
 * several columns have the same name, the first one counts.
 */
export function rowSelectionOf(source: RowSource, row: number): Selection {
  const values: Record<string, Cell | null> = Object.create(null) as Record<string, Cell | null>;
  for (const column of source.columns) {
    if (column.name in values) continue;
    const read = source.value(row, column.index);
    const value =
      typeof read === 'string' && column.kind === 'float' && fitsDouble(read)
        ? columnNumber(read)
        : read;
    const isExact =
      (typeof value === 'number' && (column.kind === 'integer' || column.kind === 'float')) ||
      (typeof value === 'bigint' &&
        column.kind === 'integer' &&
        Number.isSafeInteger(Number(value)));
    const cell = isExact ? Number(value) : plainText(value, column);
    values[column.name] = value === null || value === undefined ? null : cell;
  }
  return { values: { ...values }, label: gridTexts.rowNumber(formatInteger(row + 1)) };
}
