/** Runs an SQL script on a connection. */
import {
  type DuckDBConnection,
  type DuckDBDataChunk,
  type DuckDBPreparedStatement,
  type DuckDBResult,
  type DuckDBValue,
  ResultReturnType,
  StatementType,
} from '@duckdb/node-api';
import { isUtc } from '@tiding/client/model';
import type { RunEnd, RunOutput, TableKeeper } from '../../contract.ts';
import { countRows, line, TableWriter, textNotice } from '../../table-text.ts';
import { resolveFiles, splitStatements, transactionEffect } from '../script.ts';
import { boundedValue } from './bounded-value.ts';
import { errorText, interruptible, slots } from './database.ts';
import { fileFinder } from './find-file.ts';
import { formatterOf } from './format.ts';
import { ResultKeeper, type StoredRows } from './results/result-keeper.ts';
import type { SharedTables } from './shared-tables.ts';

/** Maximum size of a shown value, in characters. */
const MAX_CELL = 100_000;
/** Maximum size of a shown row, in characters. */
const MAX_ROW = 1_000_000;
/** Output is sent when it has this many characters. */
const MAX_MESSAGE = 1_000_000;
/** Interval at which the number of stored rows is reported, in ms. */
const STORING_MS = 250;
const cutNotice = (isStored: boolean): string =>
  `Values are shown up to ${MAX_CELL.toLocaleString('en-US')} characters; ` +
  (isStored
    ? 'the table view, downloads and scripts have all of them.'
    : 'select a part of the longer ones, for example with left(…) or list_slice(…).');

export interface EngineScript {
  readonly code: string;
  /** Maximum number of rows shown per result. */
  readonly limit: number;
  /** Folders in which relative file names are looked up. */
  readonly fileFolders: readonly string[];
  readonly output: Pick<RunOutput, 'write' | 'add' | 'whole' | 'storing'>;
  /** Stores complete results. Absent: only the shown rows exist. */
  readonly keep: TableKeeper | undefined;
  readonly signal: AbortSignal;
  /** Sends the output so far. Resolves when there is room for more. */
  flush(): Promise<void>;
}

/** An SQL session: a connection and the state of its transaction. */
export class SqlSession {
  readonly #connection: DuckDBConnection;
  readonly #shared: SharedTables | undefined;
  #inTransaction = false;

  constructor(connection: DuckDBConnection, shared?: SharedTables) {
    this.#connection = connection;
    this.#shared = shared;
  }

