/** TABLE output: text with tabs and line breaks to columns and rows, as it streams. */

/** A cell: a number where the text is safely one, else the text. */
export type Cell = string | number;

/** A column as graph settings keep it; `aggr` starts as sum. */
export interface TableColumn {
  /** The cell of the first line. */
  readonly name: string;
  /** Place of its cells in a row, from 0. */
  readonly index: number;
  /** What a chart does with the column until people choose otherwise. */
  readonly aggr: 'sum';
}

/**
 * A table. Rows may be shorter than the columns (missing cells are `undefined`) or longer (extra cells are not shown).
 * `comment` is HTML from the interpreter, to be sanitised before it is shown below the table.
 */
export interface TableData {
  /** From the first line. */
  readonly columns: readonly TableColumn[];
  /** Every further line, in order. */
  readonly rows: readonly (readonly Cell[])[];
  /** `''` where there is none. */
  readonly comment: string;
}

/** Reads a table as it streams; costs time in proportion to the text, however it is cut. */
export interface TableParser {
  /** Takes the next piece; a line may be cut anywhere. */
  write(chunk: string): void;
  /**
   * The table so far, an unfinished last line included. A new object after each write that brought text; its `rows` are
   * one list that keeps growing, so an earlier table sees later rows too: keep its length if that matters.
   */
  readonly table: TableData;
}

const COMMENT_MARK = '<!--TABLE_COMMENT-->';

/**
 * A cell by upstream's rule (0.8.2): a number if it does not start with `0` or `+`, has at most 16 characters and is
 * finite as a whole. So `0`, `0.5`, `+1` and long ids stay text, `-5`, `1e3` and `.5` become numbers.
 */
export function toCell(text: string): Cell {
  const first = text[0];
  if (first === undefined || first === '0' || first === '+' || text.length > 16) return text;
  return !Number.isNaN(Number.parseFloat(text)) && Number.isFinite(Number(text))
    ? Number.parseFloat(text)
    : text;
}

/** Columns with these names, in order. */
export function toColumns(names: readonly string[]): TableColumn[] {
  return names.map((name, index) => ({ name, index, aggr: 'sum' }));
}

/** A parser for a table that arrives in pieces, or that continues one. */
export function createTableParser(start?: TableData): TableParser {
  const rows: (readonly Cell[])[] = [...(start?.rows ?? [])];
  let columns = start?.columns ?? [];
  let comment = start?.comment ?? '';
  let inComment = comment !== '';
  let partial = '';
  /** The last row of `rows` is the unfinished line's and will be made again. */
  let provisional = false;
  let table: TableData | undefined;

  function take(line: string): void {
    if (inComment) comment += line;
    // Before the first row empty lines are skipped. The first line with text is the header: upstream takes only line
    // one, so that a table which starts with an empty line has no columns there.
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
 * A table from its text (upstream 0.8.2): lines end with `\n`, cells with a tab, nothing is escaped; the first non-empty
 * line is the header; an empty line or `<!--TABLE_COMMENT-->` after at least one row starts the comment, whose lines
 * are joined without line breaks.
 */
export function parseTable(text: string): TableData {
  const parser = createTableParser();
  parser.write(text);
  return parser.table;
}

/**
 * A new table with the rows of `text`, which starts at the start of a line, at the end. Cells are read as in
 * {@link parseTable}; upstream leaves appended ones as text. Copies the rows: for a stream use {@link createTableParser}.
 */
export function appendRows(table: TableData, text: string): TableData {
  const parser = createTableParser(table);
  parser.write(text);
  return parser.table;
}
