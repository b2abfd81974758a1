/**
 * The pages with the keyboard alone: on a page that was just loaded, Tab moves through the bar into
 * the page and its editors.
 */

import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { focusOf as focus, tabUntil } from '../support/keyboard.ts';
import { untilEnd } from '../support/until-end.ts';
import { noteOf, partsOf, startWalk } from '../support/walk.ts';

const texts = ['%md\nfirst', '%md\nsecond', '%md\nthird'];

const walk = untilEnd(await startWalk());
const note = await noteOf(walk.client, 'By keyboard', texts);
const noteId = note.noteId;
note.close();

/** Opens a page in a new tab, without a click in it. */
async function fresh(path: string, ready: string): Promise<Page> {
  const page = await walk.page.context().newPage();
  await page.goto(`${walk.embedded.server.url}/#${path}`);
  await page.locator(ready).first().waitFor();
  return page;
}

const isInPanel = (page: Page): Promise<boolean> =>
  page
    .locator('aside.panel')
    .evaluate((panel) => panel.contains((panel.getRootNode() as ShadowRoot).activeElement));

/** Closes the panel that has the focus. */
async function closePanel(page: Page): Promise<void> {
  await expect.poll(() => isInPanel(page)).toBe(true);
  await tabUntil(page, ({ control }) => control === 'Close panel', 3);
  await page.keyboard.press('Enter');
}

it('moves with Tab through the bar to the first control of the home page', async () => {
  const page = await fresh('/', 'tiding-home button');
  const first = await page.locator('tiding-home').evaluate((home) => {
    const control = home.shadowRoot!.querySelector('button, a[href], input, [tabindex="0"]')!;
    return control.getAttribute('aria-label') ?? control.textContent;
  });
  const at = await tabUntil(page, ({ hosts }) => hosts.includes('tiding-home'), 30);
  expect(at.control).toBe(first);
  await page.keyboard.press('Shift+Tab');
  expect((await focus(page)).hosts).toContain('tiding-navigation');
  await page.close();
});

it('skips the bar with the skip link', async () => {
  const page = await fresh('/', 'tiding-home button');
  await page.keyboard.press('Tab');
  expect(await page.locator('.skip').evaluate((link) => link === document.activeElement)).toBe(
    true,
  );
  await page.keyboard.press('Enter');
  expect((await focus(page)).id).toBe('content');
  await page.keyboard.press('Tab');
  expect((await focus(page)).hosts).toContain('tiding-home');
  await page.close();
});

it('reaches the third paragraph with Tab, edits with Enter, leaves with Escape, Tab', async () => {
  const page = await fresh(`/notebook/${noteId}`, 'tiding-notebook article >> nth=2');
  await tabUntil(page, ({ inCode, article }) => inCode && article === 2, 120);
  await page.keyboard.press('Enter');
  await expect.poll(async () => (await focus(page)).inEditor).toBe(true);
  expect((await focus(page)).article).toBe(2);
  await page.keyboard.type(' by keyboard');
  const note = await walk.client.open(noteId);
  const written = () => note.paragraphs.map(({ state }) => state.server.text);
  await expect.poll(written).toEqual([texts[0], texts[1], `${texts[2]} by keyboard`]);
  await page.keyboard.press('Escape');
  await page.keyboard.press('Tab');
  expect((await focus(page)).inEditor).toBe(false);
  expect(written()).toEqual([texts[0], texts[1], `${texts[2]} by keyboard`]);
  note.close();
  await page.close();
});

