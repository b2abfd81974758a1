/** The revision control page with a git server: rejected, configured, synchronised, removed. */

import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  GIT_TOKEN,
  GIT_USER,
  type GitServer,
  noGit,
  startGitServer,
} from '../support/git-server.ts';
import { untilEnd } from '../support/until-end.ts';
import { startWalk, type Walk } from '../support/walk.ts';

describe.skipIf(noGit !== undefined)('revision control', () => {
  let walk: Walk;
  let page: Page;
  let git: GitServer;
  beforeAll(async () => {
    git = untilEnd(await startGitServer());
    walk = untilEnd(await startWalk({ allowPrivateRemotes: true }));
    ({ page } = walk);
    const note = await walk.client.open(await walk.client.notes.create({ path: 'Kept/First' }));
    await note.revisions.checkpoint('first');
    note.close();
  });
  const badge = () => page.locator('.remote .badge');

  it('keeps the typed configuration if the remote rejects it [D52]', async () => {
    await page.getByRole('button', { name: 'Settings' }).click();
    await page.getByRole('menuitem', { name: 'Revision control' }).click();
    await badge().getByText('Not configured').waitFor();
    await page.getByLabel('Remote URL').fill(git.url);
    await page.getByLabel('User name').fill(GIT_USER);
    await page.getByLabel('Access token').fill('wrong');
    await page.getByRole('button', { name: 'Save configuration' }).click();
    await page
      .getByText(/^There was an error applying the given revision control configuration/)
      .waitFor();
    await badge().getByText('Not configured').waitFor();
    await expect.poll(() => page.getByLabel('Remote URL').inputValue()).toBe(git.url);
  });

  it('masks the token of a saved configuration and pushes the notes [D53]', async () => {
    await page.getByLabel('Access token').fill(GIT_TOKEN);
    await page.getByRole('button', { name: 'Save configuration' }).click();
    await page
      .getByText('Change to revision control configuration was successfully applied.')
      .waitFor();
    await badge().getByText('Configured').waitFor();
    await expect.poll(() => page.getByLabel('Access token').inputValue()).toBe('********');
    git.git('pull', '--quiet');
    expect(git.git('log', '--oneline', '--', '.').length).toBeGreaterThan(0);
    await page.getByRole('button', { name: 'Synchronise now' }).click();
    await page.getByText('The notes are synchronised with the remote.').waitFor();
  });

  it('removes the configuration after confirmation', async () => {
    await page.getByRole('button', { name: 'Remove configuration' }).click();
    await page
      .getByRole('alertdialog')
      .getByRole('button', { name: 'Remove configuration' })
      .click();
    await badge().getByText('Not configured').waitFor();
    expect(await walk.client.revisionControl.get()).toBeUndefined();
    expect(walk.watched.complaints).toEqual([]);
  });
});
