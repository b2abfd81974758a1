import { formatterOf, naturalType, shownLength } from './formats.ts';
import type { ColumnKind, RowColumn, RowSource, Value } from './row-source.ts';
import type { ReadAs } from './sort-keys.ts';

/** Rows looked at to tell a column's decimals and its width; taken from all over the table, fewer where columns are many. */
const sampleSize = 1000;
const sampledCells = 100_000;
/** Of the sample the longest texts are measured, not all. */
const measured = 3;
export const minWidth = 48;
const usualMinWidth = 64;
const maxWidth = 360;
/** Padding at either side of a cell. */
export const cellPadding = 12;
const padding = 2 * cellPadding;
/** Type mark before a header's name; behind it the sort arrow and the button of its menu. */
const markRoom = 14;
const arrowRoom = 18;

/** How one column is shown. */
export interface ColumnView {
  /** Its number in the source. */
  readonly index: number;
  readonly name: string;
  readonly kind: ColumnKind;
  readonly type: ReadAs;
  readonly width: number;
  readonly column: RowColumn;
  /** The text of a value as it is read by people; of a long one the start. */
  format(value: Value): string;
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

/** What the reader has chosen for a column. */
export interface ColumnChoice {
  readonly type?: ReadAs | undefined;
  readonly format?: string | undefined;
}

/** Numbers of some rows from all over a table. */
export function sampleRows(count: number, columns: number): number[] {
  const size = Math.max(20, Math.min(sampleSize, Math.floor(sampledCells / Math.max(1, columns))));
  return count <= size
    ? Array.from({ length: count }, (_, at) => at)
    : Array.from({ length: size }, (_, at) => Math.floor((at * count) / size));
}

/** The columns of a source as far as a sample of its rows tells: what is dear, and does not change with the page's look. */
export function readColumns(
  source: RowSource,
  choice: (column: number) => ColumnChoice = () => ({}),
): ReadColumn[] {
  const rows = sampleRows(source.length, source.columns.length);
  return source.columns.map((column) => {
    const { index, name, kind } = column;
    const { type = naturalType(column), format: chosen } = choice(index);
    const values = rows.map((row) => source.value(row, index, shownLength + 1));
    const format = formatterOf(source, column, type, chosen, values);
    return { index, name, kind, type, column, format, longest: longest(values.map(format)) };
  });
}

/** Gives columns their widths, for text measured by `measure`. */
export function sizeColumns(
  columns: readonly ReadColumn[],
  measure: (text: string, header: boolean) => number,
): ColumnView[] {
  return columns.map(({ longest: texts, ...column }) => {
    const widest = Math.max(0, ...texts.map((text) => measure(text.slice(0, 80), false)));
    const header = measure(column.name, true) + markRoom + arrowRoom;
    return {
      ...column,
      width: Math.ceil(
        Math.min(maxWidth, Math.max(usualMinWidth, widest + padding, header + padding)),
      ),
    };
  });
}

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

/** Widths that fill at least `room`, each column that nobody has resized growing in proportion. */
export function fillWidths(
  widths: readonly number[],
  room: number,
  fixed: (at: number) => boolean = () => false,
): number[] {
  const sum = widths.reduce((total, width) => total + width, 0);
  const free = widths.reduce((total, width, at) => (fixed(at) ? total : total + width), 0);
  if (free === 0 || sum >= room) return [...widths];
  return widths.map((width, at) => (fixed(at) ? width : (width * (room - sum + free)) / free));
}

/** Starts of the columns and, last, the end of the last one. */
export function offsetsOf(widths: readonly number[]): number[] {
  const offsets = [0];
  for (const width of widths) offsets.push(offsets.at(-1)! + width);
  return offsets;
}
