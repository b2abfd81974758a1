/** Collects rows whose types are known only at the end, and writes them to a Parquet file. */
import * as api from '@duckdb/node-api';
import { quoteName, quoteText } from '../../script.ts';
import { FileProblem, TableProblem } from './problem.ts';

/**
 * The kind of a value. A `blob` is in hexadecimal digits, dates and times are as in ISO 8601, and
 * `missing` is a text that is a missing value among numbers or dates, and a text among texts.
 */
export type ValueKind =
  | 'blob'
  | 'boolean'
  | 'date'
  | 'duration'
  | 'integer'
  | 'missing'
  | 'number'
  | 'text'
  | 'time'
  | 'timestamp';

/** Rows of a chunk of the engine. */
const CHUNK_ROWS = 2_048;
/** Rows that are collected before they go to the database, which writes them to its disk. */
const BUFFER_ROWS = 8 * CHUNK_ROWS;
/** Characters that are collected before they go to the database. */
const MAX_BUFFER = 4 * 2 ** 20;
/** Maximum number of columns. */
const MAX_COLUMNS = 2_000;

/** Upper bounds of all tables of a file together. */
export class TableBudget {
  #bytes: number;
  readonly #limit: number;

  constructor(bytes: number) {
    this.#bytes = bytes;
    this.#limit = bytes;
  }

  /** Throws if there is no room for `bytes` more. */
  take(bytes: number): void {
    this.#bytes -= bytes;
    if (this.#bytes < 0)
      throw new FileProblem(
        `has more than ${this.#limit.toLocaleString('en-US')} bytes of values, which is the ` +
          'limit of the server for a data file. Save a part of it.',
      );
  }
}

/** A table of texts in a database file. Only one exists at a time. */
export class TypedTable {
  readonly #connection: api.DuckDBConnection;
  readonly #budget: TableBudget;
  readonly #kinds: Set<ValueKind>[] = [];
  readonly #missing: Set<string>[] = [];
  /** What was guessed, after {@link write}. */
  readonly remarks: string[] = [];
  #columns: (string | null)[][] = [];
  #buffered = 0;
  #bufferedRows = 0;
  #storedColumns = 0;
  rows = 0;

  constructor(connection: api.DuckDBConnection, budget: TableBudget) {
    this.#connection = connection;
    this.#budget = budget;
  }

  /** Makes room for a column. Throws if there would be too many. */
  widen(column: number): void {
    if (column >= MAX_COLUMNS)
      throw new TableProblem(`has more than ${MAX_COLUMNS.toLocaleString('en-US')} columns`);
    while (this.#columns.length <= column) {
      this.#columns.push(new Array<null>(this.#bufferedRows).fill(null));
      this.#kinds.push(new Set());
      this.#missing.push(new Set());
    }
  }

  /** Sets a value of the current row. */
  set(column: number, kind: ValueKind, text: string): void {
    this.widen(column);
    this.#budget.take(text.length + 1);
    this.#buffered += text.length;
    if (kind === 'missing') this.#missing[column]!.add(text);
    else this.#kinds[column]!.add(kind);
    this.#columns[column]![this.#bufferedRows] = text;
  }

