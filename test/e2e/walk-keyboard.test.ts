/**
 * An analyst's way from a file to a published report, and a reader's way in that report, with the
 * keyboard alone. After each step the focus is on something that a person can see.
 * `TIDING_WALK_MB` sets the size of the file in MB; `ALL_LOOKS=1` also walks on a narrow page.
 */
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { accessibilityFindings } from '../support/axe.ts';
import { type FocusedElement, focusOf, tabUntil } from '../support/keyboard.ts';
import { openPage, type WatchedPage } from '../support/page.ts';
import { PASSWORD, salesWalk } from '../support/sales-file.ts';

const QUESTION = `select region, sum(revenue) as revenue from read_csv('sales.csv')
group by region order by 2 desc`;
const FORM = `select product, sum(units) as units from read_csv('sales.csv')
where region = '\${region=North,North|South|East|West}' group by product order by 2 desc`;
/** Time for a step that reads the file, in ms. */
const RUN_MS = 100_000;

const looks = [
  {
    name: 'wide',
    options: { viewport: { width: 1440, height: 900 }, colorScheme: 'light' },
  },
  {
    name: 'keys of Jupyter',
    options: { viewport: { width: 1440, height: 900 }, colorScheme: 'dark' },
  },
  {
    name: 'narrow',
    options: { viewport: { width: 390, height: 844 }, colorScheme: 'dark' },
  },
] as const;
type Look = (typeof looks)[number];

const walk = salesWalk();

/** One page that is used by keys, in one look. */
class Walker {
  readonly #watched: WatchedPage;
  readonly #name: string;

  constructor(watched: WatchedPage, name: string) {
    this.#watched = watched;
    this.#name = name;
  }

  static async open({ name, options }: Look): Promise<Walker> {
    const watched = await openPage(walk.browser, options);
    if (name === 'keys of Jupyter')
      await watched.page.addInitScript(() => localStorage.setItem('tiding-editor-keys', 'jupyter'));
    return new Walker(watched, name);
  }

  get page(): Page {
    return this.#watched.page;
  }

  article(index: number) {
    return this.page.locator('article').nth(index);
  }

  async press(...keys: readonly string[]): Promise<void> {
    for (const key of keys) await this.page.keyboard.press(key);
  }

  async type(text: string): Promise<void> {
    await this.page.keyboard.type(text);
  }

  /** Waits until the focus is where it belongs, and checks that a person sees it there. */
  async at(reached: (at: FocusedElement) => boolean, place: string): Promise<void> {
    const deadline = Date.now() + 30_000;
    let now = await focusOf(this.page);
    while (!(reached(now) && now.isVisible) && Date.now() < deadline) {
      await this.page.waitForTimeout(50);
      now = await focusOf(this.page);
    }
    expect({ place, ...now }).toMatchObject({ isVisible: true });
    expect(reached(now), `${place}, but the focus is at ${JSON.stringify(now)}`).toBe(true);
    expect(now.tag).not.toBe('body');
  }

  /** Moves to a control by Tab, and checks that its focus is visible. */
  async tabTo(
    name: string,
    { back = false, within, limit = 60 }: { back?: boolean; within?: number; limit?: number } = {},
  ): Promise<void> {
    const isThere = ({ control, article }: FocusedElement): boolean =>
      control.trim() === name && (within === undefined || article === within);
    await tabUntil(this.page, isThere, limit, back ? 'Shift+Tab' : 'Tab');
    await this.at(isThere, name);
  }

  async finished(index: number): Promise<void> {
    await expect
      .poll(() => this.article(index).getAttribute('data-status'), { timeout: RUN_MS })
      .toBe('FINISHED');
  }

