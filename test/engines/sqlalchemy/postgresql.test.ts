/** Settings of the group `sqlalchemy` on a real PostgreSQL server. */
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  readPreview,
  readRelations,
} from '../../../server/interpreters/databases/inspect-database.ts';
import { sqlalchemy } from '../../../server/interpreters/databases/sqlalchemy.ts';
import { runAndAbort, runCode, tableOf } from '../../../server/interpreters/test-support.ts';
import { untilEnd } from '../../support/until-end.ts';
import { databases, failureOf, keepTypes, textOf } from '../database-support.ts';
import {
  POSTGRES_PASSWORD,
  POSTGRES_PROGRAMS,
  type PostgresServer,
  startPostgres,
} from '../postgres-server.ts';
import { accessTo, answered, sqlalchemyFolders, tested } from './support.ts';

sqlalchemyFolders();

describe.skipIf(POSTGRES_PROGRAMS === undefined)('SQLAlchemy with PostgreSQL', () => {
  let server: PostgresServer;
  const properties = () => ({
    url: `postgresql+psycopg://127.0.0.1:${server.port}/postgres`,
    packages: 'psycopg[binary]>=3,<4',
    user: 'postgres',
    password: POSTGRES_PASSWORD,
  });
  const { end, interpreter } = databases(sqlalchemy, properties);

  beforeAll(async () => {
    server = untilEnd(await startPostgres());
    await server.query(`
      create table orders (id int primary key, customer text, total numeric(10,2));
      insert into orders select i, 'Ada', i * 1.5 from generate_series(1, 1500) i;
      create schema "My schema"; create view "My schema"."Large" as select * from orders;`);
  }, 120_000);
  afterEach(end);

  it('keeps types in Arrow', async () => {
    const types: string[] = [];
    const recorded = await runCode(
      interpreter(),
      `select 1::int2 as a, 2::int4 as b, 3::int8 as c, 1.5::float4 as d, 1.50::numeric(10,2) as f,
        1.125::numeric as g, true as h, date '2026-01-31' as i, time '10:00:01.5' as j,
        timestamp '2026-01-31 10:00' as k, timestamptz '2026-01-31 10:00+02' as l,
        '\\x00ff'::bytea as m, '{"a": [1, 2.5]}'::jsonb as n, null::int as o, 'ü😀\t%' as p,
        array[1, 2] as q`,
      { keep: keepTypes(types) },
    );
    expect(recorded.end).toEqual({ code: 'SUCCESS' });
    expect(types).toEqual([
      ...['Int16', 'Int32', 'Int64', 'Float32', 'Decimal[10e+2]', 'Decimal[38e+3]', 'Bool'],
      ...['Date32<DAY>', 'Time64<MICROSECOND>', 'Timestamp<MICROSECOND>'],
      ...['Timestamp<MICROSECOND, UTC>', 'Binary', 'Utf8', 'Int32', 'Utf8', 'Utf8'],
    ]);
    expect(tableOf(recorded)[1]).toEqual([
      ...['1', '2', '3', '1.5', '1.50', '1.125', 'true', '2026-01-31', '10:00:01.5'],
      ...['2026-01-31 10:00:00', '2026-01-31 08:00:00+00', '\\x00ff', '{"a": [1, 2.5]}'],
      ...['null', 'ü😀 %', '{1,2}'],
    ]);
  });

  it.each([
    ['psycopg', 'psycopg[binary]>=3,<4'],
    ['psycopg2', 'psycopg2-binary'],
  ])('shows values as the database writes them: %s', async (driver, packages) => {
    const url = `postgresql+${driver}://127.0.0.1:${server.port}/postgres`;
    const values = [
      ['date', '0044-03-15 BC', '-infinity'],
      ['timestamp', 'infinity', '294276-12-31 23:59:59'],
      ['interval', '1 year 2 mons 3 days 04:05:06.789'],
      ['json', '"x"', '1.10', '{"a":  9007199254740993}'],
      ['int4range', '(,6)', 'empty'],
      ['time[]', '{10:00:00,NULL}'],
      ['numeric', 'NaN', '0.10'],
      ['float8', '1e+300', '-Infinity', '-0'],
      ['uuid', '00000000-0000-0000-0000-000000000001'],
    ].flatMap(([type, ...texts]) => texts.map((text) => ({ type, text })));
    const list = values.map(({ type, text }, at) => `'${text}'::${type} as c${at}`);
    const recorded = await runCode(interpreter({ url, packages }), `select ${list.join(', ')}`);
    expect(recorded.end).toEqual({ code: 'SUCCESS' });
    expect(tableOf(recorded)[1]).toEqual(values.map(({ text }) => text));
  });

  it('runs several statements and says what they changed', async () => {
    const recorded = await runCode(
      interpreter(),
      `create temp table t (n int); insert into t select generate_series(1, 3);
       do $$ begin raise notice 'hey; %', 1; end $$; select sum(n) as n from t where 7 % 2 = 1`,
    );
    expect(recorded.end).toEqual({ code: 'SUCCESS' });
    expect(textOf(recorded)).toContain('OK\nOK, 3 rows affected\nNOTICE: hey; 1\nOK');
    expect(tableOf(recorded)[1]).toEqual(['6']);
  });

  it('marks the mistake, and rolls back', async () => {
    const recorded = await runCode(
      interpreter(),
      "begin; update orders set customer = 'x';\nselect '😀', nam\nfrom orders",
    );
    expect(failureOf(recorded)).toMatch(
      /^Error: column "nam" does not exist \(42703\) at line 2, column 14\nLINE 2: select/,
    );
    expect(failureOf(recorded)).toContain('The open transaction was rolled back.');
    const left = await server.query("select count(*)::int as n from orders where customer = 'x'");
    expect(left).toEqual([{ n: 0 }]);
  });

  it('reads up to the limit without sending all rows', async () => {
    const one = interpreter({ maxRows: '300' });
    const recorded = await runCode(one, 'select generate_series(1, 200000000) as i');
    expect(recorded.end).toEqual({ code: 'SUCCESS' });
    expect(textOf(recorded)).toContain('Only the first 300 rows were read; there are more.');
    expect(tableOf(await runCode(one, 'select 1 as n'))[1]).toEqual(['1']);
  });

  it('stops a statement on the server, at the time limit too', async () => {
    const one = interpreter({ timeoutSeconds: '1' });
    await runCode(one, 'create temp table kept as select 7 as n');
    expect(failureOf(await runCode(one, 'select pg_sleep(600)'))).toContain('time limit of 1 s');
    const other = interpreter();
    await runCode(other, 'create temp table kept as select 7 as n');
    const recorded = await runAndAbort(
      other,
      "select 'started' as a; select pg_sleep(600)",
      (text) => text.includes('started'),
    );
    expect(recorded.end).toEqual({ code: 'ABORT' });
    const sleeping = () =>
      server.query(
        `select pid from pg_stat_activity where query like '%pg_sleep(600)%'
          and pid <> pg_backend_pid() and state = 'active'`,
      );
    let left = await sleeping();
    while (left.length > 0) left = await sleeping();
    for (const each of [one, other])
      expect(tableOf(await runCode(each, 'select n from kept'))[1]).toEqual(['7']);
  });

  it('only reads if it is set', async () => {
    const failed = await runCode(interpreter({ readOnly: 'true' }), 'delete from orders');
    expect(failureOf(failed)).toContain('cannot execute DELETE in a read-only transaction');
  });

  it('tests logins without showing the password', async () => {
    expect(await tested(properties())).toMatchObject({
      ok: true,
      version: expect.stringMatching(/^PostgreSQL \d+/) as string,
    });
    const wrong = await tested({ ...properties(), password: 'a-wrong-password' });
    expect(wrong.message).toContain('password authentication failed');
    expect(wrong.advice).toContain('Correct user and password of the setting shop');
    expect(JSON.stringify(wrong)).not.toContain('a-wrong-password');
    const hidden = await tested({
      ...properties(),
      url: `${properties().url}?options=-c%20no_such%3D{password}`,
    });
    expect(hidden.ok).toBe(false);
    expect(JSON.stringify(hidden)).not.toContain(POSTGRES_PASSWORD);
  });

  it('reads schemas, tables and first rows', async () => {
    const access = () => accessTo(properties());
    const { relations } = await answered(() => readRelations(access(), ''));
    expect(relations.map(({ kind, reference }) => [kind, reference])).toEqual([
      ['table', 'orders'],
      ['view', '"My schema"."Large"'],
    ]);
    expect(relations[0]!.columns).toEqual([
      { name: 'id', type: 'INTEGER', nullable: false },
      { name: 'customer', type: 'TEXT', nullable: true },
      { name: 'total', type: 'NUMERIC(10, 2)', nullable: true },
    ]);
    const place = { schema: 'My schema', table: 'Large', limit: 2 };
    expect(await answered(() => readPreview(access(), place))).toMatchObject({
      columns: [{ type: 'int32' }, { type: 'text' }, { type: 'decimal(10, 2)' }],
      rows: [
        ['1', 'Ada', '1.50'],
        ['2', 'Ada', '3.00'],
      ],
      more: true,
    });
  });

  it('says that the session is lost, and connects again', async () => {
    const one = interpreter();
    await runCode(one, 'create temp table kept as select 7 as n');
    await server.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
        where pid <> pg_backend_pid() and backend_type = 'client backend'`,
    );
    const lost = await runCode(one, 'select n from kept');
    expect(failureOf(lost)).toContain('Run the paragraph again to reconnect.');
    const again = await runCode(one, 'select 1 as n');
    expect(textOf(again)).toContain('The session has ended: temporary tables');
  });
});
