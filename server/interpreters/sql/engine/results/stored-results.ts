/** Answers queries over stored tables, in a process for them only. */
import * as api from '@duckdb/node-api';
import type { ResultQuery } from '@tiding/client/protocol';
import { type RecordBatch, Schema } from 'apache-arrow';
import { quoteText } from '../../script.ts';
import { arrowOf, streamOf } from '../arrow.ts';
import { inSlot, selectedNumber } from '../database.ts';
import type { EngineLimits, EngineRequest } from '../messages.ts';
import { filterSql, orderSql, sortsByText, textKey, textOf } from './query-sql.ts';
import { type QueryTables, queryTables } from './query-tables.ts';
import { findSql, StoredFile, statementOf, type View } from './statements.ts';

type Connection = api.DuckDBConnection;
type Query = Extract<EngineRequest, { call: 'queryResult' }>;

/** Open files, and orders of rows, beyond which the least recently used ones are dropped. */
const MAX_FILES = 32;
const MAX_VIEWS = 12;
/** The first rows of an order are computed without the rest of it. */
const FIRST_ROWS = 1_000;
/** A text column whose first rows repeat their values is sorted by its distinct values. */
const SAMPLED_ROWS = 50_000;
/** Rows per message when a table is read. */
const MESSAGE_ROWS = 16_384;

/** The stored tables that are in use. */
export class StoredResults {
  readonly #instance: api.DuckDBInstance;
  readonly #files = new Map<string, Promise<StoredFile>>();
  /** Reversed order of use: the first is the oldest. */
  #views: { file: StoredFile; key: string; name: string }[] = [];
  #names = 0;

  private constructor(instance: api.DuckDBInstance) {
    this.#instance = instance;
  }

  static async open(temporaryFolder: string, limits: EngineLimits): Promise<StoredResults> {
    const instance = await api.DuckDBInstance.create(':memory:', {
      memory_limit: limits.memory_limit,
      ...(limits.threads ? { threads: limits.threads } : {}),
      temp_directory: temporaryFolder,
      max_temp_directory_size: '20GiB',
      autoinstall_known_extensions: 'false',
      autoload_known_extensions: 'false',
    });
    return new StoredResults(instance);
  }