  /** Checks the state of the page with axe, which is the same with other keys. */
  async state(name: string): Promise<void> {
    if (this.#name === 'keys of Jupyter') return;
    expect(await accessibilityFindings(this.page, `${this.#name}, ${name}`)).toEqual([]);
  }

  async signIn(address: string, name: string): Promise<void> {
    await this.page.goto(address);
    await this.page.getByRole('textbox', { name: 'User Name' }).waitFor();
    if ((await focusOf(this.page)).control !== 'User Name') await this.tabTo('User Name');
    await this.type(name);
    await this.tabTo('Password');
    await this.type(PASSWORD);
    await this.press('Enter');
    await this.page.getByRole('textbox', { name: 'User Name' }).waitFor({ state: 'detached' });
  }

  /** Runs a command of the palette. */
  async palette(command: string): Promise<void> {
    await this.press('F1');
    const field = this.page.getByRole('combobox', { name: 'All commands' });
    await field.waitFor();
    await this.at(({ control }) => control === 'All commands', 'the palette');
    await this.type(command);
    const option = this.page.getByRole('option', { name: command, exact: true });
    await option.waitFor();
    // Commands of the paragraph come first.
    for (let rows = await this.page.getByRole('option').count(); rows > 0; rows -= 1) {
      if ((await option.getAttribute('data-highlighted')) !== null) break;
      await this.press('ArrowDown');
    }
    await this.press('Enter');
  }

  async close(): Promise<void> {
    expect(this.#watched.complaints).toEqual([]);
    await this.#watched.close();
  }
}

const inEditor =
  (index: number) =>
  (at: FocusedElement): boolean =>
    at.inEditor && at.article === index;

it.each(process.env['ALL_LOOKS'] ? looks : looks.slice(0, 2))(
  'goes from a file to a published report by keys: $name',
  {
    timeout: 600_000,
  },
  async (look) => {
    const walker = await Walker.open(look);
    const { page } = walker;
    await walker.signIn(walk.url, 'ann');
    // Listened for early: Playwright takes a moment until it catches the dialog.
    const chooser = page.waitForEvent('filechooser', { timeout: 120_000 });

    // Upload a file from the home page.
    await page.getByRole('button', { name: 'Choose files…' }).waitFor();
    await walker.tabTo('Choose files…', { limit: 40 });
    await walker.state('home');
    await walker.at(({ control }) => control === 'Choose files…', 'the button for files');
    await walker.press('Enter');
    await (await chooser).setFiles(walk.file);
    await page.getByRole('dialog').waitFor();
    await walker.at(({ control }) => control === 'Add paragraph', 'the button of the preview');
    await walker.state('preview of a file');
    await walker.press('Enter');

    // The proposed paragraphs run.
    await walker.finished(1);
    await walker.article(1).locator('.chart-body svg').waitFor();
    await walker.at(({ hosts }) => hosts.includes('tiding-notebook'), 'the new note');
    await walker.state('first chart');

    // A query in the last paragraph. Its run adds another one, which gets the cursor.
    await walker.press('Escape');
    await tabUntil(page, ({ inCode, article }) => inCode && article === 2, 120);
    await walker.press('Enter');
    await walker.at(inEditor(2), 'the third editor');
    await walker.press('ControlOrMeta+A');
    await walker.type(`%sql\n${QUESTION}`);
    await walker.press('Shift+Enter');
    await walker.finished(2);
    await walker.at(inEditor(3), 'the editor of the added paragraph');

    // Its table, by arrow keys.
    await walker.press('Escape');
    await tabUntil(page, ({ role, article }) => role === 'grid' && article === 2, 30, 'Shift+Tab');
    await walker.at(({ role }) => role === 'grid', 'the table');
    await walker.press('ArrowDown', 'ArrowDown', 'ArrowRight');
    await walker.at(({ role }) => role === 'grid', 'the table');
    await walker.state('table');

    // Its chart and the settings of the chart.
    const view = look.name !== 'narrow' ? 'Table' : 'View: Table';
    await walker.tabTo(view, { back: true, within: 2 });
    if (look.name !== 'narrow') await walker.press('ArrowRight');
    else {
      await walker.press('Enter');
      await page.getByRole('menuitemradio', { name: 'Bar Chart' }).waitFor();
      await walker.type('Bar');
      await walker.press('Enter');
    }
    await walker.article(2).locator('.chart-body svg').waitFor();
    await walker.at(({ article }) => article === 2, 'the choice of the view');
    await walker.tabTo('Fields', { within: 2 });
    await walker.press('Enter');
    await walker.at(({ control }) => control === 'Fields', 'the button of the fields');
    await walker.tabTo('Y title', { within: 2 });
    await walker.type('Revenue per region');
    await walker.press('Enter');
    await walker.tabTo('Numbers', { within: 2 });
    await walker.type('Curr');
    const drawn = walker.article(2).locator('.chart-body svg text');
    await drawn.filter({ hasText: 'Revenue per region' }).first().waitFor();
    await drawn.filter({ hasText: '$' }).first().waitFor();
    await walker.at(({ control }) => control.startsWith('Numbers'), 'the number format');
    await walker.state('chart settings');

    // A form, in the paragraph that the run added.
    await tabUntil(page, ({ inCode, article }) => inCode && article === 3, 60);
    await walker.press('Enter');
    await walker.at(inEditor(3), 'the fourth editor');
    await walker.press('ControlOrMeta+End');
    await walker.type(FORM);
    await walker.press('Shift+Enter');
    await walker.finished(3);
    await walker.at(inEditor(4), 'the editor of the added paragraph');
    await walker.press('Escape');
    const isForm = ({ tag, article }: FocusedElement): boolean => tag === 'select' && article === 3;
    await tabUntil(page, isForm, 30, 'Shift+Tab');
    await walker.type('West');
    await expect
      .poll(() => walker.article(3).getByRole('combobox', { name: 'region' }).inputValue())
      .toBe('3');
    await walker.finished(3);
    await walker.at(isForm, 'the form');
    await walker.state('form');
    const middles = await page.locator('.add-bar button').evaluateAll((buttons) =>
      buttons.map((button) => {
        const { top, height } = button.getBoundingClientRect();
        return Math.round(top + height / 2);
      }),
    );
    expect(new Set(middles).size, 'rows of buttons below the note').toBe(1);

    // The palette, panels and the help.
    await tabUntil(page, ({ inCode, article }) => inCode && article === 3, 10, 'Shift+Tab');
    await walker.press('Enter');
    await walker.at(inEditor(3), 'the editor of the form');
    await walker.palette('Files');
    await walker.at(({ role, tag }) => tag === 'aside' || role === 'complementary', 'the panel');
    await walker.state('files panel');
    await walker.tabTo('Close panel');
    await walker.press('Enter');
    await walker.at(inEditor(3), 'the editor after the panel');
    await walker.palette('Keyboard shortcuts');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    await walker.at(({ control }) => control.includes('eyboard shortcuts'), 'the help');
    await walker.state('shortcuts');
    await walker.press('Escape');
    await walker.at(inEditor(3), 'the editor after the help');

    // Permissions for a reader who may run, so that the form of the report works.
    await walker.palette('Note Permissions');
    await walker.at(({ tag }) => tag === 'aside', 'the panel');
    await page.getByRole('combobox', { name: 'Runners' }).waitFor();
    await walker.tabTo('Runners');
    await walker.type('rosa');
    await page.getByRole('option', { name: 'rosa' }).waitFor();
    await walker.press('ArrowDown', 'Enter');
    await walker.state('permissions');
    await walker.tabTo('Save permissions');
    await walker.press('Enter');
    await walker.at(({ control }) => control === 'Close', 'the confirmation');
    await walker.press('Enter');
    await walker.at(({ control }) => control === 'Save permissions', 'the panel after saving');
    await walker.tabTo('Close panel', { back: true });
    await walker.press('Enter');
    await walker.at(inEditor(3), 'the editor after the permissions');

    // Publish.
    await walker.palette('Share');
    await walker.at(({ control }) => control === 'Address', 'the dialog');
    const address = await page.getByRole('textbox', { name: 'Address' }).inputValue();
    const isPublish = ({ control }: FocusedElement): boolean =>
      control.startsWith('Publish as a report');
    await tabUntil(page, isPublish, 8);
    await walker.at(isPublish, 'the choice to publish');
    await walker.press('Space');
    await expect
      .poll(() => page.getByRole('checkbox', { name: 'Publish as a report' }).isChecked())
      .toBe(true);
    await walker.state('share');
    await walker.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await walker.at(({ hosts }) => hosts.includes('tiding-notebook'), 'the note as a report');
    await walker.state('published');
    await walker.close();

    // The reader.
    const reader = await Walker.open(look);
    await reader.signIn(address, 'rosa');
    const svg = reader.article(2).locator('.chart-body svg text');
    await svg.filter({ hasText: 'Revenue per region' }).first().waitFor();
    expect(await reader.page.locator('.cm-content, .code').count()).toBe(0);
    const gap = await reader.article(0).evaluate((article) => {
      const [first, second] = [...article.querySelectorAll('.result > *')].map((table) =>
        table.getBoundingClientRect(),
      );
      return second!.top - first!.bottom;
    });
    expect(gap, 'space between the tables of the first paragraph').toBeGreaterThanOrEqual(12);
    await tabUntil(reader.page, isForm, 60);
    await reader.type('South');
    await reader.finished(3);
    await reader.at(isForm, 'the form of the report');
    await expect
      .poll(() => reader.article(3).getByRole('combobox', { name: 'region' }).inputValue())
      .toBe('1');
    await reader.state('report');
    await reader.page.setViewportSize({ width: 390, height: 844 });
    await reader.state('narrow report');
    await reader.close();
  },
);
