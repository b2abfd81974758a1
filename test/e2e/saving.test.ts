/** Saving typed text: automatically after a pause, and when the user leaves the tab. */

import type { Dialog, Page } from 'playwright-core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { untilEnd } from '../support/until-end.ts';
import { startWalk } from '../support/walk.ts';

let page: Page;
let noteId: string;
let made = 0;
/** Committed texts with their times. */
let commits: { at: number; text: string }[] = [];
const complaints: string[] = [];
/** Time of the last key press. */
let typed = 0;

const article = (index = 0) => page.locator('article').nth(index);
const stored = async (index = 0) => (await client.notes.get(noteId)).paragraphs![index]!.text;
const state = (words: string) => page.getByText(words, { exact: true });

/** Types at the end of a paragraph and leaves the cursor there. */
async function type(text: string, index = 0): Promise<void> {
  await article(index).locator('.code-part').hover();
  await article(index).locator('.cm-content').click();
  await article(index).locator('.cm-focused').waitFor();
  await page.keyboard.press('Control+End');
  await page.keyboard.type(text);
  typed = Date.now();
  await state('Unsaved changes').waitFor();
}

/** Returns the texts that this browser keeps. */
const journal = () =>
  page.evaluate(
    () =>
      new Promise<string[]>((resolve, reject) => {
        const request = indexedDB.open('tiding-journal');
        request.onerror = () => reject(request.error);
        request.onsuccess = () => {
          const drafts = request.result.transaction('drafts').objectStore('drafts').getAll();
          drafts.onsuccess = () => {
            request.result.close();
            resolve((drafts.result as { text: string }[]).map(({ text }) => text));
          };
        };
      }),
  );

/** Answers the browser's next dialog and resolves to its type. */
function asked(stay: boolean): Promise<string> {
  return new Promise((resolve) =>
    page.once('dialog', (dialog: Dialog) => {
      const kind = dialog.type();
      void (stay ? dialog.dismiss() : dialog.accept()).then(() => resolve(kind));
    }),
  );
}

const walk = untilEnd(await startWalk());
const { embedded, client } = walk;

beforeEach(async () => {
  // Created over REST: creating it over a socket would open it there too, and text in a note that
  // is open twice is sent as it is typed.
  noteId = await client.call('createNote', {
    body: {
      name: `saving/Walk ${(made += 1)}`,
      paragraphs: [{ text: '%md\nfirst' }, { text: '%md\nsecond' }],
    },
  });
  // A separate tab: leaving a tab with unsaved text would ask first.
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
});
afterEach(() => page?.close());

describe('typed text', () => {
  it('is saved ten seconds after the last key press, with the cursor still in it', async () => {
    await type(' and');
    // Another key press restarts the delay.
    await page.waitForTimeout(3_000);
    await type(' more');
    const last = typed;
    expect(commits).toEqual([]);
    await expect.poll(stored).toBe('%md\nfirst and more');
    await expect.poll(() => commits.map(({ text }) => text)).toEqual(['%md\nfirst and more']);
    // Margin for the difference between the clocks of the page and this process.
    expect(commits[0]!.at - last).toBeGreaterThan(9_500);
    await state('Saved').waitFor();
    await expect.poll(() => article().locator('.cm-focused').count()).toBe(1);
    await page.keyboard.type('!');
    await expect
      .poll(() => article().locator('.cm-content').textContent())
      .toContain('first and more!');
  });

  it('is saved when the editor loses focus; unchanged text is not sent', async () => {
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
  it('asks before unsaved text is lost by reload or close, and keeps it on Stay', async () => {
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

  it('restores unsaved text when the user returns', async () => {
    await type(' kept');
    // Stored when the disk has it, which is later than the next frame on a busy machine.
    await expect.poll(journal).toContain('%md\nfirst kept');
    const reload = asked(false);
    const loaded = page.waitForEvent('load');
    await page.evaluate(() => location.reload());
    expect(await reload).toBe('beforeunload');
    await loaded;
    await expect.poll(() => article().textContent()).toContain('first kept');
  });

  it('asks nothing if everything is saved', async () => {
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

  it('logs no errors', () => {
    expect(complaints).toEqual([]);
  });
});
