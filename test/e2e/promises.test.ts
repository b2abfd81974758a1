/**
 * Exact texts and numbers on the page of a note: its questions, menus, names and times, and the
 * effects of running and editing on a paragraph.
 */
import { readFile } from 'node:fs/promises';
import type { Note } from '@tiding/client';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { noteMenu, showNote } from '../support/page.ts';
import { untilEnd } from '../support/until-end.ts';
import { inFront, noteOf, partsOf, startWalk } from '../support/walk.ts';

const walk = untilEnd(await startWalk());
const { embedded, watched, page, client } = walk;
let note: Note;
let made = 0;

/** The footer of a paragraph after a run. */
const runSummary =
  /^Took \d+ sec\. Last updated by admin at [A-Z][a-z]+ \d\d \d{4}, \d{1,2}:\d\d:\d\d [AP]M\.$/;

/** Creates a note with the given paragraphs and opens it in the page and in the client. */
async function open(texts: readonly string[]): Promise<void> {
  note?.close();
  note = await noteOf(client, `promises/Walk ${(made += 1)}`, texts);
  await showNote(page, embedded.server.url, note.id, texts.length);
}
const { article, focus, dialog } = partsOf(() => page);
const config = (index: number) => note.paragraphs[index]!.state.server.config ?? {};
const bar = () => page.getByRole('toolbar');
/** Answers a dialog after checking its texts. */
const answer = async (words: readonly string[], action: string) => {
  for (const word of words) await dialog().getByText(word, { exact: true }).waitFor();
  await dialog().getByRole('button', { name: action, exact: true }).click();
  await dialog().waitFor({ state: 'detached' });
};
/** Opens the menu of a paragraph, leaves it open and returns its entries. */
const menuOf = async (index: number): Promise<string[]> => {
  await article(index).getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem').first().waitFor();
  return (await page.locator('[role=menuitem], [role=menuitemcheckbox]').allInnerTexts()).map(
    (name) => name.split('\n')[0]!.trim(),
  );
};

