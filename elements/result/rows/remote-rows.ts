import type { QueryAnswer } from '@tiding/client';
import {
  type ArrowSource,
  arrowRows,
  type CellValue,
  type RowColumn,
  readArrowRows,
} from '@tiding/client/model';
import type { ResultQuery, ResultQuestion } from '@tiding/client/protocol';
import type { RowConditions, RowSource } from './row-source.ts';

/** Asks the server about all rows of a table. */
export type AskRows = (query: ResultQuery, signal: AbortSignal) => Promise<QueryAnswer>;

/** Rows per request while the user scrolls. */
const PAGE_ROWS = 500;
/** Pages kept in memory; the least recently used are dropped. */
const MAX_PAGES = 200;
/** Requests at the same time. */
const MAX_REQUESTS = 2;
/** Rows per request when many are read. */
const MAX_READ_ROWS = 50_000;

/** The name of a column, or what answers of the server don't have, such as its time zone. */
type KnownColumn = string | (Pick<RowColumn, 'name'> & Partial<RowColumn>);

interface Page {
  readonly rows: ArrowSource;
  readonly numbers: ArrowSource;
}

/**
 * The rows of a large table on the server, filtered and sorted there. The page holds those around
 * what is on screen: reading a cell of another row loads its page, and listeners are notified.
 */
export class RemoteRows {
  readonly #ask: AskRows;
  readonly #conditions: RowConditions;
  /** Number of rows that pass the filters. */
  readonly total: number;
  readonly #columns: readonly RowColumn[];
  /** In order of use. */
  readonly #pages = new Map<number, Page>();
  readonly #active = new Map<number, AbortController>();
  /** Pages that were read while rows were drawn, the latest last. */
  #wanted: number[] = [];
  #isScheduled = false;
  readonly #listeners = new Set<() => void>();
  #source: RowSource;
  /** The rows that were loaded last, from the first to before the last. */
  latest: readonly [from: number, to: number];
  /** Why the last request failed; undefined after one succeeded. */
  error: Error | undefined;

