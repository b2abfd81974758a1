/** Database files: DuckDB and SQLite, as paragraphs and connections use them. */
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import sqliteWasm from 'node-sqlite3-wasm';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../test/support/until-end.ts';
import type { Interpreter } from '../contract.ts';
import { errorOf, runCode, type TestHost, tableOf, testHost } from '../test-support.ts';
import { driverOf } from './database-spec.ts';
import type { DatabaseDriver } from './driver.ts';
import { duckdb } from './duckdb.ts';
import { readPreview, readRelations, testDatabase } from './inspect-database.ts';
import { targetOf } from './properties.ts';
import { sqlite } from './sqlite.ts';

const VARIABLE = 'TIDING_DATABASE_FOLDERS';
const root = temporaryFolder();
const folder = join(root, 'databases');
const duckFile = join(folder, 'shop.duckdb');
const liteFile = join(folder, 'shop.sqlite');
const SAMPLE = `
  CREATE TABLE orders (id INTEGER NOT NULL, customer VARCHAR, total DECIMAL(10,2));
  INSERT INTO orders VALUES (1, 'Ada', 12.5), (2, NULL, 7);
  CREATE VIEW "Large orders" AS SELECT * FROM orders WHERE total > 10;`;
const opened: Interpreter[] = [];

async function makeDuckdb(file: string, sql: string): Promise<void> {
  const instance = await DuckDBInstance.create(file);
  const connection = await instance.connect();
  await connection.run(sql);
  connection.disconnectSync();
  instance.closeSync();
}

function makeSqlite(file: string, sql: string): void {
  const database = new sqliteWasm.Database(file);
  database.exec(sql);
  database.close();
}

mkdirSync(folder);
process.env[VARIABLE] = folder;
await makeDuckdb(duckFile, SAMPLE);
makeSqlite(liteFile, SAMPLE);

afterEach(async () => {
  for (const made of opened.splice(0)) await made.close();
});
afterAll(() => {
  delete process.env[VARIABLE];
});

function open(spec: typeof duckdb, properties: Record<string, string>): Interpreter {
  const made = spec.create(testHost({ properties }));
  opened.push(made);
  return made;
}

const accessTo = (spec: typeof duckdb, properties: Record<string, string>) => {
  const driver = driverOf(spec) as DatabaseDriver;
  const credential = (): never => {
    throw new Error('No such credential');
  };
  const chosen = targetOf({ properties, settingName: 'shop', credential }, driver);
  return { ...chosen, setting: 'shop', driver, signal: new AbortController().signal };
};

/** Returns why a run failed, or else how it ended. */
const problemOf = async (made: Interpreter, code: string): Promise<string> => {
  const { end } = await runCode(made, code);
  return end.code === 'ERROR' ? end.message : end.code;
};

const failure = (spec: typeof duckdb, path: string, readOnly = 'true'): Promise<string> =>
  problemOf(open(spec, { path, readOnly }), 'select 1');

/** Repeats a call that a busy machine does not answer in time. */
async function inTime<Result>(call: () => Promise<Result>): Promise<Result> {
  for (;;)
    try {
      return await call();
    } catch (error) {
      if (!/ within \d+ s\.$/.test((error as Error).message)) throw error;
    }
}