it('moves the focus into a panel that a command opens, and back to the cursor', async () => {
  const page = await fresh(`/notebook/${noteId}`, 'tiding-notebook article >> nth=2');
  await tabUntil(page, ({ inCode, article }) => inCode && article === 1, 120);
  await page.keyboard.press('Enter');
  await expect.poll(async () => (await focus(page)).inEditor).toBe(true);
  const palette = async (command: string): Promise<void> => {
    await page.keyboard.press('F1');
    await page.getByRole('dialog', { name: 'All commands' }).waitFor();
    await page.keyboard.type(command);
    await page.getByRole('option', { name: command }).first().waitFor();
    await page.keyboard.press('Enter');
  };
  for (const title of ['Variables', 'Files', 'Interpreter binding']) {
    await palette(title);
    await page.getByRole('complementary', { name: title }).waitFor();
    await closePanel(page);
    await expect.poll(async () => (await focus(page)).inEditor).toBe(true);
    expect((await focus(page)).article).toBe(1);
  }
  // One panel replaces another, and the focus still returns to the cursor.
  await palette('Variables');
  await expect.poll(() => isInPanel(page)).toBe(true);
  await palette('Files');
  await page.getByRole('complementary', { name: 'Files' }).waitFor();
  await closePanel(page);
  await expect.poll(async () => (await focus(page)).inEditor).toBe(true);
  await page.close();
});

it('returns the focus to the menu that opened a panel', async () => {
  const page = await fresh(`/notebook/${noteId}`, 'tiding-notebook article >> nth=2');
  await tabUntil(
    page,
    ({ control, hosts }) => control === 'More' && hosts.includes('tiding-notebook'),
    60,
  );
  await page.keyboard.press('Enter');
  await page.getByRole('menuitem', { name: 'Files' }).waitFor();
  await page.keyboard.type('Fil');
  await page.keyboard.press('Enter');
  await closePanel(page);
  await page.locator('aside.panel').waitFor({ state: 'detached' });
  await expect.poll(async () => (await focus(page)).control).toBe('More');
  await page.close();
});

it('keeps the focus when commands change the note', async () => {
  const { noteId: id } = await noteOf(walk.client, 'Focus', [
    '%md\n1',
    '%md\n2',
    '%md\n3',
    '%md\n4',
  ]);
  const page = await fresh(`/notebook/${id}`, 'tiding-notebook article >> nth=3');
  const { article } = partsOf(() => page);
  const edit = async (at: number): Promise<void> => {
    await article(at).locator('.code-area').click();
    await expect.poll(async () => (await focus(page)).inEditor).toBe(true);
  };
  for (const [keys, from, to, inEditor] of [
    ['Control+Alt+J', 0, 1, true],
    ['Control+Alt+K', 1, 0, true],
    ['Control+Alt+J', 1, 2, true],
    ['Control+Alt+D', 2, 2, false],
  ] as const) {
    await edit(from);
    const code = await article(from).locator('.cm-content').innerText();
    await page.keyboard.press(keys);
    const isMoved = async () =>
      (await article(to).innerText()).includes(code.slice(-1)) === inEditor;
    await expect.poll(isMoved, { message: keys }).toBe(true);
    await expect
      .poll(() => focus(page), { message: keys })
      .toMatchObject({ article: to, inEditor });
    if (!inEditor) continue;
    await page.keyboard.type('x');
    await expect.poll(() => article(to).innerText()).toContain('x');
    await page.keyboard.press('Backspace');
  }
  await page.keyboard.press('Control+Alt+F');
  await page.getByRole('textbox', { name: 'Find', exact: true }).fill('md');
  await page.getByRole('textbox', { name: 'Replace with' }).fill('js');
  await page.locator('.find-count', { hasText: 'of 3' }).waitFor();
  await page.getByRole('button', { name: 'Replace all' }).click();
  await expect.poll(() => article(2).innerText()).toContain('%js');
  expect((await focus(page)).control).toBe('Replace all');
  await page.keyboard.press('Escape');
  await page.locator('.find-box').waitFor({ state: 'detached' });
  await page.locator('tiding-navigation').getByRole('link').first().focus();
  await page.keyboard.press('F1');
  await page.getByRole('dialog').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect((await focus(page)).tag).toBe('a');
  const dots = page.locator('.status-strip button');
  expect(
    await dots.evaluateAll(
      (all) => all.filter((dot) => (dot as HTMLElement).tabIndex === 0).length,
    ),
  ).toBe(1);
  await dots.first().focus();
  await page.keyboard.press('ArrowRight');
  expect(await dots.nth(1).evaluate((dot) => dot.matches(':focus'))).toBe(true);
  await page.close();
});