describe('the menu of a paragraph', () => {
  beforeAll(() => open(['%md\none', '%md\ntwo', '%md\nthree']));

  /** Closes the open menu and its submenu. */
  const closeMenus = () =>
    expect
      .poll(async () => {
        await page.keyboard.press('Escape');
        return page.locator('[role=menu]').count();
      })
      .toBe(0);
  /**
   * Moves the mouse to an entry, as a user does. `hover()` waits until the entry takes pointer
   * events; while a submenu is open, others do so only after the mouse has moved.
   */
  const pointAt = async (name: string): Promise<void> => {
    const box = await page.getByRole('menuitem', { name, exact: true }).boundingBox();
    await page.mouse.move(box!.x + box!.width / 2, box!.y + box!.height / 2, { steps: 5 });
  };
  /** Opens a submenu of the open menu and returns its entries. */
  const submenu = async (name: string): Promise<string[]> => {
    await page.getByRole('menuitem', { name, exact: true }).hover();
    await expect.poll(() => page.locator('[role=menu]').count()).toBe(2);
    const entries = page.locator('[role=menu]').last().locator('[role^=menuitem]');
    return (await entries.allInnerTexts()).map((entry) => entry.split('\n')[0]!.trim());
  };

  it('lists at most twelve entries that apply to the paragraph', async () => {
    const middle = await menuOf(1);
    expect(middle).toEqual([
      'Add paragraph below',
      'Clone paragraph',
      'Move',
      'Code',
      'Run',
      'Show or hide',
      'Width',
      'Font size',
      ...(inFront ? [] : ['Add comment']),
      'Link and ID',
      'Clear output',
      'Remove',
    ]);
    expect(await submenu('Move')).toEqual([
      'Move up',
      'Move down',
      'Move to the top',
      'Move to the bottom',
    ]);
    await closeMenus();
    await menuOf(1);
    const dependents = inFront ? [] : ['Run this and what depends on it'];
    const above = [...dependents, 'Run all above'];
    expect(await submenu('Run')).toEqual([...above, 'Run all below', 'Disable run']);
    await closeMenus();
    await menuOf(0);
    expect(await submenu('Move')).toEqual(['Move down', 'Move to the bottom']);
    await closeMenus();
    await menuOf(2);
    expect(await submenu('Run')).toEqual([...above, 'Disable run']);
    await closeMenus();
  });

  it('offers widths 1 to 12 and font sizes 9 to 20, and shortcuts stop at the limits', async () => {
    await menuOf(1);
    for (const [name, from, to] of [
      ['Width', 1, 12],
      ['Font size', 9, 20],
    ] as const) {
      const values = page.locator('[role=menu]').last().getByRole('menuitemcheckbox');
      await expect
        .poll(async () => {
          await pointAt(name);
          return (await values.allInnerTexts()).map((value) => value.trim());
        })
        .toEqual(Array.from({ length: to - from + 1 }, (_, at) => String(from + at)));
    }
    await page.getByRole('menuitemcheckbox', { name: '20', exact: true }).click();
    await expect.poll(() => config(1)['fontSize']).toBe(20);
    const size = (index: number) =>
      article(index)
        .locator('.code-part .static-line, .code-part .cm-line')
        .first()
        .evaluate((line) => parseFloat(getComputedStyle(line).fontSize));
    await expect.poll(async () => (await size(1)) > (await size(0))).toBe(true);
    await focus(1);
    await page.keyboard.press('Control+Shift+=');
    await note.paragraphs[1]!.configure({ colWidth: 2 });
    const width = () =>
      article(1).evaluate((card) => card.closest<HTMLElement>('.cell')!.style.gridColumnEnd);
    await expect.poll(width).toBe('span 2');
    await page.keyboard.press('Control+Shift+-');
    await expect.poll(() => config(1)['colWidth']).toBe(1);
    await page.keyboard.press('Control+Shift+-');
    await page.keyboard.press('Control+Shift+=');
    await expect.poll(() => config(1)['colWidth']).toBe(2);
  });

  it('opens from the keyboard and returns the focus', async () => {
    const button = article(0).getByRole('button', { name: 'More actions' });
    for (let turn = 0; turn < 2; turn += 1) {
      await button.focus();
      await page.keyboard.press('Enter');
      await page.getByRole('menuitem').first().waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('menuitem').first().waitFor({ state: 'detached' });
      await expect
        .poll(() =>
          button.evaluate(
            (element) => (element.getRootNode() as ShadowRoot).activeElement === element,
          ),
        )
        .toBe(true);
    }
  });

  it('copies the ID and confirms it for three seconds', async () => {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await menuOf(0);
    await page.getByRole('menuitem', { name: 'Link and ID' }).hover();
    await page.getByRole('menuitem', { name: /^Copy paragraph ID/ }).click();
    const toast = page.locator('.toast', { hasText: 'Copied!' });
    await toast.waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(note.paragraphs[0]!.id);
    // The toast is at the bottom and disappears by itself.
    const box = (await toast.boundingBox())!;
    expect(box.y).toBeGreaterThan(450);
    await page.mouse.move(20, 20);
    await toast.waitFor({ state: 'detached' });
  });

  it('has no Remove for the only paragraph', async () => {
    await open(['%md\nalone']);
    expect(await menuOf(0)).not.toContain('Remove');
    await page.keyboard.press('Escape');
  });
});

