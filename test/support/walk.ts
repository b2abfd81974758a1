/**
 * A person's walk through the pages: a server, a browser that is signed in there, and the same person's client in this process.
 * With `TIDING_UPSTREAM` the server stands in front of a real Zeppelin (`npm run test:upstream`), and the same walks are walked.
 */
import type { Browser, Locator, Page } from 'playwright-core';
import { createClient, type Client, type Note } from 'tiding/client';
import type { ServerOptions } from '../../app/server/index.ts';
import { launchChromium } from './chromium.ts';
import { ADMIN_PASSWORD, startEmbedded } from './embedded.ts';
import { openPage, type WatchedPage } from './page.ts';
import { startZeppelin, zeppelinMissing } from './zeppelin.ts';

/**
 * Whether walks are walked in front of a real Zeppelin. What needs what it has not is left out there: our SQL engine and Markdown, accounts
 * (permissions, personal mode, who a schedule runs as), bindings (not in 0.10), an answer to a revision that is none.
 */
export const inFront =
  process.env['TIDING_UPSTREAM'] !== undefined && zeppelinMissing() === undefined;

/** What a walk has. */
export interface Walk {
  readonly embedded: Awaited<ReturnType<typeof startEmbedded>>;
  readonly browser: Browser;
  /** The administrator's page, at home. */
  readonly watched: WatchedPage;
  readonly page: Page;
  /** The administrator's client. */
  readonly client: Client;
  /** Ends all of it. */
  stop(): Promise<void>;
}

/** Ports of real Zeppelins: each walk has its own. */
const PORTS = 18_500 + (process.pid % 400);

/** Starts a walk: the administrator is signed in, in the page and in the client. */
export async function startWalk(options: Partial<ServerOptions> = {}): Promise<Walk> {
  const zeppelin = inFront ? await startZeppelin([], PORTS) : undefined;
  const embedded = await startEmbedded({
    ...options,
    ...(zeppelin ? { upstream: zeppelin.url } : {}),
  });
  const client = createClient({ server: embedded.server.url });
  const browser = await launchChromium();
  const watched = await openPage(browser);
  const { page } = watched;
  page.setDefaultTimeout(20_000);
  await page.goto(embedded.server.loginLink());
  await page.getByRole('button', { name: 'Import' }).waitFor();
  await client.session.login('admin', ADMIN_PASSWORD);
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

/** A new note of these paragraphs, open in this process. */
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

/** What walks ask a page for; `page`: the one that is there when it is asked. */
export function partsOf(page: () => Page) {
  const article = (index: number): Locator => page().locator('article').nth(index);
  return {
    /** A paragraph, by its place. */
    article,
    /** Gives a paragraph the focus. */
    focus: (index: number) => article(index).locator('.paragraph-head').click(),
    /** The dialogs and questions that are open. */
    dialog: (): Locator => page().locator('[role=alertdialog], [role=dialog]'),
  };
}
