/** Starts a PostgreSQL server for tests, in a folder of its own. */
import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process';
import { chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { QueryResult } from 'pg';
import PgClient from 'pg/lib/client.js';

const run = promisify(execFile);

/** Folder with `initdb` and `postgres`; undefined: the tests are skipped. */
export const POSTGRES_PROGRAMS = process.env['TIDING_TEST_POSTGRESQL'];

/** Password of the user `postgres`. */
export const POSTGRES_PASSWORD = 'only-for-tests';

/** A running server. */
export interface PostgresServer {
  readonly port: number;
  /** Runs statements as the superuser and returns the rows of the last one. */
  query(sql: string): Promise<readonly Record<string, unknown>[]>;
  /** Ends the server at once, as if the machine failed. */
  kill(): Promise<void>;
  /** Starts it again after `kill`. */
  start(): Promise<void>;
  /** Ends it and deletes its files. */
  stop(): Promise<void>;
}

/** The server refuses to run as root. */
function unprivileged(): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {};
  const id = (option: string) => Number(execFileSync('id', [option, 'nobody']).toString());
  return { uid: id('-u'), gid: id('-g') };
}

/** Returns a free port of loopback. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Starts a server with passwords and TLS. Lines of `pg_hba.conf` come before its own. */
export async function startPostgres(hba: readonly string[] = []): Promise<PostgresServer> {
  const account = unprivileged();
  const root = mkdtempSync(join(tmpdir(), 'tiding-postgres-'));
  const data = join(root, 'data');
  const own = (path: string): void =>
    account.uid === undefined ? undefined : chownSync(path, account.uid, account.gid!);
  own(root);
  const options = { ...account, cwd: root };
  const password = join(root, 'password');
  writeFileSync(password, POSTGRES_PASSWORD);
  own(password);
  await run(
    join(POSTGRES_PROGRAMS!, 'initdb'),
    ['-D', data, '-U', 'postgres', '-E', 'UTF8', '--locale=C', '--no-sync'].concat([
      '--auth=scram-sha-256',
      `--pwfile=${password}`,
    ]),
    options,
  );
  await run(
    'openssl',
    ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=localhost']
      .concat(['-addext', 'subjectAltName=DNS:localhost'])
      .concat(['-keyout', join(data, 'server.key'), '-out', join(data, 'server.crt')]),
    options,
  );
  writeFileSync(
    join(data, 'pg_hba.conf'),
    [...hba, 'host all all 127.0.0.1/32 scram-sha-256', ''].join('\n'),
  );
  const port = await freePort();
  let child: ChildProcess | undefined;
  const query = async (sql: string): Promise<readonly Record<string, unknown>[]> => {
    const client = new PgClient({
      host: '127.0.0.1',
      port,
      user: 'postgres',
      password: POSTGRES_PASSWORD,
      database: 'postgres',
    });
    client.on('error', () => undefined);
    await client.connect();
    try {
      const result = (await client.query(sql)) as QueryResult | QueryResult[];
      return (Array.isArray(result) ? result.at(-1)! : result).rows;
    } finally {
      await client.end();
    }
  };
  const start = async (): Promise<void> => {
    const settings = ['fsync=off', 'ssl=on', 'max_connections=40', 'log_statement=none'];
    child = spawn(
      join(POSTGRES_PROGRAMS!, 'postgres'),
      ['-D', data, '-p', String(port), '-k', root, '-h', '127.0.0.1'].concat(
        settings.flatMap((setting) => ['-c', setting]),
      ),
      { ...options, stdio: ['ignore', 'ignore', 'pipe'] },
    );
    let log = '';
    child.stderr!.setEncoding('utf8').on('data', (text: string) => (log += text));
    for (;;) {
      if (child.exitCode !== null) throw new Error(`PostgreSQL did not start: ${log}`);
      try {
        await query('select 1');
        return;
      } catch {
        await wait(50);
      }
    }
  };
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    const ending = child;
    child = undefined;
    if (!ending || ending.exitCode !== null || ending.signalCode !== null) return;
    const gone = new Promise((resolve) => ending.once('exit', resolve));
    ending.kill(signal);
    await gone;
  };
  await start();
  return {
    port,
    query,
    start,
    // SIGQUIT ends the server without a checkpoint and without asking its clients.
    kill: () => end('SIGQUIT'),
    async stop() {
      await end('SIGINT');
      rmSync(root, { recursive: true, force: true });
    },
  };
}
