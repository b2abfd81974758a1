/** A cell: a number if it prints as the text of the cell, otherwise the text. */
export type Cell = string | number;

/** A column of a table, as chart settings store it. */
export interface TableColumn {
  /** Cell of the first line. */
  readonly name: string;
  /** Index of its cells in a row, starting at 0. */
  readonly index: number;
  /** Default aggregation in charts. */
  readonly aggr: 'sum';
}

/**
 * A table. Rows may be shorter than the columns (missing cells are `undefined`) or longer (extra
 * cells are not displayed).
 */
export interface TableData {
  /** Columns, from the first line. */
  readonly columns: readonly TableColumn[];
  /** All further lines, in order. */
  readonly rows: readonly (readonly Cell[])[];
  /**
   * HTML from the interpreter, shown below the table. Sanitize it before display. `''` if there is
   * none.
   */
  readonly comment: string;
}

/**
 * An incremental parser for tables. Its total time is proportional to the length of the text,
 * however it is split.
 */
export interface TableParser {
  /** Parses the next chunk; lines may be split anywhere. */
  write(chunk: string): void;
  /**
   * The table so far, including an unfinished last line. It is a new object after each write, but
   * all share one growing list of `rows`, so an earlier table also gets later rows: remember its
   * length if that matters.
   */
  readonly table: TableData;
}

const COMMENT_MARK = '<!--TABLE_COMMENT-->';
/** Codes of `0`, `9` and `-`. */
const [CODE_0, CODE_9, CODE_MINUS] = [48, 57, 45] as const;

/**
 * Converts text to a cell: a number if printing the number gives the same text, so that no cell
 * loses its text. `1.10`, `1e3` and `-007` stay text, and so do, as in Zeppelin, cells that start
 * with `0` or `+` and long ids. Use `columnNumber` for the value of a cell in a column of numbers.
 */
export function toCell(text: string): Cell {
  const first = text.charCodeAt(0);
  // Most cells are decided here, and large tables have millions.
  const isNumeric = (first > CODE_0 && first <= CODE_9) || first === CODE_MINUS;
  if (!isNumeric || text.length > 16) return text;
  const value = Number(text);
  return String(value) === text && isExact(value) ? value : text;
}

/** Beyond 2^53, a double may be the number of several whole numbers. */
const isExact = (value: number): boolean =>
  Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value));

/** Creates columns with these names, in order. */
export function toColumns(names: readonly string[]): TableColumn[] {
  return names.map((name, index) => ({ name, index, aggr: 'sum' }));
}

/** Creates an incremental parser. */
export function createTableParser(): TableParser {
  const rows: (readonly Cell[])[] = [];
  let columns: readonly TableColumn[] = [];
  let comment = '';
  let inComment = false;
  let partial = '';
  /** Whether the last row of `rows` is the unfinished line, which will be parsed again. */
  let provisional = false;
  let table: TableData | undefined;

  function take(line: string): void {
    if (inComment) comment += line;
    // Before the first row, empty lines are skipped, and the first line with text is the header.
    // Zeppelin uses only line one, so a table that starts with an empty line has no columns there.
    else if (line === '' || line === COMMENT_MARK) inComment = rows.length > 0;
    else if (columns.length === 0) columns = toColumns(line.split('\t'));
    else rows.push(line.split('\t').map(toCell));
  }

  function dropProvisional(): void {
    if (provisional) rows.pop();
    provisional = false;
  }

  function read(): TableData {
    dropProvisional();
    if (partial === '' || (!inComment && partial === COMMENT_MARK))
      return { columns, rows, comment };
    if (inComment) return { columns, rows, comment: comment + partial };
    if (columns.length === 0) return { columns: toColumns(partial.split('\t')), rows, comment };
    take(partial);
    provisional = true;
    return { columns, rows, comment };
  }

  return {
    write(chunk) {
      if (chunk === '') return;
      table = undefined;
      const end = chunk.lastIndexOf('\n');
      if (end < 0) {
        partial += chunk;
        return;
      }
      dropProvisional();
      for (const line of (partial + chunk.slice(0, end)).split('\n')) take(line);
      partial = chunk.slice(end + 1);
    },
    get table() {
      return (table ??= read());
    },
  };
}

/**
 * Parses the text of a table. Lines end with `\n`, cells with a tab, and
 * nothing is escaped. The first non-empty line is the header. An empty line or
 * `<!--TABLE_COMMENT-->` after at least one row starts the comment, whose lines are joined without
 * line breaks.
 *
 * @example
 * parseTable('city\tcount\nOslo\t3\n').rows; // [['Oslo', 3]]
 */
export function parseTable(text: string): TableData {
  const parser = createTableParser();
  parser.write(text);
  return parser.table;
}
