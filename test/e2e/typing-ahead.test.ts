/**
 * Key presses that arrive before their editor is ready: on a slow page, over a slow connection, or
 * while the editor's code loads.
 */

import type { Note } from '@tiding/client';
import type { CDPSession, Page } from 'playwright-core';
import { afterEach, describe, expect, it, onTestFailed } from 'vitest';
import { untilEnd } from '../support/until-end.ts';
import { noteOf, partsOf, startWalk } from '../support/walk.ts';

/**
 * Factor by which the page's processor is throttled while keys are pressed. A throttled page keeps
 * a core busy, also when it is idle.
 */
const CPU_SLOWDOWN = 6;
/** Delay of each message from the server, in ms. */
const LATE_MS = 300;
/** `npm run test:long` also types on a slow page with a fast connection. */
const DELAYS = process.env['ALL_DELAYS'] ? [0, LATE_MS] : [LATE_MS];

/** Whether a script is the code of the editor. */
const isEditor = (address: string) => address.includes('/editor-');
let page: Page;
let cdp: CDPSession;
let note: Note | undefined;
let made = 0;
const complaints: string[] = [];
const { article, focus } = partsOf(() => page);
const texts = () => note!.paragraphs.map((paragraph) => paragraph.text.replace(/^%md\n/, ''));

/**
 * Opens a note. `late` delays messages from the server by this time in ms, `refused` names an
 * operation that is rejected, and `script` resolves to whether a requested script loads.
 */
