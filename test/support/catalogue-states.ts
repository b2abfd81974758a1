/** Walks through the states of the search, package and revision control pages; see states.ts. */
import type { Page } from 'playwright-core';
import { openAddress } from './page.ts';
import { dialog, leave, type Visit, type World } from './states.ts';

/** A search with results, and one without. */
export async function walkSearch(page: Page, { url }: World, visit: Visit): Promise<void> {
  await openAddress(page, `${url}/#/search/city`);
  await page.locator('.hit').first().waitFor();
  await visit('what was found');
  await openAddress(page, `${url}/#/search/zzqx`);
  await page.locator('.page-empty').waitFor();
  await visit('nothing found');
}

/**
 * The package catalogue (samples from `package-samples.ts`) with its dialogs, and the page of
 * revision control.
 */
export async function walkCatalogue(page: Page, { url }: World, visit: Visit): Promise<void> {
  await openAddress(page, `${url}/#/helium`);
  await page.locator('.package').first().waitFor();
  await visit('packages');
  const row = page
    .locator('.package')
    .filter({ has: page.getByRole('heading', { name: 'hexbin-map' }) });
  await row.locator('.package-actions button').first().click();
  await page.locator('.package-config input').first().waitFor();
  await visit('settings of a package');
  await row.locator('.package-actions button').nth(1).click();
  await page.locator('.package-versions').waitFor();
  await visit('versions of a package');
  await row.locator('.package-actions button').last().click();
  await dialog(page).waitFor();
  await visit('a package is to be turned on');
  await leave(page);
  await page.getByRole('tab').nth(1).click();
  await page.locator('.package-spell').first().waitFor();
  await visit('spells');
  await page.getByRole('tab').nth(2).click();
  await page.locator('.package-actions button').first().click();
  await dialog(page).waitFor();
  await visit('an interpreter is to be installed');
  await leave(page);
  await page.getByRole('tab').nth(3).click();
  await page.locator('.page-empty').waitFor();
  await visit('no package');
  await openAddress(page, `${url}/#/revision-control`);
  await page.locator('form.remote').waitFor();
  await visit('revision control');
  await page.locator('form.remote button[type=submit]').click();
  await page.locator('.remote [role=alert]').waitFor();
  await visit('revision control, not filled in');
}
