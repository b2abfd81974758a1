/** Excel files of tables. */
import { exactText, plainText } from '../rows/cell-text.ts';
import { isUtc } from '../rows/time-zone.ts';
import type { RowColumn, TypedRows } from '../rows/typed-rows.ts';
import { columnNumber, fitsDouble } from '../tables/column-type.ts';

/** Content type of an Excel file. */
export const EXCEL_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
/** What a sheet holds: rows below the header, columns, and characters of a cell. */
export const excelLimits = { rows: 1_048_575, columns: 16_384, characters: 32_767 };

/** A cell of a sheet. */
export type ExcelCell = {
  readonly value: string | number | boolean | Date;
  readonly type: typeof String | typeof Number | typeof Boolean | typeof Date;
  readonly format?: string;
  readonly fontWeight?: 'bold';
} | null;

/** Rows written between two yields. */
const STEP = 256;
/** Excel counts a 29 February 1900, so that its days before March 1900 are others. */
const [FIRST_MS, LAST_MS] = [Date.UTC(1900, 2, 1), Date.UTC(9999, 11, 31, 23, 59, 59)];
const hasExcelDate = (ms: number): boolean => ms >= FIRST_MS && ms <= LAST_MS;

/** Characters that XML can't hold, and texts that Excel would read as one of them. */
const NOT_IN_XML = /_(?=x[\da-f]{4}_)|[\x00-\x08\x0b-\x1f\x7f\ufffe\uffff]|\p{Surrogate}/giu;
const spelled = (text: string): string =>
  text.replace(
    NOT_IN_XML,
    (unit) => `_x${unit.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`,
  );

/** Converts a value to a cell. Numbers that Excel can't represent exactly become text. */
function cellOf(source: TypedRows, row: number, column: RowColumn): ExcelCell {
  const read = source.value(row, column.index);
  const value =
    typeof read === 'string' && source.isText && fitsDouble(read) ? columnNumber(read) : read;
  const text = (): ExcelCell => ({ value: exactText(value, column), type: String });
  if (value === null || value === undefined || value === '') return null;
  if (typeof value === 'boolean') return { value, type: Boolean };
  if (typeof value === 'number' && column.kind === 'date')
    return hasExcelDate(value)
      ? { value: new Date(value), type: Date, format: 'yyyy-mm-dd' }
      : text();
  if (typeof value === 'number' && column.kind !== 'time' && Number.isFinite(value))
    return { value: column.single ? Number(plainText(value, column)) : value, type: Number };
  if (typeof value === 'bigint') {
    if (column.kind === 'timestamp')
      // Excel has no time zones: elsewhere than in UTC, the text keeps the day and the offset.
      return (column.timezone === undefined || isUtc(column.timezone)) &&
        value % 1_000_000n === 0n &&
        hasExcelDate(Number(value / 1_000_000n))
        ? { value: new Date(Number(value / 1_000_000n)), type: Date, format: 'yyyy-mm-dd hh:mm:ss' }
        : text();
    const digits = plainText(value, column);
    // Excel keeps only fifteen significant digits.
    if (digits.replace(/\D/g, '').replace(/^0+/, '').length <= 15)
      return { value: Number(digits), type: Number };
  }
  return text();
}

/**
 * Converts rows to the cells of a sheet, the header first; yields regularly. Rows beyond the last
 * of a sheet are left out, longer texts are cut: `cut` names their columns.
 */
export function* excelCells(
  source: TypedRows,
  { order, columns }: { readonly order: Uint32Array | null; readonly columns: readonly number[] },
): Generator<void, { readonly cells: ExcelCell[][]; readonly cut: readonly string[] }, void> {
  const cut = new Set<string>();
  const fitted = (cell: ExcelCell, name: string): ExcelCell => {
    if (typeof cell?.value !== 'string') return cell;
    if (cell.value.length > excelLimits.characters) cut.add(name);
    return { ...cell, value: spelled(cell.value.slice(0, excelLimits.characters)) };
  };
  const shown = columns.map((column) => source.columns[column]!);
  const cells = [
    shown.map(({ name }) => fitted({ value: name, type: String, fontWeight: 'bold' }, name)),
  ];
  const count = Math.min(excelLimits.rows, order ? order.length : source.length);
  for (let at = 0; at < count; at++) {
    if (at % STEP === 0) yield;
    const row = order ? order[at]! : at;
    cells.push(shown.map((column) => fitted(cellOf(source, row, column), column.name)));
  }
  return { cells, cut: [...cut] };
}

/** Writes a sheet as a file. */
export async function excelBytes(
  cells: ExcelCell[][],
  sheet: string,
): Promise<Uint8Array<ArrayBuffer>> {
  const { default: write } = await import('write-excel-file/universal');
  const blob = await write(cells, { sheet, stickyRowsCount: 1 }).toBlob();
  return new Uint8Array(await blob.arrayBuffer());
}
