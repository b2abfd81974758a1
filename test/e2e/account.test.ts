/** Access tokens and the configuration page of the built app. */

import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createClient } from '@tiding/client';
import { afterEach, describe, expect, it } from 'vitest';
import { untilEnd } from '../support/until-end.ts';
import { startWalk } from '../support/walk.ts';

const walk = untilEnd(await startWalk());
const { page } = walk;
const { url } = walk.embedded.server;

afterEach(() => expect(walk.watched.complaints.splice(0)).toEqual([]));

const dialog = () => page.locator('[role=dialog], [role=alertdialog]');
const toast = (words: string) => page.locator('.toast').getByText(words, { exact: true }).waitFor();

describe('access tokens', () => {
  it('creates, uses, describes, disables and deletes a token [D16]', async () => {
    await page.getByRole('button', { name: 'Settings' }).click();
    await page.getByRole('menuitem', { name: 'Access tokens' }).click();
    await page.getByText('You have no access tokens.').waitFor();
    await page.getByRole('button', { name: 'Create token' }).click();
    await dialog().getByLabel('Description').fill('Nightly');
    await dialog().getByRole('radio', { name: 'After 1 day' }).check();
    await page.keyboard.press('Enter');
    await toast('Successfully created personal access token.');
    const token = await dialog().getByLabel('Token').inputValue();
    const script = createClient({ server: url, auth: { token } });
    expect((await script.notes.list()).length).toBeGreaterThan(0);
    await page.keyboard.press('Escape');
    await dialog().waitFor({ state: 'detached' });
    const row = page.getByRole('row').filter({ hasText: 'Nightly' });
    await row.getByText('1 day').waitFor();
    // With the keyboard alone.
    await row.getByRole('button', { name: 'Edit the description of Nightly' }).first().focus();
    await page.keyboard.press('Enter');
    await page.keyboard.press('End');
    await page.keyboard.type(' run');
    await page.keyboard.press('Enter');
    await toast('Successfully updated personal access token description.');
    await page.getByRole('switch', { name: 'Nightly run is enabled' }).press('Space');
    await toast('Successfully updated personal access token status.');
    await row.getByText('Disabled').waitFor();
    await expect(script.notes.list()).rejects.toMatchObject({ code: 'signed-out' });
    script.close();
    expect(await walk.client.tokens.list()).toMatchObject([
      { description: 'Nightly run', disabled: true },
    ]);

    await walk.client.tokens.create({ description: 'Laptop', expiresInDays: 58 });
    await walk.client.tokens.create({ description: 'CI smoke tests', expiresInDays: null });
    await page.reload();
    await expect
      .poll(() => page.locator('tbody tr td:nth-child(4)').allTextContents())
      .toEqual(['1 day', '58 days', 'Never']);
    await page.getByRole('button', { name: 'Expires' }).click();
    await expect
      .poll(() => page.locator('tbody tr td:nth-child(4)').allTextContents())
      .toEqual(['Never', '58 days', '1 day']);
    await page.getByRole('button', { name: 'Delete Nightly run' }).click();
    await dialog().getByText('Do you want to delete this personal access token?').waitFor();
    await dialog().getByRole('button', { name: 'Delete token' }).click();
    await toast('Successfully deleted personal access token.');
    expect((await walk.client.tokens.list()).map(({ description }) => description)).toEqual([
      'Laptop',
      'CI smoke tests',
    ]);
  });

  it('links to the command line, which runs as downloaded [D43]', async () => {
    await page.goto(`${url}/#/account`);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.locator('tiding-access-tokens .tokens-note a').click(),
    ]);
    expect(download.url()).toBe(`${url}/api/magpie/cli`);
    const file = join(walk.embedded.data, download.suggestedFilename());
    await download.saveAs(file);
    const { stdout } = await promisify(execFile)(process.execPath, [file, '--help']);
    expect(stdout).toContain('tiding');
  });
});

describe('configuration', () => {
  it('filters the configuration and keeps typed text if the storage rejects it', async () => {
    await page.goto(`${url}/#/configuration`);
    await page.getByText('Passwords and other secrets are not shown.').waitFor();
    const names = await page.locator('tbody th').allTextContents();
    expect(names).toEqual([...names].sort());
    expect(names).toContain('zeppelin.version');
    await page.getByText('FileNotebookRepo', { exact: true }).waitFor();
    await page.getByPlaceholder('Filter by name or value').fill('ADDR');
    await expect
      .poll(() => page.locator('tbody th').allTextContents())
      .toEqual(['zeppelin.server.addr']);
    await page.getByRole('button', { name: 'Edit the settings of FileNotebookRepo' }).click();
    await page.getByLabel('Notebook Path').fill('/elsewhere');
    await page.keyboard.press('Enter');
    await toast("We couldn't save that NotebookRepo's settings");
    await page.getByRole('alert').getByText('Restart it with another --data folder.').waitFor();
    await expect.poll(() => page.getByLabel('Notebook Path').inputValue()).toBe('/elsewhere');
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByText('/notebook', { exact: false }).first().waitFor();
    // The browser also logs the rejected request.
    expect(walk.watched.complaints.splice(0).filter((each) => !/status of 406/.test(each))).toEqual(
      [],
    );
  });
});
