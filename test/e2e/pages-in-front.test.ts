/**
 * The pages of the workbench in front of a real Zeppelin with accounts: what each user sees, and
 * what an administrator can do.
 */

import { type Client, createClient } from '@tiding/client';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchChromium } from '../support/chromium.ts';
import { startEmbedded } from '../support/embedded.ts';
import { logOut, openPage, signIn, type WatchedPage } from '../support/page.ts';
import { onlyFor } from '../support/raw.ts';
import { untilEnd } from '../support/until-end.ts';
import { INDEX_MS, startZeppelin, zeppelinMissing } from '../support/zeppelin.ts';

const missing = zeppelinMissing(true);
if (missing !== undefined)
  console.log(`Skipped: pages in front of a real Zeppelin with accounts (${missing}).`);

/** `bob` has no role, `alice` is an analyst, `admin` an administrator. */
const people = ['nobody', 'bob', 'alice', 'admin'] as const;
type Who = (typeof people)[number];
const everybody = { tag: '', words: '', admin: false };
/** Path, element, text in it, and whether it is for administrators. */
const visits: readonly (typeof everybody & { path: string })[] = [
  { path: '/', tag: 'tiding-home', words: 'Notes', admin: false },
  { path: '/jobmanager', tag: 'tiding-job-manager', words: 'Jobs', admin: false },
  {
    path: '/clusters',
    tag: 'tiding-clusters',
    words: 'The interpreters of this server, on its own machine',
    admin: false,
  },
  { path: '/interpreter', tag: 'tiding-interpreters', words: '%sh', admin: true },
  {
    path: '/credential',
    tag: 'tiding-credentials',
    words: 'Manage your credentials. You can add new credential information.',
    admin: true,
  },
  { path: '/helium', tag: 'tiding-packages', words: 'Packages', admin: true },
  {
    path: '/revision-control',
    tag: 'tiding-revision-control',
    words: 'Notes have revisions, which you commit, compare and restore in each note.',
    admin: true,
  },
  {
    path: '/configuration',
    tag: 'tiding-configuration',
    words: 'zeppelin.notebook.dir',
    admin: true,
  },
  {
    path: '/account',
    tag: 'tiding-access-tokens',
    words: "This server doesn't support this feature.",
    admin: false,
  },
  { path: '/search/needle', tag: 'tiding-search', words: 'needle', admin: false },
  {
    path: '/password-reset/unknown',
    tag: 'tiding-password-reset',
    words: "This server doesn't manage passwords. Ask an administrator for a new one.",
    admin: false,
  },
];

