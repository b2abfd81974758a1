import type { CellValue, RowColumn, RowColumnKind } from '@tiding/client/model';
import type { ReadAs, RowSource } from '../../../rows/row-source.ts';
import { CELL_TEXT_CHARACTERS, cellFormatter, naturalType } from './cell-formats.ts';

/**
 * Rows sampled, spread over the whole table, to determine a column's decimals and width. Wide
 * tables sample fewer rows so that at most `sampledCells` cells are read.
 */
const sampleSize = 1000;
const sampledCells = 100_000;
/** Rows and cells sampled of those that are loaded later from a table on the server. */
const laterRows = 50;
const laterCells = 2_000;
/** Number of longest sample texts measured per column; measuring every text is too slow. */
const measured = 3;
export const MIN_COLUMN_WIDTH_PX = 48;
const usualMinWidth = 64;
const maxWidth = 360;
/** Horizontal padding of a cell on each side, in px. */
export const CELL_PADDING_PX = 12;
const padding = 2 * CELL_PADDING_PX;
/**
 * Space in px for the type icon before a header's name and for the sort arrow and menu button after
 * it.
 */
const markRoom = 14;
const arrowRoom = 18;

/** How a column is displayed. */
export interface ColumnView {
  /** Index of the column in the source. */
  readonly index: number;
  readonly name: string;
  readonly kind: RowColumnKind;
  readonly type: ReadAs;
  readonly width: number;
  readonly column: RowColumn;
  /** Formats a value for display; long values are truncated. */
  format(value: CellValue): string;
}

/**
 * Returns a number that changes when a growing table should be analysed again: with every row up to
 * 64, then each time the row count doubles.
 */
export function growthStep(rows: number): number {
  return rows <= 64 ? rows : 64 * 2 ** Math.floor(Math.log2(rows / 64));
}

/** A column described by its sampled values, before its width is measured. */
export interface ReadColumn extends Omit<ColumnView, 'width'> {
  /** The longest sampled cell texts, which determine the width. */
  readonly longest: readonly string[];
}

/** Settings the user chose for a column. */
interface ColumnChoice {
  readonly type?: ReadAs | undefined;
  readonly format?: string | undefined;
}

/** Returns the indices of sample rows, spread evenly over the table. */
export function sampleRows(count: number, columns: number): number[] {
  const size = Math.max(20, Math.min(sampleSize, Math.floor(sampledCells / Math.max(1, columns))));
  return count <= size
    ? Array.from({ length: count }, (_, at) => at)
    : Array.from({ length: size }, (_, at) => Math.floor((at * count) / size));
}

/**
 * Describes the columns of a source from a sample of its rows. This is the expensive part and
 * doesn't depend on the theme, so it is separate from {@link sizeColumns}.
 */
export function readColumns(
  source: RowSource,
  choice: (column: number) => ColumnChoice = () => ({}),
): ReadColumn[] {
  const rows = sampleRows(source.remote?.sampled ?? source.length, source.columns.length);
  return source.columns.map((column) => {
    const { index, name, kind } = column;
    const { type = naturalType(column), format: chosen } = choice(index);
    const values = rows.map((row) => source.value(row, index, CELL_TEXT_CHARACTERS + 1));
    const format = cellFormatter(source, column, type, chosen, values);
    return { index, name, kind, type, column, format, longest: longest(values.map(format)) };
  });
}

/**
 * Returns the columns with room for the numbers and dates of the rows that were loaded last from
 * the server: the first rows of a table, from which the widths come, may have shorter ones, and a
 * number that is cut off reads as another number. Returns the same columns if none is wider.
 */
export function growColumns(
  columns: readonly ReadColumn[],
  source: RowSource,
): readonly ReadColumn[] {
  if (!source.remote) return columns;
  const [from, to] = source.remote.latest;
  const most = Math.max(2, Math.min(laterRows, Math.floor(laterCells / columns.length)));
  const step = Math.max(1, (to - from - 1) / (most - 1));
  const count = Math.min(most, to - from);
  const rows = Array.from({ length: count }, (_, at) => from + Math.floor(at * step));
  let isWider = false;
  const grown = columns.map((column) => {
    if (column.type === 'string') return column;
    const texts = rows.map((row) =>
      column.format(source.value(row, column.index, CELL_TEXT_CHARACTERS + 1)),
    );
    const all = longest([...column.longest, ...texts]);
    if (lengthOf(all) <= lengthOf(column.longest)) return column;
    isWider = true;
    return { ...column, longest: all };
  });
  return isWider ? grown : columns;
}

const lengthOf = (texts: readonly string[]): number =>
  texts.reduce((most, { length }) => Math.max(most, length), 0);

/** Assigns widths to columns. `measure` returns the width of a text in px. */
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

/**
 * Stretches columns in proportion until they fill `room` px. Columns for which `fixed` is true
 * (those the user resized) keep their width.
 */
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

/** Returns the left edge of each column, followed by the right edge of the last one. */
export function offsetsOf(widths: readonly number[]): number[] {
  const offsets = [0];
  for (const width of widths) offsets.push(offsets.at(-1)! + width);
  return offsets;
}
