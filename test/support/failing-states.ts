/**
 * Walks through the pages of a server without content, and through failing requests; see states.ts.
 */

import type { Page } from 'playwright-core';
import { adminClient, startEmbedded } from './embedded.ts';
import { changeDocuments, openAddress } from './page.ts';
import { dialog, leave, type Network, type Visit, type World } from './states.ts';

/** The first request of each page: a live operation or a REST call. */
const firstRequests: readonly { name: string; path: string; op?: string; call?: RegExp }[] = [
  { name: 'home', path: '/', op: 'LIST_NOTES' },
  { name: 'jobs', path: '/jobmanager', op: 'LIST_NOTE_JOBS' },
  { name: 'clusters', path: '/clusters', call: /\/api\/magpie\/clusters$/ },
  { name: 'interpreter settings', path: '/interpreter', call: /\/api\/interpreter\/setting$/ },
  { name: 'connections', path: '/connections', call: /\/api\/magpie\/connections$/ },
  { name: 'people', path: '/people', call: /\/api\/magpie\/users$/ },
  { name: 'credentials', path: '/credential', call: /\/api\/credential$/ },
  { name: 'packages', path: '/helium', call: /\/api\/helium\// },
  { name: 'revision control', path: '/revision-control', call: /\/api\/magpie\/revision-control$/ },
  { name: 'configuration', path: '/configuration', call: /\/api\/configurations\/all$/ },
  { name: 'access tokens', path: '/account', call: /\/api\/magpie\/access-token/ },
  { name: 'search', path: '/search/city', call: /\/api\/notebook\/search/ },
];

/** Walks through every page whose first request fails, and through failures within a page. */
export async function walkFailing(
  page: Page,
  { url }: Pick<World, 'url'>,
  visit: Visit,
  { refuse }: Network,
): Promise<void> {
  const failing = async (call: RegExp, look: () => Promise<void>): Promise<void> => {
    await page.route(call, (route) =>
      route.fulfill({ status: 500, contentType: 'application/json', body: '{}' }),
    );
    await look();
    await page.unroute(call);
  };
  const open = async (path: string): Promise<void> => {
    await openAddress(page, `${url}/#${path}`);
    // Nothing is cached from before.
    await page.reload();
  };
  // As in front of a Zeppelin: the document has no notes that home could show instead.
  const withoutAnswers = await changeDocuments(page, () =>
    document.getElementById('initial')?.remove(),
  );
  for (const { name, path, op, call } of firstRequests) {
    const look = async (): Promise<void> => {
      await open(path);
      await page.locator('#app').getByRole('alert').first().waitFor();
      await visit(`${name}, failed`);
    };
    if (call) await failing(call, look);
    else {
      refuse(op);
      await look();
      refuse(undefined);
    }
  }
  await open('/notebook/2UNKNOWN0');
  await page.locator('#app').getByRole('alert').first().waitFor();
  await visit('a note that is not there');
  await failing(/\/api\/magpie\/jobs\/.*history/, async () => {
    await open('/jobmanager');
    const list = page.locator('tiding-job-manager');
    await list.locator('.job-when .button').first().click();
    await list.locator('.job-runs').getByRole('alert').waitFor();
    await visit('runs of a job, failed');
  });
  await failing(/\/api\/interpreter\/repository/, async () => {
    await open('/interpreter');
    await page.locator('tiding-interpreters .page-head .button').first().click();
    await dialog(page).getByRole('alert').first().waitFor();
    await visit('repositories, failed');
    await leave(page);
  });
  await failing(/\/api\/magpie\/access-token\/./, async () => {
    await open('/account');
    await page.locator('tiding-access-tokens .row-actions button').first().click();
    await dialog(page).getByRole('button').last().click();
    await page.locator('tiding-access-tokens .toast').waitFor();
    await visit('an access token that could not be deleted');
  });
  await withoutAnswers.dispose();
}

/**
 * Walks through a server without notes, interpreters and packages. The page stays signed in there.
 */
export async function walkEmpty(page: Page, visit: Visit): Promise<void> {
  const {
    server: { url, loginLink },
    stop,
  } = await startEmbedded();
  const client = await adminClient(url);
  try {
    for (const { id } of await client.notes.list()) await client.notes.remove(id);
    for (const { id } of await client.interpreters.list()) await client.interpreters.remove(id);
    await page.goto(loginLink());
    await page.locator('.list-empty').waitFor();
    await visit('home without notes');
    for (const [name, path] of [
      ['jobs', '/jobmanager'],
      ['interpreter settings', '/interpreter'],
      ['connections', '/connections'],
      ['packages', '/helium'],
    ] as const) {
      await openAddress(page, `${url}/#${path}`);
      await page.locator('.page-empty b').waitFor();
      await visit(`no ${name}`);
    }
  } finally {
    client.close();
    await stop();
  }
}
