/** Layouts of a note, its forms, and active content in results. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Note } from '@tiding/client';
import { parseDate } from '@tiding/client/model';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { Users } from '../../server/auth/users.ts';
import { noteMenu, openPage, showNote } from '../support/page.ts';
import { untilEnd } from '../support/until-end.ts';
import { inFront, noteOf, partsOf, startWalk } from '../support/walk.ts';

const walk = untilEnd(await startWalk());
const { embedded, watched, page, client } = walk;
let note: Note;
let made = 0;

/** Creates a note with the given paragraphs and opens it in the page and in the client. */
async function open(texts: readonly string[], { run = true } = {}): Promise<void> {
  note?.close();
  note = await noteOf(client, `looks/Walk ${(made += 1)}`, texts);
  if (run)
    for (const paragraph of note.paragraphs)
      if (paragraph.text.trim() !== '') await paragraph.run();
  await showNote(page, embedded.server.url, note.id);
}
const { article, dialog } = partsOf(() => page);
const seen = (selector: string) =>
  page
    .locator(selector)
    .first()
    .evaluate((element) => {
      for (let each: Element | null = element; each; each = each.parentElement)
        if (
          getComputedStyle(each).opacity === '0' ||
          getComputedStyle(each).visibility === 'hidden'
        )
          return false;
      return element.getClientRects().length > 0;
    });
/** Moves the pointer to an empty area. */
const rest = () => page.mouse.move(700, 880);

describe('layout of a note', () => {
  beforeAll(async () => {
    await open([
      '%md\n# Head',
      '%sql\nselect i, i * i as sq from range(3) r(i)',
      '%md\nhidden words',
      '',
    ]);
    await note.paragraphs[1]!.setTitle('Squares');
    await note.paragraphs[1]!.configure({ title: true });
    await note.paragraphs[2]!.configure({ tableHide: true });
  });

  it('default: draws boxes and a dashed border for the empty last paragraph [W17]', async () => {
    const border = (index: number) =>
      article(index).evaluate((element) => getComputedStyle(element).borderTopStyle);
    expect(await border(1)).toBe('solid');
    expect(await border((await page.locator('article').count()) - 1)).toBe('dashed');
  });

  it.skipIf(inFront)(
    'simple: hides borders and controls without hover or focus, keeps the title [W17]',
    async () => {
      await page.getByRole('button', { name: 'Layout: Default' }).click();
      await page.getByRole('menuitemcheckbox', { name: 'Simple' }).click();
      await page.locator('.notebook.simple').waitFor();
      await page.keyboard.press('Escape');
      await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
      await rest();
      const clear = 'rgba(0, 0, 0, 0)';
      const border = () =>
        article(1).evaluate((element) => getComputedStyle(element).borderTopColor);
      const squares = 'article[aria-label^="Squares"]';
      const shown = (selector: string) => expect.poll(() => seen(selector), { message: selector });
      await expect.poll(border).toBe(clear);
      expect(await seen(`${squares} .paragraph-title`)).toBe(true);
      for (const part of ['.run', '.status', '.result-bar', '.paragraph-foot'])
        await shown(`${squares} ${part}`).toBe(false);
      expect(await seen('.note-name h1')).toBe(true);
      await shown('.note-bar .button.primary').toBe(false);
      await article(1).hover();
      for (const part of ['.run', '.status', '.result-bar', '.paragraph-foot'])
        await shown(`${squares} ${part}`).toBe(true);
      await expect.poll(border).not.toBe(clear);
      await rest();
      await shown(`${squares} .run`).toBe(false);
      await article(1).locator('.run').focus();
      await shown(`${squares} .run`).toBe(true);
      await page.locator('.note-bar').hover();
      await shown('.note-bar .button.primary').toBe(true);
    },
  );

  it.skipIf(inFront)('report: shows results only, no editing and shortcuts [W17]', async () => {
    await page.getByRole('button', { name: 'Layout: Simple' }).click();
    await page.getByRole('menuitemcheckbox', { name: 'Report' }).click();
    await page.locator('.notebook.report').waitFor();
    // Paragraphs with hidden output and the empty last paragraph are not shown.
    await expect.poll(() => page.locator('article').count()).toBe(2);
    const parts = '.paragraph-head .code-part .paragraph-foot .result-bar .insert .add-bar';
    for (const part of `${parts} .resize-handle`.split(' '))
      expect(await page.locator(part).count(), part).toBe(0);
    await expect.poll(() => page.getByRole('heading', { name: 'Squares' }).isVisible()).toBe(true);
    expect(
      await page
        .locator('.cell')
        .evaluateAll(
          (cells) =>
            cells.filter((cell) => cell.childElementCount === 0 && cell.getClientRects().length > 0)
              .length,
        ),
    ).toBe(0);
    const before = note.paragraphs.length;
    for (const keys of ['Control+Alt+b', 'Control+Alt+l', 'F1', 'Control+Alt+p'])
      await page.keyboard.press(keys);
    expect(await dialog().count()).toBe(0);
    expect(note.paragraphs.length).toBe(before);
    await page.locator('.note-bar').hover();
    // The note can't be renamed or run; only forms run paragraphs.
    expect(await page.locator('.note-name button').count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Run all' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Layout: Report' }).waitFor();
    await noteMenu(page);
    const items = (await page.locator('[role^=menuitem]').allInnerTexts()).map((item) =>
      item.split('\n')[0]!.trim(),
    );
    for (const name of ['Interpreter binding', 'Note Permissions']) expect(items).toContain(name);
    for (const name of [
      'Hide all output',
      'Clear all output',
      'Schedule: None',
      'Clone this note',
      'Export this note',
      'Move this note to trash',
      'Hide all code',
    ])
      expect(items).not.toContain(name);
    await page.keyboard.press('Escape');
    await rest();
  });

  it.skipIf(inFront)('report: says when it was updated, and how often it is', async () => {
    const times = page.locator('.report-times');
    const ended = note.paragraphs.map(({ state }) => parseDate(state.server.dateFinished));
    const last = Math.max(...ended.map((date) => date?.getTime() ?? 0));
    await expect
      .poll(() => times.locator('time').getAttribute('datetime'))
      .toBe(new Date(last).toISOString());
    await note.setSchedule('0 0 6 ? * MON-FRI');
    await expect.poll(() => times.innerText()).toMatch(/^Updated .+ · At 06:00, Monday/);
    await note.setSchedule(undefined);
    await expect.poll(() => times.innerText()).not.toContain('06:00');
  });

  it.skipIf(inFront)('uses the default layout for another note', async () => {
    const report = note.id;
    await open(['%md\nplain']);
    await page.goto(`${embedded.server.url}/#/notebook/${report}`);
    await page.locator('.notebook.report').waitFor();
    await page.goto(`${embedded.server.url}/#/notebook/${note.id}`);
    await page.locator('.notebook.default').waitFor();
    expect(await page.locator('.notebook.report').count()).toBe(0);
  });
});

