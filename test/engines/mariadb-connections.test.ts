/** Connections to a real MariaDB server. */
import { connectionTests } from './connections-suite.ts';
import {
  MARIADB_PASSWORD,
  MARIADB_PROGRAM,
  type MariadbServer,
  startMariadb,
} from './mariadb-server.ts';

let server: MariadbServer | undefined;

connectionTests(MARIADB_PROGRAM === undefined, {
  kind: 'mysql',
  async start() {
    server = await startMariadb();
    await server.query(`
      grant file, super on *.* to tester@'%';
      create user other@'%' identified by 'of-other';
      create table shop.orders (id int unsigned primary key, customer varchar(20) not null,
        total decimal(10,2), paid tinyint(1), at datetime, note json);
      insert into shop.orders select seq, 'Ada', seq * 1.5, 1, '2026-01-31 10:00:00', '[1]'
        from shop.seq_1_to_150;
      create view shop.\`Large orders\` as select * from shop.orders where total > 10;
      create table shop.notes (id int); grant select on shop.notes to other@'%';
      analyze table shop.orders;
    `);
    return {
      host: '127.0.0.1',
      port: String(server.port),
      database: 'shop',
      user: 'tester',
      password: MARIADB_PASSWORD,
    };
  },
  stop: async () => server?.stop(),
  version: /^MariaDB \d+\.\d+/,
  powers: /^The login has the rights FILE, SUPER: users/,
  schema: 'shop',
  columns: [
    ['id', 'int(10) unsigned', false],
    ['customer', 'varchar(20)', false],
    ['total', 'decimal(10,2)', true],
    ['paid', 'tinyint(1)', true],
    ['at', 'datetime', true],
    ['note', 'longtext', true],
  ],
  types: ['uint32', 'text', 'decimal(10, 2)', 'int8', 'timestamp', 'text'],
  row: ['1', 'Ada', '1.50', '1', '2026-01-31 10:00:00', '[1]'],
  view: '`Large orders`',
  failures: {
    password: /Access denied .*\(1045\)\nCorrect user and password/,
    database: /'wrong'.*\((?:1044|1049)\)\n/,
    user: /Access denied .*\(1045\)\nCorrect user and password of the setting sales \(now wrong\)/,
  },
  other: { user: 'other', password: 'of-other' },
});