describe.each([
  [
    'DuckDB',
    duckdb,
    duckFile,
    { version: /^DuckDB v\d/, schema: 'main', types: ['int32', 'text', 'decimal(10, 2)'] },
  ],
  [
    'SQLite',
    sqlite,
    liteFile,
    { version: /^SQLite 3\./, schema: '', types: ['int64', 'text', 'float64'] },
  ],
] as const)('a %s file', (_, spec, path, expected) => {
  let made: Interpreter;
  let host: TestHost;

  beforeAll(() => {
    host = testHost({ properties: { path } });
    made = spec.create(host);
  });
  afterAll(() => made.close());

  it('answers queries with types and several statements', async () => {
    const { outputs, end } = await runCode(
      made,
      'select id, customer, total from orders order by id; ' +
        'select count(*) as n from "Large orders"',
    );
    expect(end).toEqual({ code: 'SUCCESS' });
    expect(outputs.map(({ data }) => data.trimEnd())).toEqual([
      spec === duckdb
        ? 'id\tcustomer\ttotal\n1\tAda\t12.50\n2\tnull\t7.00'
        : 'id\tcustomer\ttotal\n1\tAda\t12.5\n2\tnull\t7',
      'n\n1',
    ]);
  });

  it('reads many rows in batches, up to a limit', async () => {
    const rows = (count: number) =>
      `with recursive n(i) as (select 1 union all select i + 1 from n where i < ${count}) ` +
      'select i from n';
    const all = tableOf(await runCode(made, rows(900)));
    expect([all.length, all.at(-1)]).toEqual([901, ['900']]);
    const { outputs } = await runCode(made, rows(950), { options: { limit: '900' } });
    expect(outputs.at(-1)!.data).toContain('Only the first 900 rows were read; there are more.');
    expect(tableOf(await runCode(made, 'select 1 as one'))).toEqual([['one'], ['1']]);
  });

  it('has a test, a schema and previews', async () => {
    const access = accessTo(spec, { path });
    // A busy machine may exceed the time limits of the calls, which start a process.
    await expect
      .poll(() => testDatabase(access))
      .toMatchObject({ ok: true, version: expect.stringMatching(expected.version) });
    const { relations, more } = await inTime(() => readRelations(access, ''));
    expect(more).toBe(false);
    expect(
      relations.map(({ schema, name, reference, kind }) => [schema, name, reference, kind]),
    ).toEqual([
      [expected.schema, 'Large orders', '"Large orders"', 'view'],
      [expected.schema, 'orders', '"orders"', 'table'],
    ]);
    expect(relations[1]!.columns).toEqual([
      { name: 'id', type: 'INTEGER', nullable: false },
      { name: 'customer', type: 'VARCHAR', nullable: true },
      { name: 'total', type: 'DECIMAL(10,2)', nullable: true },
    ]);
    expect((await inTime(() => readRelations(access, 'nothing'))).relations).toEqual([]);
    const first = { schema: expected.schema, table: 'orders', limit: 1 };
    const preview = await inTime(() => readPreview(access, first));
    expect(preview.columns.map(({ type }) => type)).toEqual(expected.types);
    expect(preview).toMatchObject({ rows: [['1', 'Ada', expect.any(String)]], more: true });
  });

  it('completes tables, columns and keywords', async () => {
    const names = async (code: string) =>
      (await made.complete!(code, code.length)).map(({ value }) => value);
    // A busy machine may exceed the time limit of a completion.
    const offers = (code: string) => expect.poll(() => names(code));
    await offers('select * from ord').toContain('orders');
    await offers('select * from orders where cus').toContain('customer');
    await offers('select * from lar').toContain('"Large orders"');
    await offers('sel').toContainEqual(expect.stringMatching(/^select$/i));
    expect(await names('select * from "Lar')).toEqual([]);
  });

  it('refuses what changes the file or opens another one', async () => {
    for (const code of [
      'delete from orders',
      'create table x (a int)',
      `attach '${join(root, 'other')}' as other`,
      `copy orders to '${join(root, 'out.csv')}'`,
      `vacuum into '${join(root, 'copy')}'`,
    ])
      expect([code, await problemOf(made, code)]).toEqual([
        code,
        expect.stringMatching(
          /^Error: (The statement would change the file|(Parser|Permission) Error)/,
        ),
      ]);
    writeFileSync(join(folder, 'x.csv'), 'a\n1\n');
    expect(await problemOf(made, `select * from '${join(folder, 'x.csv')}'`)).toMatch(
      spec === duckdb ? /^Error: Permission Error: / : /^Error: no such table: /,
    );
    expect(tableOf(await runCode(made, 'select count(*) as n from orders'))).toEqual([
      ['n'],
      ['2'],
    ]);
  });

  it('says why a file is not opened', async () => {
    expect(await failure(spec, join(folder, 'absent.db'))).toContain('there is no such file');
    expect(await failure(spec, join(root, 'absent.db'))).toContain(
      'is not in a folder whose files',
    );
    symlinkSync('/etc/passwd', join(folder, `link-${spec.name}`));
    expect(await failure(spec, join(folder, `link-${spec.name}`))).toContain('is not in a folder');
    const text = join(folder, `text-${spec.name}`);
    writeFileSync(text, 'This is no database, but a longer text.\n'.repeat(200));
    expect(await failure(spec, text)).toContain('is not a database of this kind.');
    const data = join(folder, `data-${spec.name}`);
    mkdirSync(join(data, 'below'), { recursive: true });
    writeFileSync(join(data, 'server.lock'), '');
    writeFileSync(join(data, 'below', 'a.db'), '');
    expect(await failure(spec, join(data, 'below', 'a.db'))).toContain(
      'in the data folder of a server',
    );
    expect(await failure(spec, '')).toContain('has no path');
    process.env[VARIABLE] = '';
    expect(await failure(spec, path)).toContain('This server opens no database files.');
    process.env[VARIABLE] = folder;
  });

  it('marks the mistake in a statement', async () => {
    expect(await problemOf(made, 'select id from orders;\nselect nam from orders')).toMatch(
      spec === duckdb
        ? /at line 2, column 8\nLINE 2: select nam from/
        : /^Error: no such column: nam/,
    );
  });

  it('stops a query that is cancelled, and can be used afterwards', async () => {
    const abort = new AbortController();
    const endless =
      'with recursive n(i) as (select 1 union all select i + 1 from n where i < 4000000000) ' +
      'select count(*) from n';
    const run = runCode(made, endless, { signal: abort.signal });
    setTimeout(() => abort.abort('cancelled'), 300);
    expect((await run).end).toEqual({ code: 'ABORT' });
    expect(tableOf(await runCode(made, 'select 1 as one'))).toEqual([['one'], ['1']]);
  });
});

