/** Small files of other programs, as a person sees them in a page. */
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { casesFolder, casesTitle } from '../support/cases.ts';
import { dropFiles } from '../support/drop-files.ts';
import { pythonEnvironment } from '../support/python-environment.ts';
import { untilEnd } from '../support/until-end.ts';
import { startWalk, type Walk } from '../support/walk.ts';

describe.skipIf(!casesFolder)(casesTitle('files of other programs in a browser'), () => {
  let walk: Walk;
  let python: Awaited<ReturnType<typeof pythonEnvironment>>;
  beforeAll(async () => {
    python = await pythonEnvironment();
    if ('folder' in python) vi.stubEnv('TIDING_PYTHON_ENV', python.folder);
    walk = untilEnd(await startWalk());
  }, 900_000);
  afterAll(() => void vi.unstubAllEnvs());

  const article = (at: number) => walk.page.locator('article').nth(at);
  const noComplaints = () => expect(walk.watched.complaints.splice(0)).toEqual([]);

  /** Imports a file on the home page, and opens its note. */
  async function open(file: string, title = basename(file).replace(/\.\w+$/, '')): Promise<void> {
    const { page, embedded } = walk;
    await page.goto(`${embedded.server.url}/#/`);
    await page.getByRole('button', { name: 'Import' }).waitFor();
    await dropFiles(page, [join(casesFolder, file)], () => ({ x: 700, y: 860 }));
    await page.getByRole('tree').getByText(title, { exact: true }).click();
    await article(0).waitFor();
  }
  async function run(at: number): Promise<void> {
    await article(at).scrollIntoViewIfNeeded();
    await article(at).locator('.run').click();
    await expect
      .poll(() => article(at).getAttribute('data-status'), { timeout: 300_000 })
      .toMatch(/FINISHED|ERROR/);
  }
  /** Drops a data file on a new note, and accepts how it is read. */
  async function read(file: string): Promise<string[]> {
    const { page, client, embedded } = walk;
    const id = await client.notes.create({ path: `Read ${basename(file)}` });
    await page.goto(`${embedded.server.url}/#/notebook/${id}`);
    await article(0).waitFor();
    await dropFiles(page, [join(casesFolder, file)], async () => {
      const { x, y } = (await article(0).boundingBox())!;
      return { x: x + 60, y: y + 4 };
    });
    const dialog = page.getByRole('dialog');
    await dialog.locator('tbody tr').first().waitFor();
    const remarks = await dialog.getByRole('listitem').allInnerTexts();
    await dialog.getByRole('button', { name: 'Add paragraph' }).click();
    await page.locator('article').getByRole('grid').first().waitFor({ timeout: 120_000 });
    return remarks;
  }
  const cells = () =>
    walk.page
      .locator('article')
      .getByRole('grid')
      .first()
      .locator('[role=gridcell][data-column]')
      .allInnerTexts();

  it('a CSV file has its dates, numbers and remarks', async () => {
    const remarks = await read('csv/semicolon-decimal-comma.csv');
    expect(remarks).toContain('menge: 1.000 is read as 1000');
    await expect
      .poll(cells)
      .toEqual('Schraube 1.25 1,000 Mutter 0.80 250 Scheibe 12.00 3,500'.split(' '));
    noComplaints();
  });

  it('a workbook has the names of groups', async () => {
    expect((await read('excel/merged.xlsx')).join()).toContain('the names are in the rows 1 and 2');
    await expect.poll(cells).toEqual(['1', '2', '3', 'null', '5', '6']);
    const text = await walk.page.locator('article').getByRole('grid').first().innerText();
    expect(text).toMatch(/Group a\s.*Group b\s.*x c/s);
    noComplaints();
  });

  it('code with dollar signs runs as it is written', { timeout: 600_000 }, async () => {
    await open('dollar/price.ipynb');
    await run(0);
    await expect.poll(() => article(0).innerText()).toContain('Total: $12.5\n12.5$');
    expect(await article(2).locator('math').count()).toBe(2);
    noComplaints();
  });

  it('a notebook shows Markdown, formulas, JSON and pictures', async () => {
    await open('jupyter/outputs-markdown-latex-json.ipynb');
    await article(1).locator('strong', { hasText: 'Total:' }).waitFor();
    await article(2).locator('math').first().waitFor();
    await expect.poll(() => article(3).innerText()).toContain('9007199254740993');
    await open('jupyter/attachments.ipynb');
    await expect
      .poll(() =>
        walk.page
          .locator('article img')
          .evaluateAll((all) => all.map((image) => (image as HTMLImageElement).naturalWidth)),
      )
      .toEqual(Array.from({ length: 9 }, () => 1));
    noComplaints();
  });

  it('a percent script has its titles, and a marker in a string is text', async () => {
    await open('percent/cells.py');
    await article(0).getByRole('heading', { name: 'Title' }).waitFor();
    await article(3).getByText('A heading with "quotes"').waitFor();
    await expect.poll(() => article(6).locator('.code').innerText()).toContain('# %% not a cell');
    noComplaints();
  });

  it('a note of Zeppelin 0.5 has its chart', async () => {
    await open('zeppelin/z05.json', 'Old 05');
    await article(0).locator('svg, canvas').first().waitFor();
    noComplaints();
  });

  it('displays of Python are drawn as in a terminal', { timeout: 600_000 }, async () => {
    if ('missing' in python) return console.log(`skipped: ${python.missing}`);
    await open('python/displays.py');
    const titles = [
      ...readFileSync(join(casesFolder, 'python/displays.py'), 'utf8').matchAll(/^# %% (\w+)$/gm),
    ].map(([, title]) => title!);
    const at = (title: string) => titles.indexOf(title);
    await run(at('imports'));
    await run(at('tz'));
    await expect
      .poll(() => article(at('tz')).getByRole('grid').innerText())
      .toMatch(/2024-03-31 01:30:00\+01:00\s.*2024-03-31 03:30:00\+02:00/s);
    await run(at('cr'));
    await expect
      .poll(() => article(at('cr')).innerText())
      .toContain('bbaaaaaa\ny\n123ab\nZZ1\nkeepcut\n 50%');
    noComplaints();
  });
});