describe.skipIf(missing !== undefined)('in front of a real Zeppelin', () => {
  let zeppelin: Awaited<ReturnType<typeof startZeppelin>>;
  let gateway: Awaited<ReturnType<typeof startEmbedded>>;
  let browser: Browser;
  let url: string;
  let client: Client;
  const pages = {} as Record<Who, WatchedPage>;
  let page: Page;

  beforeAll(async () => {
    [zeppelin, browser] = await Promise.all([
      startZeppelin(['--auth'], 18_900 + (process.pid % 90)),
      launchChromium(),
    ]);
    gateway = untilEnd(await startEmbedded({ upstream: zeppelin.url, adminPassword: undefined }));
    ({ url } = gateway.server);
    client = untilEnd(createClient({ server: url }));
    await client.session.login('admin', 'admin-pass');
    for (const who of people) {
      pages[who] = await openPage(browser);
      if (who === 'nobody') await pages[who].page.goto(url);
      else await signIn(pages[who].page, url, who, `${who}-pass`);
    }
    ({ page } = pages.admin);
  });
  afterAll(async () => {
    await browser?.close();
    await zeppelin?.stop();
  });

  const go = (where: Page, path: string) => where.evaluate((to) => location.assign(`#${to}`), path);
  const hash = (where: Page) => new URL(where.url()).hash;
  const dialog = () => page.locator('[role=dialog], [role=alertdialog]');
  const answer = async (words: string, action: string) => {
    await dialog().getByText(words).first().waitFor();
    await dialog().getByRole('button', { name: action, exact: true }).click();
    await dialog().waitFor({ state: 'detached' });
  };
  const toast = (words: string) =>
    page.locator('.toast').filter({ hasText: words }).first().waitFor();
  /** Takes the errors that the page logged, without responses of an expected status. */
  const complaints = (who: Who, ...statuses: number[]) =>
    pages[who].complaints
      .splice(0)
      .filter((each) => !statuses.some((status) => each.includes(`status of ${status}`)));

  it.each(people)('shows each page, the sign-in or the home page to %s', async (who) => {
    const { page: userPage } = pages[who];
    for (const { path, tag, words, admin } of visits) {
      await go(userPage, path);
      if (who === 'nobody' && tag !== 'tiding-password-reset') {
        await userPage
          .locator('tiding-login')
          .getByRole('textbox', { name: 'User Name' })
          .waitFor();
        await expect
          .poll(() => hash(userPage), { message: path })
          .toBe(path === '/' ? '#/' : `#/?ref=${encodeURIComponent(path)}`);
      } else if (admin && who !== 'admin') {
        await expect.poll(() => hash(userPage), { message: path }).toBe('#/');
        await userPage
          .locator('tiding-home')
          .getByRole('heading', { name: 'Notes', level: 1 })
          .waitFor();
      } else {
        await userPage.locator(tag).getByText(words).first().waitFor();
        await expect.poll(() => hash(userPage), { message: path }).toBe(`#${path}`);
      }
    }
    if (who !== 'nobody') {
      const settings = userPage
        .locator('tiding-navigation.mainnav')
        .getByRole('button', { name: 'Settings' });
      await expect.poll(() => settings.count()).toBe(who === 'admin' ? 1 : 0);
    }
    expect(complaints(who)).toEqual([]);
  });

  it('explains a wrong password and a password that is managed elsewhere', async () => {
    const { page: userPage } = pages.nobody;
    await go(userPage, '/jobmanager');
    await userPage.getByRole('textbox', { name: 'User Name' }).fill('bob');
    await userPage.getByLabel('Password').first().fill('wrong');
    await userPage.keyboard.press('Enter');
    await userPage
      .getByRole('alert')
      .getByText("The username and password that you entered don't match.")
      .waitFor();
    await userPage.getByRole('button', { name: 'Forgot password?' }).click();
    await userPage.getByRole('textbox').fill('bob');
    await userPage.keyboard.press('Enter');
    await userPage
      .getByRole('alert')
      .getByText("This server doesn't manage passwords. Ask an administrator for a new one.")
      .waitFor();
    await userPage.getByRole('button', { name: 'Back to sign in' }).click();
    await userPage.getByRole('textbox', { name: 'User Name' }).fill('bob');
    await userPage.getByLabel('Password').first().fill('bob-pass');
    await userPage.keyboard.press('Enter');
    // Signing in continues to the requested page.
    await userPage.locator('tiding-job-manager').getByRole('heading', { name: 'Jobs' }).waitFor();
    await logOut(userPage);
    await userPage.getByRole('status').getByText('Logout Success', { exact: true }).waitFor();
    await userPage.locator('tiding-login').waitFor();
    // Bob's other session remains signed in.
    await go(pages.bob.page, '/jobmanager');
    await pages.bob.page.reload();
    await pages.bob.page
      .locator('tiding-job-manager')
      .getByRole('heading', { name: 'Jobs' })
      .waitFor();
    expect(complaints('nobody', 403)).toEqual([]);
  });

  describe('an administrator', () => {
    const row = (name: string) =>
      page
        .locator('tiding-home')
        .getByRole('treeitem')
        .filter({ has: page.locator('.tree-name').getByText(name, { exact: true }) })
        .last();
    const inRow = async (name: string, action: string) => {
      await row(name).hover();
      await row(name).getByRole('button', { name: action }).click();
    };
    const paths = async () => (await client.notes.list()).map(({ path }) => path).sort();

    it('creates, renames, clones and imports notes at home', async () => {
      await go(page, '/');
      await page.getByRole('button', { name: 'New note' }).click();
      await dialog().getByRole('textbox').first().fill('Team/First');
      await dialog().getByRole('button', { name: 'Create', exact: true }).click();
      await page.locator('tiding-notebook article').first().waitFor();
      expect(await paths()).toEqual(['Team/First']);
      await go(page, '/');
      await inRow('First', 'Rename note');
      await dialog().getByRole('textbox').fill('Team/Prime');
      await page.keyboard.press('Enter');
      await row('Prime').waitFor();
      await inRow('Prime', 'Clone note');
      await dialog().getByRole('textbox').fill('Team/Copy');
      await dialog().getByRole('button', { name: 'Clone', exact: true }).click();
      // The clone is opened.
      await page.waitForURL(/#\/notebook\//);
      expect(await paths()).toEqual(['Team/Copy', 'Team/Prime']);
      await go(page, '/');
      await page.getByRole('button', { name: 'Import' }).click();
      const note = {
        name: 'Brought',
        paragraphs: [
          { text: '%sh\necho needle in it', config: {}, settings: { params: {}, forms: {} } },
        ],
      };
      await page.locator('input[type=file]').setInputFiles({
        name: 'note.json',
        mimeType: 'application/json',
        buffer: Buffer.from(JSON.stringify(note)),
      });
      await expect.poll(paths).toEqual(['Brought', 'Team/Copy', 'Team/Prime']);
      await page.locator('tiding-notebook').getByText('needle in it').first().waitFor();
      await go(page, '/');
      await row('Brought').waitFor();
      await page.getByRole('textbox', { name: 'Filter notes' }).fill('copy');
      await expect
        .poll(() => page.locator('tiding-home .tree-name').allTextContents())
        .toEqual(['Copy']);
      await page.getByRole('textbox', { name: 'Filter notes' }).fill('');
    });

    it('moves notes to the trash, restores and removes them', async () => {
      await inRow('Copy', 'Move note to Trash');
      await answer('Move this note to trash?', 'Move to trash');
      await expect.poll(paths).toContain('~Trash/Team/Copy');
      for (const folder of ['~Trash', '~Trash/Team']) {
        const there = page.locator(`tiding-home .tree-item[data-path="${folder}"]`);
        await there.waitFor();
        if ((await there.getAttribute('aria-expanded')) === 'false') await there.click();
      }
      await inRow('Copy', 'Restore note');
      await expect.poll(paths).toContain('Team/Copy');
      await inRow('Copy', 'Move note to Trash');
      await answer('Move this note to trash?', 'Move to trash');
      await expect.poll(paths).toContain('~Trash/Team/Copy');
      await inRow('Trash', 'Empty trash');
      await answer('WARNING! Notes under trash will be removed permanently', 'Empty trash');
      await expect.poll(paths).toEqual(['Brought', 'Team/Prime']);
      expect(complaints('admin')).toEqual([]);
    });

    it('finds text in a note and opens the note', { timeout: 200_000 }, async () => {
      // Zeppelin updates its index in the background; a busy disk delays it.
      await expect
        .poll(async () => (await client.notes.search('needle')).length, { timeout: INDEX_MS })
        .toBeGreaterThan(0);
      await page
        .locator('tiding-navigation')
        .getByRole('searchbox', { name: 'Search notes' })
        .fill('needle');
      await page.keyboard.press('Enter');
      await page.locator('.hit').filter({ hasText: 'Brought' }).getByRole('link').first().click();
      await page.locator('tiding-notebook').getByText('needle in it').first().waitFor();
    });

    it('starts notes as jobs, shows their progress and stops them', async () => {
      const note = await client.open(
        (await client.notes.list()).find(({ path }) => path === 'Team/Prime')!.id,
      );
      note.paragraphs[0]!.edit('%sh\nsleep 120');
      await note.paragraphs[0]!.commit();
      await go(page, '/jobmanager');
      const job = page.getByRole('row').filter({ has: page.getByRole('link', { name: 'Prime' }) });
      await job.getByRole('button', { name: 'Run all, Prime' }).click();
      await answer('Run all paragraphs?', 'Run all');
      await job.getByRole('link', { name: /is RUNNING$/ }).waitFor();
      await page.getByText(/^1 running, total \d+$/).waitFor();
      await job.getByRole('button', { name: 'Stop, Prime' }).click();
      await answer('Stop all paragraphs?', 'Stop');
      await job.getByRole('link', { name: /is ABORT$/ }).waitFor();
      // Zeppelin keeps no list of runs.
      await job.getByRole('button', { name: 'Runs of Prime' }).click();
      await page
        .locator('.job-runs')
        .getByText("This server doesn't support this feature.")
        .waitFor();
      await page.getByRole('searchbox', { name: 'Filter by note name' }).fill('BROUGHT');
      await expect.poll(() => page.locator('.job').count()).toBe(1);
      note.close();
      expect(complaints('admin')).toEqual([]);
    });

    it('creates, changes, restarts and removes an interpreter setting', async () => {
      await go(page, '/interpreter');
      const setting = (name: string) =>
        page
          .locator('tiding-interpreters li.setting')
          .filter({ has: page.getByRole('heading', { name }).getByText(name, { exact: true }) });
      await setting('python').waitFor();
      await page.getByRole('button', { name: 'Create' }).click();
      const made = page.getByRole('form', { name: 'Create new interpreter' });
      await made.getByLabel('Interpreter Name').fill('shell2');
      await made.getByLabel('Interpreter group').selectOption('sh');
      await made.getByLabel('Name of the new property').fill('front.word');
      await made.getByLabel('Value of the new property').fill('before');
      await made.getByRole('button', { name: 'Save' }).click();
      await toast('The interpreter setting shell2 was created.');
      await setting('shell2').getByRole('button', { name: 'Edit shell2' }).click();
      const form = page.getByRole('form', { name: 'Edit shell2' });
      await form.getByLabel('front.word', { exact: true }).fill('after');
      await form.getByLabel('Instantiated').selectOption('Per User');
      await form.getByRole('button', { name: 'Save and restart' }).click();
      await answer(
        'Do you want to update this interpreter and restart with new settings?',
        'Save and restart',
      );
      await toast('The interpreter setting shell2 was saved.');
      const saved = (await client.interpreters.list()).find(({ name }) => name === 'shell2')!;
      expect(saved).toMatchObject({
        option: { perUser: 'scoped' },
        properties: { 'front.word': { value: 'after' } },
      });
      await setting('shell2').getByRole('button', { name: 'Restart shell2' }).click();
      await answer('Do you want to restart this interpreter?', 'Restart');
      await toast('Interpreter stopped. Will be lazily started on next run.');
      await setting('shell2').getByRole('button', { name: 'More actions for shell2' }).click();
      await page.getByRole('menuitem', { name: 'Remove' }).click();
      await answer('Do you want to delete this interpreter setting?', 'Delete');
      await toast('The interpreter setting shell2 was deleted.');
      await page.getByRole('button', { name: 'Repositories' }).click();
      await page
        .getByRole('dialog', { name: 'Repositories' })
        .getByText('central')
        .first()
        .waitFor();
      await page.keyboard.press('Escape');
      await dialog().waitFor({ state: 'detached' });
      expect(complaints('admin')).toEqual([]);
    });

    it('adds and removes credentials', async () => {
      await go(page, '/credential');
      await page.getByText('Currently there is no credential information').waitFor();
      await page.getByRole('button', { name: 'Add credential' }).click();
      await page.getByRole('combobox', { name: 'Entity' }).fill('jdbc.jdbc');
      await page.getByLabel('Username').fill('ann');
      await page.getByLabel('Password').fill('hush');
      await page.keyboard.press('Enter');
      await toast('Successfully saved credentials.');
      const entry = page.getByRole('row').filter({ hasText: 'jdbc.jdbc' });
      await entry.getByText('ann').waitFor();
      expect(await page.locator('tiding-credentials').innerText()).not.toContain('hush');
      await page.getByRole('button', { name: 'Remove the credential of jdbc.jdbc' }).click();
      await answer('Do you want to delete this credential information?', 'Delete');
      await page.getByText('Currently there is no credential information').waitFor();
      expect(await client.credentials.list()).toEqual({});
      expect(complaints('admin')).toEqual([]);
    });

    it('enables and disables packages, and filters the configuration', async () => {
      await go(page, '/helium');
      await page.getByRole('tab', { name: 'APPLICATION' }).click();
      const application = page.locator('.package').filter({ hasText: 'probe-app' });
      await application.getByRole('button', { name: /^Enable/ }).click();
      await answer('Do you want to enable Helium Package?', 'Enable');
      await application.getByRole('button', { name: /^Disable/ }).click();
      await answer('Do you want to disable Helium Package?', 'Disable');
      await application.getByRole('button', { name: /^Enable/ }).waitFor();
      await go(page, '/configuration');
      await page.getByPlaceholder('Filter by name or value').fill('NOTEBOOK.DIR');
      await expect
        .poll(() => page.locator('tiding-configuration tbody th').allTextContents())
        .toEqual(['zeppelin.notebook.dir']);
      await page
        .getByText(/GitNotebookRepo/)
        .first()
        .waitFor();
      expect(complaints('admin')).toEqual([]);
    });

    it('uses the local cluster', async () => {
      await go(page, '/clusters');
      for (const [action, words] of [
        ['Use Cluster', 'Set current cluster to: local.'],
        ['Stop Using Cluster', 'Unset current cluster.'],
      ] as const) {
        await page
          .getByRole('article', { name: 'local', exact: true })
          .getByRole('button', { name: action })
          .click();
        await page.getByRole('alertdialog').getByRole('button', { name: action }).click();
        await page.getByText(words).waitFor();
      }
      expect(complaints('admin')).toEqual([]);
    });
  });

  it("shows a reader neither private notes nor other people's jobs", async () => {
    const { page: userPage } = pages.bob;
    const id = await client.notes.create({ path: 'Team/Closed' });
    await client.call('setPermissions', {
      params: { noteId: id },
      body: onlyFor('admin'),
    });
    await go(userPage, '/');
    await userPage
      .locator('tiding-home')
      .getByRole('treeitem')
      .filter({ hasText: 'Prime' })
      .last()
      .waitFor();
    expect(
      await userPage
        .locator('tiding-home')
        .getByRole('treeitem')
        .filter({ hasText: 'Closed' })
        .count(),
    ).toBe(0);
    await go(userPage, `/notebook/${id}`);
    await userPage
      .locator('tiding-notebook')
      .getByText(/Insufficient privileges/)
      .first()
      .waitFor();
    expect(await userPage.locator('tiding-notebook article').count()).toBe(0);
    await go(userPage, '/jobmanager');
    // Zeppelin lists a job only to the owners of its note.
    await userPage.locator('tiding-job-manager').getByText('No Job found').waitFor();
    expect(complaints('bob', 401, 403)).toEqual([]);
  });
});
