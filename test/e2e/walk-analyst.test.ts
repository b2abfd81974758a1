/**
 * An analyst's way from a dropped file to a published report. `TIDING_WALK_MB` sets the size of the
 * file in MB.
 */
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { accessibilityFindings } from '../support/axe.ts';
import { dropFiles } from '../support/drop-files.ts';
import { noteMenu, openPage, signIn } from '../support/page.ts';
import { PASSWORD, salesWalk } from '../support/sales-file.ts';

const QUESTION = `%sql
select region, sum(revenue) as revenue from read_csv('sales.csv') group by region order by 2 desc`;
const TEXT = '# Sales by region\n\nChoose a **region** to see its products.';
const FORM = `select product, sum(units) as units from read_csv('sales.csv')
where region = '\${region=North,North|South|East|West}' group by product order by 2 desc`;

const walk = salesWalk();

const article = (page: Page, index: number) => page.locator('article').nth(index);
const bar = (page: Page) => page.locator('.note-bar');
/** Waits for the end of a run, and for its paragraph's new text to be the stored one. */
const finished = (page: Page, index: number) =>
  expect
    .poll(() => article(page, index).getAttribute('data-status'), { timeout: 100_000 })
    .toBe('FINISHED');
const drawn = (page: Page, index: number, text: string) =>
  article(page, index).locator('.chart-body svg text').filter({ hasText: text }).first().waitFor();

/** Opens the address of the report as a reader, who sees results and forms but no code. */
async function readReport(address: string): Promise<void> {
  const { page, complaints, close } = await openPage(walk.browser);
  await signIn(page, walk.url, 'rosa', PASSWORD);
  await page.goto(address);
  await page.getByRole('heading', { name: 'Sales by region' }).waitFor();
  await drawn(page, 2, 'Revenue per region');
  expect(await page.locator('.cm-content, .code').count()).toBe(0);
  expect(await accessibilityFindings(page, 'report')).toEqual([]);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.reload();
  await drawn(page, 2, 'Revenue per region');
  expect(await accessibilityFindings(page, 'narrow report')).toEqual([]);
  expect(complaints).toEqual([]);
  await close();
}

it('goes from a dropped file to a published report with the mouse', {
  timeout: 300_000,
}, async () => {
  const { page, complaints, close } = await openPage(walk.browser);
  await signIn(page, walk.url, 'ann', PASSWORD);
  await page.getByRole('button', { name: 'Choose files…' }).waitFor();
  await dropFiles(page, [walk.file], () => ({ x: 700, y: 500 }));
  await page.getByRole('dialog').getByRole('button', { name: 'Add paragraph' }).click();
  await finished(page, 1);
  await article(page, 1).locator('.chart-body svg').waitFor();
  expect(await accessibilityFindings(page, 'first chart')).toEqual([]);

  const run = async (index: number, text: string) => {
    await article(page, index).locator('.cm-content:focus').waitFor();
    await page.keyboard.type(text);
    await article(page, index).getByRole('button', { name: 'Run this paragraph' }).click();
    await finished(page, index);
  };
  await article(page, 2).locator('.code').click();
  await run(2, QUESTION);
  const question = article(page, 2);
  await question.getByRole('radio', { name: 'Bar Chart' }).click();
  await question.getByRole('button', { name: 'Fields' }).click();
  await question.getByRole('textbox', { name: 'Y title' }).click();
  await page.keyboard.type('Revenue per region');
  await page.keyboard.press('Enter');
  await question.getByRole('combobox', { name: 'Numbers' }).selectOption('currency');
  await drawn(page, 2, 'Revenue per region');
  expect(await accessibilityFindings(page, 'settings of a chart')).toEqual([]);
  await question.getByRole('button', { name: 'Fields' }).click();
  // A run of the last paragraph adds one in the same language.
  await article(page, 3).locator('.code').click();
  await run(3, FORM);
  // A run while the rows are read would make the server refuse them.
  await expect.poll(() => article(page, 3).locator('[aria-busy=true]').count()).toBe(0);
  await article(page, 3).getByRole('combobox', { name: 'region' }).selectOption('West');
  await finished(page, 3);
  await article(page, 4).waitFor();
  await page.locator('.add-bar').getByRole('button', { name: 'md' }).click();
  await run(5, TEXT);
  await page.getByRole('heading', { name: 'Sales by region' }).waitFor();

  await noteMenu(page, 'Note Permissions');
  await page.getByRole('combobox', { name: 'Readers' }).click();
  await page.keyboard.type('rosa');
  await page.getByRole('option', { name: 'rosa' }).click();
  await page.getByRole('button', { name: 'Save permissions' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Close' }).click();
  await bar(page).getByRole('button', { name: 'Share', exact: true }).click();
  await page.getByRole('checkbox', { name: 'Publish as a report' }).click();
  expect(await accessibilityFindings(page, 'share')).toEqual([]);
  const address = await page.getByRole('textbox', { name: 'Address' }).inputValue();
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
  expect(complaints).toEqual([]);
  await close();
  await readReport(address);
});
