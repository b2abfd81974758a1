/** A cell: a number if the text safely represents one, otherwise the text. */
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
const [CODE_A, CODE_Z] = ['A'.charCodeAt(0), 'z'.charCodeAt(0)];
const [CODE_0, CODE_9] = ['0'.charCodeAt(0), '9'.charCodeAt(0)];
const [CODE_PLUS, CODE_MINUS] = ['+'.charCodeAt(0), '-'.charCodeAt(0)];

/**
 * Converts text to a cell as in Zeppelin 0.8.2: a number if it is finite, has at most 16 characters
 * and does not start with `0` or `+`. So `0`, `0.5`, `+1` and long ids stay text; `-5`, `1e3` and
 * `.5` become numbers. Unlike in Zeppelin, whole numbers of 16 digits beyond 2^53 stay text too,
 * because a double would change their last digit. Use `columnNumber` for the value of a cell in a
 * column of numbers.
 */
export function toCell(text: string): Cell {
  const first = text.charCodeAt(0);
  // No number starts with a letter. Most cells are decided here, and large tables have millions.
  const isLetter = first >= CODE_A && first <= CODE_Z;
  if (isLetter || first === CODE_0 || first === CODE_PLUS || text === '' || text.length > 16)
    return text;
  const exact = Number(text);
  if (!Number.isFinite(exact)) return text;
  // Blanks before a number are skipped; blanks alone are 0 for `Number`, hexadecimal digits too.
  const value = first >= CODE_MINUS && first <= CODE_9 ? exact : Number.parseFloat(text);
  if (Number.isNaN(value)) return text;
  return text.length === 16 && !Number.isSafeInteger(value) && /^\d+$/.test(text) ? text : value;
}

/** Creates columns with these names, in order. */
export function toColumns(names: readonly string[]): TableColumn[] {
  return names.map((name, index) => ({ name, index, aggr: 'sum' }));
}

/** Creates an incremental parser, optionally continuing a table. */
export function createTableParser(start?: TableData): TableParser {
  const rows: (readonly Cell[])[] = [...(start?.rows ?? [])];
  let columns = start?.columns ?? [];
  let comment = start?.comment ?? '';
  let inComment = comment !== '';
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
 * Parses the text of a table (as in Zeppelin 0.8.2). Lines end with `\n`, cells with a tab, and
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

/**
 * Returns a new table with further rows. `text` must start at the start of a line. Cells are
 * converted as in {@link parseTable}; Zeppelin leaves appended cells as text. Copies all rows, so
 * use {@link createTableParser} for a stream.
 */
export function appendRows(table: TableData, text: string): TableData {
  const parser = createTableParser(table);
  parser.write(text);
  return parser.table;
}