describe('a paragraph', () => {
  beforeEach(() => open(['%md\n# Head', '%js\nconsole.log(1)']));

  it('edits its title on a click and saves it on Enter or blur, but not on Escape', async () => {
    await focus(0);
    await page.keyboard.press('Control+Alt+t');
    const title = article(0).locator('h2.paragraph-title');
    await expect.poll(() => title.innerText()).toBe('Untitled');
    const field = () => article(0).getByRole('textbox', { name: 'Paragraph title' });
    await title.getByRole('button').click();
    await expect.poll(() => field().getAttribute('placeholder')).toBe('Untitled');
    await field().fill('By Enter');
    await page.keyboard.press('Enter');
    await expect.poll(() => note.paragraphs[0]!.title).toBe('By Enter');
    await title.getByRole('button').click();
    await field().fill('By leaving');
    await field().blur();
    await expect.poll(() => note.paragraphs[0]!.title).toBe('By leaving');
    await title.getByRole('button').click();
    await field().fill('Not this one');
    await page.keyboard.press('Escape');
    await expect.poll(() => title.innerText()).toBe('By leaving');
    expect(note.paragraphs[0]!.title).toBe('By leaving');
  });

  it.skipIf(inFront)(
    'shows duration, user and time of a run, and marks it outdated after an edit',
    async () => {
      const foot = article(1).locator('.paragraph-foot');
      await article(1)
        .getByRole('button', { name: /Run this paragraph/ })
        .click();
      await expect.poll(() => foot.textContent().catch(() => '')).toMatch(runSummary);
      // Times have a resolution of one second.
      await page.waitForTimeout(1_100);
      note.paragraphs[1]!.edit('%js\nconsole.log(2)');
      await note.commit();
      await expect.poll(() => foot.textContent()).toMatch(/M\. \(outdated\)$/);
    },
  );

  it.skipIf(inFront)(
    'hides the editor after a Markdown run and reopens it on a double click',
    async () => {
      await article(0)
        .getByRole('button', { name: /Run this paragraph/ })
        .click();
      await expect.poll(() => config(0)['editorHide']).toBe(true);
      await article(0).locator('.code-part').waitFor({ state: 'detached' });
      await article(0).getByRole('heading', { name: 'Head' }).dblclick();
      await article(0).locator('.cm-focused').waitFor();
      await expect
        .poll(() => [config(0)['editorHide'], config(0)['tableHide']])
        .toEqual([false, true]);
      await page.keyboard.type('line');
      await expect
        .poll(() => article(0).locator('.cm-content').innerText())
        .toContain('# Headline');
      await focus(0);
      await expect.poll(() => note.paragraphs[0]!.text).toBe('%md\n# Headline');
    },
  );

  it('that is last appends and focuses a new one when it runs', async () => {
    await focus(1);
    await page.keyboard.press('Shift+Enter');
    await expect.poll(() => note.paragraphs.length).toBe(3);
    await article(2).locator('.cm-focused').waitFor();
    await expect.poll(() => article(2).getAttribute('aria-current')).toBe('true');
    // The new paragraph repeats the magic, and the cursor is below it.
    await page.keyboard.type('console.log(2)');
    await focus(0);
    await expect.poll(() => note.paragraphs[2]!.text).toBe('%js\nconsole.log(2)');
  });

  it('has the cursor below its magic when it is added', async () => {
    await page.locator('.add-bar').getByRole('button', { name: 'sql', exact: true }).click();
    await article(2).locator('.cm-focused').waitFor();
    await page.keyboard.type('select 1');
    await focus(0);
    await expect.poll(() => note.paragraphs[2]?.text).toBe('%sql\nselect 1');
  });

  it("does not run while empty, and suppresses the browser's save shortcut", async () => {
    await open(['', '%md\nx']);
    await focus(0);
    await page.keyboard.press('Shift+Enter');
    await page.keyboard.press('Control+s');
    await page.keyboard.press('Control+Shift+c');
    await page.waitForTimeout(300);
    expect(note.paragraphs.map(({ status }) => status)).toEqual(['READY', 'READY']);
    expect(
      await page.evaluate(
        () =>
          new Promise((resolve) => {
            const event = new KeyboardEvent('keydown', {
              key: 's',
              code: 'KeyS',
              ctrlKey: true,
              bubbles: true,
              cancelable: true,
              composed: true,
            });
            document
              .querySelector('tiding-notebook')!
              .shadowRoot!.querySelector('article')!
              .dispatchEvent(event);
            resolve(event.defaultPrevented);
          }),
      ),
    ).toBe(true);
  });

  it('opens as a link in a new window', async () => {
    await focus(1);
    const opened = page.context().waitForEvent('page');
    await page.keyboard.press('Control+Alt+w');
    const window = await opened;
    const hash = `#/notebook/${note.id}/paragraph/${note.paragraphs[1]!.id}?asIframe`;
    await window.waitForURL((url) => url.hash === hash);
    await window.close();
  });

  it.skipIf(inFront)(
    'shows that it runs, is read-only meanwhile and can be cancelled',
    async () => {
      await open([
        '%js\nconsole.log("begun"); await new Promise((end) => setTimeout(end, 60_000))',
        '%md\nx',
      ]);
      await article(0).locator('.run').click();
      await expect.poll(() => article(0).getAttribute('data-status')).toBe('RUNNING');
      await expect
        .poll(() => article(0).locator('.paragraph-foot').textContent())
        .toMatch(/^Started a few seconds ago\.$/);
      await expect.poll(() => article(0).getByRole('progressbar').count()).toBe(1);
      expect(
        await article(0)
          .getByRole('button', { name: /Run this paragraph/ })
          .count(),
      ).toBe(0);
      expect(
        await article(0)
          .locator('.code-part [role=textbox]')
          .evaluate(
            (code) =>
              code.getAttribute('aria-readonly') === 'true' ||
              code.getAttribute('contenteditable') === 'false',
          ),
      ).toBe(true);
      await focus(0);
      await page.keyboard.press('Control+Alt+c');
      await expect.poll(() => article(0).getAttribute('data-status')).toBe('ABORT');
      await article(0)
        .getByRole('button', { name: /Run this paragraph/ })
        .waitFor();
    },
  );
});

