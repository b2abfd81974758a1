/** How a note looks, its forms, and what is active in its results. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import type { Note } from 'tiding/client';
import { Users } from '../../app/server/auth/users.ts';
import { openPage } from '../support/page.ts';
import { inFront, noteOf, partsOf, startWalk, type Walk } from '../support/walk.ts';

const walk = await startWalk();
const { embedded, watched, page, client } = walk;
let note: Note;
let made = 0;

/** A note of the given paragraphs, open here and on the page. */
async function open(texts: readonly string[], { run = true } = {}): Promise<void> {
  note?.close();
  note = await noteOf(client, `looks/Walk ${(made += 1)}`, texts);
  if (run)
    for (const paragraph of note.paragraphs)
      if (paragraph.text.trim() !== '') await paragraph.run();
  await page.goto(`${embedded.server.url}/#/notebook/${note.id}`);
  await page.locator('article').first().waitFor();
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
/** The pointer rests where nothing is. */
const rest = () => page.mouse.move(700, 880).then(() => page.waitForTimeout(200));

afterAll(async () => {
  note?.close();
  await walk.stop();
});

describe('the look of a note', () => {
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
  }, 60_000);

  it('default: boxes, the empty last paragraph lighter', async () => {
    const border = (index: number) =>
      article(index).evaluate((element) => getComputedStyle(element).borderTopStyle);
    expect(await border(1)).toBe('solid');
    expect(await border((await page.locator('article').count()) - 1)).toBe('dashed');
  });

  it.skipIf(inFront)(
    'simple: white, no borders and no controls until the pointer or the focus is there; the title stays',
    async () => {
      await page.getByRole('button', { name: 'Look: Default' }).click();
      await page.getByRole('menuitemcheckbox', { name: 'Simple' }).click();
      await page.locator('.notebook.simple').waitFor();
      await page.keyboard.press('Escape');
      await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
      await rest();
      const clear = 'rgba(0, 0, 0, 0)';
      expect(await article(1).evaluate((element) => getComputedStyle(element).borderTopColor)).toBe(
        clear,
      );
      expect(await seen('article[aria-label^="Squares"] .paragraph-title')).toBe(true);
      for (const part of ['.run', '.status', '.result-bar', '.paragraph-foot'])
        expect(await seen(`article[aria-label^="Squares"] ${part}`), part).toBe(false);
      expect(await seen('.note-name h1')).toBe(true);
      expect(await seen('.note-bar .button.primary')).toBe(false);
      await article(1).hover();
      await page.waitForTimeout(200);
      for (const part of ['.run', '.status', '.result-bar', '.paragraph-foot'])
        expect(await seen(`article[aria-label^="Squares"] ${part}`), part).toBe(true);
      expect(
        await article(1).evaluate((element) => getComputedStyle(element).borderTopColor),
      ).not.toBe(clear);
      await rest();
      await article(1).locator('.run').focus();
      await page.waitForTimeout(200);
      expect(await seen('article[aria-label^="Squares"] .run')).toBe(true);
      await page.locator('.note-bar').hover();
      await page.waitForTimeout(200);
      expect(await seen('.note-bar .button.primary')).toBe(true);
    },
  );

  it.skipIf(inFront)('report: results alone, nothing that changes the note, keys off', async () => {
    await page.getByRole('button', { name: 'Look: Simple' }).click();
    await page.getByRole('menuitemcheckbox', { name: 'Report' }).click();
    await page.locator('.notebook.report').waitFor();
    // Hidden output and the empty last paragraph are gone.
    await expect.poll(() => page.locator('article').count()).toBe(2);
    for (const part of [
      '.paragraph-head',
      '.code-part',
      '.paragraph-foot',
      '.result-bar',
      '.insert',
      '.add-bar',
      '.resize-handle',
    ])
      expect(await page.locator(part).count(), part).toBe(0);
    expect(await page.getByRole('heading', { name: 'Squares' }).isVisible()).toBe(true);
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
    expect(await page.getByRole('button', { name: 'Run all' }).isVisible()).toBe(true);
    for (const name of ['Interpreter binding', 'Note Permissions', 'Look: Report'])
      expect(await page.getByRole('button', { name }).isVisible(), name).toBe(true);
    for (const name of ['Hide all code', 'Hide all output', 'Clear all output', 'Schedule: None'])
      expect(await page.getByRole('button', { name }).count(), name).toBe(0);
    await page.getByRole('button', { name: 'More', exact: true }).click();
    const items = (await page.getByRole('menuitem').allInnerTexts()).map((item) =>
      item.split('\n')[0]!.trim(),
    );
    for (const name of [
      'Clone this note',
      'Export this note',
      'Move this note to trash',
      'Hide all code',
    ])
      expect(items).not.toContain(name);
    await page.keyboard.press('Escape');
    await rest();
  });

  it.skipIf(inFront)('is the default one on every other page until its note is there', async () => {
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

  it('act at once for a choice, a second after the last key for a text, and keep the cursor meanwhile', async () => {
    await open([
      '%md\nfrom ${city(Town)=Oslo,Oslo(The capital)|Bergen} with ${greeting=hello} and ${checkbox( + ):extras=a|b,a(First)|b|c}',
    ]);
    expect(
      await article(0).getByRole('combobox', { name: 'Town' }).locator('option').allInnerTexts(),
    ).toEqual(['The capital', 'Bergen']);
    expect(await article(0).getByRole('checkbox').count()).toBe(3);
    await article(0).getByRole('combobox', { name: 'Town' }).selectOption({ label: 'Bergen' });
    await expect.poll(printed, { timeout: 5_000 }).toContain('from Bergen with hello and a + b');
    // While it runs the fields are off.
    const over = () => expect.poll(() => article(0).getAttribute('data-status')).toBe('FINISHED');
    await over();
    await article(0).getByRole('checkbox', { name: 'First' }).uncheck();
    await expect.poll(printed, { timeout: 5_000 }).toContain('and b');
    expect(param('extras')).toEqual(['b']);
    await over();
    const text = article(0).getByRole('textbox', { name: 'greeting' });
    await text.fill('good day');
    await expect.poll(printed, { timeout: 5_000 }).toContain('with good day');
    // It looks off while that runs, and has the cursor still.
    await expect.poll(() => text.getAttribute('aria-disabled')).toBe(null);
    await page.keyboard.type(' all');
    await expect.poll(printed, { timeout: 5_000 }).toContain('with good day all');
    expect(
      await text.evaluate(
        (element) => (element.getRootNode() as ShadowRoot).activeElement === element,
      ),
    ).toBe(true);
    expect(param('city')).toBe('Bergen');
    // Three in a row on a large screen, two on a small one.
    const columns = () =>
      article(0)
        .locator('.forms')
        .evaluate((element) => getComputedStyle(element).gridTemplateColumns.split(' ').length);
    expect(await columns()).toBe(3);
    await page.setViewportSize({ width: 500, height: 900 });
    expect(await columns()).toBe(2);
    await page.setViewportSize({ width: 1440, height: 900 });
  }, 40_000);

  it('wait for Enter where they do not act, and are gone with the output', async () => {
    await open(['%md\n${greeting=hello} ${city=Oslo,Oslo|Bergen}']);
    // The first display gives every form its default value.
    await note.paragraphs[0]!.configure({ runOnSelectionChange: false });
    await article(0).getByRole('button', { name: 'More actions' }).click();
    const entry = page.getByRole('menuitemcheckbox', { name: 'Run on selection change' });
    await entry.waitFor();
    expect(await entry.getAttribute('title')).toContain('Enter');
    await page.keyboard.press('Escape');
    await article(0).getByRole('combobox', { name: 'city' }).selectOption('Bergen');
    await expect.poll(() => param('city')).toBe('Bergen');
    await page.waitForTimeout(300);
    expect(await printed()).toContain('hello Oslo');
    const text = article(0).getByRole('textbox', { name: 'greeting' });
    await text.fill('bye');
    await text.press('Enter');
    await expect.poll(printed, { timeout: 5_000 }).toContain('bye Bergen');
    await note.paragraphs[0]!.configure({ tableHide: true });
    await article(0).locator('.forms').waitFor({ state: 'detached' });
  }, 40_000);

  it('look off while the paragraph runs', async () => {
    await open(['%sh\nsleep 3; echo ${word=x}'], { run: false });
    await article(0).locator('.run').click();
    const text = article(0).getByRole('textbox', { name: 'word' });
    await text.waitFor();
    expect(await text.getAttribute('aria-disabled')).toBe('true');
    expect(await text.evaluate((element) => (element as HTMLInputElement).readOnly)).toBe(true);
    await expect.poll(() => text.getAttribute('aria-disabled'), { timeout: 15_000 }).toBe(null);
  }, 30_000);

  it('have a search where there are hundreds of options', async () => {
    const options = Array.from({ length: 300 }, (_, n) => `v${n}(Number ${n})`).join('|');
    await open([`%md\nchosen \${many=v7,${options}}`]);
    const field = article(0).getByRole('combobox', { name: 'many' });
    await expect.poll(() => field.inputValue()).toBe('Number 7');
    await field.fill('299');
    await page.getByRole('option', { name: 'Number 299' }).click();
    await expect.poll(printed, { timeout: 5_000 }).toContain('chosen v299');
    await expect.poll(() => field.inputValue()).toBe('Number 299');
  }, 30_000);

  it('can be given from outside: shown, not editable, and the values of every run', async () => {
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
    expect(await region.getAttribute('aria-disabled')).toBe('true');
    await one.getByRole('button', { name: /Run this paragraph/ }).click();
    await one.getByText('region EU in 2024').waitFor();
    await one.getByRole('textbox', { name: 'year' }).fill('2025');
    await page.keyboard.press('Enter');
    await one.getByText('region EU in 2025').waitFor();
  }, 30_000);

  it('of the whole note can be given from outside too: in every run, the first one as well', async () => {
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
      .getByRole('region', { name: 'Forms of the note' })
      .getByRole('combobox', { name: 'region' });
    await region.waitFor();
    expect(
      await region.evaluate((element) => (element as HTMLSelectElement).selectedOptions[0]!.text),
    ).toBe('EU');
    expect(await region.getAttribute('aria-disabled')).toBe('true');
    // Neither the keys nor another field of a form changes what holds.
    await region.focus();
    await page.keyboard.press('ArrowUp');
    await whole.getByRole('textbox', { name: 'year' }).fill('2025');
    await page.keyboard.press('Enter');
    await whole.getByText('region EU in 2025').waitFor();
    // Somebody else has chosen otherwise meanwhile: a run from here is with what holds here.
    await note.setParams({ region: 'US' });
    await whole.getByRole('button', { name: 'Run all', exact: true }).click();
    await dialog().getByRole('button', { name: 'Run all', exact: true }).click();
    await whole.getByText('again EU').waitFor();
    await whole.getByText('region EU in 2025').waitFor();
    expect(
      await region.evaluate((element) => (element as HTMLSelectElement).selectedOptions[0]!.text),
    ).toBe('EU');
  }, 40_000);
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
    'of a note that was imported is off until its reader says so; that is kept, for him alone, and written down',
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
      // The decision of one is not that of another.
      await new Users(embedded.data).set('eve', { password: 'eves-password-is-long' });
      const { page: hers, close } = await openPage(walk.browser);
      await hers.goto(embedded.server.url);
      await hers.getByLabel('User Name').fill('eve');
      await hers.getByLabel('Password').fill('eves-password-is-long');
      await hers.getByRole('button', { name: 'Sign in', exact: true }).click();
      await hers.getByRole('button', { name: 'Import' }).waitFor();
      await hers.goto(`${embedded.server.url}/#/notebook/${note.id}`);
      await frame(hers).getByText('still').waitFor();
      await hers.getByText('Scripts in its results are off.').waitFor();
      await close();
      // And can be taken back.
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
    60_000,
  );

  it.skipIf(inFront)(
    'of a note that its reader typed in runs at once, and in a copy of what he does not trust it does not',
    async () => {
      await open([`%js\nconsole.log('%html ${html.replaceAll("'", "\\'")}')`]);
      await frame().getByText('moved').waitFor();
      const imported = await client.notes.importNote(file);
      const copy = await client.notes.clone(imported, 'looks/A copy');
      await page.goto(`${embedded.server.url}/#/notebook/${copy}`);
      await page.getByText('This note was copied by admin').waitFor();
      await frame().getByText('still').waitFor();
    },
    60_000,
  );

  it('left nothing to complain of but what was held back', () => {
    expect(
      watched.complaints.filter((line) => !/inline script|Content Security Policy/i.test(line)),
    ).toEqual([]);
  });
});
