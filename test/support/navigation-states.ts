/**
 * Walks through the states of the navigation: its menus, its keys, and the search on narrow pages.
 */
import type { Page } from 'playwright-core';
import { openAddress } from './page.ts';
import { dialog, leave, type Visit, type World } from './states.ts';

/** Sets or unsets the current cluster on the server, and loads the page again. */
async function chooseCluster(page: Page, clusterName: string | undefined): Promise<void> {
  await page.evaluate(
    (body) =>
      fetch('/api/magpie/clusters/current', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'X-Requested-With': 'XMLHttpRequest' },
        body,
      }),
    JSON.stringify({ clusterName }),
  );
  await page.reload();
  await page.locator('tiding-clusters article').first().waitFor();
}

/**
 * Walks through the menus of the bar on a wide page; on a narrow page, through the full menu and
 * the search behind its button.
 */
export async function walkNavigation(
  page: Page,
  { url, note }: World,
  visit: Visit,
): Promise<void> {
  // A recently opened note is listed in the menu.
  await openAddress(page, `${url}/#/notebook/${note.id}`);
  await page.locator('article').first().waitFor();
  await openAddress(page, `${url}/#/clusters`);
  await page.locator('tiding-clusters article').first().waitFor();
  const bar = page.locator('tiding-navigation.mainnav');
  const menu = async (name: string, button: ReturnType<Page['locator']>): Promise<void> => {
    await button.click();
    await page.getByRole('menu').waitFor();
    await visit(name);
    await page.keyboard.press('Escape');
    await page.getByRole('menu').waitFor({ state: 'detached' });
  };
  await menu('menu of the person', bar.locator('.nav-person'));
  if (await bar.locator('.nav-links').isVisible()) {
    await menu('menu of notes', bar.locator('.nav-menu button').first());
    await menu('menu of settings', bar.locator('.nav-menu button').last());
    // The bar shows the only cluster of a server while it is used.
    await chooseCluster(page, 'local');
    await menu('menu of the current cluster', bar.locator('.nav-cluster'));
    await chooseCluster(page, undefined);
    await bar.locator('.nav-keys').click();
    await bar.locator('.shortcut').first().waitFor();
    await visit('keyboard shortcuts on a page');
    await leave(page);
  } else {
    const whole = bar.locator('.button.nav-narrow');
    await menu('menu of everything', whole);
    await whole.click();
    await page.getByRole('menuitem').nth(3).click();
    await dialog(page).locator('input').first().waitFor();
    await visit('new note from the menu');
    await leave(page);
    await bar.locator('span.nav-narrow button').click();
    await bar.locator('.searching').waitFor();
    await visit('search over the bar');
    await page.keyboard.press('Escape');
  }
}