  private constructor(
    ask: AskRows,
    conditions: RowConditions,
    total: number,
    first: Page,
    columns: readonly KnownColumn[],
  ) {
    this.#ask = ask;
    this.#conditions = conditions;
    this.total = total;
    this.#pages.set(0, first);
    this.latest = [0, this.sampled];
    this.#columns = columns.map((column, index) => ({
      ...first.rows.columns[index]!,
      ...(typeof column === 'string' ? { name: column } : column),
    }));
    this.#source = this.#newSource();
  }

  /**
   * Reads the first rows. `columns` are what is known of their columns; the types come from the
   * answers.
   */
  static async open(
    ask: AskRows,
    columns: readonly KnownColumn[],
    signal: AbortSignal,
    conditions: RowConditions = {},
  ): Promise<RemoteRows> {
    const question: ResultQuestion = { kind: 'rows', offset: 0, limit: PAGE_ROWS };
    const { total, table } = await ask({ ...conditions, question }, signal);
    return new RemoteRows(ask, conditions, total, await pageOf(table), columns);
  }

  /** Returns the same rows under other conditions. */
  arrange(conditions: RowConditions, signal: AbortSignal): Promise<RemoteRows> {
    return RemoteRows.open(this.#ask, this.#columns, signal, conditions);
  }

  /** Asks about the rows that pass the filters. */
  ask(question: ResultQuestion, signal: AbortSignal): Promise<QueryAnswer> {
    return this.#ask({ ...this.#conditions, question }, signal);
  }

  /** Number of rows at the start that are loaded: samples of the table are taken from them. */
  get sampled(): number {
    return Math.min(this.total, PAGE_ROWS);
  }

  /** The rows as a source; a new object whenever rows have arrived. */
  readonly source = (): RowSource => this.#source;

  /** Notifies about new rows. Returns a function that ends it and stops loading. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size > 0) return;
      this.#wanted = [];
      for (const request of this.#active.values()) request.abort();
      this.#active.clear();
    };
  };

  #newSource(): RowSource {
    return {
      columns: this.#columns,
      length: this.total,
      complete: true,
      nullText: '',
      remote: this,
      value: (row, column, limit) => this.#value(row, column, limit),
    };
  }

  #value(row: number, column: number, limit?: number): CellValue {
    if (row < 0 || row >= this.total) return undefined;
    return this.#page(row)?.rows.value(row % PAGE_ROWS, column, limit);
  }

  /** Number of a row in the table, from 0; undefined if it is not loaded. */
  numberOf(row: number): number | undefined {
    const number = this.#page(row)?.numbers.value(row % PAGE_ROWS, 0);
    return number === undefined || number === null ? undefined : Number(number);
  }

  #page(row: number): Page | undefined {
    const index = Math.floor(row / PAGE_ROWS);
    const page = this.#pages.get(index);
    if (page) {
      // Drawing a page keeps it.
      if (index > 0) {
        this.#pages.delete(index);
        this.#pages.set(index, page);
      }
      return page;
    }
    if (!this.#wanted.includes(index)) {
      this.#wanted.push(index);
      if (!this.#isScheduled) {
        this.#isScheduled = true;
        queueMicrotask(() => this.#load());
      }
    }
    return undefined;
  }

  /** Loads the pages that were read last; requests for others are dropped. */
  #load(): void {
    this.#isScheduled = false;
    const wanted = this.#wanted.slice(-2 * MAX_REQUESTS);
    this.#wanted = [];
    for (const [index, request] of this.#active) {
      if (wanted.includes(index)) continue;
      // The page may be read again before the request has ended.
      this.#active.delete(index);
      request.abort();
    }
    for (const index of wanted) {
      if (this.#active.has(index) || this.#pages.has(index)) continue;
      if (this.#active.size >= MAX_REQUESTS) this.#wanted.push(index);
      else void this.#request(index);
    }
  }

  async #request(index: number): Promise<void> {
    const request = new AbortController();
    this.#active.set(index, request);
    try {
      const offset = index * PAGE_ROWS;
      const { table } = await this.ask({ kind: 'rows', offset, limit: PAGE_ROWS }, request.signal);
      this.#pages.set(index, await pageOf(table));
      this.latest = [offset, Math.min(this.total, offset + PAGE_ROWS)];
      for (const old of this.#pages.keys()) {
        if (this.#pages.size <= MAX_PAGES) break;
        if (old > 0) this.#pages.delete(old);
      }
      this.error = undefined;
    } catch (error) {
      if (!request.signal.aborted)
        this.error = error instanceof Error ? error : new Error(String(error));
    } finally {
      if (this.#active.get(index) === request) this.#active.delete(index);
      if (!request.signal.aborted) {
        this.#source = this.#newSource();
        for (const listener of this.#listeners) listener();
      }
      if (this.#wanted.length > 0) this.#load();
    }
  }

  /** Reads a range of rows into memory. */
  async read(from: number, to: number, signal: AbortSignal): Promise<ArrowSource> {
    const rows = arrowRows();
    for (let offset = from; offset < to; offset += MAX_READ_ROWS) {
      const limit = Math.min(MAX_READ_ROWS, to - offset);
      const { table } = await this.ask({ kind: 'rows', offset, limit }, signal);
      const columns = table.schema.fields.slice(0, -1).map((_, index) => index);
      for (const batch of table.selectAt(columns).batches) rows.add(batch);
    }
    const source = rows.snapshot({ complete: true });
    return { ...source, columns: this.#columns, batches: source.batches };
  }
}

/** Separates the row numbers, the last column of the answer, from the rows. */
async function pageOf(table: QueryAnswer['table']): Promise<Page> {
  const columns = [...table.schema.fields.keys()];
  const numbers = columns.splice(-1);
  return {
    rows: await readArrowRows(table.selectAt(columns)),
    numbers: await readArrowRows(table.selectAt(numbers)),
  };
}
