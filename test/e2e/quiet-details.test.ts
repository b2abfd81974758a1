import { expect, it } from 'vitest';
import { noteMenu } from '../support/page.ts';
import { untilEnd } from '../support/until-end.ts';
import { noteOf, partsOf, startWalk } from '../support/walk.ts';

const { article } = partsOf(() => walk.page);

const walk = untilEnd(await startWalk());
const note = await noteOf(walk.client, 'Details', [
  '%sql\ncreate table t as select 1 as a',
  "%sql\nselect '${from=2024-01-31}' as d, ${where='Web','Web'|'App'} as w",
  '%sql\nselect nothing from nowhere',
  '%md\n# Text',
]);
await note.run({ parallel: true });
await walk.page.goto(`${walk.embedded.server.url}/#/notebook/${note.noteId}`);
await article(3).getByRole('heading', { name: 'Text' }).waitFor();

it('has no cluster in the bar while none is used', async () => {
  expect(await walk.page.locator('.nav-cluster').count()).toBe(0);
});

it('shows dates as date fields, and values without their quotes', async () => {
  const date = article(1).getByLabel('from');
  expect([await date.getAttribute('type'), await date.inputValue()]).toEqual([
    'date',
    '2024-01-31',
  ]);
  await date.fill('2024-02-29');
  await expect
    .poll(() => note.paragraphs[1]!.state.server.settings?.params?.['from'])
    .toBe('2024-02-29');
  const list = article(1).getByRole('combobox', { name: 'where' });
  expect(await list.locator('option').allInnerTexts()).toEqual(['Web', 'App']);
  await list.selectOption('App');
  await expect
    .poll(() => note.paragraphs[1]!.state.server.settings?.params?.['where'])
    .toBe("'App'");
});

it('has no empty bar above code without a title', async () => {
  const colours = await article(1).evaluate((card) =>
    ['.paragraph-head', '.code-part'].map(
      (part) => getComputedStyle(card.querySelector(part)!).backgroundColor,
    ),
  );
  expect(colours[0]).toBe(colours[1]);
});

it('marks one interpreter as the default', async () => {
  await noteMenu(walk.page, 'Interpreter binding');
  const names = walk.page.locator('.binding-name');
  await names.first().waitFor();
  expect((await names.allInnerTexts()).filter((name) => name.includes('(default)'))).toHaveLength(
    1,
  );
  await noteMenu(walk.page, 'Interpreter binding');
});

it('keeps an error until it is dismissed', async () => {
  await walk.page.route('**/api/interpreter/setting/restart/**', (route) => route.abort());
  await article(1).locator('.code-area').click();
  await walk.page.getByRole('button', { name: /^Engine sql / }).click();
  await walk.page.getByRole('menuitem', { name: 'Restart sql' }).click();
  const dialog = walk.page.getByRole('alertdialog');
  await dialog.getByText("Don't ask again").click();
  await dialog.getByRole('button', { name: 'Restart' }).click();
  await dialog.getByText('Error restart interpreter.').waitFor();
  await dialog.getByRole('button', { name: 'Close' }).click();
  await walk.page.unroute('**/api/interpreter/setting/restart/**');
  // The question was switched off.
  await walk.page.getByRole('button', { name: /^Engine sql / }).click();
  await walk.page.getByRole('menuitem', { name: 'Restart sql' }).click();
  await walk.page.getByText('Interpreter stopped. Will be lazily started on next run.').waitFor();
  await walk.page.getByRole('button', { name: 'Engine sql not started' }).waitFor();
});

it('shows no confirmations of statements in a report', async () => {
  await walk.page.getByRole('button', { name: 'Layout: Default' }).click();
  await walk.page.getByRole('menuitemcheckbox', { name: 'Report' }).click();
  await walk.page.locator('.notebook.report').waitFor();
  expect(await walk.page.getByText('OK', { exact: true }).count()).toBe(0);
  expect(await article(0).locator('table, [role=grid], .data-grid').count()).toBeGreaterThan(0);
});

it('counts the failures of a job', async () => {
  await walk.page.goto(`${walk.embedded.server.url}/#/jobmanager`);
  const row = walk.page.locator(`[data-job="${note.noteId}"]`);
  await row.getByText('1 failed').waitFor();
  expect(await row.locator('.job-state .status').innerText()).toBe('Ready');
  expect(walk.watched.complaints.filter((text) => !text.includes('ERR_FAILED'))).toEqual([]);
});
