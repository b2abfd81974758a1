import { describe, expect, it } from 'vitest';
import { untilEnd } from '../support/until-end.ts';
import { noteOf, startWalk } from '../support/walk.ts';

const ROWS = 1_500_000;

const walk = untilEnd(await startWalk());
const note = untilEnd(
  await noteOf(walk.client, 'large/Walk', [
    "%sql\nselect i as id, 'Customer ' || (i * 7919 % 1000003) as customer, " +
      "['north', 'south', 'east'][1 + (i % 3)::int] as region, (i * 31 % 10007) / 4 as price " +
      `from range(${ROWS}) t(i)`,
  ]),
);
await note.paragraphs[0]!.run();
await walk.page.goto(`${walk.embedded.server.url}/#/notebook/${note.id}`);

const grid = () => walk.page.locator('.data-grid');
/** Text of a cell; positions count from 0. */
const cell = (row: number, column: number) =>
  grid().locator(`[data-row="${row}"][data-column="${column}"]`);
const meta = () => walk.page.locator('.result-meta');

describe('a table of 1,500,000 rows', () => {
  it('has all rows, and loads those on the screen', async () => {
    await meta().getByText('1,500,000 rows').waitFor();
    await grid().evaluate((box) => (box.scrollTop = box.scrollHeight));
    await grid()
      .getByText((ROWS - 1).toLocaleString('en-US'), { exact: true })
      .waitFor();
    await expect.poll(() => grid().getByRole('gridcell').count()).toBeLessThan(1_000);
  });

  it('is sorted by all rows', async () => {
    await grid().evaluate((box) => (box.scrollTop = 0));
    await grid().getByText('customer', { exact: true }).click();
    await expect.poll(() => cell(0, 1).textContent()).toBe('Customer 0');
    await expect.poll(() => cell(2, 1).textContent()).toBe('Customer 1');
  });

  it('is filtered and searched in all rows', async () => {
    await walk.page.locator('.option-button').click();
    await walk.page.getByLabel('Filter region').first().fill('east');
    await meta().getByText('500,000').waitFor();
    await walk.page.keyboard.press('Escape');
    await grid().focus();
    await walk.page.keyboard.press('Control+f');
    await walk.page.locator('.grid-search input').fill('1000000');
    await walk.page.locator('.grid-search-count').getByText(/\d/).waitFor();
  });

  it('is drawn from an aggregate of all rows', async () => {
    await walk.page.getByRole('radio', { name: 'Bar Chart' }).click();
    await walk.page.getByText('Computed from all 1,500,000 rows').waitFor();
  });

  it('shows its first rows while the rest is stored', async () => {
    // Each row takes long enough for the run to be cancelled before its table is complete.
    const paragraph = await note.insert({
      text: `%sql\nselect i, sha256(repeat(i::varchar, 400)) as hash from range(${ROWS}) t(i)`,
    });
    const run = paragraph.run();
    const storing = walk.page.getByText(
      /^Storing all rows: [\d,]+ so far\. The first 10,000 are shown\.$/,
    );
    await storing.waitFor();
    expect(paragraph.status).toBe('RUNNING');
    await paragraph.cancel();
    await Promise.resolve(run).catch(() => undefined);
    await storing.waitFor({ state: 'detached' });
    await meta().getByText('10,000 rows · 2 columns').waitFor();
  });
});