  /** Closes the connection, which rolls back an open transaction. */
  async close(): Promise<void> {
    if (this.#inTransaction) await this.#rollBack();
    this.#connection.disconnectSync();
  }

  /**
   * Runs the statements in order. The first failure ends the script and rolls back an open
   * transaction.
   */
  async run(script: EngineScript): Promise<RunEnd> {
    const statements = splitStatements(script.code);
    const writer = new TableWriter(script.output);
    for (const [index, statement] of statements.entries()) {
      try {
        const { signal } = script;
        const inTransaction = this.#inTransaction;
        const use = { connection: this.#connection, sql: statement, signal, inTransaction };
        const work = () =>
          interruptible(this.#connection, signal, () => this.#statement(statement, script, writer));
        await (this.#shared ? this.#shared.use(use, work) : work());
        if (!this.#inTransaction) await this.#shared?.release(this.#connection);
      } catch (error) {
        writer.end();
        const notice = await this.#rollBack();
        if (script.signal.aborted) return { code: 'ABORT' };
        const place =
          statements.length > 1 ? `\n(statement ${index + 1} of ${statements.length})` : '';
        return { code: 'ERROR', message: errorText(error) + place + notice };
      }
    }
    writer.end();
    return script.signal.aborted ? { code: 'ABORT' } : { code: 'SUCCESS' };
  }

  async #statement(statement: string, script: EngineScript, writer: TableWriter): Promise<void> {
    const extracted = await this.#connection.extractStatements(
      await resolveFiles(statement, fileFinder(this.#connection, script.fileFolders)),
    );
    // The engine may split one statement into several (PIVOT first creates a type). Only the result
    // of the last one is shown.
    for (let index = 0; index < extracted.count; index += 1) {
      script.signal.throwIfAborted();
      const prepared = await extracted.prepare(index);
      try {
        await slots.use(script.signal, () =>
          this.#execute(prepared, script, writer, index === extracted.count - 1),
        );
      } finally {
        prepared.destroySync();
      }
    }
    const effect = transactionEffect(statement);
    if (effect) this.#inTransaction = effect === 'begin';
  }

  async #execute(
    prepared: DuckDBPreparedStatement,
    script: EngineScript,
    writer: TableWriter,
    last: boolean,
  ): Promise<void> {
    const type = prepared.statementType;
    // Rows are streamed only if a failed stream can be repeated for its error, see below.
    const streams = type === StatementType.SELECT && !this.#inTransaction;
    // A later question would end the stream.
    const zone = await this.#timeZone();
    const result = streams ? await prepared.stream() : await prepared.run();
    const returned = result.returnType;
    if (returned === ResultReturnType.QUERY_RESULT && !isBareSuccess(result)) {
      if (type === StatementType.EXPLAIN) {
        const plan = (await result.getRows()).map((row) => String(row.at(-1) ?? ''));
        return writer.add('TEXT', plan.join('\n'));
      }
      const complete = await this.#table(result, zone, script, writer);
      script.signal.throwIfAborted();
      // A stream that was not read to its end is closed by the next statement on the connection.
      if (streams && !complete) await this.#connection.run('SELECT 1');
      // A failed stream looks like a complete one, and its error cannot be read here. The statement
      // runs again for the message. If it succeeds this time, the run still fails, because rows
      // are missing.
      if (result.returnType === ResultReturnType.INVALID) {
        await prepared.run();
        throw new Error('The statement failed while reading its rows.');
      }
      return;
    }
    if (!last) return;
    if (returned === ResultReturnType.CHANGED_ROWS) {
      writer.text(
        `${countRows(result.rowsChanged)} ${type === StatementType.COPY ? 'copied' : 'changed'}`,
      );
    } else {
      const count = await countOf(result);
      writer.text(count === undefined ? 'OK' : `OK, ${countRows(count)}`);
    }
  }

  /**
   * Shows rows chunk by chunk up to the limit and stores all of them. Returns `false` if there were
   * more.
   */
  async #table(
    result: DuckDBResult,
    zone: string,
    script: EngineScript,
    writer: TableWriter,
  ): Promise<boolean> {
    const formatters = Array.from({ length: result.columnCount }, (_, index) =>
      formatterOf(result.columnType(index), zone),
    );
    const names = result.columnNames();
    const keeper = new ResultKeeper(result, names, script.keep, zone);
    writer.begin(names, keeper.table);
    let shown = 0;
    let seen = 0;
    let more = false;
    let cut = false;
    let reported = performance.now();
    try {
      for (;;) {
        script.signal.throwIfAborted();
        const chunk = await result.fetchChunk();
        if (!chunk || chunk.rowCount === 0) break;
        const rows = Math.min(chunk.rowCount, script.limit - shown);
        if (rows > 0) cut ||= await this.#rows(chunk, rows, formatters, script, writer);
        shown += rows;
        seen += chunk.rowCount;
        // The remaining rows are neither shown nor stored.
        if (!(await keeper.write(chunk)) && seen > shown) {
          more = true;
          break;
        }
        if (keeper.table && seen > shown && performance.now() - reported >= STORING_MS) {
          script.output.storing(keeper.table, seen);
          await script.flush();
          reported = performance.now();
        }
      }
      // A failed stream looks like a complete one. Its table is not stored.
      const isWhole = result.returnType !== ResultReturnType.INVALID;
      if (isWhole) await keeper.end();
      if (isWhole && seen > shown)
        writer.text(truncationNotice(shown, seen, keeper.stored, script.limit));
      else writer.end();
      const { stored, texts } = keeper;
      if (stored && texts.length > 0) writer.text(textNotice(texts));
      if (cut) writer.text(cutNotice(isWhole && stored !== undefined && !stored.stopped));
      return !more;
    } finally {
      keeper.close();
    }
  }

  /** Shows the first `count` rows of a chunk. Resolves to whether values were cut. */
  async #rows(
    chunk: DuckDBDataChunk,
    count: number,
    formatters: readonly ((value: DuckDBValue) => string)[],
    script: EngineScript,
    writer: TableWriter,
  ): Promise<boolean> {
    const vectors = formatters.map((_, column) => chunk.getColumnVector(column));
    let lines: string[] = [];
    let length = 0;
    let cut = false;
    for (let row = 0; row < count; row += 1) {
      let room = MAX_ROW;
      const cells = vectors.map((vector, column) => {
        const budget = { left: Math.min(MAX_CELL, room), cut: false };
        const text = formatters[column]!(boundedValue(vector, row, budget));
        const isLong = budget.cut || text.length > 6 * MAX_CELL;
        cut ||= isLong;
        const shown = isLong ? `${text.slice(0, MAX_CELL)}…` : text;
        room = Math.max(0, room - shown.length);
        length += shown.length;
        return shown;
      });
      lines.push(line(cells));
      if (length < MAX_MESSAGE) continue;
      writer.rows(lines);
      await script.flush();
      script.signal.throwIfAborted();
      lines = [];
      length = 0;
    }
    writer.rows(lines);
    await script.flush();
    return cut;
  }

  /** The zone of the session, in which instants are shown. */
  async #timeZone(): Promise<string> {
    try {
      const reader = await this.#connection.runAndReadAll("SELECT current_setting('TimeZone')");
      const zone = String(reader.getRows()[0]![0]);
      return isUtc(zone) ? 'UTC' : zone;
    } catch {
      // A failed statement has ended the transaction. The next one says so.
      return 'UTC';
    }
  }

  /**
   * Ends an open transaction after a failure, because all later statements in it would fail.
   * Returns a notice for the user.
   */
  async #rollBack(): Promise<string> {
    try {
      await this.#connection.run('ROLLBACK');
    } catch {
      // There was no transaction.
    }
    await this.#shared?.release(this.#connection);
    if (!this.#inTransaction) return '';
    this.#inTransaction = false;
    return '\nThe open transaction was rolled back.';
  }
}

/** Returns the notice for a result that is not shown completely. */
function truncationNotice(
  shown: number,
  seen: number,
  whole: StoredRows | undefined,
  limit: number,
): string {
  const first = `Showing the first ${countRows(shown)}`;
  if (whole && !whole.stopped)
    return (
      `The note has the first ${shown.toLocaleString('en-US')} of ${countRows(seen)}; ` +
      'the table view, downloads and scripts have all of them.'
    );
  if (whole?.stopped === 'limit' && whole.length > shown)
    return (
      `The note has the first ${countRows(shown)}; the table view, downloads and scripts have ` +
      `the first ${whole.length.toLocaleString('en-US')}, and there are more.`
    );
  const larger = Math.min(limit * 10, 1_000_000);
  return `${first}; there are more. For more rows start with %sql(limit=${larger}).`;
}

/** Statements such as CHECKPOINT return an empty table with one column `Success`. */
function isBareSuccess(result: DuckDBResult): boolean {
  return (
    result.columnCount === 0 || (result.columnCount === 1 && result.columnName(0) === 'Success')
  );
}

/** Returns the number of rows that CREATE TABLE … AS inserted. */
async function countOf(result: DuckDBResult): Promise<number | undefined> {
  if (result.columnCount !== 1 || result.columnName(0) !== 'Count') return undefined;
  const value = (await result.getRows())[0]?.[0];
  return typeof value === 'bigint' || typeof value === 'number' ? Number(value) : undefined;
}
