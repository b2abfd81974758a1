/** A connection of SQLAlchemy on the pages: form, installation, tables, a paragraph. */
import { join } from 'node:path';
import sqliteWasm from 'node-sqlite3-wasm';
import { beforeAll, describe, expect, it } from 'vitest';
import { accessibilityFindings } from '../../support/axe.ts';
import { untilEnd } from '../../support/until-end.ts';
import { noteOf, startWalk, type Walk } from '../../support/walk.ts';
import { sqlalchemyFolders } from './support.ts';

const folders = sqlalchemyFolders();

describe.skipIf(process.env['TIDING_TEST_DOWNLOADS'] !== 'pypi')('SQLAlchemy on the page', () => {
  let walk: Walk;
  const file = join(folders.databases, 'shop.db');
  const url = `sqlite:///${file}`;

  beforeAll(async () => {
    const database = new sqliteWasm.Database(file);
    database.exec(
      "create table orders (id integer, customer text); insert into orders values (1, 'Ada')",
    );
    database.close();
    walk = untilEnd(await startWalk());
    await walk.page.goto(`${walk.embedded.server.url}/#/connections`);
  }, 120_000);

  it('is created with a form that says what is missing', async () => {
    const { page } = walk;
    await page.getByRole('button', { name: 'New connection' }).click();
    const form = page.getByRole('form', { name: 'New connection' });
    await form.getByRole('combobox').first().selectOption('sqlalchemy');
    await form.getByLabel('Name', { exact: true }).fill('shop');
    await form.getByLabel('SQLAlchemy URL', { exact: true }).fill('snowflake://ada:x@acme/db');
    expect(await form.getByLabel('User', { exact: true }).inputValue()).toBe('ada');
    await form.getByRole('button', { name: 'Test' }).click();
    // A slow machine shows the progress of the installation first.
    await form.getByText('Add the package snowflake-sqlalchemy').waitFor({ timeout: 110_000 });
    for (const width of [1440, 390]) {
      await page.setViewportSize({ width, height: 900 });
      expect(await accessibilityFindings(page, `the form at ${width} px`)).toEqual([]);
    }
    await page.setViewportSize({ width: 1440, height: 900 });
    await form.getByLabel('SQLAlchemy URL', { exact: true }).fill(url);
    await form.getByRole('button', { name: 'Test' }).click();
    await form.getByText(/^SQLite 3[.\d]+, [\d.]+ ms$/).waitFor();
    await form.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('heading', { name: '%shop' }).waitFor();
    await page.getByText(/^SQLite 3[.\d]+, [\d.]+ ms$/).waitFor();
  });

  it('lists its tables and is queried in a paragraph', async () => {
    const { client, page } = walk;
    await page.getByRole('button', { name: 'Browse the tables of shop' }).click();
    await page.getByRole('treeitem', { name: /^orders/ }).press('Enter');
    await page.getByRole('gridcell', { name: 'Ada' }).first().waitFor();
    const note = await noteOf(client, 'SQLAlchemy', ['%shop\nselect * from orders']);
    await page.goto(`${walk.embedded.server.url}/#/notebook/${note.id}`);
    await page.locator('article').getByRole('button', { name: /^Run/ }).first().click();
    await page.locator('article').getByRole('gridcell', { name: 'Ada' }).waitFor();
    note.close();
    expect(walk.watched.complaints).toEqual([]);
  });
});
