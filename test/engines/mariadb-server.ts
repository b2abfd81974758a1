/** Starts a MariaDB server for tests, in a folder of its own. */
import { join } from 'node:path';
import { createConnection } from 'mysql2';
import { freePort } from '../support/free-port.ts';
import { ServerFolder } from './server-folder.ts';

/** The program `mariadbd`; undefined: the tests are skipped. */
export const MARIADB_PROGRAM = process.env['TIDING_TEST_MARIADB'];

/** Password of the user `tester`. */
export const MARIADB_PASSWORD = 'only-for-tests';

/** A running server. */
export interface MariadbServer {
  readonly port: number;
  /** Runs statements as the superuser and returns the rows of the last one. */
  query(sql: string): Promise<readonly Record<string, unknown>[]>;
  /** Ends it and deletes its files. */
  stop(): Promise<void>;
}

/** Starts a server with a database `shop`, passwords and TLS. */
export async function startMariadb(): Promise<MariadbServer> {
  const folder = new ServerFolder('mariadb');
  const data = join(folder.root, 'data');
  const socket = join(folder.root, 'socket');
  await folder.run('mariadb-install-db', [
    ...[
      '--no-defaults',
      `--datadir=${data}`,
      '--skip-test-db',
      '--auth-root-authentication-method=normal',
    ],
  ]);
  await folder.certificate(folder.root);
  const port = await freePort();
  const query = (sql: string, user = 'root') =>
    new Promise<readonly Record<string, unknown>[]>((resolve, reject) => {
      const connection = createConnection({ socketPath: socket, user, multipleStatements: true });
      connection.on('error', reject);
      connection.query(sql, (error, rows) => {
        connection.destroy();
        if (error) reject(error);
        else resolve((Array.isArray(rows) ? rows : []) as unknown as Record<string, unknown>[]);
      });
    });
  await folder.start(
    join(MARIADB_PROGRAM!, 'mariadbd'),
    [
      ...['--no-defaults', `--datadir=${data}`, `--socket=${socket}`, `--port=${port}`],
      ...['--bind-address=127.0.0.1', `--ssl-cert=${join(folder.root, 'server.crt')}`],
      ...[`--ssl-key=${join(folder.root, 'server.key')}`, '--innodb-flush-log-at-trx-commit=0'],
    ],
    () => query('select 1'),
  );
  await query(`create database shop;
    create user tester@'%' identified by '${MARIADB_PASSWORD}';
    grant all on shop.* to tester@'%';
    create user secret@'%' identified by 'secret-pass' require ssl;`);
  return {
    port,
    query: (sql) => query(sql),
    async stop() {
      await folder.end('SIGTERM');
      await folder.remove();
    },
  };
}
