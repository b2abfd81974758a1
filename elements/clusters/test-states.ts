import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openAddress } from '../../test/support/page.ts';
import { type PageVisit, type Surroundings, signedIn } from '../../test/support/page-states.ts';
import { dialog } from '../../test/support/states.ts';

export const visits: readonly PageVisit[] = [
  { route: '/clusters', tag: 'tiding-clusters', words: 'Clusters', fates: signedIn },
];

/**
 * The cluster page: the server's own cluster in each state, its confirmations and messages, and the
 * clusters it starts.
 */
export async function walk({ page, world: { url }, data, visit }: Surroundings): Promise<void> {
  await writeFile(
    join(data, 'clusters.json'),
    JSON.stringify([
      { name: 'training', description: 'Course sandbox', sparkHome: join(data, 'none') },
      { name: 'away', master: 'http://127.0.0.1:9' },
    ]),
  );
  await openAddress(page, `${url}/#/clusters`);
  const list = page.locator('tiding-clusters');
  const button = list.locator('article').first().locator('footer .button');
  await list.locator('article').nth(2).waitFor();
  await visit('clusters');
  for (const state of ['using a cluster', 'using none']) {
    await button.click();
    await dialog(page).waitFor();
    await visit(`question before ${state}`);
    await dialog(page).getByRole('button').last().click();
    await list.locator('.toast').last().waitFor();
    await visit(state);
    await list.locator('.toast .button').last().click();
    await list.locator('.toast').first().waitFor({ state: 'detached' });
  }
  await list.locator('article header .button').first().click();
  await page.getByRole('menu').waitFor();
  await visit('menu of a cluster');
  await page.getByRole('menuitem').first().click();
  await dialog(page).getByRole('button').last().click();
  await list.locator('article .hint.error').waitFor();
  await visit('a cluster that cannot be started');
  await list.locator('input[type=search]').fill('zzzz');
  await list.locator('.page-empty').waitFor();
  await visit('no cluster fits');
  await rm(join(data, 'clusters.json'));
}
