import { openAddress } from '../../test/support/page.ts';
import { type PageVisit, type Surroundings, signedIn } from '../../test/support/page-states.ts';
import { dialog, leave } from '../../test/support/states.ts';

export const visits: readonly PageVisit[] = [
  { route: '/connections', tag: 'tiding-connections', words: 'Connections', fates: signedIn },
];

/**
 * The page of connections: the form for a new one, one that is away, and tables with first rows,
 * which are answered here because there is no database.
 */
export async function walk({ page, world: { url }, visit }: Surroundings): Promise<void> {
  await openAddress(page, `${url}/#/connections`);
  const list = page.locator('tiding-connections');
  await list.locator('.page-head .button').click();
  const form = list.locator('form');
  const fields = form.locator('input[type=text]');
  await fields.nth(0).fill('away');
  await fields.nth(1).fill('127.0.0.1');
  await fields.nth(2).fill('9');
  await form.locator('.check input').last().check();
  await form.locator('.dialog-actions .button').first().click();
  await form.locator('.alert').waitFor();
  await visit('a new connection that has no login');
  await form.locator('.check input').last().uncheck();
  await form.locator('.dialog-actions .primary').click();
  await list.locator('.connection-problem').waitFor();
  await visit('a connection without a login');
  await list.locator('.connection-foot .button').first().click();
  await dialog(page).waitFor();
  await visit('a login for a connection');
  await leave(page);
  await page.route(/\/magpie\/connections\/away\/schema/, (route) =>
    route.fulfill({ json: { more: true, relations: [sampleRelation] } }),
  );
  await page.route(/\/magpie\/connections\/away\/preview/, (route) =>
    route.fulfill({
      json: { columns: [{ name: 'id', type: 'int32' }], rows: [['1'], ['2']], more: true },
    }),
  );
  await list.locator('.connection-foot .button').last().click();
  const table = list.locator('[role=treeitem]').nth(1);
  await table.press('ArrowRight');
  await table.press('Enter');
  await list.locator('[role=gridcell]').first().waitFor();
  await visit('tables and first rows');
  await page.unroute(/\/magpie\/connections\/away\/schema/);
  await page.unroute(/\/magpie\/connections\/away\/preview/);
}

const sampleRelation = {
  schema: 'public',
  name: 'orders',
  reference: 'orders',
  kind: 'table',
  rows: 1_284_000,
  columns: [{ name: 'id', type: 'integer', nullable: false }],
};
