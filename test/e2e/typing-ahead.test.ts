/** Keys that come before the editor they are meant for: on a slow page, over a slow connection, while the editor's code is fetched. */
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFailed } from 'vitest';
import type { Page } from 'playwright-core';
import type { Client, Note } from 'tiding/client';
import { noteOf, partsOf, startWalk, type Walk } from '../support/walk.ts';

/** So much slower than this machine is the page's processor, and so long is a frame of the server on its way, ms. */
const SLOWER = 6;
const LATE_MS = 300;

let walk: Walk;
let page: Page;
let client: Client;
let note: Note | undefined;
let made = 0;
const complaints: string[] = [];
const { article, focus } = partsOf(() => page);
const texts = () => note!.paragraphs.map((paragraph) => paragraph.text.replace(/^%md\n/, ''));

/** A note on a slow page of its own. `late`: what the server says comes late, too; `refused`: an operation that is; `script`: whether a script that is asked for comes, and when. */
async function open(
  given: readonly string[],
  {
    late = false,
    refused,
    script,
  }: { late?: boolean; refused?: string; script?: (name: string) => Promise<boolean> } = {},
): Promise<void> {
  note = await noteOf(client, `ahead/Walk ${(made += 1)}`, given);
  page = await walk.page.context().newPage();
  page.setDefaultTimeout(20_000);
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
  if (late || refused !== undefined)
    await page.routeWebSocket(/./, (socket) => {
      const server = socket.connectToServer();
      server.onMessage((message) => void setTimeout(() => socket.send(message), LATE_MS));
      socket.onMessage((message) => {
        const { op, msgId } = JSON.parse(String(message)) as { op: string; msgId?: string };
        if (op !== refused) return server.send(message);
        setTimeout(
          () =>
            socket.send(JSON.stringify({ op: 'AUTH_INFO', data: { info: 'not today' }, msgId })),
          LATE_MS,
        );
      });
    });
  if (script)
    await page.route(/\.js$/, async (route) => {
      if (await script(route.request().url())) await route.continue();
      else await route.abort();
    });
  await page.goto(`${walk.embedded.server.url}/#/notebook/${note.id}`);
  await article(given.length - 1).waitFor();
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: SLOWER });
}

/** The cursor goes into a paragraph's text, at its end. */
async function edit(index: number): Promise<void> {
  await article(index).locator('.code-area').click();
  await article(index).locator('.cm-focused').waitFor();
  await page.keyboard.press('Control+End');
}

/** What is in the note when the editor of a paragraph is left, which saves it. */
async function expectSaved(at: number, wanted: readonly string[]): Promise<void> {
  await expect.poll(() => note!.paragraphs.length).toBe(wanted.length);
  await article(at).locator('.cm-focused').waitFor();
  await focus(0);
  await expect.poll(texts).toEqual(wanted);
}

beforeAll(async () => {
  walk = await startWalk();
  ({ client } = walk);
}, 180_000);
afterEach(async () => {
  await page?.close();
  note?.close();
  note = undefined;
});
afterAll(() => walk?.stop());

