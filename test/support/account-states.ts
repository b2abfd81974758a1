/** Walks through the states of access tokens, credentials and the configuration; see states.ts. */
import type { Page } from 'playwright-core';
import { openAddress } from './page.ts';
import { dialog, leave, type Visit, type World } from './states.ts';

/** Access tokens: none, made, shown once, listed, described, deleted. */
async function walkTokens(page: Page, { url, client }: World, visit: Visit): Promise<void> {
  for (const { tokenId } of await client.tokens.list()) await client.tokens.remove(tokenId);
  await openAddress(page, `${url}/#/account`);
  const tokens = page.locator('tiding-access-tokens');
  await tokens.locator('.page-empty').waitFor();
  await visit('no access tokens');
  await tokens.locator('.page-head button').click();
  await dialog(page).locator('input').first().fill('Every state');
  await visit('new access token');
  await dialog(page).locator('input[value=never]').check();
  await visit('new access token that never expires');
  await page.keyboard.press('Enter');
  await tokens.locator('.token-value').waitFor();
  await visit('access token shown once');
  await leave(page);
  await client.tokens.create({ expiresInDays: 1 });
  await client.tokens.setStatus(
    (await client.tokens.create({ description: 'Off', expiresInDays: 58 })).tokenId,
    'disabled',
  );
  for (let n = 0; n < 10; n += 1) await client.tokens.create({ description: `Script ${n}` });
  await page.reload();
  await tokens.locator('.pager').waitFor();
  await visit('access tokens');
  await tokens.locator('.token-name > button').first().click();
  await tokens.locator('.token-what input').waitFor();
  await visit('description of an access token');
  await page.keyboard.press('Escape');
  await tokens.locator('.row-actions button').first().click();
  await dialog(page).waitFor();
  await visit('question about an access token');
  await leave(page);
}

/** Credentials: none, the form and its suggestions, the list, a row being changed, the question. */
async function walkCredentials(page: Page, { url, client }: World, visit: Visit): Promise<void> {
  await client.credentials.removeAll();
  await openAddress(page, `${url}/#/credential`);
  const credentials = page.locator('tiding-credentials');
  await credentials.locator('.page-empty').waitFor();
  await visit('no credentials');
  await credentials.locator('.page-head button').click();
  await credentials.locator('[role=combobox]').pressSequentially('s');
  await credentials.getByRole('option').first().waitFor();
  await visit('new credential');
  await client.credentials.put('jdbc.warehouse', 'ann', 'only-for-tests');
  await client.credentials.put('sql.sql', 'bea', '');
  await page.reload();
  await credentials.locator('tbody tr').nth(1).waitFor();
  await visit('credentials');
  await credentials.locator('.row-actions button').first().click();
  await credentials.locator('tbody input').first().waitFor();
  await visit('credential being changed');
  await page.keyboard.press('Escape');
  await credentials.locator('tbody input').first().waitFor({ state: 'detached' });
  await credentials.locator('.row-actions button').nth(1).click();
  await dialog(page).waitFor();
  await visit('question about a credential');
  await leave(page);
}

/** The configuration, filtered to nothing, and a storage being changed. */
async function walkConfiguration(page: Page, { url }: World, visit: Visit): Promise<void> {
  await openAddress(page, `${url}/#/configuration`);
  const configuration = page.locator('tiding-configuration');
  await configuration.locator('tbody tr').first().waitFor();
  await visit('configuration');
  await configuration.locator('.storage-head button').first().click();
  await configuration.locator('.storage form').waitFor();
  await configuration.locator('input[type=search]').fill('zzzz');
  await configuration.locator('.page-empty').waitFor();
  await visit('no setting fits, a storage being changed');
}

/** Walks through tokens, credentials and configuration. */
export async function walkAccount(page: Page, world: World, visit: Visit): Promise<void> {
  await walkTokens(page, world, visit);
  await walkCredentials(page, world, visit);
  await walkConfiguration(page, world, visit);
}
