/**
 * The table of a stored output, read in batches: never more than one batch of it exists as rows. What kind of values a
 * column holds is found by reading all of it once before, without keeping any of it.
 */
import {
  columnNumber,
  isMissing,
  toCell,
  toColumns,
  type Cell,
  type TableColumn,
  type TableData,
} from 'tiding/model';
import { distinctTexts } from '../interpreters/table-text.ts';

/** Type of a column in an export, the same ones as `toArrow` gives. */
export type ColumnKind = 'int32' | 'float64' | 'utf8';

/** A table that is read piece by piece. */
export interface TableSource {
  readonly columns: readonly TableColumn[];
  /** The rows in order, some at a time, none left out and no empty batch; can be read again and again. */
  batches(): Generator<TableData>;
}

/** Rows of a batch. */
const ROWS = 1_000;
/** A batch ends as well when its text has this many characters: rows may be long. */
const CHARACTERS = 2 ** 18;
const COMMENT_MARK = '<!--TABLE_COMMENT-->';
const INT32_MAX = 2 ** 31;

/** Where a line ends, its break left out. */
const endOf = (text: string, at: number) => {
  const end = text.indexOf('\n', at);
  return end < 0 ? text.length : end;
};

/** Reads the text of a TABLE output by the rules of `parseTable`, without its comment. */
export function tableSource(text: string): TableSource {
  let start = 0;
  let header: string | undefined;
  while (header === undefined && start < text.length) {
    const end = endOf(text, start);
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
      let some = false;
      for (let at = start; at < text.length; ) {
        const end = endOf(text, at);
        const line = text.slice(at, end);
        at = end + 1;
        if (line === '' || line === COMMENT_MARK) {
          if (some) break;
          continue;
        }
        some = true;
        rows.push(line.split('\t').map(toCell));
        if (rows.length < ROWS && at - from < CHARACTERS) continue;
        yield { columns, rows, comment: '' };
        rows = [];
        from = at;
      }
      if (rows.length > 0) yield { columns, rows, comment: '' };
    },
  };
}

/** Some rows of a table. */
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

/** Lets everybody else have a turn: a long table is read in many short ones. */
export const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** The kind of each column. */
export async function columnKinds({ columns, batches }: TableSource): Promise<ColumnKind[]> {
  const states = columns.map(() => ({ some: false, numbers: true, whole: true }));
  for (const { rows } of batches()) {
    for (const [place, { index }] of columns.entries()) {
      const state = states[place]!;
      for (const row of rows) {
        if (!state.numbers) break;
        const cell = row[index];
        if (isMissing(cell)) continue;
        const value = columnNumber(cell);
        state.some = true;
        state.numbers = value !== undefined;
        state.whole &&=
          value !== undefined &&
          Number.isInteger(value) &&
          value >= -INT32_MAX &&
          value < INT32_MAX;
      }
    }
    if (states.every(({ numbers }) => !numbers)) break;
    await turn();
  }
  return states.map(({ some, numbers, whole }) =>
    !some || !numbers ? 'utf8' : whole ? 'int32' : 'float64',
  );
}

/** A cell as a value of its column's kind; null where it has none. */
export function valueOf(cell: Cell | undefined, kind: ColumnKind): string | number | null {
  if (kind === 'utf8') return cell === undefined || cell === 'null' ? null : String(cell);
  return isMissing(cell) ? null : (columnNumber(cell) ?? null);
}

/** Names made distinct: the second `a` becomes `a_2`, or the next free number. `fold`: names that differ in case alone are the same, and none is empty. */
export function distinctNames(columns: readonly TableColumn[], { fold = false } = {}): string[] {
  const names = columns.map(({ name }, place) =>
    fold && name === '' ? `column_${place + 1}` : name,
  );
  return distinctTexts(names, fold ? (name) => name.toLowerCase() : undefined);
}
