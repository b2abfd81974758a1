/** Data files dropped into a note or pasted into an editor, and read by the new paragraph. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Float64, makeVector, Table, tableToIPC, vectorFromArray } from 'apache-arrow';
import { beforeAll, describe, expect, it } from 'vitest';
import { accessibilityFindings } from '../support/axe.ts';
import { giveFile } from '../support/drop-files.ts';
import { noteMenu } from '../support/page.ts';
import { untilEnd } from '../support/until-end.ts';
import { startWalk } from '../support/walk.ts';

const MAX_FILE_BYTES = 8 * 2 ** 20;
const ADD = 'Add paragraph';

const walk = untilEnd(await startWalk({ maxFileBytes: MAX_FILE_BYTES }));
const { embedded, watched, page } = walk;

describe('data files in a browser', () => {
  beforeAll(async () => {
    await page.getByRole('link', { name: 'Seattle weather' }).first().click();
    await page.locator('article').first().waitFor();
  });

  /** Drops or pastes a file on the first paragraph; a number creates a file of that many bytes. */
  const give = (type: 'dragover' | 'drop' | 'paste', name: string, bytes: Uint8Array | number) =>
    giveFile(page.locator('article').first(), type, { name, bytes });
  /** Confirms how the file is read. */
  const add = () => page.getByRole('dialog').getByRole('button', { name: ADD }).click();
  const text = (content: string) => new TextEncoder().encode(content);

  const arrow = () =>
    tableToIPC(
      new Table({
        city: vectorFromArray(['Oslo', 'Bergen']),
        people: makeVector({ type: new Float64(), data: new Float64Array([709037, 291940]) }),
      }),
      'file',
    );
  it.each([
    [
      'drop',
      'cities.csv',
      () => text('city,people\nOslo,709037\nBergen,291940\n'),
      `read_csv('cities.csv'`,
    ],
    ['paste', 'cities.csv', () => text('city,people\nOslo,709037\n'), `read_csv('cities-2.csv'`],
    [
      'drop',
      'it\'s "tabs".tsv',
      () => text('city\tpeople\nOslo\t709037\n'),
      `read_csv('it_s _tabs_.tsv'`,
    ],
    [
      'drop',
      'umsatz.csv',
      () =>
        Buffer.from('ort;tag;umsatz\nOslo;01.02.2025;1.234,50\nKöln;13.02.2025;7,00\n', 'latin1'),
      'Latin-1, delimiter: semicolon, header in line 1, decimal comma',
    ],
    [
      'drop',
      'cities.json',
      () => text('[{"city": "Oslo", "people": 709037}]'),
      "read_json('cities.json')",
    ],
    ['drop', 'cities.arrow', arrow, "read_feather('cities.arrow')"],
  ] as const)(
    'reads the file in a new paragraph after %s of %s',
    { timeout: 200_000 },
    async (type, name, bytes, reads) => {
      const before = await page.locator('article').count();
      await give(type, name, bytes());
      if (!name.endsWith('.arrow')) await add();
      await expect.poll(() => page.locator('article').count()).toBe(before + 1);
      const made = page.locator('article').nth(1);
      await expect
        .poll(async () => (await made.locator('.code').textContent())?.includes(reads))
        .toBe(true);
      // It runs at once.
      await expect
        .poll(() => made.getAttribute('data-status'), { timeout: 180_000 })
        .toBe('FINISHED');
      const grid = made.getByRole('grid').first();
      await grid.waitFor();
      await expect.poll(() => grid.textContent()).toContain('Oslo');
    },
  );

  it('is read although somebody adds a paragraph while the user looks at it', async () => {
    const articles = page.locator('article');
    const before = await articles.count();
    await give('drop', 'meanwhile.csv', text('a\n1\n'));
    await page.getByRole('dialog').getByRole('button', { name: ADD }).waitFor();
    const other = await page.context().newPage();
    await other.goto(page.url());
    await other.locator('.add-bar').getByRole('button', { name: ADD }).click();
    await expect.poll(() => articles.count()).toBe(before + 1);
    await other.close();
    await add();
    await articles.filter({ hasText: "read_csv('meanwhile.csv'" }).waitFor();
  });

  it('shows a profile of the columns below the rows', async () => {
    const grids = page.locator('article').nth(1).getByRole('grid');
    const rows = Array.from({ length: 6_000 }, (_, at) => {
      const opened = new Date(Date.UTC(2025, 0, 1, 0, at % 5_900)).toISOString().slice(0, 19);
      const people = at === 0 ? 709_037 : at % 4 === 1 ? '' : 3;
      return [`P${1 + (at % 4)}`, opened, people, ['', 'nan', 'inf'][at] || 1.5 + (at % 2)].join();
    });
    await give('drop', 'profile.csv', text(`priority,opened,people,rate\n${rows.join('\n')}\n`));
    await add();
    const profile = grids.nth(1).getByRole('row');
    await expect
      .poll(async () =>
        Promise.all(
          (await profile.all()).map((row) =>
            row.locator('.grid-name, [role=gridcell]').allInnerTexts(),
          ),
        ),
      )
      .toEqual([
        ['column', 'type', 'rows', 'null %', 'distinct', 'min', 'max', 'mean', 'NaN, infinity'],
        ['priority', 'VARCHAR', '6,000', '0', '4', 'P1', 'P4', 'null', '0'],
        [
          ...['opened', 'TIMESTAMP', '6,000', '0', '5,900'],
          ...['2025-01-01 00:00:00', '2025-01-05 02:19:00', 'null', '0'],
        ],
        ['people', 'BIGINT', '6,000', '25', '2', '3', '709037', '160.56311', '0'],
        ['rate', 'DOUBLE', '6,000', '0', '4', '1.5', '2.5', '2', '2'],
      ]);
  });

  it('draws a first chart if a column suits', async () => {
    await give('drop', 'kinds.csv', text(`kind,n\n${'a,1\nb,2\nb,3\n'.repeat(5)}`));
    await add();
    const chart = page.locator('article').nth(2);
    await expect.poll(() => chart.locator('.code').textContent()).toContain('group by "kind"');
    await expect.poll(() => chart.getAttribute('data-status')).toBe('FINISHED');
    await chart.locator('svg, canvas').first().waitFor();
    expect(await chart.getByRole('grid').count()).toBe(0);
  });

  it('shows how a file is read, and reads it as the user says', async () => {
    const before = await page.locator('article').count();
    const rows = 'Bericht\nort;tag;umsatz\nOslo;01.02.2025;1.234,50\nKöln;03.02.2025;7,00\n';
    await give('drop', 'choices.csv', Buffer.from(rows, 'latin1'));
    const dialog = page.getByRole('dialog', { name: 'Read choices.csv' });
    const remark = (words: string) => dialog.getByRole('listitem').filter({ hasText: words });
    const field = (name: string) => dialog.getByRole('combobox', { name, exact: true });
    const selected = (label: string) => field(label).inputValue();
    await remark('tag: 01.02.2025 is read as 1 February').waitFor();
    expect(await Promise.all(['Encoding', 'Delimiter', 'Header row'].map(selected))).toEqual([
      'Latin-1',
      ';',
      '2',
    ]);
    const choose = async (label: string, value: string) => {
      await field(label).selectOption(value);
      await expect.poll(() => dialog.getByLabel('First rows').getAttribute('aria-busy')).toBe(null);
    };
    await choose('Dates begin with', 'month');
    await remark('tag: 01.02.2025 is read as 2 January').waitFor();
    await choose('Type of umsatz', 'VARCHAR');
    await expect.poll(() => dialog.locator('tbody').innerText()).toContain('1.234,50');
    await dialog.getByText('Code of the paragraph').click();
    await dialog.locator('pre', { hasText: 'strptime("tag", \'%m.%d.%Y\')' }).waitFor();
    expect(await accessibilityFindings(page, 'import preview')).toEqual([]);
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await dialog.evaluate((element) => element.scrollWidth <= element.clientWidth)).toBe(
      true,
    );
    await page.setViewportSize({ width: 1280, height: 800 });
    await choose('Header row', 'none');
    await expect.poll(() => dialog.locator('tbody').innerText()).toContain('umsatz');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await page.locator('article').count()).toBe(before);
    const folder = join(embedded.data, 'files/notes');
    const [note] = await readdir(folder);
    await expect
      .poll(async () => (await readdir(join(folder, note!))).filter((name) => /^choi/.test(name)))
      .toEqual([]);
  });

  it('names the comments that are left out of a file, and reads them if asked', async () => {
    await give('drop', 'notes.csv', text('# by hand\na|b\n# x, y\n1|2\n'));
    const dialog = page.getByRole('dialog', { name: 'Read notes.csv' });
    await dialog
      .getByRole('listitem')
      .filter({ hasText: '1 line that begins with # is a comment and left out' })
      .waitFor();
    const rows = () => dialog.locator('tbody tr').allInnerTexts();
    expect((await rows()).map((row) => row.split(/\s+/))).toEqual([['1', '2']]);
    await dialog.getByRole('combobox', { name: 'Comments' }).selectOption('none');
    await expect.poll(async () => (await rows())[0]).toContain('# x, y');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
  });

  it('explains why a file is rejected and adds no paragraph [D65]', async () => {
    const before = await page.locator('article').count();
    await give('drop', 'sheet.ods', text('PK'));
    await page
      .getByText(
        "sheet.ods can't be imported: use CSV, TSV, JSON, Parquet, Arrow, Excel, SQLite, or an " +
          'image (PNG, JPEG, GIF, WebP or SVG).',
      )
      .waitFor();
    await give('drop', 'large.csv', MAX_FILE_BYTES + 1);
    await page
      .getByText(
        'large.csv could not be uploaded: A data file may have at most ' +
          `${MAX_FILE_BYTES} bytes.`,
      )
      .waitFor();
    await expect.poll(() => page.locator('article').count()).toBe(before);
    expect(watched.complaints.splice(0).filter((each) => !/status of 413/.test(each))).toEqual([]);
  });

  it('shows where files can be dropped, and an upload that can be cancelled', async () => {
    const before = await page.locator('article').count();
    await give('dragover', 'a.csv', text('a'));
    const target = page.getByText('Drop files to read them in this note');
    await target.waitFor();
    await target.waitFor({ state: 'detached' });

    // The second piece waits until the upload is cancelled.
    let pieces = 0;
    let go = () => {};
    const cancelled = new Promise<void>((resolve) => (go = resolve));
    await page.route('**/api/magpie/file/*', async (route) => {
      if ((pieces += 1) > 1) await cancelled;
      await route.continue().catch(() => {});
    });
    await page
      .locator('.add-bar input[type=file]')
      .setInputFiles({ name: 'half.csv', mimeType: 'text/csv', buffer: Buffer.alloc(4 * 2 ** 20) });
    await page.getByText('Uploading half.csv…').waitFor();
    await expect.poll(() => page.getByRole('progressbar').getAttribute('value')).toBe('25');
    await page.locator('.file-drop').getByRole('button', { name: 'Cancel' }).click();
    await page.getByText('Uploading half.csv…').waitFor({ state: 'detached' });
    go();
    await page.unroute('**/api/magpie/file/*');
    await expect.poll(() => page.locator('article').count()).toBe(before);
    expect(watched.complaints).toEqual([]);
  });

  it('sends a piece again that was lost on the way', async () => {
    const before = await page.locator('article').count();
    let calls = 0;
    await page.route('**/api/magpie/file/*', async (route) => {
      calls += 1;
      if (calls === 1) return route.abort();
      // The server has this piece, but its answer does not arrive.
      if (calls === 3) await route.fetch();
      return calls === 3 ? route.abort() : route.continue();
    });
    const rows = `city,people\n${'Oslo,709037\n'.repeat(200_000)}`;
    await page
      .locator('.add-bar input[type=file]')
      .setInputFiles({ name: 'lost.csv', mimeType: 'text/csv', buffer: Buffer.from(rows) });
    await add();
    await expect.poll(() => page.locator('article').count()).toBe(before + 1);
    await page.unroute('**/api/magpie/file/*');
    const made = page.locator('article').nth(before);
    await expect.poll(() => made.getAttribute('data-status')).toBe('FINISHED');
    const folder = join(embedded.data, 'files/notes');
    const [note] = await readdir(folder);
    expect(await readFile(join(folder, note!, 'lost.csv'), 'utf8')).toBe(rows);
    watched.complaints.length = 0;
  });

  it('are listed in a panel, which renames, reads, downloads and removes them', async () => {
    await noteMenu(page, 'Files');
    const panel = page.getByRole('complementary', { name: 'Files' });
    const rows = panel.getByRole('listitem');
    await rows.filter({ hasText: 'cities.csv' }).first().waitFor();
    expect(await accessibilityFindings(page, 'files')).toEqual([]);

    await panel.getByRole('button', { name: 'cities-2.csv', exact: true }).click();
    await panel.getByRole('textbox', { name: 'Rename cities-2.csv' }).fill('towns.csv');
    await page.keyboard.press('Enter');
    const row = rows.filter({ hasText: 'towns.csv' });
    await row.waitFor();
    await panel.getByRole('button', { name: 'towns.csv', exact: true }).click();
    await panel.getByRole('textbox', { name: 'Rename towns.csv' }).fill('cities.csv');
    await page.keyboard.press('Enter');
    await page.getByText('There is already a file named cities.csv.').waitFor();

    const before = await page.locator('article').count();
    await row.getByRole('button', { name: 'Read towns.csv in a new paragraph' }).click();
    await add();
    const made = page.locator('article').filter({ hasText: `read_csv('towns.csv'` });
    await expect.poll(() => page.locator('article').count()).toBe(before + 1);
    await expect.poll(() => made.getAttribute('data-status')).toBe('FINISHED');

    const download = page.waitForEvent('download');
    await row.getByRole('button', { name: 'Download towns.csv' }).click();
    const saved = await download;
    expect(saved.suggestedFilename()).toBe('towns.csv');
    expect(await readFile(await saved.path(), 'utf8')).toBe('city,people\nOslo,709037\n');

    await row.getByRole('button', { name: 'Remove towns.csv' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click();
    await row.waitFor({ state: 'detached' });
    watched.complaints.length = 0;
  });

  it('opens in a new note if the file is dropped on the home page', async () => {
    await page.goto(`${embedded.server.url}/#/`);
    const home = page.locator('tiding-home');
    await home.getByRole('heading', { name: 'Notes' }).waitFor();
    const bytes = text('city,people\nOslo,709037\n');
    await giveFile(home, 'drop', { name: 'Home cities.csv', bytes });
    await expect.poll(() => page.title()).toMatch(/^Home cities - /);
    await add();
    const made = page.locator('article').first();
    await expect.poll(() => made.getAttribute('data-status')).toBe('FINISHED');
    await expect.poll(() => made.getByRole('grid').first().textContent()).toContain('Oslo');
  });
});
