/** Walks through the states of the page of users. */
import { openAddress } from '../../test/support/page.ts';
import { type PageVisit, type Surroundings, superOnly } from '../../test/support/page-states.ts';
import { dialog, leave } from '../../test/support/states.ts';

export const visits: readonly PageVisit[] = [
  { route: '/people', tag: 'tiding-people', words: 'People', fates: superOnly },
];

/** The list, its menu and dialogs, a search without a match, and users in every state. */
export async function walk({ page, world: { url, client }, visit }: Surroundings): Promise<void> {
  const names = ['ann@acme.org', 'ben@acme.org'];
  for (const name of names) await client.people.invite(name, ['analysts', 'magpie.AccessToken']);
  await client.people.disable('ben@acme.org');
  await openAddress(page, `${url}/#/people`);
  const people = page.locator('tiding-people');
  const row = people.locator('tr[data-user="ann@acme.org"]');
  await row.waitFor();
  await visit('people');
  await row.locator('.row-actions button').click();
  await page.getByRole('menu').waitFor();
  await visit('menu of a user');
  await page.getByRole('menuitem').first().click();
  await dialog(page).locator('.role input').first().waitFor();
  await visit('roles of a user');
  await leave(page);
  for (const [state, index, content] of [
    ['sessions of a user', 1, '.dialog-text'],
    ['link of a user', 2, '.link-value'],
  ] as const) {
    await row.locator('.row-actions button').click();
    await page.getByRole('menuitem').nth(index).click();
    await dialog(page).locator(content).first().waitFor();
    await visit(state);
    await leave(page);
  }
  await row.locator('.row-actions button').click();
  await page.getByRole('menuitem').last().click();
  await dialog(page).waitFor();
  await visit('question about a user');
  await leave(page);
  await people.locator('.page-head button').click();
  await dialog(page).locator('textarea').fill('carl@acme.org, ann@acme.org');
  await visit('invitation');
  await dialog(page).locator('button[type=submit]').click();
  await dialog(page).locator('.link-value').waitFor();
  await visit('links of invited people, and a failure');
  await leave(page);
  await people.locator('input[type=search]').fill('zzzz');
  await people.locator('.page-empty').waitFor();
  await visit('no user fits');
  for (const name of [...names, 'carl@acme.org']) await client.people.remove(name);
}