describe('keys that are pressed at once', { timeout: 60_000 }, () => {
  for (const late of [false, true]) {
    const where = late ? 'over a slow connection' : 'on a slow page';

    it(`after a paragraph was inserted are all in it, in their order, ${where}`, async () => {
      await open(['%md\none', '%md\ntwo'], { late });
      await edit(0);
      await page.keyboard.press('Control+Alt+b');
      await page.keyboard.type('select 42');
      await article(1).locator('.cm-focused').waitFor();
      await page.keyboard.type(' as n');
      expect(await page.locator('.type-ahead').count()).toBe(0);
      await expectSaved(1, ['one', 'select 42 as n', 'two']);
    });

    it(`after the last paragraph was run are in the one that follows, ${where}`, async () => {
      await open(['%md\none', '%md\ntwo'], { late });
      await edit(1);
      await page.keyboard.press('Shift+Enter');
      await page.keyboard.type('select 42');
      await expectSaved(2, ['one', 'two', 'select 42']);
      await expect.poll(() => note!.paragraphs[1]!.status).toBe('FINISHED');
    });

    it(`after a command of the palette are where that leads, ${where}`, async () => {
      await open(['%md\none', '%md\ntwo'], { late });
      await focus(0);
      await page.keyboard.press('Control+Alt+p');
      await page.getByRole('combobox', { name: 'All commands' }).fill('insert new');
      // The first is the one that inserts above.
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
      await page.keyboard.type('select 42');
      await expectSaved(1, ['one', 'select 42', 'two']);
    });
  }

  it('with commands between them act on what they were meant for', async () => {
    await open(['%md\none', '%md\ntwo'], { late: true });
    await edit(0);
    await page.keyboard.press('Control+Alt+b');
    await page.keyboard.type('first');
    await page.keyboard.press('Control+Alt+b');
    await page.keyboard.type('secomd');
    for (let n = 0; n < 2; n += 1) await page.keyboard.press('Backspace');
    await page.keyboard.type('nd');
    await page.keyboard.press('Shift+Enter');
    await expect.poll(() => note!.paragraphs.length).toBe(4);
    await expect.poll(() => note!.paragraphs[2]!.status, { timeout: 20_000 }).toBe('FINISHED');
    await expectSaved(2, ['one', 'first', 'second', 'two']);
    expect(note!.paragraphs.map(({ status }) => status)).toEqual([
      'READY',
      'READY',
      'FINISHED',
      'READY',
    ]);
  });

  it('are not lost while the code of the editor is fetched', async () => {
    const waits: (() => void)[] = [];
    await open(['%md\none', '%md\ntwo'], {
      script: (name) =>
        new Promise((resolve) =>
          name.includes('code-editor') ? waits.push(() => resolve(true)) : resolve(true),
        ),
    });
    await article(1).locator('.code-area').click();
    await page.keyboard.type('select');
    await page.keyboard.press('Enter');
    await page.keyboard.type('42');
    expect(await page.locator('.cm-content').count()).toBe(0);
    expect(await page.locator('.type-ahead').inputValue()).toBe('select\n42');
    for (const go of waits) go();
    await article(1).locator('.cm-focused').waitFor();
    await focus(0);
    await expect.poll(() => note!.paragraphs[1]!.text).toContain('select\n42');
    expect(note!.paragraphs[1]!.text.replace('select\n42', '')).toBe('%md\ntwo');
  });

  it('are at the end of the text where the code of the editor cannot be fetched', async () => {
    const before = complaints.length;
    onTestFailed(() => void complaints.splice(before));
    await open(['%md\none', '%md\ntwo'], {
      script: (name) => Promise.resolve(!name.includes('code-editor')),
    });
    await article(1).locator('.code-area').click();
    await page.keyboard.type('select 42');
    await page.getByText('The editor could not be loaded.').waitFor();
    await expect
      .poll(() => article(1).locator('.code-closed').textContent())
      .toContain('twoselect 42');
    await focus(0);
    await expect.poll(texts).toEqual(['one', 'twoselect 42']);
    expect(
      complaints.splice(before).filter((words) => !words.includes('Failed to load resource')),
    ).toEqual([]);
  });

  it('go to the paragraph that had the cursor where none is added', async () => {
    await open(['%md\none', '%md\ntwo'], { refused: 'INSERT_PARAGRAPH' });
    await edit(0);
    // It is told for some seconds only.
    const told = page.getByText('not today').waitFor();
    await page.keyboard.press('Control+Alt+b');
    await page.keyboard.type('select 42');
    await told;
    await article(0).locator('.cm-focused').waitFor();
    await focus(1);
    await expect.poll(texts).toEqual(['oneselect 42', 'two']);
  });

  it('left nothing to complain of', () => {
    expect(complaints).toEqual([]);
  });
});
