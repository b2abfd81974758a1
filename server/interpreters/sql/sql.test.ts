import { execFileSync, spawn } from 'node:child_process';
import { existsSync, statSync, writeFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { totalmem } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { processesIn } from '../../../test/support/process.ts';
import type { Interpreter } from '../contract.ts';
import {
  errorOf,
  runAndAbort,
  runCode,
  type TestHost,
  tableOf,
  testHost,
} from '../test-support.ts';
import { sql } from './sql.ts';

/** A query that doesn't end before it is cancelled. */
const ENDLESS = 'select count(*) from range(1000000000) a, range(1000000) b';

/** Returns the progress of a statement that is cancelled after its first report. */
async function progressOf(session: Interpreter): Promise<number[]> {
  const abort = new AbortController();
  const heavy =
    'create temp table big as select range as r from range(3000000); ' +
    'select count(distinct md5(md5(md5(md5(r::text))))) from big';
  return (
    await runCode(session, heavy, { signal: abort.signal, onProgress: () => abort.abort('seen') })
  ).percents;
}

describe('SQL with access to all files', () => {
  let host: TestHost;
  let session: Interpreter;
  const run = (code: string, options?: Record<string, string>) =>
    runCode(session, code, options ? { options } : {});

  beforeAll(() => {
    host = testHost();
    session = sql.create(host);
  });
  afterAll(() => session.close());

  it('runs statements in order and shows each result', async () => {
    const result = await run(
      'create table city (name text, people bigint); ' +
        "insert into city values ('Ulm', 126000), ('Bonn', 331000);\n" +
        'select * from city order by name; select count(*) as n from city',
    );
    expect(result.end).toEqual({ code: 'SUCCESS' });
    expect(result.outputs).toEqual([
      { type: 'TEXT', data: 'OK\n2 rows changed\n' },
      { type: 'TABLE', data: 'name\tpeople\nBonn\t331000\nUlm\t126000\n' },
      { type: 'TABLE', data: 'n\n2\n' },
    ]);
    expect(host.statuses).toContain('READY');
  });

  it('keeps temporary tables and variables for the next run', async () => {
    await run('create temp table seen as select 42 as answer; set variable x = 7');
    expect(tableOf(await run("select answer, getvariable('x') as x from seen"))).toEqual([
      ['answer', 'x'],
      ['42', '7'],
    ]);
  });

  it('reports how many rows a statement changed', async () => {
    const text = (
      await run(
        'create table r as select range as i from range(3); update r set i = 0 where i = 1; ' +
          'delete from r; checkpoint',
      )
    ).outputs;
    expect(text).toEqual([
      { type: 'TEXT', data: 'OK, 3 rows\n1 row changed\n3 rows changed\nOK\n' },
    ]);
  });

  it('formats values readably', async () => {
    const columns: [string, string][] = [
      ['null', 'null'],
      ["''", ''],
      ["'a\tb\nc\r\nd\re'", 'a b c d e'],
      ["date '2026-01-31'", '2026-01-31'],
      ["timestamp '2026-01-31 10:00:00'", '2026-01-31 10:00:00'],
      ["timestamp '2026-01-31 10:00:00.25'", '2026-01-31 10:00:00.25'],
      ['1.50::decimal(9,2)', '1.50'],
      ['9007199254740993::bigint', '9007199254740993'],
      [
        '170141183460469231731687303715884105727::hugeint',
        '170141183460469231731687303715884105727',
      ],
      ['0.1::float', '0.1'],
      ['0.1::double', '0.1'],
      ["'nan'::double", 'NaN'],
      ['true', 'true'],
      ["interval '1 month 2 days'", '1 month 2 days'],
      ["'6f1e3a2c-0000-4000-8000-000000000001'::uuid", '6f1e3a2c-0000-4000-8000-000000000001'],
      ["'a\\x00\\xFF'::blob", 'a\\x00\\xFF'],
      ['[1, null, 3]', '[1,null,3]'],
      [
        "{'a': 1, 'b': ['x', null], 'd': date '2026-01-31', 'e': 1.5::decimal(3,1)}",
        '{"a":1,"b":["x",null],"d":"2026-01-31","e":1.5}',
      ],
      ["map {'k': 1}", '{"k":1}'],
      ['map {1: [2]}', '{"1":[2]}'],
      ["'x'::enum('x', 'y')", 'x'],
      ["'101'::bit", '101'],
      ['union_value(k := 1)', '1'],
      ["'infinity'::date", 'infinity'],
      ["time '10:00:01'", '10:00:01'],
      [`'{"a": 1}'::json`, '{"a": 1}'],
      ['[1, 2]::int[2]', '[1,2]'],
    ];
    const result = await run(
      `select ${columns.map(([value], index) => `${value} as c${index}`).join(', ')}`,
    );
    expect(result.end).toEqual({ code: 'SUCCESS' });
    expect(tableOf(result)[1]).toEqual(columns.map(([, text]) => text));
  });

  it('never treats data as markup', async () => {
    const result = await run(
      "select v from (values (1, ''), (2, '%html <b>x</b>'), (3, '%text'), " +
        "(4, '%element <img src=x onerror=y>'), (5, '%elements'), (6, 'end')) t(i, v) order by i",
    );
    expect(result.outputs).toEqual([
      {
        type: 'TABLE',
        data: 'v\n \n %html <b>x</b>\n %text\n %element <img src=x onerror=y>\n%elements\nend\n',
      },
    ]);
  });

  it('shows empty results, and plans as text', async () => {
    expect(tableOf(await run('select 1 as a, 2 as b where false'))).toEqual([['a', 'b']]);
    const plan = await run('explain select 1; select 2 as x');
    expect(plan.outputs.map(({ type }) => type)).toEqual(['TEXT', 'TABLE']);
    expect(plan.outputs[0]!.data).toContain('PROJECTION');
    expect(tableOf(await run('pivot (select 1 as k, 2 as v) on k using sum(v)'))).toEqual([
      ['1'],
      ['2'],
    ]);
  });

  it('streams rows chunk by chunk', async () => {
    const result = await run('select range as i from range(9000)');
    expect(
      result.pieces.filter((piece) => piece.includes('\n') && /\d/.test(piece)).length,
    ).toBeGreaterThan(3);
    expect(tableOf(result)).toHaveLength(9001);
  });

  it('truncates results at the limit with a notice', async () => {
    const result = await run('select range as i from range(100); select 1 as after', {
      limit: '50',
    });
    expect(result.outputs[0]!.data.trimEnd().split('\n')).toHaveLength(51);
    expect(result.outputs.slice(1)).toEqual([
      {
        type: 'TEXT',
        data:
          'Showing the first 50 rows; there are more. ' +
          'For more rows start with %sql(limit=500).\n',
      },
      { type: 'TABLE', data: 'after\n1\n' },
    ]);
    expect((await run('select range as i from range(50)', { limit: '50' })).outputs).toHaveLength(
      1,
    );
    expect(
      (await run('select range as i from range(2048)', { limit: '2048' })).outputs,
    ).toHaveLength(1);
    const standard = await run('select range as i from range(10001)');
    expect(standard.outputs[1]!.data).toMatch(/^Showing the first 10,000 rows; there are more/);
    expect(errorOf(await run('select 1', { limit: '0' }))).toContain(
      'limit must be a whole number from 1',
    );
    expect(errorOf(await run('select 1', { limit: '5 0' }))).toContain(
      'limit must be a whole number from 1',
    );
  });

  it("reports the engine's message with the script's line number", async () => {
    const message = errorOf(await run('select 1;\nselect 2;\nselect *\nfrom nowhere; select 3'));
    expect(message).toContain('Catalog Error: Table with name nowhere does not exist!');
    expect(message).toContain('LINE 4: from nowhere');
    expect(message).toContain('(statement 3 of 4)');
    expect(errorOf(await run('selec 1'))).toContain('syntax error at or near "selec"');
    writeFileSync(join(host.files, 'west.csv'), Buffer.from('ort;wert\nK\xf6ln;1\n', 'latin1'));
    const reading = errorOf(await run("select 1; from read_csv('west.csv')"));
    expect(reading).toMatch(/^Reading west\.csv: Invalid Input Error: CSV Error on Line: 2\n/);
    expect(reading).not.toMatch(/ignore_errors|delimiter =|\/west/);
  });

  it('distinguishes failed streams from complete ones', async () => {
    const result = await run(
      "select case when range = 300000 then error('boom at 300000') else range end as i from " +
        'range(1000000)',
      { limit: '1000000' },
    );
    expect(errorOf(result)).toContain('boom at 300000');
    expect(result.outputs[0]!.data.length).toBeGreaterThan(10_000);
    expect(tableOf(await run('select 1 as ok'))).toEqual([['ok'], ['1']]);
  });

  it('rolls back a failed transaction with a notice', async () => {
    await run('create table kept (i int)');
    const message = errorOf(await run("begin; insert into kept values (1); select error('boom')"));
    expect(message).toContain('boom');
    expect(message).toContain('The open transaction was rolled back.');
    expect(tableOf(await run('select count(*) as n from kept'))).toEqual([['n'], ['0']]);
    expect(
      (await run('begin; insert into kept values (2); select * from kept; commit')).end.code,
    ).toBe('SUCCESS');
    expect(tableOf(await run('select * from kept'))).toEqual([['i'], ['2']]);
  });

  it('cancels a statement and frees the engine [S64]', async () => {
    const abort = new AbortController();
    await run('select 1');
    const running = runCode(session, `create temp table endless as ${ENDLESS}`, {
      signal: abort.signal,
    });
    setTimeout(() => abort.abort('cancelled'), 200);
    expect((await running).end).toEqual({ code: 'ABORT' });
    expect(
      tableOf(await run("select count(*) as n from duckdb_tables() where table_name = 'endless'")),
    ).toEqual([['n'], ['0']]);
  });

  it('cancels while streaming rows', async () => {
    const result = await runAndAbort(
      session,
      'select range as i from range(100000000); create table never as select 1',
      (text) => text.includes('2047'),
    );
    expect(result.end).toEqual({ code: 'ABORT' });
    expect(errorOf(await run('from never'))).toContain('never');
  });

  it('reports progress if the engine knows it', async () => {
    const percents = await progressOf(session);
    expect(percents.length).toBeGreaterThan(0);
    expect(percents.every((percent) => percent > 0 && percent <= 100)).toBe(true);
  });

  it('has 16 threads, and leaves some for file access while many statements run', async () => {
    const sessions = Array.from({ length: 6 }, () => sql.create(host));
    const abort = new AbortController();
    const runs = sessions.map((other) =>
      runCode(other, ENDLESS, {
        signal: abort.signal,
      }),
    );
    // Waits until the statements run. Without a limit they would hold every thread.
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect((await readFile(import.meta.filename, 'utf8')).length).toBeGreaterThan(0);
    const [engine] = processesIn(host.folder);
    expect(await readFile(`/proc/${engine}/environ`, 'utf8')).toMatch(/\0UV_THREADPOOL_SIZE=16\0/);
    abort.abort('cancelled');
    expect((await Promise.all(runs)).map(({ end }) => end.code)).toEqual(
      sessions.map(() => 'ABORT'),
    );
    await Promise.all(sessions.map((other) => other.close()));
  });

  it('resolves relative file names against the folder of data files', async () => {
    writeFileSync(join(host.files, 'in.csv'), 'a,b\n1,x\n');
    expect(
      tableOf(
        await run("copy (select a + 1 as a, b from 'in.csv') to 'out.parquet'; from 'out.parquet'"),
      ),
    ).toEqual([
      ['a', 'b'],
      ['2', 'x'],
    ]);
    expect(existsSync(join(host.files, 'out.parquet'))).toBe(true);
  });

  it('completes tables of its own note and common ones, not those of other notes', async () => {
    const of = (noteId: string) => sql.create({ ...host, noteId });
    const [a, b] = [of('A'), of('B')];
    try {
      await runCode(
        a,
        'create table tab_of_a as select 1 as col_a; create table main.tab as from range(1)',
      );
      await runCode(b, 'create table tab_of_b as select 1 as col_b');
      const names = async (text: string) =>
        (await a.complete!(text, text.length)).map(({ name }) => name);
      expect((await names('from tab')).filter((name) => /^tab(_of_.)?$/.test(name))).toEqual([
        'tab',
        'tab_of_a',
      ]);
      expect(await names('select * from tab_of_a, tab_of_b where col')).not.toContain('col_b');
    } finally {
      await Promise.all([a.close(), b.close()]);
    }
  });

  it('completes columns, tables, functions and keywords', async () => {
    await run(
      'create table flight (origin text, "air time" int); ' +
        'create view late as select * from flight; create schema dep; ' +
        'create table dep.gate (nr int)',
    );
    const complete = async (text: string) =>
      session.complete!(text.replace('|', ''), text.indexOf('|'));
    const [first] = await complete('select or| from flight');
    expect(first).toEqual({ name: 'origin', value: 'origin', meta: 'column' });
    const found: [string, string, string, string?][] = [
      ['select or| from flight', 'keyword', 'ORDER', 'order'],
      ['select f.| from flight f', 'column', 'air time', '"air time"'],
      ['select f.| from flight f', 'column', 'origin'],
      ['select * from fl|', 'table', 'flight'],
      ['select * from LA|', 'table', 'late'],
      ['with mine as (select 1) from mi|', 'table', 'mine'],
      ['select regexp_ma|', 'function', 'regexp_matches'],
      ['SEL|', 'keyword', 'SELECT'],
    ];
    for (const [text, meta, name, value = name] of found)
      expect(await complete(text), text).toContainEqual({ name, value, meta });
    expect(await complete('from dep.|')).toEqual([{ name: 'gate', value: 'gate', meta: 'table' }]);
    expect(await complete('select or| from other; select 1 from flight')).not.toContainEqual(
      expect.objectContaining({ meta: 'column' }),
    );
    expect(await complete("select 'fl|'")).toEqual([]);
    expect(await complete('select 1 -- fl|')).toEqual([]);
  });

  it('completes while a statement runs', async () => {
    const abort = new AbortController();
    const running = runCode(session, ENDLESS, {
      signal: abort.signal,
    });
    expect(await session.complete!('select * from fl', 16)).toContainEqual({
      name: 'flight',
      value: 'flight',
      meta: 'table',
    });
    abort.abort('cancelled');
    expect((await running).end).toEqual({ code: 'ABORT' });
  });

  it('shares the database between instances with separate connections', async () => {
    const other = sql.create(host);
    await run('create table shared as select 5 as v; create temp table mine as select 1');
    expect(tableOf(await runCode(other, 'from shared'))).toEqual([['v'], ['5']]);
    expect(errorOf(await runCode(other, 'from mine'))).toContain('mine');
    await other.close();
    expect(tableOf(await run('from shared'))).toEqual([['v'], ['5']]);
  });

  it('exports and imports tables, even while a statement runs', async () => {
    const abort = new AbortController();
    await run(
      'create table given as select 1 as a; create view taken as select 0 as b; ' +
        'create table "odd name" as select 3 as c',
    );
    const running = runCode(session, ENDLESS, {
      signal: abort.signal,
    });
    const file = await host.tables.exportTable('given');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    await host.tables.importTable('taken', file);
    expect(existsSync(file)).toBe(false);
    await host.tables.importTable('odd', await host.tables.exportTable('main."odd name"'));
    await host.tables.importTable(
      'picked',
      await host.tables.exportTable('select a + 1 as a from given -- why not\n;'),
    );
    abort.abort('cancelled');
    expect((await running).end).toEqual({ code: 'ABORT' });
    expect(tableOf(await run('select * from taken, odd, picked'))).toEqual([
      ['a', 'c', 'a'],
      ['1', '3', '2'],
    ]);
    await expect(host.tables.exportTable('absent')).rejects.toThrow(/absent does not exist/);
    await expect(host.tables.exportTable('drop table given')).rejects.toThrow(/Only a SELECT/);
    await expect(host.tables.exportTable("select 1) to '/tmp/x' --")).rejects.toThrow(
      /syntax error/,
    );
    await expect(host.tables.exportTable('select 1; select 2')).rejects.toThrow(
      /Exactly one SELECT/,
    );
    expect(await readdir(join(host.root, 'tables'))).toEqual([]);
  });

  it('stops an export when aborted', async () => {
    const abort = new AbortController();
    const exporting = host.tables.exportTable(ENDLESS, abort.signal);
    setTimeout(() => abort.abort(), 100);
    await expect(exporting).rejects.toThrow(/Interrupted/);
  });
});

describe('SQL confined to the data folder', () => {
  let host: TestHost;
  let session: Interpreter;
  beforeAll(() => {
    host = testHost({ openFiles: false });
    session = sql.create(host);
    writeFileSync(join(host.files, 'in.csv'), 'a\n1\n');
    writeFileSync(join(host.root, 'secret.csv'), 'a\nsecret\n');
  });
  afterAll(() => session.close());

  it('confines an engine that had access to all files before [S64]', async () => {
    const open = testHost({ openFiles: true });
    writeFileSync(join(open.root, 'secret.csv'), 'a\nsecret\n');
    const query = `from read_csv('${join(open.root, 'secret.csv')}')`;
    const before = sql.create(open);
    expect(tableOf(await runCode(before, query))).toEqual([['a'], ['secret']]);
    await before.close();
    const after = sql.create({ ...open, openFiles: false });
    expect(await runCode(after, query)).toMatchObject({ end: { code: 'ERROR' } });
    expect(await runCode(after, 'set enable_external_access=true')).toMatchObject({
      end: { code: 'ERROR' },
    });
    await after.close();
  });

  it('reads and writes the data folder and exchanges tables', async () => {
    expect(tableOf(await runCode(session, "from 'in.csv'"))).toEqual([['a'], ['1']]);
    const made = await runCode(
      session,
      "copy (select 2 as a) to 'sub.csv'; from read_csv(['in.csv', 'sub.csv']) order by a; " +
        "create table t as from 'in.csv'",
    );
    expect(tableOf(made)).toEqual([['a'], ['1'], ['2']]);
    await host.tables.importTable('u', await host.tables.exportTable('t'));
    expect(tableOf(await runCode(session, 'from u'))).toEqual([['a'], ['1']]);
  });

  it.each([
    "select * from read_text('/etc/passwd')",
    "select * from read_csv('/etc/passwd')",
    "from '../secret.csv'",
    "copy (select 1) to '../made.csv'",
    "attach '../made.db' as x",
    'install httpfs',
    "load '/tmp/x.so'",
    'set enable_external_access = true',
    'reset lock_configuration',
    "set allowed_directories = ['/']",
    "from read_csv('https://example.com/a.csv')",
    "select * from glob('/etc/*')",
    "create secret (type s3, key_id 'a', secret 'b')",
    "select * from 'x/../../secret.csv'",
  ])('rejects %s [S64]', async (statement) => {
    expect(errorOf(await runCode(session, statement))).toMatch(
      /Permission Error|Cannot change configuration|disabled|Missing Extension/,
    );
    expect((await readdir(host.root)).filter((name) => name.startsWith('made'))).toEqual([]);
  });

  it('reports progress', async () => {
    expect((await progressOf(session)).length).toBeGreaterThan(0);
  });
});

describe('SQL with a faulty database file', () => {
  it('reports an invalid database file, and works once it is repaired', async () => {
    const host = testHost();
    writeFileSync(join(host.folder, 'main.duckdb'), 'garbage'.repeat(9000));
    const session = sql.create(host);
    expect(errorOf(await runCode(session, 'select 1'))).toMatch(
      /^The database could not be opened: .*not a valid DuckDB database/,
    );
    expect(await session.complete!('sel', 3)).toEqual([]);
    execFileSync('rm', [join(host.folder, 'main.duckdb')]);
    expect(tableOf(await runCode(session, 'select 1 as a'))).toEqual([['a'], ['1']]);
    await session.close();
  });

  it('reports that another process has locked the file', async () => {
    const host = testHost();
    const api = createRequire(import.meta.url).resolve('@duckdb/node-api');
    const script = `const { DuckDBInstance } = require(${JSON.stringify(api)});
      DuckDBInstance.create(${JSON.stringify(join(host.folder, 'main.duckdb'))})
        .then((held) => { console.log('open'); setInterval(() => held, 1000); });`;
    const holder = spawn(process.execPath, ['-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await new Promise((resolve) => holder.stdout.once('data', resolve));
    const session = sql.create(host);
    expect(errorOf(await runCode(session, 'select 1'))).toMatch(
      /^The database could not be opened: .*lock/s,
    );
    holder.kill('SIGKILL');
    await new Promise((resolve) => holder.once('exit', resolve));
    expect((await runCode(session, 'select 1')).end.code).toBe('SUCCESS');
    await session.close();
  });
});

describe('SQL properties', () => {
  const limits =
    "select current_setting('memory_limit') as memory, current_setting('threads') as threads";

  it.each([true, false])(
    'limit the engine and the shown rows (all files: %s)',
    async (openFiles) => {
      const host = testHost({
        openFiles,
        properties: { 'sql.memoryLimit': '512MiB', 'sql.threads': '3', 'sql.maxRows': '5' },
      });
      const session = sql.create(host);
      expect(tableOf(await runCode(session, limits))).toEqual([
        ['memory', 'threads'],
        ['512.0 MiB', '3'],
      ]);
      expect(
        (await runCode(session, 'select range as i from range(9)')).outputs.at(-1)!.data,
      ).toMatch(/^Showing the first 5 rows/);
      expect(
        tableOf(
          await runCode(session, 'select range as i from range(9)', { options: { limit: '9' } }),
        ),
      ).toHaveLength(10);
      await session.close();
    },
  );

  it('limit the engine to half of the memory by default, at most 8 GB', async () => {
    const host = testHost();
    const session = sql.create(host);
    const memory = tableOf(await runCode(session, limits))[1]![0]!;
    const most = [process.constrainedMemory() || Infinity, totalmem(), 16 * 2 ** 30];
    expect(memory).toMatch(/ GiB$/);
    expect(Number.parseFloat(memory)).toBeCloseTo(Math.min(...most) / 2 ** 31, 0);
    await session.close();
  });

  it('apply immediately when changed, unless the configuration is locked', async () => {
    for (const openFiles of [true, false]) {
      const host = testHost({
        openFiles,
        properties: { 'sql.memoryLimit': '512MiB', 'sql.threads': '3' },
      });
      const before = sql.create(host);
      await runCode(before, 'select 1');
      await before.close();
      const after = sql.create({
        ...host,
        properties: { 'sql.memoryLimit': '700MiB', 'sql.threads': '' },
      });
      const [memory, threads] = tableOf(await runCode(after, limits))[1]!;
      expect(memory).toBe(openFiles ? '700.0 MiB' : '512.0 MiB');
      if (!openFiles) expect(threads).toBe('3');
      await after.close();
    }
  });
});
