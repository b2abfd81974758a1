/**
 * Folders, the trash and imports from an address on the home page, with the embedded server, and in
 * front of a real Zeppelin with `npm run test:upstream`.
 */
import type { Locator } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { serve } from '../support/serve.ts';
import { untilEnd } from '../support/until-end.ts';
import { startWalk } from '../support/walk.ts';

const { watched, page, client } = untilEnd(await startWalk({ allowPrivateFetch: true }));

describe('folders on the home page', () => {
  /** A server that allows no other origin to read from it. */
  let other: string;

  beforeAll(async () => {
    other = await serve((request, response) => {
      const note = { name: 'theirs', paragraphs: [{ text: '%md\nFrom another server' }] };
      response.statusCode = request.url === '/theirs.json' ? 200 : 404;
      response.end(JSON.stringify(note));
    });
    for (const path of ['Trips/North/one', 'Trips/North/two', 'Trips/South/two', 'alone'])
      await client.notes.create({ path });
  });

  const paths = async () =>
    (await client.notes.list())
      .map(({ path }) => path)
      .filter((path) => /Trips|alone|East/.test(path))
      .sort();
  /** The row of a folder, by its path. */
  const row = (path: string): Locator =>
    page.locator(`tiding-home .tree-item[data-path="${path}"]`);
  /** The row of a note, by its name. */
  const noteRow = (name: string): Locator =>
    page
      .locator('tiding-home')
      .getByRole('treeitem')
      .filter({ has: page.locator('.tree-name').getByText(name, { exact: true }) })
      .last();
  const expand = async (...folders: string[]) => {
    for (const path of folders) {
      await row(path).waitFor();
      if ((await row(path).getAttribute('aria-expanded')) === 'false') await row(path).click();
      await page
        .locator(`tiding-home .tree-item[data-path="${path}"][aria-expanded="true"]`)
        .waitFor();
    }
  };
  const inRow = async (path: string, action: string, of = row) => {
    await of(path).hover();
    await of(path).getByRole('button', { name: action }).click();
  };
  const dialog = () => page.locator('[role=dialog], [role=alertdialog]');
  const answer = async (words: string, action: string) => {
    await dialog().getByText(words).first().waitFor();
    await dialog().getByRole('button', { name: action, exact: true }).click();
    await dialog().waitFor({ state: 'detached' });
  };

  it('are renamed, and merged after a warning: both notes of one name remain', async () => {
    await expand('Trips');
    await inRow('Trips/North', 'Rename folder');
    await dialog().getByRole('textbox').fill('\\Trips//East/');
    await page.keyboard.press('Enter');
    await expect
      .poll(paths)
      .toEqual(['Trips/East/one', 'Trips/East/two', 'Trips/South/two', 'alone']);
    await inRow('Trips/East', 'Rename folder');
    await dialog().getByRole('textbox').fill('Trips/South');
    await page.keyboard.press('Enter');
    await dialog().getByText('WARNING! The folder will be MERGED').waitFor();
    await answer('The folder will be merged into Trips/South. Are you sure?', 'Cancel');
    expect(await paths()).toContain('Trips/East/one');
    await inRow('Trips/East', 'Rename folder');
    await dialog().getByRole('textbox').fill('Trips/South');
    await page.keyboard.press('Enter');
    await answer('WARNING! The folder will be MERGED', 'Merge');
    await expect.poll(async () => (await paths()).includes('Trips/South/one')).toBe(true);
    await expect.poll(paths).toHaveLength(4);
    await expect.poll(() => row('Trips/East').count()).toBe(0);
    expect((await paths()).filter((path) => path.startsWith('Trips/South/two'))).toHaveLength(2);
  });

  it('go to the trash and come back, alone or with everything in the trash', async () => {
    const before = await paths();
    await inRow('Trips/South', 'Move folder to Trash');
    await answer('Move this folder to trash?', 'Move to trash');
    await expect.poll(async () => (await paths()).filter((path) => path[0] === '~').length).toBe(3);
    await expand('~Trash', '~Trash/Trips');
    await inRow('~Trash/Trips/South', 'Restore folder');
    await expect.poll(paths).toEqual(before);
    await inRow('alone', 'Move note to Trash', noteRow);
    await answer('Move this note to trash?', 'Move to trash');
    await expect.poll(paths).toContain('~Trash/alone');
    await inRow('~Trash', 'Restore all');
    await dialog().getByText('will be merged into their original position.').waitFor();
    await answer('Are you sure want to restore all notes in the trash?', 'Restore');
    await expect.poll(paths).toEqual(before);
  });

  it('are removed for good from the trash, one by one or all', async () => {
    await inRow('Trips/South', 'Move folder to Trash');
    await answer('Move this folder to trash?', 'Move to trash');
    await expand('~Trash', '~Trash/Trips');
    await inRow('~Trash/Trips/South', 'Remove folder permanently');
    await answer('WARNING! This folder will be removed permanently', 'Remove');
    await expect.poll(paths).toEqual(['alone']);
    await inRow('alone', 'Move note to Trash', noteRow);
    await answer('Move this note to trash?', 'Move to trash');
    await inRow('~Trash', 'Empty trash');
    await answer('WARNING! Notes under trash will be removed permanently', 'Empty trash');
    await expect.poll(paths).toEqual([]);
  });

  it('take notes from an address at another server, under the typed name', async () => {
    await page.getByRole('button', { name: 'Import' }).click();
    await dialog().getByRole('button', { name: 'Add from URL' }).click();
    await dialog().getByRole('textbox').first().fill('Trips/Far/ours');
    const problem = (words: string) =>
      dialog().getByRole('alert').getByText(words, { exact: true }).waitFor();
    const take = () => dialog().getByRole('button', { name: 'Import Note' }).click();
    await take();
    await problem('Enter URL');
    await dialog().getByLabel('URL').fill(`${other}/missing.json`);
    await take();
    await problem('Unable to Fetch URL');
    await dialog().getByLabel('URL').fill(`${other}/theirs.json`);
    await take();
    await page.locator('tiding-notebook').getByText('From another server').first().waitFor();
    expect(await paths()).toEqual(['Trips/Far/ours']);
    // The browser itself reports the refused call.
    expect(watched.complaints.filter((each) => !/Failed to load/.test(each))).toEqual([]);
  });
});
