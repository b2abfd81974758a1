/** Settings of the group `sqlalchemy`: files of SQLite and DuckDB. */
import { readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import sqliteWasm from 'node-sqlite3-wasm';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  readPreview,
  readRelations,
} from '../../../server/interpreters/databases/inspect-database.ts';
import { sqlalchemy } from '../../../server/interpreters/databases/sqlalchemy.ts';
import { runAndAbort, runCode, tableOf } from '../../../server/interpreters/test-support.ts';
import { databases, failureOf, textOf } from '../database-support.ts';
import { accessTo, answered, sqlalchemyFolders, tested } from './support.ts';

const isSkipped = process.env['TIDING_TEST_DOWNLOADS'] !== 'pypi';
const { databases: folder, root } = sqlalchemyFolders();

describe.skipIf(isSkipped)('SQLAlchemy with an SQLite file', () => {
  const file = join(folder, 'shop.db');
  const url = `sqlite:///${file}`;
  const { end, interpreter } = databases(sqlalchemy, () => ({ url, readOnly: 'true' }));

  beforeAll(() => {
    const database = new sqliteWasm.Database(file);
    database.exec(`
      create table orders (id integer not null, customer varchar(20), total real);
      insert into orders values (1, 'Ada', 12.5), (2, null, 7);
      create view "Large orders" as select * from orders where total > 10;`);
    database.close();
  });
  afterEach(end);

  it('installs SQLAlchemy at the first run, and shows the progress', async () => {
    const recorded = await runCode(interpreter(), "select *, '100%' as p from orders");
    expect(recorded.end).toEqual({ code: 'SUCCESS' });
    expect(tableOf(recorded)).toEqual([
      ['id', 'customer', 'total', 'p'],
      ['1', 'Ada', '12.5', '100%'],
      ['2', 'null', '7.0', '100%'],
    ]);
    expect(recorded.pieces.join('')).toContain('Installing sqlalchemy');
    expect(recorded.percents).toContain(20);
    // The next one finds it.
    const again = await runCode(interpreter(), 'select 1 as n');
    expect(again.pieces.join('')).not.toContain('Installing');
    const built = readdirSync(join(root, 'cache', 'tiding'));
    expect(built).toEqual([expect.stringMatching(/^sqlalchemy-[0-9a-f]{16}$/)]);
  });

  it('reads tables and their first rows', async () => {
    expect(await tested({ url })).toMatchObject({
      ok: true,
      version: expect.stringMatching(/^SQLite 3\.\d+/) as string,
    });
    const { relations } = await answered(() => readRelations(accessTo({ url }), ''));
    expect(relations.map(({ kind, reference }) => [kind, reference])).toEqual([
      ['view', '"Large orders"'],
      ['table', 'orders'],
    ]);
    expect(relations[1]!.columns[0]).toEqual({ name: 'id', type: 'INTEGER', nullable: false });
    const found = await answered(() => readRelations(accessTo({ url }), 'LARGE'));
    expect(found.relations.map(({ name }) => name)).toEqual(['Large orders']);
    const place = { schema: '', table: 'Large orders', limit: 5 };
    const { rows } = await answered(() => readPreview(accessTo({ url }), place));
    expect(rows).toEqual([['1', 'Ada', '12.5']]);
  });

  it.each([
    ["insert into orders values (3, 'x', 1)", 'readonly database'],
    [`attach '${join(root, 'other.db')}' as other`, 'not authorized'],
    [`vacuum into '${join(folder, 'copy.db')}'`, 'authorization denied'],
    ["select load_extension('x')", 'not authorized'],
    ["pragma temp_store_directory = '/tmp'", 'not authorized'],
  ])('refuses %s', async (code, reason) => {
    expect(failureOf(await runCode(interpreter(), code))).toContain(reason);
  });

  it('opens no files of others, also with rights to write', async () => {
    const one = interpreter({ readOnly: 'false' });
    const written = await runCode(one, 'begin; update orders set total = 8 where id = 2; rollback');
    expect(textOf(written)).toContain('OK, 1 row affected');
    for (const code of [`attach '${join(root, 'other.db')}' as other`, `vacuum into '${file}2'`])
      expect(failureOf(await runCode(one, code))).toMatch(/not authorized|authorization denied/);
    expect(readdirSync(folder)).not.toContain('shop.db2');
  });

  it('refuses files outside of the folders, and other drivers of files', async () => {
    symlinkSync('/etc/passwd', join(folder, 'link.db'));
    for (const path of ['/etc/passwd', join(folder, '../x.db'), join(folder, 'link.db')]) {
      const { message, ok } = await tested({ url: `sqlite:///${path}` });
      expect([ok, message]).toEqual([
        false,
        expect.stringContaining('is not in a folder whose files may be opened'),
      ]);
    }
    expect((await tested({ url: `sqlite+pysqlcipher:///${file}` })).ok).toBe(false);
  });

  it('ends a statement that the driver can stop, and keeps the session', async () => {
    const one = interpreter();
    await runCode(one, 'create temp table kept (n); insert into kept values (7)');
    const recorded = await runAndAbort(
      one,
      `select 'started' as a;
       with recursive t(n) as (select 1 union all select n + 1 from t) select count(*) from t`,
      (text) => text.includes('started'),
    );
    expect(recorded.end).toEqual({ code: 'ABORT' });
    expect(tableOf(await runCode(one, 'select n from kept'))[1]).toEqual(['7']);
  });

  it('completes tables, columns and keywords', async () => {
    const one = interpreter();
    const names = async (code: string) => {
      for (;;) {
        const found = (await one.complete!(code, code.length)).map(({ value }) => value);
        if (found.length > 0) return found;
      }
    };
    await runCode(one, 'select 1');
    expect(await names('select * from ord')).toContain('orders');
    expect(await names('select orders.cu')).toContain('customer');
  });

  it('names the package that is missing', async () => {
    const missing = async (other: string) => {
      const { advice, message } = await tested({ url: other });
      return `${message}\n${advice}`;
    };
    expect(await missing('snowflake://account/db')).toMatch(
      /^SQLAlchemy has no dialect snowflake\.\nAdd the package snowflake-sqlalchemy /,
    );
    expect(await missing('mysql+pymysql://127.0.0.1/shop')).toMatch(
      /^The driver pymysql is not installed\.\nAdd the package PyMySQL /,
    );
    expect(await missing('postgresql+asyncpg://127.0.0.1/shop')).toContain('asynchronous');
    const unknown = await tested({ url, packages: 'tiding-no-such-package-of-pypi' });
    expect(unknown.message).toMatch(/packages of shop can't be installed:.*tiding-no-such/);
  });
});

describe.skipIf(isSkipped)('SQLAlchemy with a DuckDB file', () => {
  const file = join(folder, 'shop.duckdb');
  const properties = { url: `duckdb:///${file}`, packages: 'duckdb-engine', readOnly: 'false' };
  const { end, interpreter } = databases(sqlalchemy, () => properties);
  afterEach(end);

  it('opens only this file', async () => {
    const { DuckDBInstance } = await import('@duckdb/node-api');
    const instance = await DuckDBInstance.create(file);
    const connection = await instance.connect();
    await connection.run('create table orders as select 1 as id, 1.50::decimal(10,2) as total');
    connection.disconnectSync();
    instance.closeSync();
    const one = interpreter();
    expect(tableOf(await runCode(one, 'select * from orders'))).toEqual([
      ['id', 'total'],
      ['1', '1.50'],
    ]);
    for (const code of [
      "select * from read_csv('/etc/passwd')",
      `attach '${join(folder, 'other.duckdb')}' as other`,
      `copy orders to '${join(folder, 'orders.csv')}'`,
      'set enable_external_access = true',
    ])
      expect(failureOf(await runCode(one, code))).toMatch(/disabled by|has been locked/);
    await end();
    const { relations } = await answered(() => readRelations(accessTo(properties), ''));
    expect(relations).toMatchObject([
      { schema: 'main', name: 'orders', columns: [{ name: 'id' }, { type: 'DECIMAL(10,2)' }] },
    ]);
  });
});
