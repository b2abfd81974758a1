/** A session of MySQL. This file loads the package `mysql2`, so it is imported on first use. */
import { type Connection, type ConnectionOptions, createConnection } from 'mysql2';
import { onAbort } from '../../../base/aborted.ts';
import type { SqlNames } from '../../sql/complete.ts';
import type { ConnectionTarget, DatabaseConnection, StatementResult } from '../driver.ts';
import { certificateOptions, connectPreferred } from '../shared-driver.ts';
import { hasNoTls } from './explain.ts';
import { namesOf } from './names.ts';
import { MySqlStatement } from './statement.ts';

/** Time limit of an attempt to connect, in ms. */
const CONNECT_MS = 10_000;
/** Time limit of the end of a session, in ms. */
const CLOSE_MS = 1_000;
/** Flag of the server's status, from the protocol. */
const IN_TRANSACTION = 1;
const READ_ONLY = 'SET SESSION TRANSACTION READ ONLY';

/** Connects. Rejects with an error of `mysql2` or the reason of `signal`. */
export async function connect(
  target: ConnectionTarget,
  signal: AbortSignal,
): Promise<DatabaseConnection> {
  return new MySqlSession(await open(target, signal), target);
}

const open = (target: ConnectionTarget, signal: AbortSignal): Promise<Connection> =>
  connectPreferred(
    target,
    signal,
    (isEncrypted) => openWith(target, isEncrypted, signal),
    hasNoTls,
  );

function openWith(
  target: ConnectionTarget,
  isEncrypted: boolean,
  signal: AbortSignal,
): Promise<Connection> {
  const { database, host, password, port, user } = target;
  const options: ConnectionOptions = {
    ...(host.startsWith('/') ? { socketPath: host } : { host, port }),
    user,
    ...(password === undefined ? {} : { password }),
    ...(database === '' ? {} : { database }),
    ...(isEncrypted
      ? {
          ssl: { ...certificateOptions(target), verifyIdentity: target.tls === 'verify-full' },
        }
      : {}),
    connectTimeout: CONNECT_MS,
    charset: 'utf8mb4',
    // The server must not read files of this machine.
    flags: ['-LOCAL_FILES'],
    disableEval: true,
  };
  const connection = createConnection(options);
  return new Promise((resolve, reject) => {
    const forget = onAbort(signal, () => {
      connection.destroy();
      reject(signal.reason as Error);
    });
    connection.on('error', reject);
    connection.connect((error) => {
      forget();
      if (!error) return resolve(connection);
      connection.destroy();
      reject(error);
    });
  });
}

class MySqlSession implements DatabaseConnection {
  readonly #connection: Connection;
  readonly #target: ConnectionTarget;
  #last: MySqlStatement | undefined;
  isLost = false;
  inTransaction = false;
  onNotice: ((text: string) => void) | undefined;
  readonly names: SqlNames;

  constructor(connection: Connection, target: ConnectionTarget) {
    this.#connection = connection;
    this.#target = target;
    this.names = namesOf(async (sql) => (await this.#rows(sql)) as [string, string][]);
    connection.on('error', (error) => this.#lose(error));
    connection.on('end', () => this.#lose());
  }

  async #rows(sql: string): Promise<readonly (readonly (string | null)[])[]> {
    const result = await this.#start(sql).opened();
    return result.columns ? result.read(Number.MAX_SAFE_INTEGER) : [];
  }

  #start(sql: string): MySqlStatement {
    this.#last = new MySqlStatement(this.#connection, sql, () => this.cancel());
    return this.#last;
  }

  async prepare(): Promise<void> {
    if (this.#target.readOnly) await this.#rows(READ_ONLY);
  }

  async execute(statement: string): Promise<StatementResult> {
    const result = await this.#start(statement).opened();
    const { header } = result;
    if (header) this.inTransaction = (statusOf(header) & IN_TRANSACTION) !== 0;
    if (header && header.warningStatus > 0)
      for (const [level, code, message] of await this.#rows('SHOW WARNINGS'))
        this.onNotice?.(`${level?.toUpperCase()}: ${message} (${code})`);
    return result;
  }

  /** Opens a second connection, as the server requires. */
  async cancel(): Promise<void> {
    const { threadId } = this.#connection;
    const late = AbortSignal.timeout(CLOSE_MS);
    try {
      const second = await open(this.#target, late);
      await new Promise<void>((resolve) => {
        late.addEventListener('abort', () => resolve(), { once: true });
        second.query(`KILL QUERY ${threadId}`, () => resolve());
      });
      second.destroy();
    } catch {
      // The caller ends the session if the statement does not stop.
    }
  }

  async close(): Promise<void> {
    if (this.isLost) return;
    this.isLost = true;
    const timer = setTimeout(() => this.destroy(), CLOSE_MS);
    await new Promise<void>((resolve) => this.#connection.end(() => resolve()));
    clearTimeout(timer);
  }

  /** The library leaves the statement of a destroyed connection without an answer. */
  #lose(error: Error = new Error('The connection was closed.')): void {
    this.isLost = true;
    this.#last?.fail(Object.assign(error, { code: 'PROTOCOL_CONNECTION_LOST' }));
  }

  destroy(): void {
    this.#connection.destroy();
    this.#lose();
  }
}

/** The published types call the status of the server by another name. */
const statusOf = (header: object): number =>
  (header as { readonly serverStatus?: number }).serverStatus ?? 0;
