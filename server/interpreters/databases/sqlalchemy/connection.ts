/** Sessions of SQLAlchemy. */
import { onAbort } from '../../../base/aborted.ts';
import type { SqlNames } from '../../sql/complete.ts';
import { tokenize, transactionEffect } from '../../sql/script.ts';
import { countRows } from '../../table-text.ts';
import type {
  ConnectionTarget,
  DatabaseConnection,
  DatabaseInspector,
  StatementResult,
} from '../driver.ts';
import { permittedFile } from '../files/file-path.ts';
import type { TextColumn, TextRow } from '../text-columns.ts';
import { installedPython } from './environment.ts';
import { namesOf } from './names.ts';
import { SessionFailure, SessionProcess } from './process.ts';
import { isFileUrl, parseUrl, withLogin } from './url.ts';

/** Time for the end of a session, in ms. Then its process is ended. */
const CLOSE_MS = 1_000;

/** First words of statements that only read. */
const reading = new Set([
  ...['select', 'with', 'values', 'table', 'from', 'show', 'describe', 'desc', 'explain', 'use'],
  ...['set', 'begin', 'start', 'commit', 'rollback', 'end', 'list', 'ls', 'help', 'pragma'],
]);
/**
 * Words that make a statement write that starts like one that reads. T-SQL needs no semicolons, so
 * a second statement may follow. Before a bracket some of them are functions, such as `replace(…)`.
 */
