/** The page of a note: commands by key, menu and bar, panels, schedule and forms. */

import type { Note } from '@tiding/client';
import { beforeEach, describe, expect, it } from 'vitest';
import { noteMenu, showNote } from '../support/page.ts';
import { untilEnd } from '../support/until-end.ts';
import { inFront, noteOf, partsOf, startWalk } from '../support/walk.ts';

const walk = untilEnd(await startWalk());
const { embedded, watched, page, client } = walk;
let note: Note;
let made = 0;

/** Creates a note, by default with four paragraphs, and opens it in the page and in the client. */
async function open(
  texts: readonly string[] = ['%md\none', '%md\ntwo', '%md\nthree', '%md\nfour'],
): Promise<void> {
  note?.close();
  note = await noteOf(client, `folder/Page ${(made += 1)}`, texts);
  await showNote(page, embedded.server.url, note.id, texts.length);
  await expect.poll(() => page.locator('article').count()).toBe(texts.length);
}
const { article, focus, dialog } = partsOf(() => page);
const texts = () => note.paragraphs.map((paragraph) => paragraph.text);

describe('the page of a note', () => {
  beforeEach(() => open());

  it('moves, clones, inserts and removes the focused paragraph with shortcuts', async () => {
    await focus(2);
    await page.keyboard.press('Control+Alt+k');
    await expect.poll(texts).toEqual(['%md\none', '%md\nthree', '%md\ntwo', '%md\nfour']);
    await page.keyboard.press('Control+Alt+j');
    await expect.poll(texts).toEqual(['%md\none', '%md\ntwo', '%md\nthree', '%md\nfour']);
    await focus(0);
    await page.keyboard.press('Control+Shift+c');
    await expect
      .poll(texts)
      .toEqual(['%md\none', '%md\none', '%md\ntwo', '%md\nthree', '%md\nfour']);
    // This client may receive the change before the page does.
    await expect.poll(() => page.locator('article').count()).toBe(5);
    // A Zeppelin can't restore output, so only there the page asks if there is some.
    if (inFront) {
      await note.paragraphs[1]!.run();
      await expect.poll(() => article(1).getAttribute('data-status')).toBe('FINISHED');
    }
    await focus(1);
    await page.keyboard.press('Control+Alt+d');
    if (inFront) {
      await dialog().getByText('Do you want to delete this paragraph?').waitFor();
      await dialog().getByRole('button', { name: 'Remove' }).click();
    }
    await expect.poll(texts).toEqual(['%md\none', '%md\ntwo', '%md\nthree', '%md\nfour']);
    await focus(0);
    await page.keyboard.press('Control+Alt+b');
    await expect.poll(() => note.paragraphs.length).toBe(5);
    // The new paragraph has the cursor.
    await article(1).locator('.cm-focused').waitFor();
    await page.keyboard.type('typed');
    await expect.poll(() => page.locator('article').nth(1).textContent()).toContain('typed');
    // Leaving the editor saves the text; otherwise the page would ask before opening another note.
    await focus(0);
    await expect.poll(() => note.paragraphs[1]!.text).toContain('typed');
    await expect.poll(() => page.getByText('Saved', { exact: true }).count()).toBe(1);
  });

  it('toggles parts of a paragraph with keyboard shortcuts', async () => {
    await focus(1);
    const config = () => note.paragraphs[1]!.state.server.config ?? {};
    for (const [keys, name, on] of [
      ['Control+Alt+e', 'editorHide', true],
      ['Control+Alt+e', 'editorHide', false],
      ['Control+Alt+o', 'tableHide', true],
      ['Control+Alt+t', 'title', true],
      ['Control+Alt+m', 'lineNumbers', true],
      ['Control+Alt+r', 'enabled', false],
      ['Control+Shift+-', 'colWidth', 11],
      ['Control+Shift+-', 'colWidth', 10],
      ['Control+Shift+=', 'colWidth', 11],
    ] as const) {
      await page.keyboard.press(keys);
      await expect.poll(() => config()[name], { message: `${keys} ${name}` }).toBe(on);
    }
  });

  it.skipIf(inFront)('runs all paragraphs above or below after confirmation', async () => {
    await focus(2);
    await page.keyboard.press('Control+Shift+Enter');
    await dialog().getByText('Run paragraphs:').waitFor();
    await dialog().getByRole('button', { name: 'Run all above' }).click();
    const statuses = () => note.paragraphs.map(({ status }) => status);
    await expect.poll(statuses).toEqual(['FINISHED', 'FINISHED', 'READY', 'READY']);
    await page.keyboard.press('Control+Shift+ArrowDown');
    await dialog().getByText('Run current and all below?').waitFor();
    await dialog().getByRole('button', { name: 'Run', exact: true }).click();
    await expect.poll(statuses).toEqual(['FINISHED', 'FINISHED', 'FINISHED', 'FINISHED']);
  });

  it('keeps the only paragraph [W81]', async () => {
    await open(['%md\nalone']);
    await focus(0);
    await page.keyboard.press('Control+Alt+d');
    await dialog().getByText("All the paragraphs can't be deleted.").waitFor();
    await dialog().getByRole('button', { name: 'Close' }).click();
    expect(texts()).toEqual(['%md\nalone']);
  });

  it('finds any command by its name', async () => {
    await focus(1);
    await page.keyboard.press('Control+Alt+p');
    await page.getByRole('combobox', { name: 'All commands' }).fill('move to the bot');
    await page.keyboard.press('Enter');
    await expect.poll(texts).toEqual(['%md\none', '%md\nthree', '%md\nfour', '%md\ntwo']);
    await page.keyboard.press('F1');
    await page.getByRole('combobox', { name: 'All commands' }).fill('schedule');
    await page.keyboard.press('Enter');
    await dialog().getByText('Run note with cron scheduler').waitFor();
    await page.keyboard.press('Escape');
  });

  it('lists the keyboard shortcuts', async () => {
    await page.getByRole('button', { name: 'More', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Keyboard shortcuts' }).click();
    await dialog().getByText('Note Keyboard Shortcuts').waitFor();
    await expect
      .poll(() => dialog().locator('.shortcut', { hasText: 'Run paragraph' }).first().textContent())
      .toContain('ShiftEnter');
    await page.keyboard.press('Escape');
    await dialog().waitFor({ state: 'detached' });
  });

  it.skipIf(inFront)('saves permissions and confirms them [W71 W73 W110]', async () => {
    await noteMenu(page, 'Note Permissions');
    const panel = page.getByRole('complementary', { name: 'Note Permissions' });
    await panel.getByLabel('Readers').fill('ann, analysts ');
    await panel.getByRole('button', { name: 'Remove ann' }).waitFor();
    // Closing the panel asks about unsaved changes.
    await panel.getByRole('button', { name: 'Close panel' }).click();
    await dialog().getByText('Changes will be discarded.').waitFor();
    await dialog().getByRole('button', { name: 'Cancel' }).click();
    for (const name of ['Remove admin'])
      for (const chip of await panel.getByRole('button', { name }).all()) await chip.click();
    await panel.getByRole('button', { name: 'Save permissions' }).click();
    await dialog()
      .getByText('Please fill the [Owners] field. If not, it will set as current user.')
      .waitFor();
    await dialog().getByRole('button', { name: 'Set' }).click();
    await dialog().getByText('Permissions Saved Successfully').waitFor();
    await dialog().getByRole('button', { name: 'Close' }).click();
    const saved = await note.permissions();
    expect(saved.owners).toEqual(['admin']);
    expect(saved.readers).toEqual(expect.arrayContaining(['ann', 'analysts']));
    await panel.getByRole('button', { name: 'Close panel' }).click();
    await panel.waitFor({ state: 'detached' });
  });

  it.skipIf(inFront)('reorders bound interpreters, shows one panel at a time [W18]', async () => {
    await noteMenu(page, 'Note Permissions');
    await noteMenu(page, 'Interpreter binding');
    const panel = page.getByRole('complementary', { name: 'Interpreter binding' });
    await panel.getByRole('listitem').first().waitFor();
    expect(await page.getByRole('complementary', { name: 'Note Permissions' }).count()).toBe(0);
    const before = (await note.bindings()).filter(({ selected }) => selected).map(({ id }) => id);
    const grip = panel.getByRole('button', { name: /^Move / }).nth(1);
    await grip.focus();
    await page.keyboard.press('Space');
    await expect.poll(() => grip.getAttribute('aria-pressed')).toBe('true');
    await page.keyboard.press('ArrowUp');
    // The first row makes room.
    const first = panel.getByRole('listitem').first();
    await expect.poll(() => first.evaluate(({ style }) => style.transform)).not.toBe('');
    await page.keyboard.press('Space');
    await panel.getByRole('button', { name: 'Save', exact: true }).click();
    await panel.waitFor({ state: 'detached' });
    const after = (await note.bindings()).filter(({ selected }) => selected).map(({ id }) => id);
    expect(after).toEqual([before[1], before[0], ...before.slice(2)]);
  });

  it.skipIf(inFront)(
    'schedules a note, describes the schedule and lists the next runs [W57]',
    async () => {
      await noteMenu(page, 'Schedule: None');
      await dialog().getByRole('radio', { name: '5m' }).click();
      await expect.poll(() => note.state.config.cron).toBe('0 0/5 * * * ?');
      expect(note.state.config.cronExecutingUser).toBe('admin');
      await dialog().getByText('Every 5 minutes').waitFor();
      await expect.poll(() => dialog().locator('.next-runs li').count()).toBe(3);
      await dialog().getByLabel('Cron expression').fill('nonsense');
      await dialog().getByText("CronExpression 'nonsense' is invalid.").waitFor();
      await dialog().getByLabel('Cron expression').fill('0 30 9 ? * MON-FRI');
      await expect.poll(() => note.state.config.cron).toBe('0 30 9 ? * MON-FRI');
      await dialog().getByText('Alerts: off').click();
      await dialog().getByLabel('A run failed').check();
      await dialog().getByLabel('A result meets a condition').check();
      await dialog().getByLabel('Column').fill('revenue');
      await dialog().getByLabel('Compared with').fill('100');
      await dialog().getByLabel('Repeat a failed run').selectOption('2');
      await dialog().getByText('This server sends no mail: TIDING_SMTP_URL is not set.').waitFor();
      await dialog().getByLabel('Webhook').fill('https://hooks.acme.org/x');
      await dialog().getByRole('button', { name: 'Save alerts' }).click();
      await dialog().getByText('Alerts: A run failed, A result meets a condition').waitFor();
      const { alerts } = await client.jobs.alerts(note.id);
      expect(alerts).toMatchObject({
        ...{ on: ['failure', 'condition'], mail: [], retries: 2 },
        webhook: 'https://hooks.acme.org/x',
        condition: { column: 'revenue', aggregate: 'first', is: '<', value: '100' },
      });
      await dialog().getByRole('radio', { name: 'None' }).click();
      await expect.poll(() => note.state.config.cron ?? '').toBe('');
      expect(note.state.config.cronExecutingUser ?? '').toBe('');
      await page.keyboard.press('Escape');
    },
  );

  it('shows the forms of the note, edits their title and removes one', async () => {
    await open(['%md\nHello $${name=you}']);
    await article(0)
      .getByRole('button', { name: /Run this paragraph/ })
      .click();
    const forms = page.getByRole('region', { name: 'Note forms' });
    await forms.getByRole('textbox', { name: 'name' }).waitFor();
    await forms.getByRole('textbox', { name: 'name' }).fill('Ann');
    await page.keyboard.press('Enter');
    await expect.poll(() => note.state.params['name']).toBe('Ann');
    await forms.getByRole('button', { name: 'Untitled form' }).click();
    await page.keyboard.type('Who');
    await page.keyboard.press('Enter');
    await expect.poll(() => note.state.config.noteFormTitle).toBe('Who');
    await forms.getByRole('button', { name: 'Remove name' }).click();
    await forms.waitFor({ state: 'detached' });
  });

  it.skipIf(inFront)('switches to personal mode and back [W56]', async () => {
    for (const [name, words, mode] of [
      ['Switch to personal mode', 'Do you want to personalize your analysis?', 'true'],
      ['Switch to collaboration mode', 'Do you want to collaborate your analysis?', 'false'],
    ] as const) {
      await page.getByRole('button', { name: 'More', exact: true }).click();
      await page.getByRole('menuitem', { name: new RegExp(name) }).click();
      await dialog().getByText(words).waitFor();
      await dialog().getByRole('button', { name: 'Change' }).click();
      await expect.poll(() => note.state.config.personalizedMode).toBe(mode);
    }
  });

  it('logs no errors', () => {
    expect(watched.complaints).toEqual([]);
  });
});
