/** Two people who type at the same time in one paragraph, over a line on which everything takes a while: nothing of either is lost. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createClient, type Client, type Note } from 'tiding/client';
import { launchChromium } from '../support/chromium.ts';
import { ADMIN_PASSWORD, startEmbedded } from '../support/embedded.ts';
import { openPage, type WatchedPage } from '../support/page.ts';

/** How long a frame is on its way, each way, in ms, and how much slower than this machine the pages are. */
const LATENCY = 120;
const SLOWER = 6;

describe('two people who type at the same time', () => {
  let browser: Browser;
  let embedded: Awaited<ReturnType<typeof startEmbedded>>;
  let client: Client;
  let note: Note;
  const watched: WatchedPage[] = [];

  beforeAll(async () => {
    embedded = await startEmbedded();
    client = createClient({ server: embedded.server.url });
    await client.session.login('admin', ADMIN_PASSWORD);
    note = await client.open(await client.notes.create({ path: 'typed by two' }));
    note.paragraphs[0]!.edit('%md\nfirst line\n\nsecond line\n\nthird line');
    await note.commit();
    browser = await launchChromium();
    for (let n = 0; n < 2; n += 1) {
      const each = await openPage(browser);
      watched.push(each);
      await each.page.routeWebSocket(/\/ws$/, (line) => {
        const server = line.connectToServer();
        line.onMessage((message) => void setTimeout(() => server.send(message), LATENCY));
        server.onMessage((message) => void setTimeout(() => line.send(message), LATENCY));
      });
      await each.page.goto(`${embedded.server.url}/#/notebook/${note.id}`);
      await each.page.getByLabel('User Name').fill('admin');
      await each.page.getByLabel('Password', { exact: true }).fill(ADMIN_PASSWORD);
      await each.page.getByRole('button', { name: 'Sign in' }).click();
      await each.page.locator('article').first().waitFor();
      // What is typed between two frames must find its place too.
      const session = await each.page.context().newCDPSession(each.page);
      await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWER });
    }
  }, 120_000);
  afterAll(async () => {
    client?.close();
    await browser?.close();
    await embedded?.stop();
  });

  /** Puts the cursor at the end of a line, counted from 0. */
  const goTo = async (page: Page, line: number): Promise<void> => {
    const box = (await page
      .locator('article .static-code, article .cm-content')
      .first()
      .boundingBox())!;
    await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
    await page.locator('.cm-focused').waitFor();
    await page.keyboard.press('Control+Home');
    for (let n = 0; n < line; n += 1) await page.keyboard.press('ArrowDown');
    await page.keyboard.press('End');
  };

  it('have all of both, and the same', { timeout: 60_000 }, async () => {
    const pages = watched.map(({ page }) => page);
    await goTo(pages[0]!, 1);
    await goTo(pages[1]!, 3);
    const words = [
      ' the quick brown fox jumps over the lazy dog and on it goes',
      ' pack my box with five dozen liquor jugs and then once more',
    ];
    await Promise.all(pages.map((page, n) => page.keyboard.type(words[n]!, { delay: 40 })));
    const expected = `%md\nfirst line${words[0]!}\n\nsecond line${words[1]!}\n\nthird line`;
    await expect.poll(() => note.paragraphs[0]!.state.server.text).toBe(expected);
    for (const page of pages) {
      // Of a line without the name at the other's cursor.
      const lines = () =>
        page
          .locator('article')
          .first()
          .locator('.cm-line')
          .evaluateAll((all) =>
            all.map((line) =>
              [...line.childNodes]
                .filter(
                  (node) =>
                    !(
                      node instanceof HTMLElement &&
                      node.matches('[class*=caret], [class*=presence]')
                    ),
                )
                .map((node) => node.textContent)
                .join(''),
            ),
          );
      await expect.poll(async () => (await lines()).join('\n')).toBe(expected);
      await expect.poll(() => page.locator('.save-state').textContent()).toBe('Saved');
    }
    expect(watched.flatMap(({ complaints }) => complaints)).toEqual([]);
  });
});
