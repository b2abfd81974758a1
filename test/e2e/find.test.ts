/** Find and replace, the outline, moving paragraphs, the collapsing bar and printing. */

import type { Client, Note } from '@tiding/client';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { noteMenu } from '../support/page.ts';
import { pdfPages } from '../support/pdf.ts';
import { inFront, startWalk, type Walk } from '../support/walk.ts';

describe('finding, moving and printing in a browser', () => {
  let walk: Walk;
  let page: Page;
  let client: Client;
  let note: Note;
  const title = 'Everything that can be said of late arrivals at hub airports';

  beforeAll(async () => {
    walk = await startWalk({ shell: true });
    ({ page, client } = walk);
    note = await client.open(await client.notes.create({ path: `Airports/${title}` }));
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
    await page.goto(`${walk.embedded.server.url}/#/notebook/${note.id}`);
    await page.locator('article').nth(4).waitFor();
  });
  afterAll(async () => {
    note?.close();
    await walk?.stop();
  });

  const field = () => page.getByRole('textbox', { name: 'Find', exact: true });
  const count = () => page.locator('.find-count').textContent();
  // The label ends with the paragraph's status.
  const article = (name: string) => page.locator(`article[aria-label^="${name}, "]`);
  const order = () =>
    page
      .locator('article')
      .evaluateAll((all) =>
        all.map((one) => one.getAttribute('aria-label')?.replace(/, \w+$/, '')),
      );

  it('shortens a long name at the start and shows all of it in a tooltip', async () => {
    const heading = page.locator('.note-name h1');
    await expect.poll(() => heading.textContent()).toBe(`…${title.slice(-45)}`);
    await expect.poll(() => heading.getAttribute('title')).toBe(`Airports/${title}`);
  });

  it('finds matches in code, including hidden editors, and wraps around', async () => {
    await noteMenu(page, 'Search code');
    await field().fill('ARR_DELAY');
    await expect.poll(count).toBe('1 of 4');
    const box = (await page.locator('.find-box').boundingBox())!;
    expect(box.width).toBe(350);
    expect(box.x + box.width).toBeLessThanOrEqual(1440);
    await expect.poll(() => page.locator('.find-current').textContent()).toBe('arr_delay');
    await expect
      .poll(() => article('Code of paragraph 1').locator('.find-current').count())
      .toBe(1);
    await field().press('Enter');
    await field().press('Enter');
    await expect.poll(count).toBe('3 of 4');
    await page.getByRole('button', { name: 'Previous' }).click();
    await expect.poll(() => article('Worst').locator('.find-current').count()).toBe(1);
    await field().press('Shift+Enter');
    await field().press('Shift+Enter');
    await expect.poll(count).toBe('4 of 4');
    await page.getByRole('button', { name: 'Match case' }).click();
    await expect.poll(count).toBe('No match');
    await page.getByRole('button', { name: 'Match case' }).click();
    await expect.poll(count).toBe('1 of 4');
  });

  it('focuses the editor of a match on the first click and clears the marks', async () => {
    // With a real click: the editor may replace the static text as soon as the pointer is over it.
    const found = (await article('Shell')
      .locator('.static-code .find-match')
      .first()
      .boundingBox())!;
    await page.mouse.click(found.x + found.width / 2, found.y + found.height / 2);
    await article('Shell').locator('.cm-editor.cm-focused').waitFor({ timeout: 60_000 });
    await expect.poll(() => page.locator('.find-match').count()).toBe(0);
    await field().press('Enter');
    await expect.poll(() => page.locator('.find-current').count()).toBe(1);
    await expect.poll(count).toBe('1 of 4');
  });

  it.skipIf(inFront)('finds matches in results', async () => {
    await page.getByLabel('Include results').check();
    // Four matches in code, one in prose, one in a table header and three in lines of text.
    await expect.poll(count).toBe('1 of 9');
    await field().fill('row 650');
    await expect.poll(count).toBe('1 of 1');
    await article('Long').getByText('row 650', { exact: true }).waitFor();
    const marked = () =>
      page.evaluate(() => [...(CSS.highlights.get('tiding-find-current') ?? [])].map(String));
    await expect.poll(marked).toEqual(['row 650']);
    await page.getByLabel('Include results').uncheck();
    await expect.poll(count).toBe('No match');
    expect(await marked()).toEqual([]);
  });

  it.skipIf(inFront)('replaces matches, saves them and undoes one in the editor', async () => {
    await page.getByRole('button', { name: 'Regular expression' }).click();
    await field().fill('arr_(delay');
    await page.getByRole('alert').getByText('Unterminated group').waitFor();
    await field().fill('arr_(delay)');
    await expect.poll(count).toBe('1 of 4');
    await page.getByRole('textbox', { name: 'Replace with' }).fill('late_$1');
    await page.getByRole('button', { name: 'Replace', exact: true }).click();
    await expect.poll(count).toBe('1 of 3');
    await page.getByRole('button', { name: 'Replace all' }).click();
    await page.getByText('3 replaced in 2 paragraphs.').waitFor();
    await expect
      .poll(() => note.paragraphs[2]!.text, { timeout: 30_000 })
      .toContain('late_delay $i');
    await field().press('Escape');
    await expect.poll(() => page.locator('.find-box').count()).toBe(0);
    await article('Worst').locator('.code-area').hover();
    await article('Worst').locator('.cm-content').click();
    await article('Worst').locator('.cm-focused').waitFor();
    await page.keyboard.press('Control+z');
    await expect
      .poll(() => article('Worst').locator('.cm-content').textContent())
      .toContain('28414 as arr_delay -- arr_delay in minutes');
    await expect
      .poll(() => note.paragraphs[1]!.text, { timeout: 30_000 })
      .toContain('arr_delay in minutes');
  });

  it.skipIf(inFront)(
    'opens and closes with its keyboard shortcut, also from an editor',
    async () => {
      await page.keyboard.press('Control+Alt+f');
      await field().waitFor();
      await page.keyboard.press('Control+Alt+f');
      await expect.poll(() => page.locator('.find-box').count()).toBe(0);
    },
  );

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

  it('moves a paragraph by its handle unless Escape is pressed', async () => {
    await page.evaluate(() => window.scrollTo(0, 0));
    const drag = async (drop: () => Promise<void>) => {
      await article('Shell').scrollIntoViewIfNeeded();
      await page.waitForTimeout(100);
      await article('Shell').hover({ position: { x: 300, y: 15 } });
      const grip = (await article('Shell')
        .getByRole('button', { name: 'Drag to move' })
        .boundingBox())!;
      await page.mouse.move(grip.x + 8, grip.y + 8);
      await page.mouse.down();
      const target = (await article('Worst').boundingBox())!;
      await page.mouse.move(target.x + 300, target.y + 40, { steps: 6 });
      await page.locator('.drop-line').waitFor();
      await drop();
      await page.mouse.up();
      await expect.poll(() => page.locator('.drop-line').count()).toBe(0);
    };
    await drag(() => page.keyboard.press('Escape'));
    expect((await order()).slice(0, 3)).toEqual(['Code of paragraph 1', 'Worst', 'Shell']);
    await drag(async () => {});
    await expect
      .poll(async () => (await order()).slice(0, 3))
      .toEqual(['Code of paragraph 1', 'Shell', 'Worst']);
    expect(note.paragraphs.map(({ title: own }) => own).slice(0, 3)).toEqual([
      '',
      'Shell',
      'Worst',
    ]);
  });

  it.skipIf(inFront)('moves a paragraph by its outline entry', async () => {
    await page.evaluate(() => window.scrollTo(0, 0));
    const line = (name: string) =>
      page.locator('.outline [data-entry]').filter({ hasText: name }).first();
    await page.getByRole('tab', { name: 'Outline' }).click();
    const before = await order();
    // The outline follows the scroll position, so its entries may still be moving.
    await line('Chart').hover();
    const [from, to] = [(await line('Chart').boundingBox())!, (await line('Worst').boundingBox())!];
    await page.mouse.move(from.x + 30, from.y + from.height / 2);
    await page.mouse.down();
    await page.mouse.move(to.x + 30, to.y + 3, { steps: 6 });
    await page.locator('.drop-line').waitFor();
    await page.mouse.up();
    await expect
      .poll(async () => (await order()).slice(0, 5))
      .toEqual(['Code of paragraph 1', 'Shell', 'Chart', 'Worst', 'Long']);
    await expect.poll(() => note.paragraphs.map(({ title: own }) => own).indexOf('Chart')).toBe(2);
    // The focus is on the dragged entry, outside any editor.
    await page.keyboard.press('Control+z');
    await expect.poll(order).toEqual(before);
  });

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
      const pages = pdfPages(await page.pdf({ format: 'A4' }));
      const all = pages.join(' ');
      for (const text of [
        title.slice(-45),
        'Arrivals',
        'Worst',
        'ORD',
        'late_delay 1'.replace('late', 'arr'),
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

  it('logs no errors', () => expect(walk.watched.complaints).toEqual([]));
});
