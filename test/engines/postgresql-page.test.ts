/** A database in the browser: its setting, its table, a mistake and a large result. */

import type { Note } from '@tiding/client';
import { beforeAll, describe, expect, it } from 'vitest';
import { untilEnd } from '../support/until-end.ts';
import { noteOf, startWalk, type Walk } from '../support/walk.ts';
import {
  POSTGRES_PASSWORD,
  POSTGRES_PROGRAMS,
  type PostgresServer,
  startPostgres,
} from './postgres-server.ts';

describe.skipIf(POSTGRES_PROGRAMS === undefined)('PostgreSQL on the page', () => {
  let server: PostgresServer;
  let walk: Walk;
  let note: Note;

  beforeAll(async () => {
    server = untilEnd(await startPostgres());
    await server.query(`
      create table orders (id int primary key, customer text, total numeric(10,2), at timestamptz);
      insert into orders values (1, 'Ada', 12.50, '2026-01-31 10:00+01'), (2, 'Alan', 7, null);
    `);
    walk = untilEnd(await startWalk());
    note = untilEnd(
      await noteOf(walk.client, 'databases/Sales', [
        '%postgresql\nselect 1',
        '%sales\nselect customer, total, at from orders order by id',
        '%jdbc(sales)\nselect * from orderz',
        '%sales\nselect i as id, i * 0.5 as half from generate_series(1, 600000) i',
      ]),
    );
  }, 300_000);

  const article = (index: number) => walk.page.locator('article').nth(index);
  const run = async (index: number): Promise<void> => {
    await article(index).scrollIntoViewIfNeeded();
    await article(index).getByRole('button', { name: /^Run/ }).first().click();
  };

  it('is created as a setting on the page of interpreters', async () => {
    const { page } = walk;
    await page.goto(`${walk.embedded.server.url}/#/notebook/${note.id}`);
    await run(0);
    await article(0).getByText('create a setting of the group postgresql').waitFor();
    await page.goto(`${walk.embedded.server.url}/#/interpreter`);
    await page.getByRole('button', { name: 'Create' }).click();
    const form = page.getByRole('form', { name: 'Create new interpreter' });
    await form.getByLabel('Interpreter Name').fill('sales');
    await form.getByLabel('Interpreter group').selectOption('postgresql');
    const fill = (name: string, value: string) =>
      form.getByLabel(name, { exact: true }).first().fill(value);
    await fill('host', '127.0.0.1');
    await fill('port', String(server.port));
    await fill('database', 'postgres');
    await fill('user', 'postgres');
    await fill('password', POSTGRES_PASSWORD);
    await form.getByRole('button', { name: 'Save' }).click();
    await page
      .locator('.toast')
      .filter({ hasText: 'The interpreter setting sales was created.' })
      .first()
      .waitFor();
    expect(await walk.client.interpreters.get('sales')).toMatchObject({
      group: 'postgresql',
      properties: { password: { value: '********' } },
    });
  });

  it('shows the rows of a query as a table', async () => {
    await walk.page.goto(`${walk.embedded.server.url}/#/notebook/${note.id}`);
    await run(1);
    await article(1).getByRole('gridcell', { name: 'Alan' }).waitFor();
    await article(1).getByRole('gridcell', { name: '12.5' }).first().waitFor();
    const { batches } = await note.paragraphs[1]!.rows(0);
    for await (const { schema } of batches)
      expect(schema.fields.map(({ type }) => String(type))).toEqual([
        'Utf8',
        'Decimal[10e+2]',
        'Timestamp<MICROSECOND, UTC>',
      ]);
  });

  it('says where a query is wrong', async () => {
    await run(2);
    const text = 'Error: relation "orderz" does not exist (42P01) at line 1, column 15';
    await article(2).getByText(text).first().waitFor();
    await expect.poll(() => article(2).locator('.error-line').count()).toBe(1);
  });

  it('queries all rows of a large result', async () => {
    const paragraph = note.paragraphs[3]!;
    await paragraph.run();
    expect(paragraph.outputs[0]!.rows).toBe(600_000);
    const { table, total } = await paragraph.query(0, {
      filters: [{ column: 0, as: 'number', test: 'range', from: '599999' }],
      question: { kind: 'rows', offset: 0, limit: 5 },
    });
    expect([total, [...table.getChild('c0')!].map(Number)]).toEqual([2, [599_999, 600_000]]);
  });
});
