/** Settings of the group `postgresql` on a real server. */

import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { connect } from '../../server/interpreters/databases/postgresql/connection.ts';
import { postgresql } from '../../server/interpreters/databases/postgresql.ts';
import { runAndAbort, runCode, tableOf, until } from '../../server/interpreters/test-support.ts';
import { freePort } from '../support/free-port.ts';
import { untilEnd } from '../support/until-end.ts';
import { cancelOffline, databases, failureOf, textOf } from './database-support.ts';
import {
  POSTGRES_PASSWORD,
  POSTGRES_PROGRAMS,
  type PostgresServer,
  startPostgres,
} from './postgres-server.ts';

describe.skipIf(POSTGRES_PROGRAMS === undefined)('PostgreSQL', () => {
  let server: PostgresServer;
  const { end, interpreter } = databases(postgresql, () => ({
    host: '127.0.0.1',
    port: String(server.port),
    database: 'postgres',
    user: 'postgres',
    password: POSTGRES_PASSWORD,
  }));

  beforeAll(async () => {
    server = untilEnd(await startPostgres(['hostnossl all secret 127.0.0.1/32 reject']));
    await server.query(`
      create role ada login password 'ada-pass';
      create role secret login password 'secret-pass';
      create table ages (name text, age int);
      insert into ages values ('Ada', 36), ('Alan', 41);
      grant select on ages to public;
      create schema shop authorization ada;
      create table shop."Orders" (id int, "Total" numeric(10,2));
      create table shop.items (item_id int, label text);
    `);
  }, 120_000);
  afterEach(end);

  it('shows rows', async () => {
    const recorded = await runCode(interpreter(), 'select name, age from ages order by age');
    expect(recorded.end).toEqual({ code: 'SUCCESS' });
    expect(tableOf(recorded)).toEqual([
      ['name', 'age'],
      ['Ada', '36'],
      ['Alan', '41'],
    ]);
  });

  it('shows results, affected rows and notices of several statements in order', async () => {
    const recorded = await runCode(
      interpreter(),
      `create temp table t (n int);
       insert into t values (1), (2), (3);
       do $$ begin raise notice 'halfway; %', 'yes'; end $$;
       select n from t; select n * 2 as twice from t where n > 2`,
    );
    expect(recorded.end).toEqual({ code: 'SUCCESS' });
    expect(recorded.outputs.map(({ type, data }) => [type, data.trim()])).toEqual([
      ['TEXT', 'CREATE TABLE\nINSERT 0 3\nNOTICE: halfway; yes\nDO'],
      ['TABLE', 'n\n1\n2\n3'],
      ['TABLE', 'twice\n6'],
    ]);
  });

  it('keeps the order of an enumeration, also of one that is changed', async () => {
    const target = { host: '127.0.0.1', port: server.port, database: 'postgres', user: 'postgres' };
    const session = await connect(
      { ...target, password: POSTGRES_PASSWORD, tls: 'prefer', authorities: '', readOnly: false },
      AbortSignal.timeout(60_000),
    );
    const run = async (sql: string) => {
      const statement = await session.execute(sql);
      await statement.read(10);
      await statement.close();
      return statement.columns?.map(({ order }) => order);
    };
    await run("create type size as enum ('small', 'it''s', 'large')");
    const all = ["'large'::size", "array['small'::size]", '1'].join(', ');
    expect(await run(`select ${all}`)).toEqual([['small', "it's", 'large'], undefined, undefined]);
    await run("alter type size add value 'medium' before 'large'");
    expect(await run("select 'large'::size")).toEqual([['small', "it's", 'medium', 'large']]);
    await session.close();
  });

  it('keeps its session between runs', async () => {
    const one = interpreter();
    await runCode(one, 'create temp table kept as select 7 as n; set search_path = shop');
    expect(tableOf(await runCode(one, 'select n from kept'))).toEqual([['n'], ['7']]);
    expect(tableOf(await runCode(one, 'show search_path'))[1]).toEqual(['shop']);
  });

  it('says where a statement is wrong', async () => {
    const recorded = await runCode(interpreter(), "select '😀';\nselect '😀', nam\nfrom ages");
    expect(failureOf(recorded)).toBe(
      'Error: column "nam" does not exist (42703) at line 2, column 14\n' +
        "LINE 2: select '😀', nam\n" +
        `${' '.repeat(21)}^\n` +
        'HINT: Perhaps you meant to reference the column "ages.name".\n' +
        '(statement 2 of 2)',
    );
  });

  it('rolls a failed transaction back', async () => {
    const one = interpreter();
    const recorded = await runCode(one, 'begin; select 1/0');
    expect(failureOf(recorded)).toBe(
      'Error: division by zero (22012)\nThe open transaction was rolled back.\n(statement 2 of 2)',
    );
    expect((await runCode(one, 'select 1')).end.code).toBe('SUCCESS');
    expect(textOf(await runCode(one, 'begin'))).toContain('A transaction is open.');
  });

  it('reports a constraint that is checked at the end of the statement', async () => {
    const one = interpreter();
    await runCode(
      one,
      'create temp table parts (id int primary key deferrable initially deferred)',
    );
    const recorded = await runCode(one, 'insert into parts values (1), (1)');
    expect(failureOf(recorded)).toMatch(
      /^Error: duplicate key value .* \(23505\)\nDETAIL: Key \(id\)=\(1\)/,
    );
    expect(tableOf(await runCode(one, 'select count(*) from parts'))[1]).toEqual(['0']);
  });

  it('stops a statement on the server', async () => {
    const one = interpreter();
    const recorded = await runAndAbort(one, `select 'started' as a; select pg_sleep(600)`, (text) =>
      text.includes('started'),
    );
    expect(recorded.end).toEqual({ code: 'ABORT' });
    const left =
      'select count(*)::int as n from pg_stat_activity ' +
      "where query like '%pg_sleep(600)' and state = 'active' and pid <> pg_backend_pid()";
    expect(await server.query(left)).toEqual([{ n: 0 }]);
    // The session is still the same.
    expect(tableOf(await runCode(one, 'select 1 as n'))).toEqual([['n'], ['1']]);
  });

  it('stops while rows arrive', async () => {
    const one = interpreter();
    const recorded = await runAndAbort(one, 'select generate_series(1, 100000000)', (text) =>
      text.includes('\n150'),
    );
    expect(recorded.end).toEqual({ code: 'ABORT' });
    expect(tableOf(await runCode(one, 'select 1 as n'))).toEqual([['n'], ['1']]);
  });

  it('sends the first rows before the others', async () => {
    const pieces: string[] = [];
    const recorded = await runCode(interpreter(), 'select n from generate_series(1, 5000) n', {
      onOutput: (text) => pieces.push(text),
    });
    expect(pieces.some((text) => text.includes('\n200') && !text.includes('\n201'))).toBe(true);
    expect(tableOf(recorded)).toHaveLength(5001);
  });

  it('reads up to the limits, and says so', async () => {
    const one = interpreter({ maxRows: '300' });
    const many = 'select n from generate_series(1, 1000) n';
    const recorded = await runCode(one, many);
    expect(recorded.outputs[0]!.data.trim().split('\n')).toHaveLength(301);
    expect(recorded.outputs[1]!.data).toBe(
      'Only the first 300 rows were read; there are more. The limit is maxRows of the setting ' +
        'test; for others, select less or aggregate in the database.\n',
    );
    const less = await runCode(one, many, { options: { limit: '3' } });
    expect(textOf(less)).toBe(
      'n\n1\n2\n3\nOnly the first 3 rows were read; there are more. For more, raise limit.\n',
    );
    const exact = await runCode(one, 'select n from generate_series(1, 300) n');
    expect(exact.outputs).toHaveLength(1);
    expect(failureOf(await runCode(one, many, { options: { limit: '301' } }))).toBe(
      'limit must be a whole number from 1 to 300 (maxRows of the setting test), ' +
        'for example %test(limit=50).',
    );
    const late = await runCode(interpreter({ timeoutSeconds: '1' }), 'select pg_sleep(60)');
    expect(failureOf(late)).toBe(
      'Error: The statement was stopped at the time limit of 1 s.\n' +
        'Select less, or ask an administrator to raise timeoutSeconds of the setting test.',
    );
  });

  it('only reads if the setting says so [S66]', async () => {
    const one = interpreter({ readOnly: 'true' });
    expect(failureOf(await runCode(one, "insert into ages values ('Eve', 1)"))).toBe(
      'Error: cannot execute INSERT in a read-only transaction (25006)\n' +
        'The setting test only allows reading (readOnly).',
    );
    for (const code of [
      'begin read write; create table more (n int); commit',
      'begin; set transaction read write; create table more (n int); commit',
      'set default_transaction_read_only = off; create table more (n int)',
      "select set_config('default_transaction_' || 'read_only', 'off', false);" +
        'create table more (n int)',
      'do $$ begin commit; set transaction read write; create table more (n int); end $$',
    ])
      expect(failureOf(await runCode(one, code))).toMatch(/only reads \(readOnly\)|25006/);
    expect(await server.query("select to_regclass('more') as more")).toEqual([{ more: null }]);
  });

  it('explains why it can not connect', async () => {
    const messages = async (properties: Record<string, string>) =>
      failureOf(await runCode(interpreter(properties), 'select 1'));
    const free = await freePort();
    expect(await messages({ port: String(free) })).toBe(
      `Error: The database at 127.0.0.1:${free} can't be reached: no server accepts connections ` +
        'there (ECONNREFUSED).\nCheck that it runs, and host and port of the setting test.',
    );
    expect(await messages({ password: 'wrong' })).toBe(
      'Error: password authentication failed for user "postgres" (28P01)\n' +
        'Correct user and password of the setting test (now postgres), or leave the password ' +
        'empty and store a login for the entity test in your credentials.',
    );
    expect(await messages({ database: 'nowhere' })).toBe(
      'Error: database "nowhere" does not exist (3D000)\n' +
        'Correct the database of the setting test, or create nowhere there.',
    );
    expect(await messages({ user: 'secret', password: 'secret-pass', ssl: 'disable' })).toMatch(
      /^Error: pg_hba.conf rejects .* no encryption \(28000\)\nThe server requires TLS: set ssl/,
    );
    expect(await messages({ ssl: 'verify-full', host: 'localhost' })).toMatch(
      /^Error: The certificate of localhost:\d+ is not accepted: .*\nAdd the certificate/,
    );
    expect(await messages({ password: '' })).toMatch(/^Error: The server asks for a password/);
    expect(await messages({ host: '', url: '' })).toMatch(/^The setting test has no host\./);
    expect(await messages({ user: '', password: '' })).toBe(
      'There is no login for test: store a login for the entity test in your credentials, or ask ' +
        'an administrator to set user and password in the setting.',
    );
  });

  it("logs in with the user's own credentials, by a URL and with TLS", async () => {
    const one = interpreter(
      {
        host: '',
        url: `postgresql://127.0.0.1:${server.port}/postgres?sslmode=require`,
        user: '',
        password: '',
      },
      { credential: () => ({ username: 'ada', password: 'ada-pass' }) },
    );
    const recorded = await runCode(
      one,
      'select current_user, ssl from pg_stat_ssl where pid = pg_backend_pid()',
    );
    expect(tableOf(recorded)[1]).toEqual(['ada', 'true']);
  });

  it('says that a session was lost, and connects again', async () => {
    const one = interpreter();
    await runCode(one, 'create temp table gone (n int)');
    const lost = await runCode(one, 'select pg_terminate_backend(pg_backend_pid())');
    expect(failureOf(lost)).toBe(
      'Error: terminating connection due to administrator command (57P01)\n' +
        'The server ended the session. Run the paragraph again to reconnect.\n' +
        'With the session, temporary tables, settings and an open transaction are gone.',
    );
    const next = await runCode(one, 'select 1 as n');
    expect(next.end.code).toBe('SUCCESS');
    expect(textOf(next)).toContain('The session has ended');
  });

  it('survives a server that fails and comes back', async () => {
    const one = interpreter();
    let killed: Promise<void> | undefined;
    const broken = await runCode(one, `select 'started' as a; select pg_sleep(600)`, {
      onOutput: (text) => {
        if (text.includes('started')) killed ??= server.kill();
      },
    });
    await killed;
    expect(failureOf(broken)).toMatch(
      /(?:was lost\.|\(57P0\d\))\n(?:The server ended the session\. )?Run the paragraph again/,
    );
    const away = await runCode(one, 'select 1 as n');
    expect(failureOf(away)).toContain("can't be reached");
    await server.start();
    expect(tableOf(await runCode(one, 'select 1 as n'))[1]).toEqual(['1']);
  });

  it('can be cancelled while the network is down', () => cancelOffline(interpreter, server.port));

  it('closes an idle session', async () => {
    const one = interpreter({}, { maxIdleMs: 300 });
    await runCode(one, 'create temp table idle_table as select 1');
    await until(() => one.state === undefined);
    const next = await runCode(one, 'select 1 as n');
    expect(textOf(next)).toContain('The session was closed because it was not used');
  });

  it('refuses COPY with the data of a program, and goes on', async () => {
    const one = interpreter();
    expect(failureOf(await runCode(one, 'copy ages from stdin'))).toContain('Use INSERT');
    expect(failureOf(await runCode(one, 'copy ages to stdout'))).toContain('Use SELECT');
    expect((await runCode(one, 'select 1')).end.code).toBe('SUCCESS');
  });

  it('creates functions in the form of the standard', async () => {
    const recorded = await runCode(
      interpreter(),
      `create function pg_temp.two() returns int language sql begin atomic
         select 1; select case when true then 2 end; end;
       select pg_temp.two() as n`,
    );
    expect(recorded.end).toEqual({ code: 'SUCCESS' });
    expect(tableOf(recorded)).toEqual([['n'], ['2']]);
  });

  it('completes schemas, tables, columns and keywords, also during a run', async () => {
    const one = interpreter();
    const values = async (code: string) =>
      (await one.complete!(code, code.length)).map(({ value }) => value);
    expect(await values('select * from ag')).toContain('ages');
    expect(await values('select * from sh')).toContain('shop');
    expect(await values('select * from shop.')).toEqual(['"Orders"', 'items']);
    const code = 'select a. from ages a';
    expect((await one.complete!(code, 9)).map(({ value }) => value)).toEqual(['age', 'name']);
    expect(await values('sel')).toContain('select');
    expect(await values('select pg_sle')).toContain('pg_sleep');
    const stop = new AbortController();
    const running = runCode(one, 'select pg_sleep(600)', { signal: stop.signal });
    expect(await values('select * from ag')).toContain('ages');
    stop.abort();
    expect((await running).end.code).toBe('ABORT');
  });
});
