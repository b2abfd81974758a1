import { expect, it } from 'vitest';
import { accessibilityFindings } from '../support/axe.ts';
import { untilEnd } from '../support/until-end.ts';
import { noteOf, partsOf, startWalk } from '../support/walk.ts';

const { article } = partsOf(() => walk.page);
const query = `%sql
select date '2024-01-15' + cast(i * 20 as integer) as day, 10 + i % 7 as sold
from range(30) t(i) where i not between 8 and 12`;
const graph = () =>
  (
    note.paragraphs[0]!.state.server.config?.results as Record<
      string,
      { graph: { setting: object } }
    >
  )?.[0]?.graph;
const axes = () =>
  (graph()?.setting as { multiBarChart?: { axes?: Record<string, unknown> } })?.multiBarChart
    ?.axes ?? {};

const walk = untilEnd(await startWalk());
const note = await noteOf(walk.client, 'Charts', [
  query,
  '%sql\nselect i from range(200) t(i)',
  [
    '%md\n# Text\n\n- [x] done\n- [ ] to do\n\n| a | b |\n|---|--:|\n| 1 | 2 |\n',
    '> [!NOTE]\n> Read $a^2$.[^1]\n\n```sql\nselect 1\n```\n\n[^1]: A note.',
  ].join('\n'),
  `%sql
select 'k' || i % 3 as kind, 'g' || i % 2 as grade, i * 1.1 as miles from range(12) t(i)`,
  "%sql\nselect 'a' as first, 'b' as second",
]);
await note.run();
await walk.page.goto(`${walk.embedded.server.url}/#/notebook/${note.noteId}`);
await article(0).locator('[aria-label="Bar Chart"]').click();

it('groups dates by quarter with missing ones, and shows titles, formats and a line', async () => {
  await article(0).getByRole('button', { name: 'Fields' }).click();
  await article(0).getByLabel('Dates by').selectOption('quarter');
  await expect.poll(() => axes()['grain']).toBe('quarter');
  await article(0).getByRole('textbox', { name: 'Y title' }).fill('Sold per quarter');
  await walk.page.keyboard.press('Enter');
  await expect.poll(() => axes()['yTitle']).toBe('Sold per quarter');
  await article(0).getByRole('combobox', { name: 'Numbers' }).selectOption('currency');
  await expect.poll(() => axes()['format']).toBe('currency');
  await article(0).getByRole('textbox', { name: 'Currency code' }).fill('EUR');
  await walk.page.keyboard.press('Enter');
  await article(0).getByRole('textbox', { name: 'Reference lines' }).fill('40');
  await walk.page.keyboard.press('Enter');
  await expect.poll(() => axes()['lines']).toEqual([{ value: 40, name: '' }]);
  const words = article(0).locator('.chart-body svg text');
  await expect
    .poll(() => words.allTextContents().then((all) => all.join(' ')))
    .toContain('Sold per quarter');
  const all = (await words.allTextContents()).join(' ');
  for (const word of ['2024 Q1', '2024 Q3', '2025 Q3', '€']) expect(all).toContain(word);
  expect(await accessibilityFindings(walk.page, 'chart')).toEqual([]);
});

it('copies the chart as an image', async () => {
  await walk.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await article(0).getByRole('button', { name: 'Download as' }).click();
  await walk.page.getByRole('menuitem', { name: 'Copy image' }).click();
  await expect
    .poll(() =>
      walk.page.evaluate(async () => (await navigator.clipboard.read())[0]?.types.join() ?? ''),
    )
    .toBe('image/png');
});

it('scrolls the page over a table, and the table only after a click', async () => {
  const grid = article(1).getByRole('grid');
  await grid.scrollIntoViewIfNeeded();
  const scrolled = () => grid.evaluate((box) => box.scrollTop);
  const top = () => grid.evaluate((box) => box.getBoundingClientRect().top);
  await grid.hover();
  const before = await top();
  await walk.page.mouse.wheel(0, 120);
  await expect.poll(top).toBeLessThan(before);
  expect(await scrolled()).toBe(0);
  await grid.click();
  await walk.page.mouse.wheel(0, 120);
  await expect.poll(scrolled).toBeGreaterThan(0);
});

it('shows task lists, alignment, notes, formulas, footnotes and coloured code', async () => {
  const prose = article(2).locator('.prose');
  await prose.getByRole('img', { name: 'done' }).waitFor();
  expect(
    await prose
      .locator('td')
      .last()
      .evaluate((cell) => getComputedStyle(cell).textAlign),
  ).toBe('end');
  expect(await prose.locator('.admonition-title').innerText()).toBe('Note');
  expect(await prose.locator('math msup').count()).toBe(1);
  expect(await prose.locator('.footnotes li').innerText()).toBe('A note.');
  await prose.locator('code .tok-keyword').waitFor();
  await prose.scrollIntoViewIfNeeded();
  expect(await accessibilityFindings(walk.page, 'markdown')).toEqual([]);
});

it('starts with the first text by the first number, and says that there is no number', async () => {
  const mixed = article(3);
  await mixed.scrollIntoViewIfNeeded();
  await mixed.getByRole('radio', { name: 'Bar Chart' }).click();
  const rows = mixed.locator('.visually-hidden table tr');
  await expect
    .poll(async () => (await rows.allInnerTexts()).map((row) => row.split('\t')))
    .toEqual([
      ['Key', 'sum of miles'],
      ['k0', '19.8'],
      ['k1', '24.2'],
      ['k2', '28.6'],
    ]);
  const texts = article(4);
  await texts.scrollIntoViewIfNeeded();
  await texts.getByRole('radio', { name: 'Bar Chart' }).click();
  await texts.getByText('This table has no column of numbers').waitFor();
  expect(await texts.locator('.chart-box').count()).toBe(0);
});