describe('the bar of a note', () => {
  beforeEach(() => open(['%md\none', '%md\ntwo']));

  it('titles the page with the last path segment and edits the whole path on a click', async () => {
    await expect.poll(() => page.title()).toMatch(/^Walk \d+ - /);
    const before = note.path;
    const name = bar().getByRole('heading').getByRole('button');
    const field = () => bar().getByRole('textbox', { name: 'Rename this note' });
    for (const [typed, key, after] of [
      ['   ', 'Enter', before],
      ['promises/never', 'Escape', before],
      [`promises/Renamed ${made}`, 'Enter', `promises/Renamed ${made}`],
    ] as const) {
      await name.click();
      await expect.poll(() => field().inputValue()).toBe(before);
      await field().fill(typed);
      await page.keyboard.press(key);
      await field().waitFor({ state: 'detached' });
      await expect.poll(() => note.path).toBe(after);
    }
    await expect.poll(() => page.title()).toMatch(/^Renamed \d+ - /);
  });

  it.skipIf(inFront)(
    'asks before it runs all, clears all with a way back, and toggles all code and output',
    async () => {
      await bar().getByRole('button', { name: 'Run all', exact: true }).click();
      await answer(['Run all paragraphs?'], 'Cancel');
      expect(note.paragraphs.map(({ status }) => status)).toEqual(['READY', 'READY']);
      await bar().getByRole('button', { name: 'Run all', exact: true }).click();
      await answer(['Run all paragraphs?'], 'Run all');
      await expect
        .poll(() => note.paragraphs.map(({ status }) => status).slice(0, 2))
        .toEqual(['FINISHED', 'FINISHED']);
      for (const [button, key, value] of [
        ['Hide all output', 'tableHide', true],
        ['Show all output', 'tableHide', false],
        ['Hide all code', 'editorHide', true],
        ['Show all code', 'editorHide', false],
      ] as const) {
        await noteMenu(page, button);
        await expect
          .poll(
            () => note.paragraphs.every((_, index) => (config(index)[key] ?? false) === value),
            { message: button },
          )
          .toBe(true);
      }
      await noteMenu(page, 'Clear all output');
      await expect
        .poll(() => note.paragraphs.map(({ state }) => state.outputs.length).slice(0, 2))
        .toEqual([0, 0]);
      await page.getByRole('status').getByRole('button', { name: 'Undo' }).click();
      await expect
        .poll(() => note.paragraphs.map(({ state }) => state.outputs.length).slice(0, 2))
        .toEqual([1, 1]);
    },
  );

  it('clones the note under the next name and opens the copy', async () => {
    const original = note.id;
    await bar().getByRole('button', { name: 'More', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Clone this note' }).click();
    const field = dialog().getByRole('textbox', { name: 'Name' });
    const next = note.path.replace(/\d$/, (digit) => String(Number(digit) + 1));
    if (/\D\d$/.test(note.path)) await expect.poll(() => field.inputValue()).toBe(next);
    await field.fill(`promises/Copy of ${made}`);
    await dialog().getByRole('button', { name: 'Clone', exact: true }).click();
    await expect.poll(() => new URL(page.url()).hash).not.toBe(`#/notebook/${original}`);
    await expect.poll(() => page.title()).toMatch(/^Copy of /);
    await expect.poll(() => page.locator('article').count()).toBe(2);
  });

  it('exports the note to a file with its name', async () => {
    await bar().getByRole('button', { name: 'More', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Export this note' }).click();
    const download = page.waitForEvent('download');
    await dialog().getByRole('button', { name: 'Export', exact: true }).click();
    const file = await download;
    expect(file.suggestedFilename()).toMatch(
      new RegExp(`^${note.path.replace('/', '_')}\\.(json|zpln)$`),
    );
    const exported = JSON.parse(await readFile(await file.path(), 'utf8')) as {
      paragraphs: { text: string }[];
    };
    expect(exported.paragraphs.map(({ text }) => text)).toEqual(['%md\none', '%md\ntwo']);
  });

  it('exports a script, and an HTML page without code', async () => {
    const save = async (format: RegExp, prepare?: () => Promise<void>) => {
      await bar().getByRole('button', { name: 'More', exact: true }).click();
      await page.getByRole('menuitem', { name: 'Export this note' }).click();
      await dialog().getByRole('radio', { name: format }).check();
      await prepare?.();
      const download = page.waitForEvent('download');
      await dialog().getByRole('button', { name: 'Export', exact: true }).click();
      const file = await download;
      return [file.suggestedFilename(), await readFile(await file.path(), 'utf8')] as const;
    };
    await note.paragraphs[1]!.setTitle('Second');
    const [script, python] = await save(/^Python script/);
    expect(script).toBe(`${note.path.replace('/', '_')}.py`);
    expect(python).toBe('# %% [markdown]\n# one\n\n# %% Second [markdown]\n# two\n');
    const [name, html] = await save(/^HTML page/, () =>
      dialog().getByRole('checkbox', { name: 'Include code' }).uncheck(),
    );
    expect(name).toBe(`${note.path.replace('/', '_')}.html`);
    expect(html).toContain('<h2 class="report-title">Second</h2>');
  });

  it('moves the note to the trash and then removes it, both after confirmation', async () => {
    await bar().getByRole('button', { name: 'More', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Move this note to trash' }).click();
    await answer(['Move this note to trash?'], 'Move to trash');
    await expect.poll(() => new URL(page.url()).hash).toBe('#/');
    await expect
      .poll(async () => (await client.notes.list()).find(({ id }) => id === note.id)?.path)
      .toMatch(/^~Trash\//);
    await showNote(page, embedded.server.url, note.id);
    // Notes in the trash can't be run or scheduled.
    expect(
      await bar()
        .getByRole('button', { name: /^Schedule/ })
        .count(),
    ).toBe(0);
    await bar().getByRole('button', { name: 'More', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Remove note permanently' }).click();
    await answer(
      ['WARNING! This note will be removed permanently', 'This cannot be undone. Are you sure?'],
      'Remove',
    );
    await expect.poll(() => new URL(page.url()).hash).toBe('#/');
    await expect
      .poll(async () => (await client.notes.list()).some(({ id }) => id === note.id))
      .toBe(false);
  });

  it.skipIf(inFront)(
    'restarts an interpreter after confirmation and asks about unsaved bindings',
    async () => {
      await noteMenu(page, 'Interpreter binding');
      const panel = page.getByRole('complementary', { name: 'Interpreter binding' });
      await panel.getByRole('button', { name: 'Restart md' }).click();
      await answer(['Do you want to restart md interpreter?'], 'Restart');
      await page.getByText('Interpreter stopped. Will be lazily started on next run.').waitFor();
      // Closing the panel asks about unsaved changes.
      await panel.getByRole('listitem').last().locator('.binding-name').click();
      await panel.getByRole('button', { name: 'Close panel' }).click();
      await answer(['Interpreter setting changes will be discarded.'], 'Discard');
      await panel.waitFor({ state: 'detached' });
    },
  );
});

it('logs no errors', () => {
  expect(watched.complaints).toEqual([]);
});