const writing = new Set([
  ...['insert', 'update', 'delete', 'merge', 'into', 'truncate', 'analyze', 'drop', 'create'],
  ...['alter', 'grant', 'revoke', 'deny', 'call', 'replace', 'rename', 'backup', 'restore', 'kill'],
  ...['shutdown', 'reconfigure', 'dbcc', 'bulk', 'updatetext', 'writetext', 'disable', 'enable'],
]);
/** Words that run code which is not visible in the statement. */
const running = new Set(['exec', 'execute', 'openrowset', 'openquery', 'opendatasource']);
const transactional = new Set(['begin', 'start', 'commit', 'rollback', 'end']);
/** What may follow such a word, because a block of statements begins with one too. */
const transactionWords = new Set([
  ...['tran', 'transaction', 'work', 'read', 'only', 'isolation', 'level', 'committed', 'and'],
  ...['no', 'uncommitted', 'repeatable', 'serializable', 'snapshot', 'chain', 'to', 'savepoint'],
]);
/** Some databases split such texts in other ways: quotes in `[names]`, `\\'`, `$$`, comments. */
const ambiguous = /\[[^\]]*['"][^\]]*\]|\\['"]|\$\w*\$|\/\*.*\/\*/s;
/** First words of statements whose rows a cursor of the database can have. */
const cursorable = new Set(['select', 'with', 'values', 'table']);

/** A statement that would write, in a connection that only reads. */
export class WriteRefused extends Error {}

const wordsOf = (sql: string): readonly string[] =>
  tokenize(sql)
    .filter(({ kind }) => kind === 'word')
    .map(({ text }) => text.toLowerCase());

/** Whether a statement only reads, as far as its words tell. */
export function isReading(sql: string): boolean {
  const tokens: readonly { readonly text: string }[] = ambiguous.test(sql)
    ? [...sql.matchAll(/\w+|\(/g)].map(([text]) => ({ text }))
    : tokenize(sql).filter(({ kind, text }) => kind === 'word' || text === '(');
  const [first, ...after] = tokens.map(({ text }) => text.toLowerCase());
  if (first === undefined) return true;
  // `show create table` reads.
  const rest = first === 'show' && after[0] === 'create' ? after.slice(1) : after;
  const words = [first, ...rest];
  const writes = words.some(
    (word, index) => running.has(word) || (writing.has(word) && words[index + 1] !== '('),
  );
  return transactional.has(first)
    ? rest.every((word) => transactionWords.has(word))
    : reading.has(first) && !writes;
}

/** Whether a statement can be run with a cursor of the database, so that not all rows are sent. */
function canStream(sql: string): boolean {
  const words = wordsOf(sql);
  return cursorable.has(words[0] ?? '') && !words.some((word) => writing.has(word));
}

/** Result of a statement, as the process answers. */
interface Started {
  readonly columns?: readonly TextColumn[];
  readonly count?: number | null;
  readonly notices: readonly string[];
}

/**
 * Returns the real path of a database file; null if the URL names none. Rejects if it may not be
 * opened.
 */
export async function fileOf({ url }: ConnectionTarget): Promise<string | null> {
  const parts = parseUrl(url ?? '')!;
  return isFileUrl(parts) ? permittedFile(parts.database!) : null;
}

/** Connects. Rejects with a {@link SessionFailure}, or a problem of Python or the path. */
export async function connect(
  target: ConnectionTarget,
  signal: AbortSignal,
): Promise<DatabaseConnection> {
  const parts = parseUrl(target.url ?? '')!;
  // SQLAlchemy gets the real path, so that a link can't be exchanged afterwards.
  const file = await fileOf(target);
  // Completion connects too, and must not install anything.
  const python = await installedPython(target.packages ?? []);
  const url = { ...withLogin(parts, target), ...(file === null ? {} : { database: file }) };
  const process = await SessionProcess.start(python);
  const forget = onAbort(signal, () => void process.end());
  try {
    signal.throwIfAborted();
    const { guards } = await process.call<{ guards: boolean }>('open', {
      url,
      file,
      read_only: target.readOnly,
    });
    return new Session(process, target, guards);
  } catch (error) {
    await process.end();
    throw signal.aborted ? signal.reason : error;
  } finally {
    forget();
  }
}

class Session implements DatabaseConnection {
  readonly #process: SessionProcess;
  readonly #target: ConnectionTarget;
  /** Whether words of statements decide what is read, because the database can't. */
  readonly #guards: boolean;
  readonly names: SqlNames;
  readonly inspector: DatabaseInspector;
  onNotice: ((text: string) => void) | undefined;
  inTransaction = false;
  #isClosed = false;

  constructor(process: SessionProcess, target: ConnectionTarget, guards: boolean) {
    this.#process = process;
    this.#target = target;
    this.#guards = guards && target.readOnly;
    this.names = namesOf((of) => this.#call('names', { of: of ?? null }));
    this.inspector = {
      version: () => this.#call<string>('version'),
      relations: (search, { columns, tables }) =>
        this.#call<readonly TextRow[]>('relations', { search, tables, columns }),
      preview: async (place) => this.#result(await this.#call<Started>('preview', { ...place })),
    };
  }

  get isLost(): boolean {
    return this.#isClosed || this.#process.isOver;
  }

  async #call<Value>(call: string, values: Readonly<Record<string, unknown>> = {}): Promise<Value> {
    try {
      return await this.#process.call<Value>(call, values);
    } catch (error) {
      // SQLAlchemy would connect again, with nothing of the old session.
      if (error instanceof SessionFailure && error.error.lost) this.destroy();
      throw error;
    }
  }

  prepare(): Promise<void> {
    return this.#call('prepare', { read_only: this.#target.readOnly });
  }

  async execute(sql: string): Promise<StatementResult> {
    if (this.#guards && !isReading(sql)) throw new WriteRefused();
    const started = await this.#call<Started>('execute', {
      sql,
      stream: canStream(sql),
      begins: !this.inTransaction,
    });
    const effect = transactionEffect(sql);
    if (effect) this.inTransaction = effect === 'begin';
    return this.#result(started);
  }

  #result({ columns, count, notices }: Started): StatementResult {
    for (const notice of notices) this.onNotice?.(notice);
    return {
      columns,
      summary: count == null ? 'OK' : `OK, ${countRows(count)} affected`,
      read: (most) => this.#call<readonly TextRow[]>('read', { count: most }),
      close: () => this.#call('skip'),
    };
  }

  /** A driver that can't cancel does not stop, and then the caller ends the process. */
  async cancel(): Promise<void> {
    this.#process.cancel();
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    const late = setTimeout(() => void this.#process.end(), CLOSE_MS);
    await this.#process.call('close').catch(() => undefined);
    clearTimeout(late);
    await this.#process.end();
  }

  destroy(): void {
    this.#isClosed = true;
    void this.#process.end();
  }
}
