/** Revisions stored by a real Zeppelin, shown in the pages of the gateway. */

import type { Client } from '@tiding/client';
import type { Browser, Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { launchChromium } from '../support/chromium.ts';
import { adminClient, startEmbedded } from '../support/embedded.ts';
import { noteMenu, openPage, type WatchedPage } from '../support/page.ts';
import { untilEnd } from '../support/until-end.ts';
import { startZeppelin, zeppelinMissing } from '../support/zeppelin.ts';

const missing = zeppelinMissing();
if (missing !== undefined)
  console.log(`Skipped: revisions of a real Zeppelin in the page (${missing}).`);

describe.skipIf(missing !== undefined)('revisions of a real Zeppelin', () => {
  let zeppelin: Awaited<ReturnType<typeof startZeppelin>>;
  let embedded: Awaited<ReturnType<typeof startEmbedded>>;
  let browser: Browser;
  let watched: WatchedPage;
  let page: Page;
  let client: Client;

  beforeAll(async () => {
    zeppelin = untilEnd(await startZeppelin([], 18_487));
    embedded = untilEnd(await startEmbedded({ upstream: zeppelin.url }));
    client = untilEnd(await adminClient(embedded.server.url));
    browser = untilEnd(await launchChromium());
    watched = await openPage(browser);
    page = watched.page;
  });

  it('are listed, opened and compared in the page', async () => {
    const note = await client.open(await client.notes.create({ path: 'revisions/Of Zeppelin' }));
    const [paragraph] = note.paragraphs;
    paragraph!.edit('%md\nas it was first');
    await note.commit();
    await note.revisions.checkpoint('first');
    paragraph!.edit('%md\nas it was second');
    await note.commit();
    await note.revisions.checkpoint('second');
    const list = await note.revisions.list();
    const oldest = list.find(({ message }) => message?.trim() === 'first')!;

    await page.goto(embedded.server.loginLink());
    await page.getByRole('button', { name: 'Import' }).waitFor();
    await page.goto(`${embedded.server.url}/#/notebook/${note.id}`);
    await page.getByRole('button', { name: 'Revision: Head' }).click();
    const items = page
      .getByRole('dialog', { name: 'Version control' })
      .getByRole('list', { name: 'Revisions' })
      .getByRole('button');
    await expect
      .poll(async () => (await items.locator('b').allInnerTexts()).slice(0, 3))
      .toEqual(['Head', 'second', 'first']);
    await items.nth(2).click();
    await expect
      .poll(() => decodeURIComponent(new URL(page.url()).hash))
      .toBe(`#/notebook/${note.id}/revision/${oldest.id}`);
    await page.getByText('as it was first').first().waitFor();
    await page.getByRole('button', { name: 'Revision: first' }).waitFor();
    await expect.poll(() => page.getByRole('button', { name: 'Run all' }).isDisabled()).toBe(true);
    await noteMenu(page, 'Compare revisions');
    await page
      .getByRole('table', { name: 'Revisions' })
      .getByRole('button', { name: 'second', exact: true })
      .click();
    await page.getByText('Revision: first --> second').waitFor();
    await expect
      .poll(() => page.locator('.diff-card .dl.add mark').allInnerTexts())
      .toEqual(['second']);
    await expect
      .poll(() => page.locator('.diff-card .dl.del mark').allInnerTexts())
      .toEqual(['first']);
    expect(watched.complaints).toEqual([]);
    note.close();
  });
});
