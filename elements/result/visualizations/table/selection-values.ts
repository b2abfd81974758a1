import type { Cell } from 'tiding/model';
import { formatInteger } from '../../numbers.ts';
import type { Selection } from '../../contract.ts';
import { texts } from '../../../text/table.ts';
import type { RowSource } from './row-source.ts';
import { plainText } from './value-text.ts';

/** A row for the page around: numbers as numbers where they are exact, everything else as text. Of columns of one name the first counts. */
export function selectionOf(source: RowSource, row: number): Selection {
  const values: Record<string, Cell | null> = Object.create(null) as Record<string, Cell | null>;
  for (const column of source.columns) {
    if (column.name in values) continue;
    const value = source.value(row, column.index);
    const exact =
      typeof value === 'number' && (column.kind === 'integer' || column.kind === 'float');
    values[column.name] =
      value === null || value === undefined
        ? null
        : exact
          ? value
          : typeof value === 'bigint' &&
              column.kind === 'integer' &&
              Number.isSafeInteger(Number(value))
            ? Number(value)
            : plainText(value, column);
  }
  return { values: { ...values }, label: texts.grid.rowNumber(formatInteger(row + 1)) };
}
