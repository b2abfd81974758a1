/** How the page of a note keeps what is typed: by itself after a while, and when the tab is left. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Dialog, Page } from 'playwright-core';
import type { Client } from 'tiding/client';
import { startWalk, type Walk } from '../support/walk.ts';

let embedded: Walk['embedded'];
let walk: Walk;
let page: Page;
let client: Client;
let noteId: string;
let made = 0;
/** When texts went to the server, and which. */
let commits: { at: number; text: string }[] = [];
const complaints: string[] = [];
/** When a key was typed last. */
let typed = 0;

const article = (index = 0) => page.locator('article').nth(index);
const stored = async (index = 0) => (await client.notes.get(noteId)).paragraphs![index]!.text;
const state = (words: string) => page.getByText(words, { exact: true });

/** Types at the end of a paragraph; the cursor stays in it. */
async function type(text: string, index = 0): Promise<void> {
  await article(index).locator('.code-part').hover();
  await article(index).locator('.cm-content').click();
  await article(index).locator('.cm-focused').waitFor();
  await page.keyboard.press('Control+End');
  await page.keyboard.type(text);
  typed = Date.now();
  await state('Unsaved changes').waitFor();
}

/** The browser's own question, once; `stay` is the answer. */
function asked(stay: boolean): Promise<string> {
  return new Promise((resolve) =>
    page.once('dialog', (dialog: Dialog) => {
      const kind = dialog.type();
      void (stay ? dialog.dismiss() : dialog.accept()).then(() => resolve(kind));
    }),
  );
}

beforeAll(async () => {
  walk = await startWalk();
  ({ embedded, client } = walk);
}, 180_000);
afterAll(() => walk?.stop());
beforeEach(async () => {
  // By REST: a socket that makes a note has it open, and where two have a note open what is typed is shared at once.
  noteId = await client.call('createNote', {
    body: {
      name: `saving/Walk ${(made += 1)}`,
      paragraphs: [{ text: '%md\nfirst' }, { text: '%md\nsecond' }],
    },
  });
  // A tab of its own: in one where text was left unsaved the next address would be asked about.
  page = await walk.page.context().newPage();
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
  page.on('websocket', (socket) =>
    socket.on('framesent', ({ payload }) => {
      const { op, data } = JSON.parse(String(payload)) as {
        op: string;
        data?: { paragraph?: string };
      };
      if (op === 'COMMIT_PARAGRAPH') commits.push({ at: Date.now(), text: data?.paragraph ?? '' });
    }),
  );
  await page.goto(`${embedded.server.url}/#/notebook/${noteId}`);
  await article(1).waitFor();
  commits = [];
}, 30_000);
afterEach(() => page?.close());

describe('what is typed', () => {
  it('is saved ten seconds after the last key, with the cursor still in it', {
    timeout: 60_000,
  }, async () => {
    await type(' and');
    // Another key begins the wait anew.
    await page.waitForTimeout(3_000);
    await type(' more');
    const last = typed;
    expect(commits).toEqual([]);
    await expect.poll(stored, { timeout: 25_000 }).toBe('%md\nfirst and more');
    await expect.poll(() => commits.map(({ text }) => text)).toEqual(['%md\nfirst and more']);
    // The page's clock and this process's differ by less than this.
    expect(commits[0]!.at - last).toBeGreaterThan(9_500);
    await state('Saved').waitFor();
    expect(await article().locator('.cm-focused').count()).toBe(1);
    await page.keyboard.type('!');
    await expect
      .poll(() => article().locator('.cm-content').textContent())
      .toContain('first and more!');
  });

  it('is saved at once by leaving the editor, and nothing is sent where nothing has changed', {
    timeout: 30_000,
  }, async () => {
    await type(' left');
    await type(' too', 1);
    await expect.poll(stored).toBe('%md\nfirst left');
    await article(0).locator('.paragraph-head').click();
    await expect.poll(() => stored(1)).toBe('%md\nsecond too');
    await state('Saved').waitFor();
    await article(1).locator('.cm-content').click();
    await article(0).locator('.paragraph-head').click();
    await page.waitForTimeout(500);
    await expect
      .poll(() => commits.map(({ text }) => text))
      .toEqual(['%md\nfirst left', '%md\nsecond too']);
  });
});

describe('leaving the tab', () => {
  it('with unsaved text asks, whether it is loaded anew or closed; who stays has his text', {
    timeout: 60_000,
  }, async () => {
    await type(' typed');
    const reload = asked(true);
    await page.evaluate(() => location.reload());
    expect(await reload).toBe('beforeunload');
    const close = asked(true);
    await page.close({ runBeforeUnload: true });
    expect(await close).toBe('beforeunload');
    expect(page.isClosed()).toBe(false);
    await expect
      .poll(() => article().locator('.cm-content').textContent())
      .toContain('first typed');
  });

  it('who goes all the same finds what he typed when he comes back', {
    timeout: 60_000,
  }, async () => {
    await type(' kept');
    const reload = asked(false);
    const loaded = page.waitForEvent('load');
    await page.evaluate(() => location.reload());
    expect(await reload).toBe('beforeunload');
    await loaded;
    await expect.poll(() => article().textContent()).toContain('first kept');
  });

  it('with everything saved asks nothing', { timeout: 60_000 }, async () => {
    await type(' saved');
    await article().locator('.paragraph-head').click();
    await state('Saved').waitFor();
    let questions = 0;
    const count = (dialog: Dialog) => {
      questions += 1;
      void dialog.accept();
    };
    page.on('dialog', count);
    await page.reload();
    await article(1).waitFor();
    page.off('dialog', count);
    expect(questions).toBe(0);
    expect(await stored()).toBe('%md\nfirst saved');
  });

  it('left nothing to complain of', () => {
    expect(complaints).toEqual([]);
  });
});