async function open(
  given: readonly string[],
  {
    late = 0,
    refused,
    script,
  }: { late?: number; refused?: string; script?: (name: string) => Promise<boolean> } = {},
): Promise<void> {
  note = await noteOf(client, `ahead/Walk ${(made += 1)}`, given);
  page = await walk.page.context().newPage();
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
  if (late > 0 || refused !== undefined)
    await page.routeWebSocket(/./, (socket) => {
      const server = socket.connectToServer();
      server.onMessage((message) => void setTimeout(() => socket.send(message), late || LATE_MS));
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
  cdp = await page.context().newCDPSession(page);
}

/** Throttles the page's processor by a factor. */
const slowDown = (rate = CPU_SLOWDOWN) => cdp.send('Emulation.setCPUThrottlingRate', { rate });

/** Moves the cursor to the end of a paragraph's text, and throttles the page. */
async function edit(index: number): Promise<void> {
  await article(index).locator('.code-area').click();
  await article(index).locator('.cm-focused').waitFor();
  await page.keyboard.press('Control+End');
  await slowDown();
}

/**
 * Expects these texts after leaving the editor of a paragraph, which saves it. The page has handled
 * all key presses by then and is throttled no longer.
 */
async function expectSaved(at: number, wanted: readonly string[]): Promise<void> {
  await slowDown(1);
  await expect.poll(() => note!.paragraphs.length).toBe(wanted.length);
  // On a busy machine, the keys may be written into the text before there is an editor.
  await expect.poll(() => article(at).locator('.code').textContent()).toContain(wanted[at]);
  await focus(0);
  await expect.poll(texts).toEqual(wanted);
}

const walk = untilEnd(await startWalk());
const { client } = walk;

afterEach(async () => {
  await page?.close();
  note?.close();
  note = undefined;
});

describe('early key presses', () => {
  for (const late of DELAYS) {
    const where = late > 0 ? 'over a slow connection' : 'on a slow page';

    it(`go to an inserted paragraph in order, ${where}`, async () => {
      await open(['%md\none', '%md\ntwo'], { late });
      await edit(0);
      await page.keyboard.press('Control+Alt+b');
      await page.keyboard.type('select 42');
      await article(1).locator('.cm-focused').waitFor();
      await page.keyboard.type(' as n');
      expect(await page.locator('.type-ahead').count()).toBe(0);
      await expectSaved(1, ['one', 'select 42 as n', 'two']);
    });

    it(`go to the paragraph after the last one when that runs, ${where}`, async () => {
      await open(['%md\none', '%md\ntwo'], { late });
      await edit(1);
      await page.keyboard.press('Shift+Enter');
      await page.keyboard.type('select 42');
      await expectSaved(2, ['one', 'two', 'select 42']);
      await expect.poll(() => note!.paragraphs[1]!.status).toBe('FINISHED');
    });

    it(`go to the target of a palette command, ${where}`, async () => {
      await open(['%md\none', '%md\ntwo'], { late });
      await focus(0);
      await slowDown();
      await page.keyboard.press('Control+Alt+p');
      await page.getByRole('combobox', { name: 'All commands' }).fill('add paragraph');
      // The first match is the command that inserts above.
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
      await page.keyboard.type('select 42');
      await expectSaved(1, ['one', 'select 42', 'two']);
    });
  }

  it('store the editor settings of code that is pasted and run at once', async () => {
    await open(['%md\n# Title', '%md\nlast'], { late: LATE_MS });
    const [first] = note!.paragraphs;
    await first!.configure({
      editorSetting: { language: 'markdown', editOnDblClick: true },
      editorMode: 'ace/mode/markdown',
      // As after a double-click on the text.
      tableHide: true,
    });
    // The page hears of it later.
    await article(0).getByRole('button', { name: 'Show output' }).waitFor({ state: 'attached' });
    await article(0).locator('.code-area').click();
    await article(0).locator('.cm-focused').waitFor();
    await page.keyboard.press('Control+a');
    await page.keyboard.insertText("%sql\nselect 'pas' || 'ted' as word");
    await page.keyboard.press('Shift+Enter');
    await article(0).locator('.output-part').getByText('pasted').first().waitFor();
    await expect.poll(() => first!.status).toBe('FINISHED');
    // Leaving the editor saves what is left to save.
    await focus(1);
    await expect.poll(() => first!.state.server.config?.editorMode).toBe('ace/mode/sql');
    expect(first!.state.server.config).toMatchObject({ editorSetting: { language: 'sql' } });
    expect(first!.state.server.config?.editorHide).not.toBe(true);
    await expect.poll(() => article(0).locator('.code-part').isVisible()).toBe(true);
  });

  it('go to the paragraph after the last one when the server takes seconds to add it', async () => {
    await open(['%md\none', '%md\ntwo'], { late: 4_000 });
    await article(1).locator('.code-area').click();
    await article(1).locator('.cm-focused').waitFor();
    await page.keyboard.press('Control+End');
    await page.keyboard.press('Shift+Enter');
    await page.keyboard.type('select 42', { delay: 800 });
    await expectSaved(2, ['one', 'two', 'select 42']);
  });

  it('stay in the field that the user chose while the server adds a paragraph', async () => {
    await open(['%md\nHello $${name=you}', '%md\ntwo'], { late: LATE_MS });
    await note!.paragraphs[0]!.run();
    const forms = page.getByRole('region', { name: 'Note forms' });
    const field = forms.getByRole('textbox', { name: 'name' });
    await field.waitFor();
    await article(1)
      .getByRole('button', { name: /Run this paragraph/ })
      .click();
    await field.fill('Ann');
    await article(2).waitFor();
    await page.keyboard.type('!');
    await page.keyboard.press('Enter');
    await expect.poll(() => note!.state.params['name']).toBe('Ann!');
    expect(texts()).toEqual(['Hello $${name=you}', 'two', '']);
  });

  it('apply commands in between to the right paragraph', async () => {
    await open(['%md\none', '%md\ntwo'], { late: LATE_MS });
    await edit(0);
    await page.keyboard.press('Control+Alt+b');
    await page.keyboard.type('first');
    await page.keyboard.press('Control+Alt+b');
    await page.keyboard.type('secomd');
    for (let n = 0; n < 2; n += 1) await page.keyboard.press('Backspace');
    await page.keyboard.type('nd');
    await page.keyboard.press('Shift+Enter');
    await slowDown(1);
    await expect.poll(() => note!.paragraphs.length).toBe(4);
    await expect.poll(() => note!.paragraphs[2]!.status).toBe('FINISHED');
    await expectSaved(2, ['one', 'first', 'second', 'two']);
    expect(note!.paragraphs.map(({ status }) => status)).toEqual([
      'READY',
      'READY',
      'FINISHED',
      'READY',
    ]);
  });

  it('are kept while the code of the editor loads', async () => {
    const waits: (() => void)[] = [];
    await open(['%md\none', '%md\ntwo'], {
      script: (name) =>
        new Promise((resolve) =>
          isEditor(name) ? waits.push(() => resolve(true)) : resolve(true),
        ),
    });
    await slowDown();
    await article(1).locator('.code-area').click();
    await page.keyboard.type('select');
    await page.keyboard.press('Enter');
    await page.keyboard.type('42');
    expect(await page.locator('.cm-content').count()).toBe(0);
    await expect.poll(() => page.locator('.type-ahead').inputValue()).toBe('select\n42');
    await slowDown(1);
    for (const go of waits) go();
    await article(1).locator('.cm-focused').waitFor();
    await focus(0);
    await expect.poll(() => note!.paragraphs[1]!.text).toContain('select\n42');
    expect(note!.paragraphs[1]!.text.replace('select\n42', '')).toBe('%md\ntwo');
  });

  it('are appended to the text if the code of the editor fails to load', async () => {
    const before = complaints.length;
    onTestFailed(() => void complaints.splice(before));
    await open(['%md\none', '%md\ntwo'], {
      script: (name) => Promise.resolve(!isEditor(name)),
    });
    await slowDown();
    await article(1).locator('.code-area').click();
    await page.keyboard.type('select 42');
    await slowDown(1);
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

  it('go to the previous paragraph if none can be added', async () => {
    await open(['%md\none', '%md\ntwo'], { refused: 'INSERT_PARAGRAPH' });
    await edit(0);
    // The message is visible for a few seconds only.
    const message = page.getByText('not today').waitFor();
    await page.keyboard.press('Control+Alt+b');
    await page.keyboard.type('select 42');
    await slowDown(1);
    await message;
    await article(0).locator('.cm-focused').waitFor();
    await focus(1);
    await expect.poll(texts).toEqual(['oneselect 42', 'two']);
  });

  it('stay in order when they replace a magic right after the editor has opened', async () => {
    await open(['%md\none']);
    await article(0).locator('.code-area').click();
    await article(0).locator('.cm-focused').waitFor();
    await page.keyboard.press('Control+Enter');
    const code = article(1).locator('.code-closed');
    await code.waitFor();
    await page.keyboard.press('Escape');
    do await page.keyboard.press('Tab');
    while (!(await code.evaluate((element) => element.matches(':focus'))));
    await page.keyboard.press('Enter');
    await article(1).locator('.cm-focused').waitFor();
    await page.keyboard.press('Control+a');
    await page.keyboard.type('%sql');
    await expect.poll(() => note!.paragraphs[1]!.text).toBe('%sql');
  });

  it('logs no errors', () => {
    expect(complaints).toEqual([]);
  });
});
