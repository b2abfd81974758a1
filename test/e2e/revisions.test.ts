/**
 * Revisions of a note: commit, list, open, set as head, compare, restore. The embedded server
 * stores them with git.
 */
import type { Note } from '@tiding/client';
import { formatDate } from '@tiding/client/model';
import { beforeEach, describe, expect, it } from 'vitest';
import { noteMenu, showNote } from '../support/page.ts';
import { untilEnd } from '../support/until-end.ts';
import { inFront, partsOf, startWalk } from '../support/walk.ts';

const walk = untilEnd(await startWalk());
const { embedded, watched, page, client } = walk;
let note: Note;
let made = 0;

const texts = () => note.paragraphs.map((paragraph) => paragraph.text);
const { dialog } = partsOf(() => page);
const confirm = async (question: string, action: string) => {
  await page.getByRole('alertdialog').getByText(question).waitFor();
  await page.getByRole('alertdialog').getByRole('button', { name: action, exact: true }).click();
};
const button = () => page.getByRole('button', { name: /^Revision: / });
const type = async (index: number, text: string) => {
  note.paragraphs[index]!.edit(text);
  await note.commit();
};
const hash = () => new URL(page.url()).hash;

/** Creates a note with two paragraphs and two checkpoints: 'first draft' and 'with ice'. */
async function open(): Promise<void> {
  note?.close();
  note = await client.open(
    await client.notes.create({ path: `Airport operations/Winter delays ${(made += 1)}` }),
  );
  const [empty] = note.paragraphs;
  const worst = await note.insert({
    title: 'Worst airports',
    text: [
      '%sql',
      'select origin, count(*) as flights,',
      '       round(100 * avg((arr_delay <= 10)::int), 1) as on_time',
      'from flights',
      'group by 1',
    ].join('\n'),
  });
  await note.insert({ text: '%md\n# Old threshold' });
  await empty!.remove();
  await note.revisions.checkpoint('first draft');
  await worst.configure({ colWidth: 6 });
  await type(
    0,
    [
      '%sql',
      'select origin, count(*) as flights,',
      '       round(100 * avg((arr_delay <= 15)::int), 1) as on_time,',
      '       sum(cancelled) as cancelled',
      'from flights',
      'group by 1',
    ].join('\n'),
  );
  await note.insert({ text: '%md\n# Export to reporting' });
  await note.paragraphs[1]!.remove();
  await note.revisions.checkpoint('with ice');
  await showNote(page, embedded.server.url, note.id);
  await expect.poll(() => page.locator('article.paragraph').count()).toBe(2);
}

