/**
 * Two people type in one paragraph at the same time over a slow connection, in two lines and then
 * in one, where a headless client types too; no text is lost.
 */

import type { Client, Note } from '@tiding/client';
import type { Browser, CDPSession, Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { launchChromium } from '../support/chromium.ts';
import { ADMIN_PASSWORD, adminClient, startEmbedded } from '../support/embedded.ts';
import { openPage, type WatchedPage } from '../support/page.ts';
import { untilEnd } from '../support/until-end.ts';

/** Delay of each message in each direction, in ms. */
const LATENCY_MS = 120;
/** How often each types their words; `npm run test:long` repeats them. */
const ROUNDS = Number(process.env['TYPING_ROUNDS'] ?? 1);
/**
 * Factor by which the pages' processors are throttled while both type. A throttled page keeps a
 * core busy, also when it is idle, so only `npm run test:long` throttles them.
 */
const CPU_SLOWDOWN = ROUNDS > 1 ? 6 : 1;

describe('two people who type at the same time', () => {
  let browser: Browser;
  let embedded: Awaited<ReturnType<typeof startEmbedded>>;
  let client: Client;
  let note: Note;
  const watched: WatchedPage[] = [];
  const sessions: CDPSession[] = [];

  beforeAll(async () => {
    embedded = untilEnd(await startEmbedded());
    client = untilEnd(await adminClient(embedded.server.url));
    note = await client.open(await client.notes.create({ path: 'typed by two' }));
    note.paragraphs[0]!.edit('%md\nfirst line\n\nsecond line\n\nthird line');
    await note.commit();
    browser = untilEnd(await launchChromium());
    for (let n = 0; n < 2; n += 1) {
      const each = await openPage(browser);
      watched.push(each);
      await each.page.routeWebSocket(/\/ws$/, (line) => {
        const server = line.connectToServer();
        line.onMessage((message) => void setTimeout(() => server.send(message), LATENCY_MS));
        server.onMessage((message) => void setTimeout(() => line.send(message), LATENCY_MS));
      });
      await each.page.goto(`${embedded.server.url}/#/notebook/${note.id}`);
      await each.page.getByLabel('User Name').fill('admin');
      await each.page.getByLabel('Password', { exact: true }).fill(ADMIN_PASSWORD);
      await each.page.getByRole('button', { name: 'Sign in' }).click();
      await each.page.locator('article').first().waitFor();
      sessions.push(await each.page.context().newCDPSession(each.page));
    }
  });

  const slowDown = (rate: number) =>
    Promise.all(
      sessions.map((session) => session.send('Emulation.setCPUThrottlingRate', { rate })),
    );

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

  /** Waits until both pages show a text as saved. */
  const expectShown = async (expected: string): Promise<void> => {
    for (const { page } of watched) {
      // The text of each line without the name at the other user's cursor.
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
  };

  it('see the same text with all words of both', async () => {
    const pages = watched.map(({ page }) => page);
    await goTo(pages[0]!, 1);
    await goTo(pages[1]!, 3);
    const words = [
      ' the quick brown fox jumps over'.repeat(ROUNDS),
      ' pack my box with five dozen jugs'.repeat(ROUNDS),
    ];
    // Throttled, so that text is typed between two frames.
    await slowDown(CPU_SLOWDOWN);
    await Promise.all(pages.map((page, n) => page.keyboard.type(words[n]!, { delay: 40 })));
    await slowDown(1);
    const expected = `%md\nfirst line${words[0]!}\n\nsecond line${words[1]!}\n\nthird line`;
    await expect.poll(() => note.paragraphs[0]!.state.server.text).toBe(expected);
    await expectShown(expected);
  });

  it('and a headless client see one text with all characters of one line', async () => {
    const pages = watched.map(({ page }) => page);
    const [paragraph] = note.paragraphs;
    for (const page of pages) await goTo(page, 1);
    const lineEnd = () => paragraph!.text.indexOf('\n\nsecond line');
    const before = paragraph!.text.slice(0, lineEnd());
    const typed = ['abcdefghijklm', 'nopqrstuvwxyz', '0123456789'].map((all) => all.repeat(ROUNDS));
    await Promise.all([
      ...pages.map((page, n) => page.keyboard.type(typed[n]!, { delay: 90 })),
      (async () => {
        for (const letter of typed[2]!) {
          const { text } = paragraph!;
          const at = lineEnd();
          paragraph!.edit(text.slice(0, at) + letter + text.slice(at));
          await new Promise((resolve) => setTimeout(resolve, 110));
        }
      })(),
    ]);
    const sorted = (text: string) => [...text].sort().join('');
    const line = () => (paragraph!.state.server.text ?? '').slice(0, lineEnd());
    await expect.poll(() => sorted(line())).toBe(sorted(before + typed.join('')));
    // The words of the pages, whose cursors stay behind them, are not mixed with others.
    for (const each of typed.slice(0, 2)) expect(line()).toContain(each);
    await expect.poll(() => paragraph!.state.draft).toBeUndefined();
    await expectShown(paragraph!.text);
    expect(paragraph!.state.conflict).toBeUndefined();
  });
});
