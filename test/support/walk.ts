/**
 * Setup for end-to-end walks: a server, a browser signed in there, and a client of the same user in
 * this process. With `TIDING_UPSTREAM`, the server is a gateway to a real Zeppelin (`npm run
 * test:upstream`), and the same walks run there.
 */

import type { Client, Note } from '@tiding/client';
import type { Browser, Locator, Page } from 'playwright-core';
import type { ServerOptions } from '../../server/index.ts';
import { launchChromium } from './chromium.ts';
import { adminClient, startEmbedded } from './embedded.ts';
import { openPage, type WatchedPage } from './page.ts';
import { startZeppelin, zeppelinMissing } from './zeppelin.ts';

/**
 * Whether walks run against a real Zeppelin. Steps that Zeppelin does not support are skipped:
 * Tiding's SQL engine and Markdown, accounts (permissions, personal mode, the user of a schedule),
 * bindings (not in 0.10), and an answer to an unknown revision.
 */
export const inFront = zeppelinMissing() === undefined;

/** A running walk. */
export interface Walk {
  readonly embedded: Awaited<ReturnType<typeof startEmbedded>>;
  readonly browser: Browser;
  /** The administrator's page, on the home page. */
  readonly watched: WatchedPage;
  readonly page: Page;
  /** The administrator's client. */
  readonly client: Client;
  /** Stops the server, browser and clients. */
  stop(): Promise<void>;
}

/** Base port for real Zeppelins. Each walk has its own. */
const PORTS = 18_500 + (process.pid % 400);

/** Starts a walk. The administrator is signed in, in the page and in the client. */
export async function startWalk(options: Partial<ServerOptions> = {}): Promise<Walk> {
  const zeppelin = inFront ? await startZeppelin([], PORTS) : undefined;
  const embedded = await startEmbedded({
    ...options,
    ...(zeppelin ? { upstream: zeppelin.url } : {}),
  });
  const browser = await launchChromium();
  const watched = await openPage(browser);
  const { page } = watched;
  await page.goto(embedded.server.loginLink());
  await page.getByRole('button', { name: 'Import' }).waitFor();
  const client = await adminClient(embedded.server.url);
  return {
    embedded,
    browser,
    watched,
    page,
    client,
    async stop() {
      client.close();
      await browser.close();
      await embedded.stop();
      await zeppelin?.stop();
    },
  };
}

/** Creates a note with these paragraphs and opens it in this process. */
export async function noteOf(
  client: Client,
  path: string,
  texts: readonly string[],
): Promise<Note> {
  const note = await client.open(await client.notes.create({ path }));
  for (const text of texts) await note.insert({ text });
  // A new note has an empty first paragraph.
  if (note.paragraphs.length > texts.length) await note.paragraphs[0]!.remove();
  return note;
}

/** Locators shared by the walks. `page` returns the current page. */
export function partsOf(page: () => Page) {
  const article = (index: number): Locator => page().locator('article').nth(index);
  return {
    /** A paragraph, by its index. */
    article,
    /** Focuses a paragraph. */
    focus: (index: number) => article(index).locator('.paragraph-head').click(),
    /** The open dialogs and confirmations. */
    dialog: (): Locator => page().locator('[role=alertdialog], [role=dialog]'),
  };
}
