/** Settings of the group `sqlalchemy` on a real MariaDB server. */
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { readRelations } from '../../../server/interpreters/databases/inspect-database.ts';
import { sqlalchemy } from '../../../server/interpreters/databases/sqlalchemy.ts';
import { runAndAbort, runCode, tableOf } from '../../../server/interpreters/test-support.ts';
import { untilEnd } from '../../support/until-end.ts';
import { databases, failureOf, textOf } from '../database-support.ts';
import {
  MARIADB_PASSWORD,
  MARIADB_PROGRAM,
  type MariadbServer,
  startMariadb,
} from '../mariadb-server.ts';
import { accessTo, answered, sqlalchemyFolders, tested } from './support.ts';

sqlalchemyFolders();

describe.skipIf(MARIADB_PROGRAM === undefined)('SQLAlchemy with MariaDB', () => {
  let server: MariadbServer;
  const properties = () => ({
    url: `mysql+pymysql://tester@127.0.0.1:${server.port}/shop`,
    packages: 'PyMySQL[rsa]',
    password: MARIADB_PASSWORD,
  });
  const { end, interpreter } = databases(sqlalchemy, properties);

  beforeAll(async () => {
    server = untilEnd(await startMariadb());
    await server.query('create table shop.ages (name varchar(20), age int)');
    await server.query("insert into shop.ages values ('Ada', 36), ('Alan', 41)");
  }, 120_000);
  afterEach(end);

  it('shows rows and affected rows', async () => {
    const recorded = await runCode(
      interpreter(),
      `create temporary table t (n int); # a comment; with a semicolon
       insert into t values (1), (300);
       select n, 1.50 as d, date '2026-01-31' as day, '50%' as p from t`,
    );
    expect(recorded.end).toEqual({ code: 'SUCCESS' });
    expect(textOf(recorded)).toContain('OK, 2 rows affected');
    expect(tableOf(recorded)).toEqual([
      ['n', 'd', 'day', 'p'],
      ['1', '1.50', '2026-01-31', '50%'],
      ['300', '1.50', '2026-01-31', '50%'],
    ]);
  });

  it('shows values as the database writes them', async () => {
    const values = [
      ["time '-838:59:59'", '-838:59:59'],
      ["time '838:59:59.999999'", '838:59:59.999999'],
      ["time '00:00:00'", '00:00:00'],
      ["cast('10:00:00.5' as time(3))", '10:00:00.500'],
      ["cast('1.10' as decimal(4,2))", '1.10'],
      [`json_extract('{"a": "x", "b": 1.10}', '$.a')`, '"x"'],
      [`json_extract('{"a": "x", "b": 1.10}', '$.b')`, '1.10'],
    ];
    const list = values.map(([sql], at) => `${sql} as c${at}`);
    const recorded = await runCode(interpreter(), `select ${list.join(', ')}`);
    expect(recorded.end).toEqual({ code: 'SUCCESS' });
    expect(tableOf(recorded)[1]).toEqual(values.map(([, text]) => text));
  });

  it('reads up to the limit without sending all rows, and keeps the session', async () => {
    const one = interpreter({ maxRows: '300' });
    await runCode(one, 'set @kept = 7');
    const recorded = await runCode(one, 'select seq from seq_1_to_1000000000');
    expect(recorded.end).toEqual({ code: 'SUCCESS' });
    expect(textOf(recorded)).toContain('Only the first 300 rows were read; there are more.');
    expect(tableOf(await runCode(one, 'select @kept as n'))[1]).toEqual(['7']);
  });

  it('stops a statement on the server', async () => {
    const one = interpreter();
    await runCode(one, 'set @kept = 7');
    const recorded = await runAndAbort(
      one,
      `select 'started' as a; select benchmark(100000000000, md5('x'))`,
      (text) => text.includes('started'),
    );
    expect(recorded.end).toEqual({ code: 'ABORT' });
    expect(tableOf(await runCode(one, 'select @kept as n'))[1]).toEqual(['7']);
  });

  it('only reads if it is set, and reads no files of the server', async () => {
    const failed = await runCode(interpreter({ readOnly: 'true' }), 'delete from ages');
    expect(failureOf(failed)).toContain('READ ONLY transaction');
    const local = "load data local infile '/etc/passwd' into table ages";
    expect(failureOf(await runCode(interpreter(), local))).toMatch(/^Error: .*local/i);
  });

  it('is tested, and lists its tables', async () => {
    expect(await tested(properties())).toMatchObject({
      ok: true,
      version: expect.stringMatching(/^MariaDB \d+/) as string,
    });
    const { relations } = await answered(() => readRelations(accessTo(properties()), ''));
    expect(relations.map(({ name }) => name)).toEqual(['ages']);
  });
});
