import { expect, it } from 'vitest';
import { accessibilityFindings } from '../support/axe.ts';
import { type FocusedElement, focusOf, tabUntil } from '../support/keyboard.ts';
import { untilEnd } from '../support/until-end.ts';
import { noteOf, partsOf, startWalk } from '../support/walk.ts';

const { article, focus, dialog } = partsOf(() => walk.page);
const texts = () => note.paragraphs.map(({ text }) => text);
const press = async (...keys: string[]): Promise<void> => {
  for (const key of keys) await walk.page.keyboard.press(key);
};
/** Index of the paragraph that is selected in command mode, or -1. */
const selected = () =>
  walk.page.evaluate(() => {
    let element = document.activeElement;
    while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
    return element?.matches('article')
      ? [...(element.getRootNode() as ParentNode).querySelectorAll('article')].indexOf(element)
      : -1;
  });
const chooseKeys = async (keys: string): Promise<void> => {
  await walk.page.getByRole('button', { name: 'More', exact: true }).click();
  await walk.page.getByRole('menuitem', { name: 'Keyboard mode' }).click();
  await walk.page.getByRole('menuitemcheckbox', { name: keys }).click();
};

const walk = untilEnd(await startWalk());
const note = await noteOf(walk.client, 'Keys', ['%md\none', '%sql\nselect 2 as two', '%md\nthree']);
await walk.page.goto(`${walk.embedded.server.url}/#/notebook/${note.noteId}`);
await article(2).waitFor();

it('runs and stays, and runs and adds a paragraph, with the default keys', async () => {
  await article(1).locator('.code-area').click();
  await press('Control+Enter');
  await article(1).getByText('Finished').waitFor();
  expect(texts()).toEqual(['%md\none', '%sql\nselect 2 as two', '%md\nthree']);
  await press('Alt+Enter');
  await expect.poll(texts).toHaveLength(4);
  await walk.page.keyboard.type('added');
  await expect.poll(() => article(2).innerText()).toContain('added');
  await press('Control+Alt+D');
  await expect.poll(texts).toHaveLength(3);
});

it('keeps the cursor after a run of the last paragraph that stays', async () => {
  await article(2).locator('.code-area').click();
  await press('Control+Enter');
  await expect.poll(texts).toHaveLength(4);
  await expect.poll(() => article(3).isVisible()).toBe(true);
  expect(await article(2).getAttribute('aria-current')).toBe('true');
  await note.paragraphs[3]!.remove();
});

it('selects, adds, changes, cuts, pastes and removes in command mode', async () => {
  await chooseKeys('Jupyter');
  await focus(1);
  await press('Escape');
  await focus(0);
  // The keys are loaded when they are chosen.
  await expect
    .poll(async () => {
      await article(0).press('j');
      return selected();
    })
    .toBe(1);
  await press('k', 'k');
  expect(await selected()).toBe(0);
  // Keys that follow each other faster than the server answers.
  await press('b', 'm', 'Enter');
  await walk.page.keyboard.type('# Added');
  await press('Escape');
  await expect
    .poll(texts)
    .toEqual(['%md\none', '%md\n# Added', '%sql\nselect 2 as two', '%md\nthree']);
  expect(await selected()).toBe(1);
  await press('y');
  await expect.poll(() => texts()[1]).not.toContain('%md');
  await press('m');
  await expect.poll(() => texts()[1]).toBe('%md\n# Added');
  await press('x');
  await expect.poll(texts).toHaveLength(3);
  await expect.poll(selected).toBe(1);
  await press('v');
  await expect
    .poll(texts)
    .toEqual(['%md\none', '%sql\nselect 2 as two', '%md\n# Added', '%md\nthree']);
  await expect.poll(selected).toBe(2);
  await press('d', 'd');
  await expect.poll(texts).toHaveLength(3);
  await press('z');
  await expect.poll(texts).toHaveLength(4);
  expect(await dialog().count()).toBe(0);
});

it('runs and selects the next paragraph, and splits in the code', async () => {
  await focus(1);
  await article(1).press('Enter');
  const { results } = note.paragraphs[1]!.state.server;
  await press('Shift+Enter');
  await expect.poll(selected).toBe(2);
  // A running paragraph can't be split, and the page may still show the end of the run before.
  await expect
    .poll(() => {
      const { server } = note.paragraphs[1]!.state;
      return server.status === 'FINISHED' && server.results !== results;
    })
    .toBe(true);
  await expect.poll(() => article(1).getAttribute('data-status')).toBe('FINISHED');
  await press('k', 'Enter', 'Control+End', 'ArrowLeft', 'ArrowLeft', 'ArrowLeft');
  await press('Control+Shift+Minus');
  await expect.poll(() => texts().slice(1, 3)).toEqual(['%sql\nselect 2 as ', '%sql\ntwo']);
  await press('Escape', 'k', 'Shift+M');
  await expect.poll(() => texts()[1]).toBe('%sql\nselect 2 as \ntwo');
});

it('stays in command mode after a dialog or the find box', async () => {
  await focus(1);
  await press('Escape');
  const { dateStarted } = note.paragraphs[1]!.state.server;
  for (const keys of [['h'], ['0', '0'], ['p'], ['f']]) {
    await press(...keys);
    const opened = walk.page.locator('[role=alertdialog], [role=dialog], .find-box');
    await opened.waitFor();
    await press('Escape');
    await opened.waitFor({ state: 'detached' });
    await expect.poll(selected, { message: keys.join(' ') }).toBe(1);
  }
  await press('Enter');
  await article(1).locator('.cm-content:focus').waitFor();
  expect(note.paragraphs[1]!.state.server.dateStarted).toBe(dateStarted);
});

it('lets Tab pass through code that was reached by Tab', async () => {
  await focus(1);
  await press('Enter');
  const code = article(1).locator('.cm-content:focus');
  await code.waitFor();
  await press('Escape');
  const before = note.paragraphs[1]!.text;
  const inCode = ({ inEditor, article: at }: FocusedElement) => inEditor && at === 1;
  await tabUntil(walk.page, inCode, 10);
  await press('Tab');
  expect(inCode(await focusOf(walk.page))).toBe(false);
  expect(note.paragraphs[1]!.text).toBe(before);
  await press('Shift+Tab', 'Home', 'Tab');
  await expect.poll(() => note.paragraphs[1]!.text).not.toBe(before);
  await press('Escape');
});

it('lists its keys', async () => {
  await focus(1);
  await press('Escape', 'h');
  await dialog().getByRole('heading', { name: 'Jupyter Command Mode' }).waitFor();
  const rows = await dialog().locator('.shortcut').allInnerTexts();
  expect(rows.map((row) => row.replaceAll('\n', ' '))).toEqual(
    expect.arrayContaining(['Paste paragraph below V', 'Remove D D', 'Change to Markdown M']),
  );
  expect(await accessibilityFindings(walk.page, 'keys')).toEqual([]);
  await press('Escape');
  // Pages without a note list the same keys.
  await walk.page.goto(`${walk.embedded.server.url}/#/configuration`);
  await walk.page.getByRole('button', { name: 'Keyboard shortcuts' }).click();
  await dialog().getByRole('heading', { name: 'Jupyter Command Mode' }).waitFor();
  expect(await dialog().locator('.shortcut').allInnerTexts()).toEqual(rows);
  await press('Escape');
  expect(walk.watched.complaints).toEqual([]);
});
