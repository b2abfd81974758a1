/**
 * The result of a paragraph for components of the page: read without the live connection, the notes
 * and Arrow, which are several times as large.
 */
import { type Client, HttpError, isTidingError, TidingError } from '@tiding/client';
import type { TypedRows } from '@tiding/client/model';
import { asCell, isRunning, plainText, rowsFromJson } from '@tiding/client/pivot';
import {
  type Asked,
  askParagraph,
  type DataOutput,
  fetchAnswer,
  follow,
  type ParagraphAnswers,
  type ParagraphView,
  unfollow,
} from '../runtime/snapshots/ask-paragraphs.ts';
import type { ConnectionSettings } from './use-client.ts';

/** Time between two questions during a run, in ms. */
const RUNNING_MS = 1_000;

/** A row by the names of its columns; of columns with the same name, the last one counts. */
export type ResultRow = Readonly<Record<string, string | number | boolean | null>>;

/** A table of a result with its first rows. */
export interface ResultRows {
  /** Name and type of each column. */
  readonly columns: TypedRows['columns'];
  /**
   * The rows, at most the first 10,000 or about a megabyte. Missing values are `null`. Numbers
   * that a double can't hold are texts with all digits; so are dates, bytes and lists.
   */
  readonly rows: readonly ResultRow[];
  /** Number of rows in the whole table. */
  readonly total: number;
}

/** An output that is not a table. */
export interface ResultText {
  /** TEXT, HTML, IMG, … */
  readonly type: string;
  /** Its text. HTML is as the code wrote it: sanitize it before you show it. */
  readonly data: string;
}

/** Where a table was read, for what needs more than its first rows. */
export interface RowsOrigin {
  readonly source: TypedRows;
  /** Whether the server computes from all rows. */
  readonly isQueried: boolean;
  /** Asks about all rows, or reads them: an Arrow stream. */
  read(question: object | undefined, signal: AbortSignal): Promise<ArrayBuffer>;
}
const origins = new WeakMap<object, RowsOrigin>();
/** Where a table was read; `undefined` for an Arrow table. */
export const originOf = (table: object): RowsOrigin | undefined => origins.get(table);

/** What is known of a result. */
export interface RowsState {
  readonly table: ResultRows | undefined;
  readonly texts: readonly ResultText[];
  readonly runStatus: string | undefined;
  readonly error: TidingError | undefined;
}
/** Before anything has been read. */
export const NO_ROWS: RowsState = {
  table: undefined,
  texts: [],
  runStatus: undefined,
  error: undefined,
};

function cellOf(source: TypedRows, row: number, column: TypedRows['columns'][number]) {
  const { index, kind, single } = column;
  const value = source.value(row, index) ?? null;
  const isNumber = kind === 'integer' || kind === 'float' || kind === 'decimal';
  if (value === null || typeof value === 'boolean') return value;
  if (typeof value === 'number' && (source.isText || (isNumber && !single))) return value;
  const text = plainText(value, column);
  return isNumber && !source.isText ? asCell(text) : text;
}

const rowsOf = (source: TypedRows): readonly ResultRow[] =>
  Array.from({ length: source.length }, (_, row) =>
    Object.fromEntries(
      source.columns.map((column) => [column.name, cellOf(source, row, column)] as const),
    ),
  );

const failure = (status: number, message: string | undefined, path: string): TidingError =>
  new HttpError({
    status,
    path,
    method: 'POST',
    body: undefined,
    message: message ?? `The server answered with status ${status}.`,
    ...(status === 401 && { code: 'signed-out' }),
  });

/** Calls the server by the provider's client, or else without a client. */
function callerOf({ client, server = '', token }: ConnectionSettings) {
  return {
    ask: (note: string, view: ParagraphView): Promise<Asked> =>
      client ? askClient(client, note, view) : askParagraph(server, token, note, view),
    async read(resultId: string, question: object | undefined, signal: AbortSignal) {
      const response = await (client
        ? askClientForRows(client, resultId, question, signal)
        : fetchAnswer(
            server,
            token,
            `result/${encodeURIComponent(resultId)}` +
              (question ? '/query' : '?format=arrow&previous=true'),
            question && { question },
            signal,
          ));
      if (!response.ok) throw failure(response.status, undefined, '/magpie/result/:resultId');
      return response.arrayBuffer();
    },
  };
}

