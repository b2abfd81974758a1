import { columnNumber, columnTypes, isMissing, type Cell, type ColumnType, type TableData } from 'tiding/model';
import { withMinus } from '../../numbers.ts';

/** Rows looked at to tell a column's kind, its decimals and its width; taken from all over the table. */
const sampleSize = 1000;
/** Of the sample the longest texts are measured, not all. */
const measured = 3;
const minWidth = 64;
const maxWidth = 360;
/** Padding at either side of a cell. */
export const cellPadding = 12;
const padding = 2 * cellPadding;
/** Type mark before a header's name, and the sort arrow behind it. */
const markRoom = 14;
const arrowRoom = 18;
/** More decimals than these are the value's own affair. */
const alignedDecimals = 4;
/** Names of numbers that count nothing: grouped digits would be wrong there. */
const ungrouped = /(?:^|[_\s.-])(?:year|yyyy|id|code|zip|plz|port)$/i;

/** How one column is shown. */
export interface ColumnView {
  readonly index: number;
  readonly name: string;
  readonly type: ColumnType;
  readonly width: number;
  /** The text of a cell as it is read by people. */
  format(cell: Cell | undefined): string;
}

/**
 * Changes when a growing table has grown so much that its columns deserve another look: with each row at first, then
 * each time it has doubled.
 */
export function growthStep(rows: number): number {
  return rows <= 64 ? rows : 64 * 2 ** Math.floor(Math.log2(rows / 64));
}

/** A column as far as its values tell, before anything is measured. */
export interface ReadColumn extends Omit<ColumnView, 'width'> {
  /** The longest texts of its cells. */
  readonly longest: readonly string[];
}

/** The columns of a table as far as a sample of its rows tells: what is dear, and does not change with the page's look. */
export function readColumns(table: TableData): ReadColumn[] {
  const count = table.rows.length;
  const rows = count <= sampleSize ? table.rows : Array.from({ length: sampleSize }, (_, at) => table.rows[Math.floor((at * count) / sampleSize)]!);
  const sample: TableData = { ...table, rows };
  const types = columnTypes(sample);
  return table.columns.map(({ name, index }, position) => {
    const type = types[position]!;
    const cells = sample.rows.map((row) => row[index]);
    const format = type === 'number' ? numberFormat(name, cells) : String;
    const shown = (cell: Cell | undefined): string => (cell === undefined ? '' : format(cell));
    return { index, name, type, format: shown, longest: longest(cells.map(shown)) };
  });
}

/** Gives columns their widths, for text measured by `measure`. */
export function sizeColumns(columns: readonly ReadColumn[], measure: (text: string, header: boolean) => number): ColumnView[] {
  return columns.map(({ longest: texts, ...column }) => {
    const widest = Math.max(0, ...texts.map((text) => measure(text.slice(0, 80), false)));
    const header = measure(column.name, true) + markRoom + arrowRoom;
    return { ...column, width: Math.ceil(Math.min(maxWidth, Math.max(minWidth, widest + padding, header + padding))) };
  });
}

/** Both at once. */
export const describeColumns = (table: TableData, measure: (text: string, header: boolean) => number): ColumnView[] => sizeColumns(readColumns(table), measure);

/** The few longest of some texts. */
function longest(texts: readonly string[]): string[] {
  const found: string[] = [];
  for (const text of texts) {
    if (found.length === measured && text.length <= found[0]!.length) continue;
    found.push(text);
    found.sort((a, b) => a.length - b.length);
    if (found.length > measured) found.shift();
  }
  return found;
}

function numberFormat(name: string, cells: readonly (Cell | undefined)[]): (cell: Cell) => string {
  const decimals = cells.reduce<number>((most, cell) => (cell === undefined || isMissing(cell) ? most : Math.max(most, decimalsOf(cell))), 0);
  const format = new Intl.NumberFormat(undefined, {
    useGrouping: !ungrouped.test(name),
    minimumFractionDigits: decimals <= alignedDecimals ? decimals : 0,
    maximumFractionDigits: 20,
  });
  return (cell) => {
    const value = columnNumber(cell);
    if (value === undefined) return String(cell);
    const size = Math.abs(value);
    // Beyond these a fixed notation shows digits that nobody meant.
    return withMinus(size !== 0 && (size >= 1e15 || size < 1e-6) ? String(value) : format.format(value));
  };
}

function decimalsOf(cell: Cell): number {
  const [mantissa = '', exponent = '0'] = String(cell).split('e');
  return Math.max(0, (mantissa.split('.')[1]?.length ?? 0) - Number(exponent));
}

/** Widths that fill at least `room`, each column growing in proportion. */
export function fillWidths(widths: readonly number[], room: number): number[] {
  const sum = widths.reduce((total, width) => total + width, 0);
  if (sum === 0 || sum >= room) return [...widths];
  return widths.map((width) => (width * room) / sum);
}

/** Starts of the columns and, last, the end of the last one. */
export function offsetsOf(widths: readonly number[]): number[] {
  const offsets = [0];
  for (const width of widths) offsets.push(offsets.at(-1)! + width);
  return offsets;
}
