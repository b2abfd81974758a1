/**
 * Engines that have no test of their own on the page. Each shows a result and says what is wrong;
 * a cancelled run ends, and the engine can be used afterwards.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import type { Note } from '@tiding/client';
import { Database } from 'node-sqlite3-wasm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../support/until-end.ts';
import { noteOf, startWalk, type Walk } from '../support/walk.ts';
import { bashKernel, JUPYTER_PYTHON, startJupyter } from './jupyter-server.ts';
import { MARIADB_PASSWORD, MARIADB_PROGRAM, startMariadb } from './mariadb-server.ts';

type Stop = () => unknown;

interface Engine {
  /** The magic, and the name of the setting. */
  readonly magic: string;
  readonly missing?: boolean;
  /** Starts it. Absent group: the server finds it itself. */
  readonly group?: string;
  start?(folder: string): Promise<{ properties: Record<string, string>; stop?: Stop }>;
  readonly code: string;
  /** A cell of the table that `code` shows, or a line of its text. */
  readonly cell?: string;
  readonly line?: string;
  readonly wrong: string;
  readonly error: string;
  readonly endless: string;
}

const ORDERS = `CREATE TABLE orders (id INTEGER, customer VARCHAR(20), total DECIMAL(10,2));
  INSERT INTO orders VALUES (1, 'Ada', 12.5), (2, 'Alan', 7);`;
const query = { code: 'select customer, total from orders order by id', cell: 'Alan' };
const COUNTING =
  'with recursive n(i) as (select 1 union all select i + 1 from n where i < 1e18) ' +
  'select count(*) from n';

const engines: readonly Engine[] = [
  {
    magic: 'maria',
    missing: MARIADB_PROGRAM === undefined,
    group: 'mysql',
    async start() {
      const { port, query: ask, stop } = await startMariadb();
      await ask(`use shop; ${ORDERS}`);
      const login = { user: 'tester', password: MARIADB_PASSWORD, database: 'shop' };
      return { properties: { host: '127.0.0.1', port: String(port), ...login }, stop };
    },
    ...query,
    wrong: 'select * from orderz',
    error: "Table 'shop.orderz' doesn't exist (1146)",
    endless: 'select sleep(600)',
  },
  {
    magic: 'lite',
    group: 'sqlite',
    async start(folder) {
      const path = join(folder, 'shop.sqlite');
      const database = new Database(path);
      database.exec(ORDERS);
      database.close();
      return { properties: { path } };
    },
    ...query,
    wrong: 'select * from orderz',
    error: 'no such table: orderz',
    endless: COUNTING,
  },
  {
    magic: 'duck',
    group: 'duckdb',
    async start(folder) {
      const path = join(folder, 'shop.duckdb');
      const instance = await DuckDBInstance.create(path);
      const connection = await instance.connect();
      await connection.run(ORDERS);
      connection.disconnectSync();
      instance.closeSync();
      return { properties: { path, readOnly: 'true' } };
    },
    ...query,
    wrong: 'select * from orderz',
    error: 'Table with name orderz does not exist!',
    endless:
      'select count(*) from range(10000000) a, range(10000000) b where (a.range * b.range) % 7 = 3',
  },
  {
    magic: 'remote',
    missing: JUPYTER_PYTHON === undefined,
    group: 'jupyter',
    start: startJupyter,
    code: 'kept = 6\nprint("kept", kept * 7)',
    line: 'kept 42',
    wrong: 'kepd',
    error: "NameError: name 'kepd' is not defined",
    endless: 'import time\nprint("begun", flush=True)\ntime.sleep(600)',
  },
  {
    magic: 'bash_kernel',
    missing: JUPYTER_PYTHON === undefined,
    code: 'kept=42; echo "kept $kept"',
    line: 'kept 42',
    wrong: 'ls /nowhere-at-all',
    error: 'No such file or directory',
    endless: 'echo begun; sleep 600',
  },
  {
    magic: 'ir',
    missing: !existsSync('/usr/share/jupyter/kernels/ir'),
    code: 'kept <- 6\ncat("kept", kept * 7)',
    line: 'kept 42',
    wrong: 'kepd',
    error: "object 'kepd' not found",
    endless: 'cat("begun\\n")\nSys.sleep(600)',
  },
];

describe('engines on the page', { timeout: 240_000 }, () => {
  const stops: Stop[] = [];
  const folder = temporaryFolder();
  let walk: Walk;

  beforeAll(async () => {
    process.env['TIDING_DATABASE_FOLDERS'] = folder;
    walk = await startWalk({ kernels: JUPYTER_PYTHON ? [bashKernel(folder)] : true });
    walk.page.setDefaultTimeout(120_000);
  }, 120_000);
  afterAll(async () => {
    await walk?.stop();
    for (const stop of stops) await stop();
    delete process.env['TIDING_DATABASE_FOLDERS'];
  });

  for (const engine of engines)
    it.skipIf(engine.missing)(`include %${engine.magic}`, async () => {
      const { magic, group, start, code, cell, line, wrong, error, endless } = engine;
      const { client, embedded, page } = walk;
      if (group && start) {
        const { properties, stop } = await start(folder);
        if (stop) stops.push(stop);
        await client.interpreters.create({ name: magic, group, properties });
      }
      const texts = [code, wrong, endless, code].map((text) => `%${magic}\n${text}`);
      const note: Note = await noteOf(client, `engines/${magic}`, texts);
      stops.unshift(() => note.close());
      const article = (index: number) => page.locator('article').nth(index);
      const run = async (index: number): Promise<void> => {
        await article(index).scrollIntoViewIfNeeded();
        await article(index).getByRole('button', { name: /^Run/ }).first().click();
      };
      const ends = (index: number) =>
        expect.poll(() => note.paragraphs[index]!.status, { timeout: 120_000 });
      const shown = (index: number) =>
        cell === undefined
          ? article(index).getByText(line!, { exact: true }).first()
          : article(index).getByRole('gridcell', { name: cell });

      await page.goto(`${embedded.server.url}/#/notebook/${note.id}`);
      await run(0);
      await shown(0).waitFor();
      await ends(0).toBe('FINISHED');
      await run(1);
      await article(1).getByText(error).first().waitFor();
      await ends(1).toBe('ERROR');
      await run(2);
      await ends(2).toBe('RUNNING');
      const stopButton = article(2).getByRole('button', { name: /^(?:Cancel|Stop)/ });
      await stopButton.first().click();
      await ends(2).toBe('ABORT');
      await run(3);
      await shown(3).waitFor();
      await ends(3).toBe('FINISHED');
      expect(walk.watched.complaints).toEqual([]);
    });
});
