/** A session of PostgreSQL. This file loads the package `pg`, so it is imported on first use. */
import { connect as connectSocket } from 'node:net';
import PgClient from 'pg/lib/client.js';
import { onAbort } from '../../../base/aborted.ts';
import type { SqlNames } from '../../sql/complete.ts';
import type { ConnectionTarget, DatabaseConnection, StatementResult } from '../driver.ts';
import { certificateOptions, connectPreferred } from '../shared-driver.ts';
import { NO_TLS, PasswordMissing } from './explain.ts';
import { namesOf } from './names.ts';
import { PgStatement } from './statement.ts';
import { ENUMERATIONS } from './types.ts';

/** Time limit of an attempt to connect, in ms. */
const CONNECT_MS = 10_000;
/** Time limit of a request to cancel, in ms. */
const CANCEL_MS = 1_000;
/** Code of a request to cancel, from the protocol. */
const CANCEL_CODE = 80_877_102;
/** Interval of probes on idle connections, in ms. */
const KEEP_ALIVE_MS = 60_000;

/** The formats that the conversion to Arrow expects. */
const SESSION = "SET datestyle = 'ISO'; SET intervalstyle = 'postgres'; SET bytea_output = 'hex'";
const READ_ONLY = 'SET default_transaction_read_only = on';

/** Connects. Rejects with an error of `pg` or the reason of `signal`. */
export const connect = (
  target: ConnectionTarget,
  signal: AbortSignal,
): Promise<DatabaseConnection> =>
  connectPreferred(
    target,
    signal,
    (isEncrypted) => open(target, isEncrypted, signal),
    (error) => (error as Error).message === NO_TLS,
  );

async function open(
  target: ConnectionTarget,
  isEncrypted: boolean,
  signal: AbortSignal,
): Promise<DatabaseConnection> {
  const { database, host, password, port, user } = target;
  const client = new PgClient({
    host,
    port,
    database: database || user,
    user,
    // Without a function, the library would look for passwords of the server's account.
    password: () => (password === undefined ? Promise.reject(new PasswordMissing()) : password),
    ssl: isEncrypted && certificateOptions(target),
    application_name: 'tiding',
    connectionTimeoutMillis: CONNECT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
  });
  const connection = new PgSession(client, target);
  const forget = onAbort(signal, () => connection.destroy());
  try {
    await client.connect();
    await client.query(SESSION);
    signal.throwIfAborted();
    return connection;
  } catch (error) {
    connection.destroy();
    throw signal.aborted ? signal.reason : error;
  } finally {
    forget();
  }
}

class PgSession implements DatabaseConnection {
  readonly #client: PgClient;
  readonly #target: ConnectionTarget;
  isLost = false;
  onNotice: ((text: string) => void) | undefined;
  readonly names: SqlNames;
  #enumerations: ReadonlyMap<number, readonly string[]> = new Map();
  #latest: PgStatement | undefined;

  constructor(client: PgClient, target: ConnectionTarget) {
    this.#client = client;
    this.#target = target;
    this.names = namesOf(async (sql) => {
      const { rows } = await client.query<[string, string]>({ text: sql, rowMode: 'array' });
      return rows;
    });
    const lose = (): void => void (this.isLost = true);
    client.on('error', lose);
    client.on('end', lose);
    client.on('notice', ({ severity, message }) => this.onNotice?.(`${severity}: ${message}`));
  }

  async prepare(): Promise<void> {
    if (this.#target.readOnly) await this.#client.query(READ_ONLY);
  }

  /** Reads the order of enumerations, which rows don't have, before the first and new ones. */
  async #readEnumerations(): Promise<void> {
    if (this.#latest && !this.#latest.summary.endsWith(' TYPE')) return;
    if (this.#client.getTransactionStatus() === 'E') return;
    // Other databases with this protocol lack them.
    const { rows } = await this.#client
      .query<[string, string]>({ text: ENUMERATIONS, rowMode: 'array' })
      .catch(() => ({ rows: [] }));
    this.#enumerations = new Map(
      rows.map(([id, values]) => [Number(id), JSON.parse(values) as string[]]),
    );
  }

  get inTransaction(): boolean {
    return ['T', 'E'].includes(this.#client.getTransactionStatus() ?? '');
  }

  async execute(text: string): Promise<StatementResult> {
    await this.#readEnumerations();
    this.#latest = this.#client.query(new PgStatement(text, this.#enumerations));
    return this.#latest.opened();
  }

  /** Opens a second connection, as the protocol requires. It needs no login. */
  cancel(): Promise<void> {
    const { processID, secretKey } = this.#client;
    const { host, port } = this.#target;
    const message = Buffer.alloc(16);
    message.writeInt32BE(message.length, 0);
    message.writeInt32BE(CANCEL_CODE, 4);
    message.writeInt32BE(processID, 8);
    message.writeInt32BE(secretKey, 12);
    return new Promise((resolve) => {
      const socket = host.startsWith('/')
        ? connectSocket(`${host}/.s.PGSQL.${port}`)
        : connectSocket(port, host);
      socket.setTimeout(CANCEL_MS, () => socket.destroy());
      socket.on('error', () => undefined);
      // The server closes it after it has sent the signal.
      socket.on('close', () => resolve());
      socket.end(message);
      socket.resume();
    });
  }

  async close(): Promise<void> {
    if (this.isLost) return;
    this.isLost = true;
    const timer = setTimeout(() => this.destroy(), CANCEL_MS);
    await this.#client.end().catch(() => undefined);
    clearTimeout(timer);
  }

  destroy(): void {
    this.isLost = true;
    this.#client.connection.stream.destroy();
  }
}
