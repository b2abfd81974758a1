/** The main path: sign in, import a note, run it, see every kind of result, and reload. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { launchChromium } from '../support/chromium.ts';
import { startEmbedded } from '../support/embedded.ts';
import { openPage } from '../support/page.ts';
import { untilEnd } from '../support/until-end.ts';

const fixture = join(import.meta.dirname, '../fixtures/every-result.zpln');

const embedded = untilEnd(await startEmbedded({ adminPassword: undefined }));
const browser = untilEnd(await launchChromium());
const watched = await openPage(browser);
const { page } = watched;

describe('the workbench in a browser', () => {
  it('signs in with the one-time link, which is then removed from the address', async () => {
    const link = embedded.server.loginLink();
    await page.goto(link);
    await page.locator('tiding-home').waitFor();
    expect(page.url()).not.toContain('login=');
    await page.getByRole('link', { name: 'Flight delays' }).first().waitFor();
    const second = await openPage(browser);
    await second.page.goto(link);
    await second.page.getByRole('alert').waitFor();
    await expect
      .poll(() => second.page.getByRole('alert').textContent())
      .toContain('has been used or has expired');
    await second.close();
  });

  it("imports a note in Zeppelin's format and runs all of it", {
    // The environment of Python may be created here.
    timeout: 600_000,
  }, async () => {
    await page.getByRole('button', { name: 'Import' }).click();
    await page.getByRole('dialog').locator('input[type=file]').setInputFiles(fixture);
    await page.waitForURL(/#\/notebook\//);
    const source = JSON.parse(await readFile(fixture, 'utf8')) as { paragraphs: unknown[] };
    await expect.poll(() => page.locator('article').count()).toBe(source.paragraphs.length);
    await page.getByRole('button', { name: 'Run all' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Run all' }).click();
    await expect
      .poll(() => page.locator('article').last().getAttribute('data-status'), { timeout: 560_000 })
      .toBe('ERROR');
  });

  const everything = async () => {
    const statuses = await page
      .locator('article')
      .evaluateAll((all) => all.map((article) => (article as HTMLElement).dataset['status']));
    expect(statuses.slice(0, -1).every((status) => status === 'FINISHED')).toBe(true);
    await page.locator('.output-part').getByText('plain text from the shell').waitFor();
    const grid = page.getByRole('grid').first();
    await grid.waitFor();
    await expect.poll(() => grid.textContent()).toContain('Seattle');
    await page.locator('article svg path').first().waitFor();
    await expect
      .poll(() => page.locator('.visualization svg, .chart svg, [class*=chart] svg').count())
      .toBeGreaterThan(0);
    const image = page.locator('article img').first();
    await image.waitFor();
    expect(
      await image.evaluate((element: HTMLImageElement) => element.naturalWidth),
    ).toBeGreaterThan(50);
    const frame = page.frameLocator('article iframe').first();
    await frame.getByText('written by its own script').waitFor();
    await page.getByText('no_such_column', { exact: false }).first().waitFor();
  };

  it('shows text, table, chart, image, HTML and an error', async () => {
    const { page, complaints } = watched;
    // Scripts of an imported note run only after the reader allows it.
    await page.getByRole('button', { name: 'Show active content' }).first().click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Trust this note' }).click();
    await everything();
    // The browser logs each script that was blocked until then.
    const others = complaints
      .splice(0)
      .filter((complaint) => !complaint.includes("script-src 'sha256-"));
    complaints.push(...others);
  });

  it('shows all of it after a reload', async () => {
    await page.reload();
    await page.locator('article').first().waitFor();
    await everything();
  });

  it('edits a paragraph and runs it with Shift+Enter [W51]', async () => {
    const before = await page.locator('article').count();
    await page.getByRole('button', { name: 'Add paragraph' }).last().click();
    await expect.poll(() => page.locator('article').count()).toBe(before + 1);
    const last = page.locator('article').last();
    // An added paragraph has the focus.
    await last.locator('.cm-content:focus').waitFor();
    // A new paragraph starts with the magic of the previous one.
    await page.keyboard.press('Control+A');
    await page.keyboard.type('%sql\nselect 6 * 7 as answer');
    await page.keyboard.press('Shift+Enter');
    await expect.poll(() => last.getAttribute('data-status')).toMatch(/FINISHED|READY/);
    // The run has appended a paragraph, which has the focus now.
    const ran = page.locator('article').nth(-2);
    await ran.scrollIntoViewIfNeeded();
    await ran.getByRole('gridcell', { name: '42' }).waitFor();
  });

  it('completes names from the engine', async () => {
    const last = page.locator('article').last();
    await last.getByRole('textbox').click();
    await last.locator('.cm-content:focus').waitFor();
    await page.keyboard.press('Control+A');
    await page.keyboard.type('%sql\nselect regexp_repl');
    await page.keyboard.press('Control+.');
    await page
      .getByRole('option', { name: /regexp_replace/ })
      .first()
      .waitFor();
    await page.keyboard.press('Enter');
    await expect.poll(() => last.locator('.cm-content').innerText()).toContain('regexp_replace');
  });

  it('completes keywords of the command language and names of its catalogue', async () => {
    const last = page.locator('article').last();
    await last.getByRole('textbox').click();
    await last.locator('.cm-content:focus').waitFor();
    await page.keyboard.press('Control+A');
    await page.keyboard.type('%magpie\ndescribe clu');
    // The completion comes from this interpreter once the server knows the magic.
    await page.keyboard.press('Control+.');
    await page
      .getByRole('option', { name: /cluster/ })
      .first()
      .waitFor();
    await page.keyboard.press('Enter');
    await expect.poll(() => last.locator('.cm-content').innerText()).toContain('describe cluster');
    await page.keyboard.type(' ');
    await page.keyboard.press('Control+.');
    await page.getByRole('option', { name: /local/ }).first().waitFor();
    await page.keyboard.press('Enter');
    await expect
      .poll(() => last.locator('.cm-content').innerText())
      .toContain('describe cluster local');
  });

  it('logs no errors and no policy violations', () => {
    expect(watched.complaints).toEqual([]);
  });
});