  endRow(): void {
    this.#bufferedRows += 1;
    this.rows += 1;
    for (const column of this.#columns) if (column.length < this.#bufferedRows) column.push(null);
    this.#buffered += this.#columns.length;
  }

  /** Whether {@link flush} should be called before further rows. */
  get isFull(): boolean {
    return this.#bufferedRows >= BUFFER_ROWS || this.#buffered > MAX_BUFFER;
  }

  /** Moves the collected rows to the database. */
  async flush(): Promise<void> {
    const width = this.#columns.length;
    if (width === 0 || this.#bufferedRows === 0) return;
    for (; this.#storedColumns < width; this.#storedColumns += 1) {
      const column = `c${this.#storedColumns} VARCHAR`;
      await this.#connection.run(
        this.#storedColumns === 0
          ? `CREATE OR REPLACE TABLE collected (${column})`
          : `ALTER TABLE collected ADD COLUMN ${column}`,
      );
    }
    const types = new Array<api.DuckDBType>(width).fill(api.VARCHAR);
    const appender = await this.#connection.createAppender('collected');
    try {
      for (let from = 0; from < this.#bufferedRows; from += CHUNK_ROWS) {
        const count = Math.min(CHUNK_ROWS, this.#bufferedRows - from);
        const chunk = api.DuckDBDataChunk.create(types, count);
        for (const [at, values] of this.#columns.entries())
          chunk.setColumnValues(at, values.slice(from, from + count));
        appender.appendDataChunk(chunk);
      }
    } finally {
      appender.closeSync();
    }
    this.#columns = this.#columns.map(() => []);
    this.#buffered = 0;
    this.#bufferedRows = 0;
  }

  /**
   * Writes the rows, with the narrowest type of each column that holds all of its values. Names
   * that are equal get a number. Returns the names of the columns in which all values are texts.
   * @param source written to the metadata of the file
   */
  async write(file: string, names: readonly string[], source: string): Promise<string[]> {
    await this.flush();
    const textColumns: string[] = [];
    const list = uniqueNames(names).map((name, at) => {
      const value = at < this.#storedColumns ? `c${at}` : 'NULL';
      const type = typeOf(this.#kinds[at] ?? new Set());
      const kinds = [...(this.#kinds[at] ?? [])].toSorted();
      if (type === 'VARCHAR' && kinds.length > 1)
        this.remarks.push(
          `${name} is text, because its values have the types ${kinds.join(' and ')}` +
            (kinds.includes('blob') ? '; those of blob are hexadecimal digits' : ''),
        );
      if (kinds.length === 1 && kinds[0] === 'text') textColumns.push(name);
      const words = [...(this.#missing[at] ?? [])];
      if (words.length > 0 && type !== 'VARCHAR')
        this.remarks.push(`${words.join(', ')} in ${name} is a missing value`);
      return `${typed(value, type, words)} AS ${quoteName(name)}`;
    });
    const rows =
      this.#storedColumns === 0
        ? `SELECT ${list.join(', ')} LIMIT 0`
        : `SELECT ${list.join(', ')} FROM collected`;
    await this.#connection.run(
      `COPY (${rows}) TO ${quoteText(file)} (FORMAT parquet, COMPRESSION zstd, ` +
        `USE_TMP_FILE false, KV_METADATA {${quoteText(SOURCE_KEY)}: ${quoteText(source)}})`,
    );
    await this.#connection.run('DROP TABLE IF EXISTS collected');
    return textColumns;
  }
}

/** Gives a number to names that are equal, as the engine does. */
export function uniqueNames(names: readonly string[]): string[] {
  const taken = new Set<string>();
  return names.map((given) => {
    let name = given;
    for (let number = 1; taken.has(name.toLowerCase()); number += 1) name = `${given}_${number}`;
    taken.add(name.toLowerCase());
    return name;
  });
}

/** Key of the metadata of a Parquet file that names the file it was made from. */
export const SOURCE_KEY = 'tiding-source';

function typeOf(kinds: ReadonlySet<ValueKind>): string {
  const only = (...allowed: ValueKind[]): boolean =>
    kinds.size > 0 && [...kinds].every((kind) => allowed.includes(kind));
  if (only('blob')) return 'BLOB';
  if (only('boolean')) return 'BOOLEAN';
  if (only('integer')) return 'BIGINT';
  if (only('integer', 'number')) return 'DOUBLE';
  if (only('date')) return 'DATE';
  if (only('date', 'timestamp')) return 'TIMESTAMP';
  if (only('time')) return 'TIME';
  if (only('duration')) return 'INTERVAL';
  return 'VARCHAR';
}

/** Returns the SQL that converts a text to a type. */
function typed(value: string, type: string, missing: readonly string[]): string {
  if (type === 'BLOB') return `from_hex(${value})`;
  if (missing.length === 0 || type === 'VARCHAR') return `${value}::${type}`;
  const words = missing.map(quoteText).join(', ');
  return `CASE WHEN ${value} NOT IN (${words}) THEN ${value} END::${type}`;
}
