/** Workbooks and databases that are dropped on a note. */
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Database } from 'node-sqlite3-wasm';
import type { Locator } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import writeXlsxFile from 'write-excel-file/node';
import { accessibilityFindings } from '../support/axe.ts';
import { giveFile } from '../support/drop-files.ts';
import { noteMenu } from '../support/page.ts';
import { untilEnd } from '../support/until-end.ts';
import { startWalk } from '../support/walk.ts';

const days = (count: number) =>
  Array.from({ length: count }, (_, day) => new Date(Date.UTC(2026, 0, 1 + day)));

async function workbook(): Promise<Buffer> {
  const head = (...names: string[]) => names.map((value) => ({ value, type: String }));
  return writeXlsxFile([
    {
      sheet: 'Orders',
      data: [
        head('day', 'region', 'amount', 'paid'),
        ...days(60).map((day, at) => [
          { value: day, type: Date, format: 'yyyy-mm-dd' },
          { value: ['North', 'South & East'][at % 2]!, type: String },
          { value: 100 + at * 1.5, type: Number },
          { value: at % 3 === 0, type: Boolean },
        ]),
      ],
    },
    { sheet: 'Regions', data: [head('region'), head('North'), head('South & East')] },
    { sheet: 'Notes', data: [] },
  ]).toBuffer();
}

async function database(): Promise<Buffer> {
  const file = join(tmpdir(), `tiding-shop-${process.pid}.sqlite`);
  const shop = new Database(file);
  shop.exec(
    `CREATE TABLE customers(id INTEGER PRIMARY KEY, name TEXT, joined DATE);
     INSERT INTO customers VALUES (1, 'Ann', '2026-01-02'), (2, 'Bo', '2026-02-03');
     CREATE TABLE orders(id INTEGER, customer INTEGER, amount REAL);
     INSERT INTO orders VALUES (1, 1, 9.5), (2, 1, 3), (3, 2, 7.25);
     CREATE VIEW totals AS SELECT customer, sum(amount) FROM orders GROUP BY 1;`,
  );
  shop.close();
  const bytes = await readFile(file);
  await rm(file);
  return bytes;
}

const { embedded, watched, page } = untilEnd(await startWalk());

describe('workbooks and databases in a browser', () => {
  beforeAll(async () => {
    await page.getByRole('link', { name: 'Seattle weather' }).first().click();
    await page.locator('article').first().waitFor();
  });

  const drop = (name: string, bytes: Uint8Array) =>
    giveFile(page.locator('article').first(), 'drop', { name, bytes });
  const add = () => page.getByRole('dialog').getByRole('button', { name: 'Add paragraph' }).click();
  const files = async () => {
    const folder = join(embedded.data, 'files/notes');
    const [note] = await readdir(folder);
    return (await readdir(join(folder, note!))).filter((name) => !/^(shared$|\.)/.test(name));
  };
  const finished = (made: Locator) =>
    expect.poll(() => made.getAttribute('data-status'), { timeout: 120_000 }).toBe('FINISHED');
  const article = (text: string) => page.locator('article').filter({ hasText: text });

  it('shows the sheets of a workbook, the rows of the first one, and a chart', async () => {
    await drop('Sales 2026.xlsx', await workbook());
    await add();
    const made = article("from read_parquet('Sales 2026 - Orders.parquet') limit 1000");
    await made.waitFor();
    await finished(made);
    expect(await made.locator('.code').textContent()).toContain('-- Left out: Notes is empty');
    const grids = made.getByRole('grid');
    await expect.poll(() => grids.count()).toBe(3);
    await expect.poll(() => grids.nth(0).textContent()).toContain('Sales 2026 - Regions.parquet');
    await expect.poll(() => grids.nth(1).textContent()).toContain('South & East');
    for (const type of ['DATE', 'VARCHAR', 'DOUBLE', 'BOOLEAN'])
      await expect.poll(() => grids.nth(2).textContent()).toContain(type);
    const chart = article('avg("amount") as "avg of amount"');
    await finished(chart);
    await chart.locator('svg, canvas').first().waitFor();
    await made.scrollIntoViewIfNeeded();
    expect(await accessibilityFindings(page, 'workbook')).toEqual([]);
    expect(watched.complaints).toEqual([]);
  });

  it('shows the tables of a database with their numbers of rows', async () => {
    await drop('shop.sqlite', await database());
    await add();
    const made = article("from read_parquet('shop - customers.parquet') limit 1000");
    await made.waitFor();
    await finished(made);
    expect(await made.locator('.code').textContent()).toContain('-- Left out: totals is a view');
    const grids = made.getByRole('grid');
    await expect.poll(() => grids.count()).toBe(3);
    await expect.poll(() => grids.nth(0).textContent()).toMatch(/shop - orders\.parquet\s*3/);
    await expect.poll(() => grids.nth(1).textContent()).toContain('Ann');
    await finished(article('select "joined", count(*) as "rows"'));
    await made.scrollIntoViewIfNeeded();
    expect(watched.complaints).toEqual([]);
  });

  it('explains what is wrong with a file, and keeps neither it nor a paragraph', async () => {
    const before = await page.locator('article').count();
    const kept = await files();
    await drop('letter.xlsx', new TextEncoder().encode('Dear Ann'));
    await page.getByText("letter.xlsx isn't an Excel workbook, or it is damaged").waitFor();
    await drop('letter.db', new TextEncoder().encode('Dear Ann'));
    await page.getByText("letter.db isn't an SQLite database, or it is encrypted.").waitFor();
    expect(await files()).toEqual(kept);
    expect(await page.locator('article').count()).toBe(before);
    expect(watched.complaints.splice(0).filter((each) => !/status of 400/.test(each))).toEqual([]);
  });

  it('can be cancelled while the tables are read', async () => {
    const before = await page.locator('article').count();
    const kept = await files();
    let go = () => {};
    const cancelled = new Promise<void>((resolve) => (go = resolve));
    await page.route('**/api/magpie/file/tables', async (route) => {
      await cancelled;
      await route.continue().catch(() => {});
    });
    await drop('slow.xlsx', await workbook());
    const progress = page.getByText('Reading the tables of slow.xlsx…');
    await progress.waitFor();
    await page.locator('.file-drop').getByRole('button', { name: 'Cancel' }).click();
    await progress.waitFor({ state: 'detached' });
    go();
    await page.unroute('**/api/magpie/file/tables');
    await expect.poll(files).toEqual(kept);
    expect(await page.locator('article').count()).toBe(before);
    watched.complaints.length = 0;
  });

  it('are read again from the panel of files', async () => {
    await writeFile(join(embedded.data, 'files/shared/common.xlsx'), await workbook());
    await noteMenu(page, 'Files');
    const panel = page.getByRole('complementary', { name: 'Files' });
    await panel.getByRole('button', { name: 'Read common.xlsx in a new paragraph' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Add paragraph' }).click();
    const made = article("from read_parquet('shared/common - Orders.parquet') limit 1000");
    await made.waitFor();
    await finished(made);
    await panel.getByRole('listitem').filter({ hasText: 'common - Regions.parquet' }).waitFor();
    expect(watched.complaints).toEqual([]);
  });
});