  #with<T>(
    signal: AbortSignal | undefined,
    work: (connection: Connection) => Promise<T>,
  ): Promise<T> {
    return inSlot(this.#instance, signal, work);
  }

  /** Finds the tables that queries name; see {@link queryTables}. */
  tables(queries: readonly string[], signal: AbortSignal): Promise<(QueryTables | undefined)[]> {
    return this.#with(signal, (connection) => queryTables(connection, queries));
  }

  #file(file: string): Promise<StoredFile> {
    let found = this.#files.get(file);
    if (found) {
      this.#files.delete(file);
      this.#files.set(file, found);
      return found;
    }
    found = this.#attach(file);
    this.#files.set(file, found);
    found.catch(() => this.#files.delete(file));
    const oldest = this.#files.keys().next().value!;
    if (this.#files.size > MAX_FILES) void this.#detach(oldest);
    return found;
  }

  async #attach(file: string): Promise<StoredFile> {
    const alias = `f${(this.#names += 1)}`;
    return this.#with(undefined, async (connection) => {
      await connection.run(`ATTACH ${quoteText(file)} AS ${alias} (READ_ONLY)`);
      const types = await connection.runAndReadAll(
        `SELECT data_type FROM duckdb_columns() WHERE database_name = '${alias}' ` +
          'ORDER BY column_index',
      );
      return new StoredFile(
        alias,
        types.getRows().map(([type]) => String(type)),
      );
    });
  }

  async #detach(path: string): Promise<void> {
    const file = await this.#files.get(path)?.catch(() => undefined);
    this.#files.delete(path);
    if (!file) return;
    for (const key of [...file.views.keys()]) await this.#drop(file, key);
    await this.#with(undefined, (connection) => connection.run(`DETACH ${file.alias}`)).catch(
      () => undefined,
    );
  }

  async #drop(file: StoredFile, key: string): Promise<void> {
    const view = await file.views.get(key)?.catch(() => undefined);
    file.views.delete(key);
    this.#views = this.#views.filter((each) => each.file !== file || each.key !== key);
    if (!view) return;
    await this.#with(undefined, (connection) =>
      connection.run(`DROP TABLE IF EXISTS ${view.name}`),
    ).catch(() => undefined);
  }

  /** Sends a range of rows, chunk by chunk. */
  async read(
    { file, offset, limit }: Extract<EngineRequest, { call: 'readResult' }>,
    signal: AbortSignal,
    send: (batch: Uint8Array) => Promise<boolean>,
  ): Promise<void> {
    const { from, columns } = await this.#file(file);
    const list = columns.map(({ sql }) => sql).join(', ');
    const end = Math.min(Number.MAX_SAFE_INTEGER, offset + limit);
    await this.#with(signal, async (connection) => {
      const result = await connection.stream(
        `SELECT ${list} FROM ${from} WHERE s.rowid >= ${offset} AND s.rowid < ${end}`,
      );
      const arrow = arrowOf(
        result,
        columns.map((_, index) => `c${index}`),
      );
      // One message for several chunks: a message costs more than a chunk.
      for (let isOver = false; !isOver; ) {
        const batches: RecordBatch[] = [];
        let rows = 0;
        while (!isOver && rows < MESSAGE_ROWS) {
          const chunk = await result.fetchChunk();
          isOver = !chunk || chunk.rowCount === 0;
          if (chunk && !isOver) batches.push(arrow.batch(chunk));
          rows += chunk?.rowCount ?? 0;
        }
        if (rows > 0 && !(await send(streamOf(arrow.schema, batches)))) return;
      }
    });
  }

  /** Answers a query with an Arrow stream. */
  async query({ file: path, rows, zones, query }: Query, signal: AbortSignal): Promise<Uint8Array> {
    const file = await this.#file(path);
    file.setZones(zones);
    const answer = await this.#answer(file, rows, query, signal);
    return this.#with(signal, async (connection) => {
      const result = await connection.run(answer.sql);
      const { schema, batch } = arrowOf(result, result.columnNames());
      const total = String(await answer.total(connection));
      const batches: RecordBatch[] = [];
      for await (const chunk of result) batches.push(batch(chunk));
      return streamOf(new Schema(schema.fields, new Map([['total', total]])), batches);
    });
  }

  /** Builds the statement, after the order that it needs. */
  async #answer(
    file: StoredFile,
    rows: number,
    query: ResultQuery,
    signal: AbortSignal,
  ): Promise<{ sql: string; total(connection: Connection): Promise<number> }> {
    const { question, filters = [], sorts = [] } = query;
    const where = filters.map((filter) => `(${filterSql(filter, file.column(filter.column))})`);
    const condition = where.length > 0 ? ` WHERE ${where.join(' AND ')}` : '';
    const count = async (connection: Connection): Promise<number> => {
      if (where.length === 0) return rows;
      return selectedNumber(connection, `SELECT count(*) FROM ${file.from}${condition}`);
    };
    if (question.kind === 'rows') {
      const { offset, limit } = question;
      const list = `${file.columns.map(({ sql }) => sql).join(', ')}, s.rowid AS "row"`;
      if (where.length === 0 && sorts.length === 0)
        return {
          sql:
            `SELECT ${list} FROM ${file.from} ` +
            `WHERE s.rowid >= ${offset} AND s.rowid < ${offset + limit}`,
          total: count,
        };
      const key = JSON.stringify([filters, sorts]);
      if (!file.views.has(key) && offset + limit <= FIRST_ROWS) {
        const { from, order } = await this.#ordered(file, sorts, signal);
        return {
          sql: `SELECT ${list} FROM ${from}${condition} ${order} LIMIT ${limit} OFFSET ${offset}`,
          total: count,
        };
      }
      const view = await this.#view(file, query, condition, signal);
      return {
        sql:
          `SELECT ${list} FROM ${view.name} v JOIN ${file.from} ON s.rowid = v.r ` +
          `WHERE v.rowid >= ${offset} AND v.rowid < ${offset + limit} ORDER BY v.rowid`,
        total: async () => view.total,
      };
    }
    if (question.kind === 'find') {
      const isPlain = where.length === 0 && sorts.length === 0;
      const view = isPlain ? undefined : await this.#view(file, query, condition, signal);
      return { sql: findSql(file, question, view), total: async () => view?.total ?? rows };
    }
    return { sql: statementOf(file, question, condition), total: count };
  }

  /** The source of sorted rows, and their order. */
  async #ordered(
    file: StoredFile,
    sorts: NonNullable<ResultQuery['sorts']>,
    signal: AbortSignal,
  ): Promise<{ from: string; order: string }> {
    let { from } = file;
    const terms: string[] = [];
    for (const [at, sort] of sorts.entries()) {
      const column = file.column(sort.column);
      let key: string | undefined;
      if (sortsByText(column, sort.as)) {
        const ranks = await this.#ranksOf(file, sort.column, signal);
        if (ranks) {
          from += ` LEFT JOIN ${ranks} k${at} ON k${at}.t = ${textOf(column)}`;
          key = `k${at}.k`;
        }
      }
      terms.push(...orderSql(sort, column, key));
    }
    return {
      from,
      order: terms.length === 0 ? '' : `ORDER BY ${[...terms, 's.rowid'].join(', ')}`,
    };
  }

  /** Ranks the distinct texts of a column; undefined if most of them differ. */
  #ranksOf(file: StoredFile, index: number, signal: AbortSignal): Promise<string | undefined> {
    const known = file.ranks.get(index);
    if (known) return known;
    const ranks = this.#with(signal, async (connection) => {
      const text = textOf(file.column(index));
      const [[distinct, all] = [0, 0]] = (
        await connection.runAndReadAll(
          `SELECT count(DISTINCT t), count(*) FROM (SELECT ${text} AS t FROM ${file.from} ` +
            `LIMIT ${SAMPLED_ROWS})`,
        )
      ).getRows();
      if (Number(distinct) * 2 > Number(all)) return undefined;
      const name = `k${(this.#names += 1)}`;
      await connection.run(
        `CREATE TABLE ${name} AS SELECT t, rank() OVER (ORDER BY ${textKey('t')}) AS k ` +
          `FROM (SELECT DISTINCT ${text} AS t FROM ${file.from}) WHERE t IS NOT NULL`,
      );
      return name;
    });
    file.ranks.set(index, ranks);
    ranks.catch(() => file.ranks.delete(index));
    return ranks;
  }

  /** Computes the order of all rows of a query, or returns it if it is known. */
  #view(
    file: StoredFile,
    { filters = [], sorts = [] }: ResultQuery,
    condition: string,
    signal: AbortSignal,
  ): Promise<View> {
    const key = JSON.stringify([filters, sorts]);
    let view = file.views.get(key);
    if (view) return view;
    const name = `v${(this.#names += 1)}`;
    view = this.#ordered(file, sorts, signal).then(({ from, order }) =>
      this.#with(signal, async (connection) => {
        await connection.run(
          `CREATE TABLE ${name} AS SELECT s.rowid AS r FROM ${from}${condition} ${order}`,
        );
        return { name, total: await selectedNumber(connection, `SELECT count(*) FROM ${name}`) };
      }),
    );
    file.views.set(key, view);
    view.catch(() => file.views.delete(key));
    this.#views.push({ file, key, name });
    const oldest = this.#views[0]!;
    if (this.#views.length > MAX_VIEWS) void this.#drop(oldest.file, oldest.key);
    return view;
  }
}