const askClientForRows = (
  client: Client,
  resultId: string,
  question: object | undefined,
  signal: AbortSignal,
): Promise<Response> =>
  question
    ? client.call('queryResult', {
        params: { resultId },
        signal,
        body: { question: question as never },
      })
    : client.call('getResult', {
        params: { resultId },
        signal,
        query: { format: 'arrow', previous: true },
      });

async function askClient(client: Client, noteId: string, view: ParagraphView): Promise<Asked> {
  const body = { views: [view as { paragraphId: string; look: string; width: number }] };
  const response = await client.call('getFirstViews', { params: { noteId }, body });
  const answers = (await response.json()) as ParagraphAnswers;
  return { status: 200, answers, answer: answers.views[0]! };
}

/** Follows the result of a paragraph while somebody listens. */
export class FollowedRows {
  state: RowsState = NO_ROWS;
  readonly #listeners = new Set<() => void>();
  readonly #caller: ReturnType<typeof callerOf>;
  readonly #note: string;
  readonly #paragraph: string;
  #revision: string | undefined;
  #asking = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(settings: ConnectionSettings, note: string, paragraph: string) {
    this.#caller = callerOf(settings);
    this.#note = note;
    this.#paragraph = paragraph;
  }

  /** Calls `listener` after each change. Returns a function that ends it. */
  readonly subscribe = (listener: () => void): (() => void) => {
    if (this.#listeners.size === 0) void this.ask();
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size > 0) return;
      unfollow(this);
      clearTimeout(this.#timer);
    };
  };

  /** Asks for changes if the page is visible. */
  refresh(): void {
    if (document.visibilityState === 'visible') void this.ask();
  }

  /** Asks for changes, now and at intervals. */
  async ask(): Promise<void> {
    if (this.#asking) return;
    this.#asking = true;
    follow(this);
    clearTimeout(this.#timer);
    try {
      this.#show(
        await this.#caller.ask(this.#note, {
          paragraphId: this.#paragraph,
          look: 'data',
          width: 0,
          revision: this.#revision,
        }),
      );
    } catch (caught) {
      const error = isTidingError(caught)
        ? caught
        : new TidingError('network', "The server can't be reached.", { cause: caught });
      if (!error.retryable) unfollow(this);
      this.#change({ error });
    } finally {
      this.#asking = false;
    }
    if (isRunning(this.state.runStatus) && this.#listeners.size > 0)
      this.#timer = setTimeout(() => this.refresh(), RUNNING_MS);
  }

  #show(asked: Asked): void {
    if (!asked.answer) throw failure(asked.status, asked.message, '/magpie/first-views/:noteId');
    const { revision, status, outputs } = asked.answer;
    if (revision === undefined)
      throw new TidingError('not-found', `The note has no paragraph '${this.#paragraph}'.`);
    if (revision === this.#revision) {
      if (this.state.error) this.#change({ error: undefined });
      return;
    }
    this.#revision = revision;
    this.#change({ runStatus: status, error: undefined, ...(outputs && this.#read(outputs)) });
  }

  #read(outputs: readonly DataOutput[]): Pick<RowsState, 'table' | 'texts'> {
    const texts = outputs.filter((output) => 'data' in output);
    const index = outputs.findLastIndex((output) => 'rows' in output);
    const output = outputs[index];
    if (!output || !('rows' in output)) return { texts, table: undefined };
    const source = rowsFromJson(output.rows);
    let rows: readonly ResultRow[] | undefined;
    const table: ResultRows = {
      columns: source.columns,
      get rows() {
        return (rows ??= rowsOf(source));
      },
      total: output.total,
    };
    const resultId = `${this.#note}.${this.#paragraph}.${index}`;
    origins.set(table, {
      source,
      isQueried: output.isQueried,
      read: (question, signal) => this.#caller.read(resultId, question, signal),
    });
    return { texts, table };
  }

  #change(next: Partial<RowsState>): void {
    this.state = { ...this.state, ...next };
    for (const listener of this.#listeners) listener();
  }
}