describe('forms of a paragraph', () => {
  const param = (name: string) => note.paragraphs[0]!.state.server.settings?.params?.[name];
  const printed = () => article(0).locator('.output-part').innerText();

  it('run after a selection, or a pause in typing, and keep the cursor', async () => {
    await open([
      '%md\nfrom ${city(Town)=Oslo,Oslo(The capital)|Bergen} with ${greeting=hello} ' +
        'and ${checkbox( + ):extras=a|b,a(First)|b|c}',
    ]);
    await expect
      .poll(() =>
        article(0).getByRole('combobox', { name: 'Town' }).locator('option').allInnerTexts(),
      )
      .toEqual(['The capital', 'Bergen']);
    await expect.poll(() => article(0).getByRole('checkbox').count()).toBe(3);
    await article(0).getByRole('combobox', { name: 'Town' }).selectOption({ label: 'Bergen' });
    await expect.poll(printed).toContain('from Bergen with hello and a + b');
    // The fields are disabled during a run.
    const over = () => expect.poll(() => article(0).getAttribute('data-status')).toBe('FINISHED');
    await over();
    await article(0).getByRole('checkbox', { name: 'First' }).uncheck();
    await expect.poll(printed).toContain('and b');
    expect(param('extras')).toEqual(['b']);
    await over();
    const text = article(0).getByRole('textbox', { name: 'greeting' });
    await text.fill('good day');
    await expect.poll(printed).toContain('with good day');
    // The field looks disabled during the run and keeps the cursor.
    await expect.poll(() => text.getAttribute('aria-disabled')).toBe(null);
    await page.keyboard.type(' all');
    await expect.poll(printed).toContain('with good day all');
    expect(
      await text.evaluate(
        (element) => (element.getRootNode() as ShadowRoot).activeElement === element,
      ),
    ).toBe(true);
    expect(param('city')).toBe('Bergen');
    // Three columns on a large screen, two on a small one.
    const columns = () =>
      article(0)
        .locator('.forms')
        .evaluate((element) => getComputedStyle(element).gridTemplateColumns.split(' ').length);
    expect(await columns()).toBe(3);
    await page.setViewportSize({ width: 500, height: 900 });
    expect(await columns()).toBe(2);
    await page.setViewportSize({ width: 1440, height: 900 });
  });

  it('wait for Enter if run on selection change is off, and hide with the output', async () => {
    await open(['%md\n${greeting=hello} ${city=Oslo,Oslo|Bergen}']);
    // The first display gives every form its default value.
    await note.paragraphs[0]!.configure({ runOnSelectionChange: false });
    await article(0).getByRole('button', { name: 'More actions' }).click();
    const entry = page.getByRole('menuitemcheckbox', { name: 'Run on selection change' });
    await entry.waitFor();
    await expect.poll(() => entry.getAttribute('title')).toContain('Enter');
    await page.keyboard.press('Escape');
    await article(0).getByRole('combobox', { name: 'city' }).selectOption('Bergen');
    await expect.poll(() => param('city')).toBe('Bergen');
    await page.waitForTimeout(300);
    expect(await printed()).toContain('hello Oslo');
    const text = article(0).getByRole('textbox', { name: 'greeting' });
    await text.fill('bye');
    await text.press('Enter');
    await expect.poll(printed).toContain('bye Bergen');
    await expect.poll(() => note.paragraphs[0]!.status).toBe('FINISHED');
    await note.paragraphs[0]!.configure({ tableHide: true });
    await article(0).locator('.forms').waitFor({ state: 'detached' });
  });

  it('are searchable with hundreds of options', async () => {
    const options = Array.from({ length: 300 }, (_, n) => `v${n}(Number ${n})`).join('|');
    await open([`%md\nchosen \${many=v7,${options}}`]);
    const field = article(0).getByRole('combobox', { name: 'many' });
    await expect.poll(() => field.inputValue()).toBe('Number 7');
    await field.fill('299');
    await page.getByRole('option', { name: 'Number 299' }).click();
    await expect.poll(printed).toContain('chosen v299');
    await expect.poll(() => field.inputValue()).toBe('Number 299');
  });

  it('can be locked by the host page: read-only, and used in every run', async () => {
    await open(['%md\nregion ${region=US,US|EU} in ${year=2024}']);
    await page.evaluate(
      ({ noteId, id }) => {
        const element = document.createElement('tiding-paragraph');
        element.setAttribute('note', noteId);
        element.setAttribute('paragraph', id);
        element.setAttribute('locked', '{"region":"EU"}');
        document.querySelector('tiding-workbench')!.replaceChildren(element);
      },
      { noteId: note.id, id: note.paragraphs[0]!.id },
    );
    const one = page.locator('tiding-paragraph article');
    const region = one.getByRole('combobox', { name: 'region' });
    await region.waitFor();
    expect(
      await region.evaluate((element) => (element as HTMLSelectElement).selectedOptions[0]!.text),
    ).toBe('EU');
    await expect.poll(() => region.getAttribute('aria-disabled')).toBe('true');
    await one.getByRole('button', { name: /Run this paragraph/ }).click();
    await one.getByText('region EU in 2024').waitFor();
    await one.getByRole('textbox', { name: 'year' }).fill('2025');
    await page.keyboard.press('Enter');
    await one.getByText('region EU in 2025').waitFor();
  });

  it('of the note can be locked by the host page, also in the first run', async () => {
    await open(
      ['%md\nregion $${region=US,US|EU} in ${year=2024}', '%md\nagain $${region=US,US|EU}'],
      { run: false },
    );
    await page.evaluate((noteId) => {
      const element = document.createElement('tiding-notebook');
      element.setAttribute('note', noteId);
      element.setAttribute('locked', '{"region":"EU"}');
      document.querySelector('tiding-workbench')!.replaceChildren(element);
    }, note.id);
    const whole = page.locator('tiding-notebook');
    await whole
      .locator('article')
      .first()
      .getByRole('button', { name: /Run this paragraph/ })
      .click();
    await whole.getByText('region EU in 2024').waitFor();
    const region = whole
      .getByRole('region', { name: 'Note forms' })
      .getByRole('combobox', { name: 'region' });
    await region.waitFor();
    expect(
      await region.evaluate((element) => (element as HTMLSelectElement).selectedOptions[0]!.text),
    ).toBe('EU');
    await expect.poll(() => region.getAttribute('aria-disabled')).toBe('true');
    // Neither the keyboard nor another form field changes a locked value.
    await region.focus();
    await page.keyboard.press('ArrowUp');
    await whole.getByRole('textbox', { name: 'year' }).fill('2025');
    await page.keyboard.press('Enter');
    await whole.getByText('region EU in 2025').waitFor();
    // Another client chose a different value; runs from this page still use the locked one.
    await note.setParams({ region: 'US' });
    await whole.getByRole('button', { name: 'Run all', exact: true }).click();
    await dialog().getByRole('button', { name: 'Run all', exact: true }).click();
    await whole.getByText('again EU').waitFor();
    await whole.getByText('region EU in 2025').waitFor();
    expect(
      await region.evaluate((element) => (element as HTMLSelectElement).selectedOptions[0]!.text),
    ).toBe('EU');
  });
});