describe('a DuckDB file that may be changed', () => {
  const file = join(folder, 'ledger.duckdb');
  const properties = { path: file, readOnly: 'false' };

  beforeAll(() => makeDuckdb(file, 'select 1'));

  it('is written, and read by others at the same time', async () => {
    const writer = open(duckdb, properties);
    const { end, outputs } = await runCode(
      writer,
      'create table t as select 1 as a; insert into t values (2), (3); begin; delete from t',
    );
    expect([end.code, outputs.map(({ data }) => data.trimEnd()).join('\n')]).toEqual([
      'SUCCESS',
      'OK\nOK, 2 rows changed\nOK\nOK, 3 rows changed\n' +
        'A transaction is open. End it with COMMIT or ROLLBACK.',
    ]);
    for (const code of [`attach '${duckFile}' as o`, `copy t to '${join(folder, 't.csv')}'`])
      expect(errorOf(await runCode(open(duckdb, properties), code))).toContain('Permission Error');
    const reader = open(duckdb, { path: file });
    expect(tableOf(await runCode(reader, 'select count(*) as n from t'))).toEqual([['n'], ['3']]);
    expect(errorOf(await runCode(reader, 'explain analyze delete from t'))).toContain('only reads');
    await expect.poll(() => testDatabase(accessTo(duckdb, properties))).toMatchObject({ ok: true });
    expect((await runCode(writer, 'rollback')).end).toEqual({ code: 'SUCCESS' });
  });

  it('is not written while a connection reads it, or another program has it open', async () => {
    const reader = open(duckdb, { path: file });
    await runCode(reader, 'select 1');
    expect(await failure(duckdb, file, 'false')).toContain('is being read through another');
    await reader.close();
    const instance = await DuckDBInstance.create(file);
    expect(await failure(duckdb, file, 'false')).toMatch(
      /ledger\.duckdb is open in another program, which excludes others\.\nClose it there/,
    );
    instance.closeSync();
    expect(await failure(duckdb, file, 'false')).toBe('SUCCESS');
  });
});

describe('an SQLite file that another program writes', () => {
  it('is not read until the changes are in the file', async () => {
    writeFileSync(`${liteFile}-wal`, 'changes');
    expect(await failure(sqlite, liteFile)).toContain('Another program is writing to the file.');
    rmSync(`${liteFile}-wal`);
    expect(await failure(sqlite, liteFile)).toBe('SUCCESS');
  });
});
