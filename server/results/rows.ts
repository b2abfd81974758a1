/**
 * Reads the table of an output in batches, so that only one batch is in memory. Exports first read
 * the whole table once to determine the types of its columns.
 */
import {
  type Cell,
  columnNumber,
  isDoubleText,
  isMissing,
  type TableColumn,
  type TableData,
  toCell,
  toColumns,
} from '@tiding/client/model';
import { distinctTexts } from '../interpreters/table-text.ts';

/** Column type in an export, the same as for `toArrow`. */
export type ColumnKind = 'int32' | 'float64' | 'utf8';

/** A table that is read in batches. */
export interface TableSource {
  readonly columns: readonly TableColumn[];
  /** Yields all rows in order, in non-empty batches. Each call starts at the first row. */
  batches(): Generator<TableData>;
}

/** Maximum number of rows per batch. */
const MAX_BATCH_ROWS = 1_000;
/** A batch also ends after this many characters, because rows may be long. */
const MAX_BATCH_CHARACTERS = 2 ** 18;
const COMMENT_MARK = '<!--TABLE_COMMENT-->';
/** Exclusive upper limit of an int32. */
const INT32_LIMIT = 2 ** 31;

/** Returns the offset of the line break after `at`, or the length of the text. */
const lineEnd = (text: string, at: number) => {
  const end = text.indexOf('\n', at);
  return end < 0 ? text.length : end;
};

/** Reads the text of a TABLE output by the rules of `parseTable`, without its comment. */
export function tableSource(text: string): TableSource {
  let start = 0;
  let header: string | undefined;
  while (header === undefined && start < text.length) {
    const end = lineEnd(text, start);
    const line = text.slice(start, end);
    start = end + 1;
    if (line !== '' && line !== COMMENT_MARK) header = line;
  }
  const columns = header === undefined ? [] : toColumns(header.split('\t'));
  return {
    columns,
    *batches() {
      let rows: (readonly Cell[])[] = [];
      let from = start;
      let hasRows = false;
      for (let at = start; at < text.length; ) {
        const end = lineEnd(text, at);
        const line = text.slice(at, end);
        at = end + 1;
        if (line === '' || line === COMMENT_MARK) {
          if (hasRows) break;
          continue;
        }
        hasRows = true;
        rows.push(line.split('\t').map(toCell));
        if (rows.length < MAX_BATCH_ROWS && at - from < MAX_BATCH_CHARACTERS) continue;
        yield { columns, rows, comment: '' };
        rows = [];
        from = at;
      }
      if (rows.length > 0) yield { columns, rows, comment: '' };
    },
  };
}

export function rangeOf(
  table: TableSource,
  { offset, limit }: { readonly offset: number; readonly limit: number },
): TableSource {
  if (offset === 0 && limit === Infinity) return table;
  return {
    columns: table.columns,
    *batches() {
      let at = 0;
      for (const batch of table.batches()) {
        const rows = batch.rows.slice(Math.max(0, offset - at), Math.max(0, offset + limit - at));
        at += batch.rows.length;
        if (rows.length > 0) yield { ...batch, rows };
        if (at >= offset + limit) return;
      }
    },
  };
}

/** Yields to other work, so that a long table does not block the server. */
export const yieldToEventLoop = (): Promise<void> =>
  new Promise((resolve) => setImmediate(resolve));

/** Determines the type of each column. */
export async function columnKinds({ columns, batches }: TableSource): Promise<ColumnKind[]> {
  const states = columns.map(() => ({ hasValues: false, isNumeric: true, fitsInt32: true }));
  for (const { rows } of batches()) {
    for (const [position, { index }] of columns.entries()) {
      const state = states[position]!;
      for (const row of rows) {
        if (!state.isNumeric) break;
        const cell = row[index];
        if (isMissing(cell)) continue;
        const value = columnNumber(cell);
        state.hasValues = true;
        state.isNumeric = value !== undefined && isDoubleText(cell);
        state.fitsInt32 &&=
          value !== undefined &&
          Number.isInteger(value) &&
          value >= -INT32_LIMIT &&
          value < INT32_LIMIT;
      }
    }
    if (states.every(({ isNumeric }) => !isNumeric)) break;
    await yieldToEventLoop();
  }
  return states.map(({ hasValues, isNumeric, fitsInt32 }) =>
    !hasValues || !isNumeric ? 'utf8' : fitsInt32 ? 'int32' : 'float64',
  );
}

/** Converts a cell to a value of its column's type. Returns null if the cell has no value. */
export function cellValueOf(cell: Cell | undefined, kind: ColumnKind): string | number | null {
  if (kind === 'utf8') return cell === undefined || cell === 'null' ? null : String(cell);
  return isMissing(cell) ? null : (columnNumber(cell) ?? null);
}

/**
 * Makes names distinct: the second `a` becomes `a_2`, or the next free number. With `fold`, names
 * that differ only in case count as equal, and empty names become `column_1`, `column_2` and so on
 * by position.
 */
export function distinctNames(columns: readonly TableColumn[], { fold = false } = {}): string[] {
  const names = columns.map(({ name }, index) =>
    fold && name === '' ? `column_${index + 1}` : name,
  );
  return distinctTexts(names, fold ? (name) => name.toLowerCase() : undefined);
}
