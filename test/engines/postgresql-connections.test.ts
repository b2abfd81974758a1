/** Connections to a real PostgreSQL server. */
import { expect } from 'vitest';
import { connectionTests } from './connections-suite.ts';
import {
  POSTGRES_PASSWORD,
  POSTGRES_PROGRAMS,
  type PostgresServer,
  startPostgres,
} from './postgres-server.ts';

let server: PostgresServer | undefined;

connectionTests(POSTGRES_PROGRAMS === undefined, {
  kind: 'postgresql',
  async start() {
    server = await startPostgres();
    await server.query(`
      create role other login password 'of-other';
      create table orders (id int primary key, customer varchar(20) not null, total numeric(10,2),
        paid boolean, at timestamptz, tags text[]);
      insert into orders select i, 'Ada', i * 1.5, true, '2026-01-31 10:00+00', '{a,b}'
        from generate_series(1, 150) i;
      create view "Large orders" as select * from orders where total > 10;
      create schema archive; create table archive.old (id int);
      analyze orders;
    `);
    return {
      host: '127.0.0.1',
      port: String(server.port),
      database: 'postgres',
      user: 'postgres',
      password: POSTGRES_PASSWORD,
    };
  },
  stop: async () => server?.stop(),
  version: /^PostgreSQL \d+/,
  powers: /^The login has the rights superuser: users/,
  schema: 'public',
  columns: [
    ['id', 'integer', false],
    ['customer', 'character varying(20)', false],
    ['total', 'numeric(10,2)', true],
    ['paid', 'boolean', true],
    ['at', 'timestamp with time zone', true],
    ['tags', 'text[]', true],
  ],
  types: ['int32', 'text', 'decimal(10, 2)', 'boolean', 'instant', 'text'],
  row: ['1', 'Ada', '1.50', 'true', expect.stringContaining('2026-01-31') as string, '{a,b}'],
  view: '"Large orders"',
  failures: {
    password: /password authentication failed .*\(28P01\)\nCorrect user and password/,
    database: /database "wrong" does not exist \(3D000\)\nCorrect the database/,
    user: /\(28P01\)\nCorrect user and password of the setting sales \(now wrong\)/,
  },
  other: { user: 'other', password: 'of-other' },
});
