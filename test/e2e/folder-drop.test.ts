/** Folders dropped on a note and on the home page. */
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { dropFiles } from '../support/drop-files.ts';
import { temporaryFolder, untilEnd } from '../support/until-end.ts';
import { startWalk } from '../support/walk.ts';

const { page, watched } = untilEnd(await startWalk());
const folder = temporaryFolder();

describe('a dropped folder', () => {
  beforeAll(async () => {
    for (const [path, text] of [
      ['data/cities.csv', 'city,people\nOslo,709037\n'],
      ['data/2026/jan.csv', 'day,value\n1,2\n'],
      ['data/2026/read-me.txt', 'text'],
      ['data/.hidden.csv', 'a\n1\n'],
      ['notes/first.py', 'print(1)\n'],
      ['notes/deep/er/second.py', 'print(2)\n'],
      ['notes/LICENSE', 'text'],
    ] as const) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), text);
    }
  });

  it('is imported on the home page, with its sub folders', async () => {
    // Below the content of the page.
    await dropFiles(page, [join(folder, 'notes')], () => ({ x: 700, y: 860 }));
    await page
      .getByText("Files of the folder that can't be read here were left out: LICENSE.")
      .waitFor();
    const list = page.getByRole('tree');
    await list.getByText('first', { exact: true }).waitFor();
    await list.getByText('deep', { exact: true }).click();
    await list.getByText('er', { exact: true }).click();
    await list.getByText('second', { exact: true }).waitFor();
    expect(watched.complaints).toEqual([]);
  });

  it('is read in a note, with its sub folders in the names of files', async () => {
    await page.getByRole('link', { name: 'Seattle weather' }).first().click();
    // Above the first result: a frame would take what is dropped on it.
    await page.locator('article .run').first().waitFor();
    await dropFiles(page, [join(folder, 'data')], async () => {
      const { x, y } = (await page.locator('article').first().boundingBox())!;
      return { x: x + 60, y: y + 4 };
    });
    await page
      .getByText("Files of the folder that can't be read here were left out: 2026/read-me.txt.")
      .waitFor();
    for (const source of [`read_csv('2026 - jan.csv'`, `read_csv('cities.csv'`])
      await page.locator('article .code').filter({ hasText: source }).first().waitFor();
    expect(await page.locator('article .code').filter({ hasText: 'hidden' }).count()).toBe(0);
    expect(watched.complaints).toEqual([]);
  });
});
