/** A statement of MySQL, whose rows are read in batches. */
import type { Connection, FieldPacket, Query, ResultSetHeader } from 'mysql2';
import { bytesText, countRows } from '../../table-text.ts';
import type { StatementResult } from '../driver.ts';
import type { TextColumn, TextRow } from '../text-columns.ts';
import { kindOf } from './types.ts';

/** The server sends rows until this many wait here. */
const MAX_WAITING = 10_000;

type BufferRow = readonly (Buffer | null)[];

/** The server sends all rows; the socket is paused while enough of them wait. */
export class MySqlStatement implements StatementResult {
  readonly #connection: Connection;
  readonly #stop: () => Promise<void>;
  #rows: BufferRow[] = [];
  #isOver = false;
  #isSkipping = false;
  #error: unknown;
  #wake: (() => void) | undefined;
  /** Number of results; only a procedure has more than one. */
  #results = 0;
  columns: readonly TextColumn[] | undefined;
  summary = '';
  /** The answer to a statement without rows. */
  header: ResultSetHeader | undefined;

  constructor(connection: Connection, sql: string, stop: () => Promise<void>) {
    this.#connection = connection;
    this.#stop = stop;
    const query: Query = connection.query({
      sql,
      rowsAsArray: true,
      typeCast: (field) => field.buffer(),
    });
    query.on('fields', (fields: readonly FieldPacket[] | undefined) => this.#describe(fields));
    query.on('result', (row: BufferRow | ResultSetHeader) => this.#receive(row));
    query.on('error', (error: unknown) => this.#end(error));
    query.on('end', () => this.#end());
  }

  #describe(fields: readonly FieldPacket[] | undefined): void {
    if (!fields) return;
    this.#results += 1;
    if (this.#results > 1) return;
    this.columns = fields.map((field) => ({ name: field.name, kind: kindOf(field) }));
    this.#signal();
  }

  #receive(row: BufferRow | ResultSetHeader): void {
    if (!Array.isArray(row)) {
      this.header = row as ResultSetHeader;
      return;
    }
    if (this.#results > 1 || this.#isSkipping) return;
    this.#rows.push(row);
    if (this.#rows.length >= MAX_WAITING) this.#connection.pause();
    this.#signal();
  }

  #end(error?: unknown): void {
    this.#error ??= error;
    this.#isOver = true;
    if (this.header && !this.columns)
      this.summary = `OK, ${countRows(this.header.affectedRows)} affected`;
    this.#signal();
  }

  /** Ends it, because the session has ended. */
  fail(error: Error): void {
    if (!this.#isOver) this.#end(error);
  }

  #signal(): void {
    this.#wake?.();
    this.#wake = undefined;
  }

  async #until(isReady: () => boolean): Promise<void> {
    while (!isReady() && !this.#isOver) {
      this.#connection.resume();
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
    if (this.#error !== undefined) throw this.#error;
  }

  /** Resolves when the columns are known or, if there are none, at the end of the statement. */
  async opened(): Promise<this> {
    await this.#until(() => this.columns !== undefined);
    return this;
  }

  async read(count: number): Promise<readonly TextRow[]> {
    await this.#until(() => this.#rows.length >= count);
    const rows = this.#rows.splice(0, count);
    const isBinary = this.columns!.map(({ kind }) => kind === 'bytes');
    return rows.map((row) =>
      row.map((value, column) =>
        value === null ? null : isBinary[column] ? bytesText(value) : value.toString(),
      ),
    );
  }

  async close(): Promise<void> {
    this.#isSkipping = true;
    this.#rows = [];
    if (!this.#isOver) await this.#stop();
    // It ends with an error, because it was stopped.
    await this.#until(() => false).catch(() => undefined);
    this.#connection.resume();
  }

  get notice(): string | undefined {
    return this.#results > 1
      ? `NOTE: Only the first of ${this.#results} results of the procedure is shown.`
      : undefined;
  }
}
