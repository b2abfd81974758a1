/** The outline, the collapsing bar, splitting and merging, and printing. */

import type { Note } from '@tiding/client';
import { beforeAll, describe, expect, it } from 'vitest';
import { noteMenu } from '../support/page.ts';
import { pdfPages } from '../support/pdf.ts';
import { untilEnd } from '../support/until-end.ts';
import { inFront, startWalk } from '../support/walk.ts';

const { embedded, watched, page, client } = untilEnd(await startWalk({ shell: true }));

describe('the outline, the bar and printing in a browser', () => {
  let note: Note;
  const title = 'Everything that can be said of late arrivals at hub airports';

  beforeAll(async () => {
    note = untilEnd(await client.open(await client.notes.create({ path: `Airports/${title}` })));
    note.paragraphs[0]!.edit('%md\n# Arrivals\n\nWhat arr_delay means.');
    await note.insert({
      text: "%sql\nselect 'ORD' as origin, 28414 as arr_delay -- arr_delay in minutes",
      title: 'Worst',
    });
    await note.insert({
      text: '%sh\nfor i in 1 2 3; do echo "arr_delay $i"; done',
      title: 'Shell',
    });
    await note.insert({
      text: "%sql\nselect i as n, 'row ' || i as name from range(700) t(i)",
      title: 'Long',
    });
    await note.insert({
      text: "%sql\nselect * from (values ('alpha', 1), ('beta', 2)) as t(name, amount)",
      title: 'Chart',
    });
    for (const paragraph of note.paragraphs) await paragraph.run();
    for (const paragraph of note.paragraphs.slice(1)) await paragraph.configure({ title: true });
    await note.paragraphs[0]!.configure({ editorHide: true });
    await note.paragraphs[4]!.configure({
      results: { 0: { graph: { mode: 'multiBarChart', height: 300 } } },
    });
    await page.goto(`${embedded.server.url}/#/notebook/${note.id}`);
    await page.locator('article').nth(4).waitFor();
  });

  // The label ends with the paragraph's status.
  const article = (name: string) => page.locator(`article[aria-label^="${name}, "]`);

  it('shortens a long name at the start and shows all of it in a tooltip', async () => {
    const heading = page.locator('.note-name h1');
    await expect.poll(() => heading.textContent()).toBe(`…${title.slice(-45)}`);
    await expect.poll(() => heading.getAttribute('title')).toBe(`Airports/${title}`);
  });

  it.skipIf(inFront)(
    'lists the paragraphs in the outline, marks the visible one and jumps to it',
    async () => {
      await page.getByRole('tab', { name: 'Outline' }).click();
      const items = page.getByRole('treeitem');
      await expect
        .poll(() => items.locator('.tree-name').allTextContents())
        .toEqual(['Arrivals', 'Worst', 'Shell', 'Long', 'Chart']);
      await page.evaluate(() => window.scrollTo(0, 0));
      await expect.poll(() => items.first().getAttribute('aria-current')).toBe('location');
      await items.first().focus();
      await page.keyboard.press('End');
      await page.keyboard.press('Enter');
      await expect
        .poll(() => page.locator('[aria-current=location] .tree-name').textContent())
        .not.toBe('Arrivals');
      await page.keyboard.type('sh');
      await page.keyboard.press('Enter');
      await expect
        .poll(() => page.locator('[aria-current=location] .tree-name').textContent())
        .toBe('Shell');
    },
  );

  it.skipIf(inFront)(
    'hides the bar on scrolling down and shows it on scrolling up or focus',
    async () => {
      const bar = async () => (await page.locator('.note-bar').boundingBox())!.y;
      // A key press ends the outline's pending scroll.
      await page.keyboard.press('Shift');
      await page.evaluate(() => window.scrollTo(0, 0));
      await expect.poll(bar).toBe(44);
      // Scroll with a script: a wheel event over a table may scroll the table.
      const scroll = (by: number) =>
        page.evaluate((top) => window.scrollBy({ top, behavior: 'instant' }), by);
      await scroll(500);
      await expect.poll(bar).toBeLessThan(0);
      await scroll(-100);
      await expect.poll(bar).toBe(44);
      await page.locator('.note-bar').getByRole('button', { name: 'More', exact: true }).focus();
      const before = await page.evaluate(() => scrollY);
      await scroll(300);
      await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(before);
      await expect.poll(bar).toBe(44);
      await page.evaluate(() => (document.activeElement as HTMLElement).blur());
    },
  );

  it('splits and merges paragraphs with keyboard shortcuts', async () => {
    await article('Shell').locator('.cm-content, .code').first().click();
    // Keys reach the editor only once it has the focus.
    await article('Shell').locator('.cm-editor.cm-focused').waitFor();
    await page.keyboard.press('Control+Home');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Home');
    const before = note.paragraphs.map((paragraph) => paragraph.text);
    await page.keyboard.press('Control+Alt+s');
    await expect.poll(() => note.paragraphs.length).toBe(before.length + 1);
    await expect
      .poll(() => note.paragraphs.map((paragraph) => paragraph.text.trim()))
      .toContain('%sh');
    await page.keyboard.press('Control+Alt+Shift+g');
    await expect.poll(() => note.paragraphs.map((paragraph) => paragraph.text)).toEqual(before);
  });

  it.skipIf(inFront)(
    'prints the title and all paragraphs with whole tables, without controls',
    async () => {
      await page.evaluate(() => window.scrollTo(0, 0));
      const pages = await pdfPages(await page.pdf({ format: 'A4' }));
      const all = pages.join(' ');
      for (const text of [
        title.slice(-45),
        'Arrivals',
        'Worst',
        'ORD',
        'arr_delay 1',
        'row 0',
        'row 499',
        '200 more rows are not printed.',
        'alpha',
        'beta',
        'Took',
      ])
        expect(all, text).toContain(text);
      for (const text of [
        'row 500',
        'Run all',
        'Logout',
        'Add paragraph',
        'Outline',
        'Saved',
        'Filter',
        'Finished',
        'FINISHED',
      ])
        expect(all, text).not.toContain(text);
      // The page is unchanged afterwards.
      expect(await page.locator('.print-table').count()).toBe(0);
    },
  );

  it.skipIf(inFront)('prints dark text on white paper in a dark theme', async () => {
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    const colour = await article('Worst')
      .locator('.paragraph-title')
      .evaluate((element) => getComputedStyle(element).color);
    expect(Math.max(...colour.match(/\d+/g)!.map(Number).slice(0, 3))).toBeLessThan(80);
    await page.emulateMedia({ media: null, colorScheme: null });
  });

  it.skipIf(inFront)('prints with a command', async () => {
    await page.evaluate(() => {
      (window as unknown as { printed: number }).printed = 0;
      window.print = () => void (window as unknown as { printed: number }).printed++;
    });
    await noteMenu(page, 'Print this note');
    await expect
      .poll(() => page.evaluate(() => (window as unknown as { printed: number }).printed))
      .toBe(1);
  });

  it('logs no errors', () => expect(watched.complaints).toEqual([]));
});
