/** The page of connections with a real PostgreSQL server. */
import { beforeAll, describe, expect, it } from 'vitest';
import { accessibilityFindings } from '../support/axe.ts';
import { untilEnd } from '../support/until-end.ts';
import { startWalk, type Walk } from '../support/walk.ts';
import {
  POSTGRES_PASSWORD,
  POSTGRES_PROGRAMS,
  type PostgresServer,
  startPostgres,
} from './postgres-server.ts';

describe.skipIf(POSTGRES_PROGRAMS === undefined)('connections on the page', () => {
  let server: PostgresServer;
  let walk: Walk;

  beforeAll(async () => {
    server = untilEnd(await startPostgres());
    await server.query(`
      create table orders (id int primary key, customer text, total numeric(10,2),
        placed_at timestamptz);
      insert into orders select i, 'Ada', i * 1.5, '2026-01-31 10:00+00'
        from generate_series(1, 1500) i;
      create view "Large orders" as select * from orders where total > 10;
      analyze orders;
    `);
    walk = untilEnd(await startWalk());
    await walk.client.interpreters.create({
      name: 'sales',
      group: 'postgresql',
      properties: {
        host: '127.0.0.1',
        port: String(server.port),
        database: 'postgres',
        user: 'postgres',
        password: POSTGRES_PASSWORD,
      },
    });
    await walk.page.goto(`${walk.embedded.server.url}/#/connections`);
  }, 300_000);

  it('tests a connection', async () => {
    await walk.page.getByRole('button', { name: 'Test sales' }).click();
    await walk.page.getByText(/^PostgreSQL \d+.*, [\d.]+ ms$/).waitFor();
  });

  it('shows tables, columns and first rows', async () => {
    const { page } = walk;
    await page.getByRole('button', { name: 'Browse the tables of sales' }).click();
    const orders = page.getByRole('treeitem', { name: /^orders ≈ 1,500 rows/ });
    await orders.press('ArrowRight');
    await page.getByRole('treeitem', { name: /^total numeric\(10,2\)$/ }).waitFor();
    await orders.press('Enter');
    await page.getByText('The first 100 rows (≈ 1,500 rows)').waitFor();
    await page.getByRole('gridcell', { name: 'Ada' }).first().waitFor();
    expect(await accessibilityFindings(page, 'tables and first rows')).toEqual([]);
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await accessibilityFindings(page, 'tables and first rows, dark')).toEqual([]);
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await accessibilityFindings(page, 'tables and first rows at 390 px, dark')).toEqual([]);
    await page.emulateMedia({ colorScheme: 'light' });
    await page.setViewportSize({ width: 1440, height: 900 });
  });

  it('finds tables by their columns', async () => {
    const { page } = walk;
    await page.getByRole('searchbox', { name: 'Search tables and columns' }).fill('large');
    await expect.poll(() => page.getByRole('treeitem').count()).toBe(2);
    await page.getByRole('treeitem', { name: /^Large orders/ }).waitFor();
  });

  it('writes the query of a table to a new note', async () => {
    const { client, page } = walk;
    await page.getByRole('button', { name: 'Query in a new note' }).click();
    await page.waitForURL(/#\/notebook\//);
    const note = await client.open(page.url().split('/notebook/')[1]!.split(/[/?]/)[0]!);
    expect(note.paragraphs[0]!.text).toBe('%sales\nselect * from orders limit 100');
    note.close();
    expect(walk.watched.complaints).toEqual([]);
  });
});
