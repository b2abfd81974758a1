/** Settings of the group `mysql` on a real MariaDB server. */

import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { mysql } from '../../server/interpreters/databases/mysql.ts';
import { runAndAbort, runCode, tableOf, until } from '../../server/interpreters/test-support.ts';
import { freePort } from '../support/free-port.ts';
import { untilEnd } from '../support/until-end.ts';
import { cancelOffline, databases, failureOf, keepTypes, textOf } from './database-support.ts';
import {
  MARIADB_PASSWORD,
  MARIADB_PROGRAM,
  type MariadbServer,
  startMariadb,
} from './mariadb-server.ts';

describe.skipIf(MARIADB_PROGRAM === undefined)('MariaDB', () => {
  let server: MariadbServer;
  const { end, interpreter } = databases(mysql, () => ({
    host: '127.0.0.1',
    port: String(server.port),
    database: 'shop',
    user: 'tester',
    password: MARIADB_PASSWORD,
  }));

  beforeAll(async () => {
    server = untilEnd(await startMariadb());
    await server.query(`
      create table shop.ages (name varchar(20), age int);
      insert into shop.ages values ('Ada', 36), ('Alan', 41);
      create table shop.\`my orders\` (id int);
    `);
  }, 120_000);
  afterEach(end);

  it('shows rows, affected rows and warnings', async () => {
    const recorded = await runCode(
      interpreter(),
      `create temporary table t (n tinyint); # a comment; with a semicolon
       insert ignore into t values (1), (300);
       select n from t; select 'it\\'s; fine' as a`,
    );
    expect(recorded.end).toEqual({ code: 'SUCCESS' });
    expect(recorded.outputs.map(({ type, data }) => [type, data.trim()])).toEqual([
      [
        'TEXT',
        'OK, 0 rows affected\n' +
          "WARNING: Out of range value for column 'n' at row 2 (1264)\nOK, 2 rows affected",
      ],
      ['TABLE', 'n\n1\n127'],
      ['TABLE', "a\nit's; fine"],
    ]);
  });

  it('keeps its session, and its types', async () => {
    const one = interpreter();
    await runCode(one, 'set @n = 7');
    expect(tableOf(await runCode(one, 'select @n as n'))[1]).toEqual(['7']);
    const types: string[] = [];
    const recorded = await runCode(
      one,
      `select cast(18446744073709551615 as unsigned) as u, cast(1.50 as decimal(10,2)) as d,
        date '2026-01-31' as day, timestamp '2026-01-31 10:00:00.5' as at, x'00ff' as bin,
        1.5e0 as f, null as nothing, time '-100:00:00' as span, 'ü😀' as words`,
      { keep: keepTypes(types) },
    );
    expect(tableOf(recorded)[1]).toEqual([
      ...['18446744073709551615', '1.50', '2026-01-31', '2026-01-31 10:00:00.5', '\\x00ff'],
      ...['1.5', 'null', '-100:00:00', 'ü😀'],
    ]);
    expect(types).toEqual([
      ...['Uint64', 'Decimal[10e+2]', 'Date32<DAY>', 'Timestamp<MICROSECOND>', 'Binary'],
      ...['Float64', 'Utf8', 'Utf8', 'Utf8'],
    ]);
  });

  it('creates and calls procedures', async () => {
    const recorded = await runCode(
      interpreter(),
      `create or replace procedure two() begin
         if 1 then select 1 as first; end if;
         case 2 when 2 then select 2 as second; end case;
       end;
       call two()`,
    );
    expect(recorded.end).toEqual({ code: 'SUCCESS' });
    expect(tableOf(recorded)).toEqual([['first'], ['1']]);
    expect(textOf(recorded)).toContain('Only the first of 2 results of the procedure is shown.');
  });

  it('says where a statement is wrong', async () => {
    const recorded = await runCode(interpreter(), 'select 1;\nselect name\nfrmo ages');
    expect(failureOf(recorded)).toMatch(
      /^Error: You have an error .* \(1064\) at line 3, column 6\nLINE 3: frmo ages\n {13}\^\n\(/,
    );
  });

  it('rolls a failed transaction back', async () => {
    const one = interpreter();
    const failed = await runCode(one, "begin; insert into ages values ('Eve', 1); select nope");
    expect(failureOf(failed)).toContain('The open transaction was rolled back.');
    const left = await runCode(one, "select count(*) as n from ages where name = 'Eve'");
    expect(tableOf(left)[1]).toEqual(['0']);
  });

  it('stops a statement on the server', async () => {
    const one = interpreter();
    await runCode(one, 'set @kept = 1');
    const recorded = await runAndAbort(
      one,
      `select 'started' as a; select benchmark(100000000000, md5('x'))`,
      (text) => text.includes('started'),
    );
    expect(recorded.end).toEqual({ code: 'ABORT' });
    const left = await server.query(
      "select count(*) as n from information_schema.processlist where info like '%benchmark(1%' " +
        'and id <> connection_id()',
    );
    expect(left).toEqual([{ n: 0 }]);
    expect(tableOf(await runCode(one, 'select @kept as n'))[1]).toEqual(['1']);
  });

  it('reads up to the limits, and says so', async () => {
    const many = 'select seq from seq_1_to_10000000';
    const one = interpreter({ maxRows: '300' });
    const recorded = await runCode(one, many);
    expect(recorded.end).toEqual({ code: 'SUCCESS' });
    expect(textOf(recorded)).toContain('Only the first 300 rows were read; there are more.');
    expect(tableOf(await runCode(one, 'select 1 as n'))[1]).toEqual(['1']);
    const late = await runCode(interpreter({ timeoutSeconds: '1' }), 'select sleep(60)');
    expect(failureOf(late)).toMatch(/^Error: The statement was stopped at the time limit of 1 s\./);
  });

  it('only reads if the setting says so [S66]', async () => {
    const one = interpreter({ readOnly: 'true' });
    expect(failureOf(await runCode(one, "insert into ages values ('Eve', 1)"))).toMatch(
      /\(1792\)\nThe setting test only allows reading \(readOnly\)\.$/,
    );
    for (const code of [
      "start transaction read write; insert into ages values ('Eve', 1); commit",
      "set session transaction read write; insert into ages values ('Eve', 1)",
      "set @@transaction_read_only = 0; insert into ages values ('Eve', 1)",
      "execute immediate 'set session transaction read write'",
      "/*!50000 start transaction read write */; insert into ages values ('Eve', 1)",
      "begin not atomic insert into ages values ('Eve', 1); end",
      "if true then insert into ages values ('Eve', 1); end if",
    ])
      expect(failureOf(await runCode(one, code)), code).toMatch(/only reads \(readOnly\)|1792/);
    const eve = await runCode(one, "select count(*) as n from ages where name = 'Eve'");
    expect(tableOf(eve)).toEqual([['n'], ['0']]);
  });

  it('explains why it can not connect', async () => {
    const message = async (properties: Record<string, string>) =>
      failureOf(await runCode(interpreter(properties), 'select 1'));
    const free = await freePort();
    expect(await message({ port: String(free) })).toMatch(/can't be reached: no server accepts/);
    expect(await message({ password: 'wrong' })).toMatch(
      /^Error: Access denied for user 'tester'.* \(1045\)\nCorrect user and password of/,
    );
    expect(await message({ database: 'nowhere' })).toMatch(/\(10(?:44|49)\)\n/);
    expect(await message({ ssl: 'verify-full', host: 'localhost' })).toMatch(
      /^Error: The certificate of localhost:\d+ is not accepted/,
    );
  });

  it('uses TLS if the server has it', async () => {
    const recorded = await runCode(
      interpreter({ user: 'secret', password: 'secret-pass', database: '' }),
      "show status like 'Ssl_cipher'",
    );
    expect(tableOf(recorded)[1]![1]).toMatch(/TLS/);
  });

  it('says that a session was lost, and connects again', async () => {
    const one = interpreter();
    await runCode(one, 'set @gone = 1');
    const lost = await runCode(one, 'kill connection_id()');
    expect(lost.end.code).toBe('ERROR');
    await until(() => one.state === undefined);
    const next = await runCode(one, 'select 1 as n');
    expect(next.end.code).toBe('SUCCESS');
    expect(textOf(next)).toContain('The session has ended');
  });

  it('can be cancelled while the network is down', () => cancelOffline(interpreter, server.port));

  it('completes schemas, tables, columns and keywords', async () => {
    const one = interpreter();
    const values = async (code: string, cursor = code.length) =>
      (await one.complete!(code, cursor)).map(({ value }) => value);
    expect(await values('select * from ag')).toContain('ages');
    expect(await values('select * from sho')).toContain('shop');
    expect(await values('select * from shop.')).toEqual(['ages', '`my orders`']);
    expect(await values('select a. from ages a', 9)).toEqual(['age', 'name']);
    expect(await values('sel')).toContain('select');
  });
});