describe('revisions of a note', () => {
  beforeEach(() => open());

  it('are committed and listed in the bar, Head first, then newest first [W40 W141]', async () => {
    await button().click();
    const popup = page.getByRole('dialog', { name: 'Version control' });
    const items = popup.getByRole('list', { name: 'Revisions' }).getByRole('button');
    await expect
      .poll(() => items.locator('b').allInnerTexts())
      .toEqual(['Head', 'with ice', 'first draft']);
    const [, newest] = await note.revisions.list();
    await expect
      .poll(() => items.nth(1).locator('.revision-date').innerText())
      .toBe(formatDate(new Date(newest!.time! * 1_000), 'MMMM Do YYYY, h:mm a'));
    await expect.poll(() => items.nth(0).getAttribute('aria-current')).toBe('true');
    expect(await popup.getByRole('button', { name: 'Set revision' }).count()).toBe(0);
    await type(1, '%md\n# Export, typed since');
    await popup.getByRole('textbox', { name: 'commit message' }).fill('from the page');
    await popup.getByRole('button', { name: 'Commit' }).click();
    await confirm('Commit note to current repository?', 'Commit');
    await expect
      .poll(async () => (await note.revisions.list()).map(({ message }) => message))
      .toEqual(['Head', 'from the page', 'with ice', 'first draft']);
    await button().click();
    await expect
      .poll(() => items.locator('b').allInnerTexts())
      .toEqual(['Head', 'from the page', 'with ice', 'first draft']);
    expect(await popup.getByRole('textbox', { name: 'commit message' }).inputValue()).toBe('');
    // Without changes, the page shows the server's error and keeps the message in the field.
    await popup.getByRole('textbox', { name: 'commit message' }).fill('again');
    await popup.getByRole('button', { name: 'Commit' }).click();
    await confirm('Commit note to current repository?', 'Commit');
    await page.locator('.toast.danger').getByText("Couldn't checkpoint note revision").waitFor();
    expect(watched.complaints).toEqual([]);
  });

  it.skipIf(inFront)('open read-only with search, revisions and layout [W8 W19]', async () => {
    const [, , oldest] = await note.revisions.list();
    await button().click();
    await page.getByRole('dialog').getByRole('button', { name: 'first draft' }).click();
    await expect.poll(hash).toBe(`#/notebook/${note.id}/revision/${oldest!.id}`);
    await expect.poll(() => page.locator('article.paragraph').count()).toBe(2);
    await page.getByText('Old threshold').first().waitFor();
    await page.getByRole('button', { name: 'Revision: first draft' }).waitFor();
    const bar = page.getByRole('toolbar');
    for (const name of ['Interpreter binding', 'Note Permissions', 'Keyboard shortcuts'])
      expect(await bar.getByRole('button', { name }).count(), name).toBe(0);
    await expect
      .poll(() => bar.getByRole('button', { name: 'Run all', exact: true }).isDisabled())
      .toBe(true);
    const paragraphs = page.locator('article.paragraph');
    expect(
      await paragraphs
        .getByRole('button', { name: /^(Run|More actions|Hide editor|Hide output)/ })
        .count(),
    ).toBe(0);
    expect(await page.getByRole('button', { name: 'Add paragraph' }).count()).toBe(0);
    expect(await bar.getByRole('heading').getByRole('button').count()).toBe(0);
    await bar.getByRole('button', { name: 'More', exact: true }).click();
    await page.getByRole('menuitem', { name: 'All commands' }).waitFor();
    const names = (await page.getByRole('menuitem').allInnerTexts()).map((name) =>
      name.split('\n')[0]!.trim(),
    );
    expect(names).toContain('Compare revisions');
    // The menu doesn't repeat what the bar shows.
    expect(await bar.getByRole('button', { name: 'Revision: first draft' }).isVisible()).toBe(true);
    for (const name of [
      'Revision: first draft',
      'Hide all code',
      'Hide all output',
      'Clear all output',
      'Move this note to trash',
      'Clone this note',
      'Export this note',
      'Keyboard shortcuts',
      'Interpreter binding',
      'Note Permissions',
    ])
      expect(names).not.toContain(name);
    await page.keyboard.press('Escape');
    // Shortcuts do nothing, and typing into the code changes nothing.
    await paragraphs.first().locator('.code-part').click();
    for (const keys of ['Control+Alt+d', 'Control+Alt+b', 'Control+Alt+e', 'Shift+Enter'])
      await page.keyboard.press(keys);
    await page.keyboard.type('typed');
    expect(await dialog().count()).toBe(0);
    await expect.poll(() => paragraphs.count()).toBe(2);
    expect(await paragraphs.first().textContent()).not.toContain('typed');
    await expect.poll(() => paragraphs.first().locator('.code-part').isVisible()).toBe(true);
    // The layout of a revision is not saved.
    await bar.getByRole('button', { name: /^Layout: / }).click();
    await page.getByRole('menuitemcheckbox', { name: 'Simple' }).click();
    await page.locator('.notebook.simple').waitFor();
    expect(note.state.config.looknfeel).toBe('default');
    expect(texts()).toHaveLength(2);
    // Head is the plain route of the note.
    await button().click();
    await page.getByRole('dialog').getByRole('button', { name: /^Head/ }).click();
    await expect.poll(hash).toBe(`#/notebook/${note.id}`);
    await page.getByText('Export to reporting').first().waitFor();
    expect(watched.complaints).toEqual([]);
  });

  it('are set as head, and the page returns to the note [W58]', async () => {
    const [, , oldest] = await note.revisions.list();
    await page.goto(`${embedded.server.url}/#/notebook/${note.id}/revision/${oldest!.id}`);
    await page.getByRole('button', { name: 'Revision: first draft' }).click();
    await page
      .getByRole('dialog', { name: 'Version control' })
      .getByRole('button', { name: 'Set revision' })
      .click();
    await confirm('Set notebook head to current revision?', 'Set revision');
    await expect.poll(hash).toBe(`#/notebook/${note.id}`);
    await expect.poll(texts).toEqual([expect.stringContaining('<= 10'), '%md\n# Old threshold']);
    await page.getByText('Old threshold').first().waitFor();
    expect(watched.complaints).toEqual([]);
  });

  it.skipIf(inFront)('show an error for an unknown revision and go home [W103]', async () => {
    await page.goto(`${embedded.server.url}/#/notebook/${note.id}/revision/${'0'.repeat(40)}`);
    await page.getByText('There is a problem with this Revision').waitFor();
    await expect.poll(hash).toBe('#/');
    // Head in the address opens the note itself.
    await page.goto(`${embedded.server.url}/#/notebook/${note.id}/revision/Head`);
    await page.getByRole('button', { name: 'Revision: Head' }).waitFor();
    expect(await page.getByRole('button', { name: 'Run all' }).isDisabled()).toBe(false);
  });

  it('are compared by a table row or two lists, by paragraph [W18 W34 W35 W141]', async () => {
    await noteMenu(page, 'Compare revisions');
    await page.getByText('Please select a revision').waitFor();
    await page.getByText('Nothing to display').waitFor();
    const [first, second] = [
      page.getByRole('combobox', { name: 'First revision' }),
      page.getByRole('combobox', { name: 'Second revision' }),
    ];
    await expect.poll(() => second.isDisabled()).toBe(true);
    await expect
      .poll(() => first.locator('option').allInnerTexts())
      .toEqual(['Choose...', 'Head', 'with ice', 'first draft']);
    const rows = page.getByRole('table', { name: 'Revisions' }).getByRole('row');
    await expect.poll(() => rows.count()).toBe(4);
    const [, newest] = await note.revisions.list();
    await expect
      .poll(() => rows.nth(2).innerText())
      .toContain(formatDate(new Date(newest!.time! * 1_000), 'MMMM Do YYYY, h:mm:ss a'));
    await rows.nth(2).getByRole('button', { name: 'with ice', exact: true }).click();
    await page.getByText('3 paragraphs: 1 added, 1 changed, 1 deleted').waitFor();
    expect([(await first.inputValue()) !== '', await second.inputValue()]).toEqual([
      true,
      newest!.id,
    ]);
    const entries = page.getByRole('list', { name: 'Paragraphs', exact: true }).getByRole('button');
    await expect
      .poll(async () =>
        (await entries.allInnerTexts()).map((text) => text.replace(/\s+/g, ' ').trim()),
      )
      .toEqual([
        '%md # Export to reporting added',
        expect.stringMatching(
          /^Worst airports \+2 −1 2 lines added, 1 removed there are differences$/,
        ),
        '%md # Old threshold deleted',
      ]);
    const card = page.getByRole('article', { name: 'Differences in “Worst airports”' });
    await card.getByText('Revision: first draft --> with ice').waitFor();
    await card.locator('.dl.add').first().waitFor();
    // Changes are named in words, not by colour alone, and marked within a line.
    await expect
      .poll(() => card.locator('.dl.del .ct').allInnerTexts())
      .toEqual([expect.stringMatching(/^removed:\s+round\(100 \* avg\(\(arr_delay <= 10\)/)]);
    expect(
      (await card.locator('.dl.add .ct').allInnerTexts()).map((text) => text.slice(0, 6)),
    ).toEqual(['added:', 'added:']);
    await expect.poll(() => card.locator('.dl.del mark').allInnerTexts()).toEqual(['10']);
    // Changed settings are listed too.
    await expect
      .poll(() => card.getByRole('region', { name: 'Settings' }).innerText())
      .toMatch(/config\.colWidth\s+12\s+6|config\.colWidth\s+not set\s+6/);
    // With the keyboard: an entry scrolls to its card and focuses it.
    await entries.nth(2).focus();
    await page.keyboard.press('Enter');
    await expect
      .poll(() =>
        page.evaluate(() =>
          document
            .querySelector('tiding-notebook')!
            .shadowRoot!.activeElement?.getAttribute('aria-label'),
        ),
      )
      .toBe('Differences in “%md # Old threshold”');
    // The reverse comparison, with the lists; a revision can't be compared with itself.
    await first.selectOption({ label: 'with ice' });
    await page.getByText('Please select a revision').waitFor();
    await second.selectOption({ label: 'first draft' });
    await page.getByText('Revision: with ice --> first draft').first().waitFor();
    expect(watched.complaints).toEqual([]);
  });

  it('restore one paragraph or the whole note', async () => {
    const [before] = texts();
    await noteMenu(page, 'Compare revisions');
    await page
      .getByRole('table', { name: 'Revisions' })
      .getByRole('button', { name: 'with ice', exact: true })
      .click();
    const card = page.getByRole('article', { name: 'Differences in “Worst airports”' });
    await card.getByRole('button', { name: 'Restore' }).click();
    await page.getByRole('menuitem', { name: 'Restore from “first draft”' }).click();
    await confirm('Restore this paragraph from “first draft”?', 'Restore');
    await expect.poll(() => texts()[0]).toContain('<= 10');
    await expect.poll(() => note.paragraphs[0]!.state.server.config?.colWidth).not.toBe(6);
    expect(texts()).toHaveLength(2);
    // A removed paragraph returns to its former position.
    await page.locator('.diff-card').last().getByRole('button', { name: 'Restore' }).click();
    await page.getByRole('menuitem', { name: 'Restore from “first draft”' }).click();
    await confirm('Restore this paragraph from “first draft”?', 'Restore');
    await expect
      .poll(texts)
      .toEqual([
        expect.stringContaining('<= 10'),
        '%md\n# Old threshold',
        '%md\n# Export to reporting',
      ]);
    await page.getByRole('button', { name: 'More actions for “with ice”' }).click();
    await page.getByRole('menuitem', { name: 'Set as head' }).click();
    await confirm('Set notebook head to “with ice”?', 'Set revision');
    await expect.poll(texts).toEqual([before, '%md\n# Export to reporting']);
    expect(watched.complaints).toEqual([]);
  });

  it('compare long texts up to a limit and draw them in steps', async () => {
    const lines = Array.from({ length: 6_000 }, (_, n) => `value ${n} = ${(n * 7_919) % 1_000}`);
    await type(0, lines.join('\n'));
    await note.revisions.checkpoint('long');
    await type(
      0,
      lines.map((line, n) => (n % 3 === 0 ? line.replace('value', 'total') : line)).join('\n'),
    );
    await page.evaluate(() => {
      const watch = window as unknown as { longest: number };
      watch.longest = 0;
      new PerformanceObserver((list) => {
        for (const { duration } of list.getEntries())
          watch.longest = Math.max(watch.longest, duration);
      }).observe({ type: 'longtask' });
    });
    await noteMenu(page, 'Compare revisions');
    await page
      .getByRole('table', { name: 'Revisions' })
      .getByRole('button', { name: 'Head', exact: true })
      .click();
    const card = page.getByRole('article', { name: 'Differences in “Worst airports”' });
    await card.getByText('Show 200 more lines').waitFor();
    // The card shows no more rows than requested.
    await expect.poll(() => card.locator('.dl').count()).toBeLessThanOrEqual(200);
    const longest = await page.evaluate(() => (window as unknown as { longest: number }).longest);
    console.log(`longest task while 6,000 lines were compared: ${longest} ms`);
    await card.getByText('Only the first 5,000 lines are compared.').waitFor();
  });
});
