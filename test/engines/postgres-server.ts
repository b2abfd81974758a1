/** Starts a PostgreSQL server for tests, in a folder of its own. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { QueryResult } from 'pg';
import PgClient from 'pg/lib/client.js';
import { freePort } from '../support/free-port.ts';
import { ServerFolder } from './server-folder.ts';

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

/** Starts a server with passwords and TLS. Lines of `pg_hba.conf` come before its own. */
export async function startPostgres(
  hba: readonly string[] = [],
  programs = POSTGRES_PROGRAMS!,
): Promise<PostgresServer> {
  const folder = new ServerFolder('postgres');
  const data = join(folder.root, 'data');
  const password = join(folder.root, 'password');
  writeFileSync(password, POSTGRES_PASSWORD);
  folder.own(password);
  await folder.run(join(programs, 'initdb'), [
    ...['-D', data, '-U', 'postgres', '-E', 'UTF8', '--locale=C', '--no-sync'],
    ...['--auth=scram-sha-256', `--pwfile=${password}`],
  ]);
  await folder.certificate(data);
  writeFileSync(
    join(data, 'pg_hba.conf'),
    [...hba, 'host all all 127.0.0.1/32 scram-sha-256', ''].join('\n'),
  );
  const port = await freePort();
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
  const settings = ['fsync=off', 'ssl=on', 'max_connections=40', 'log_statement=none'];
  const start = () =>
    folder.start(
      join(programs, 'postgres'),
      [
        ...['-D', data, '-p', String(port), '-k', folder.root, '-h', '127.0.0.1'],
        ...settings.flatMap((setting) => ['-c', setting]),
      ],
      () => query('select 1'),
    );
  await start();
  return {
    port,
    query,
    start,
    // SIGQUIT ends the server without a checkpoint and without asking its clients.
    kill: () => folder.end('SIGQUIT'),
    async stop() {
      await folder.end('SIGINT');
      await folder.remove();
    },
  };
}