describe('active content', () => {
  const html =
    '<p id="word">still</p><script>document.getElementById("word").textContent = "moved"</script>';
  const file = {
    name: 'looks/From elsewhere',
    paragraphs: [
      {
        text: '%html',
        status: 'FINISHED',
        results: { code: 'SUCCESS', msg: [{ type: 'HTML', data: html }] },
      },
    ],
  };
  const frame = (at: Page = page) => at.frameLocator('article iframe');

  it.skipIf(inFront)(
    'of an imported note is off until its reader trusts it; the decision is per user and logged',
    async () => {
      note?.close();
      note = await client.open(await client.notes.importNote(file));
      await page.goto(`${embedded.server.url}/#/notebook/${note.id}`);
      await page
        .getByText('This note was imported by admin. Scripts in its results are off.')
        .waitFor();
      await frame().getByText('still').waitFor();
      await page.getByRole('button', { name: 'Show active content' }).click();
      await dialog().getByText('Trust this note?').waitFor();
      await dialog().getByRole('button', { name: 'Trust this note' }).click();
      await frame().getByText('moved').waitFor();
      expect(await page.locator('.trust-strip').count()).toBe(0);
      await page.reload();
      await frame().getByText('moved').waitFor();
      // The decision of one user does not apply to others.
      await new Users(embedded.data).set('eve', { password: 'eves-password-is-long' });
      const { page: evePage, close } = await openPage(walk.browser);
      await evePage.goto(embedded.server.url);
      await evePage.getByLabel('User Name').fill('eve');
      await evePage.getByLabel('Password').fill('eves-password-is-long');
      await evePage.getByRole('button', { name: 'Sign in', exact: true }).click();
      await evePage.getByRole('button', { name: 'Import' }).waitFor();
      await evePage.goto(`${embedded.server.url}/#/notebook/${note.id}`);
      await frame(evePage).getByText('still').waitFor();
      await evePage.getByText('Scripts in its results are off.').waitFor();
      await close();
      // The decision can be revoked.
      await page.getByRole('button', { name: 'More', exact: true }).click();
      await page.getByRole('menuitem', { name: 'Turn off active content' }).click();
      await frame().getByText('still').waitFor();
      const log = () => readFile(join(embedded.data, 'audit.log'), 'utf8');
      await expect
        .poll(
          async () =>
            (await log())
              .split('\n')
              .filter(
                (line) =>
                  line.includes('"note-trusted"') &&
                  line.includes(note.id) &&
                  line.includes('"admin"'),
              ).length,
        )
        .toBe(2);
    },
  );

  it.skipIf(inFront)(
    'runs in a note typed by the reader, but not in a copy of an untrusted one',
    async () => {
      await open([`%js\nconsole.log('%html ${html.replaceAll("'", "\\'")}')`]);
      await frame().getByText('moved').waitFor();
      const imported = await client.notes.importNote(file, 'looks/Untrusted');
      const copy = await client.notes.clone(imported, 'looks/A copy');
      await page.goto(`${embedded.server.url}/#/notebook/${copy}`);
      await page.getByText('This note was copied by admin').waitFor();
      await frame().getByText('still').waitFor();
    },
  );

  it('logs no errors other than blocked scripts', () => {
    expect(
      watched.complaints.filter((line) => !/inline script|Content Security Policy/i.test(line)),
    ).toEqual([]);
  });
});
