/** The interpreter settings page: create, change, restart and delete one; manage repositories. */

import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Users } from '../../server/auth/users.ts';
import { untilEnd } from '../support/until-end.ts';
import { inFront, startWalk } from '../support/walk.ts';

const { embedded, watched, page, client } = untilEnd(await startWalk({ shell: true }));

describe.skipIf(inFront)('the page of interpreter settings', () => {
  /** Number of rejected requests that the test expects the browser to log. */
  let refused = 0;
  beforeAll(async () => {
    await new Users(embedded.data).set('ann', {
      password: 'a-password-for-tests',
      roles: ['magpie.Analyst'],
    });
  });
  beforeEach(async () => {
    refused = 0;
    await page.goto(`${embedded.server.url}/#/interpreter`);
    await row('sql').waitFor();
  });
  afterEach(() => {
    expect(
      watched.complaints
        .splice(0)
        .filter((each) => !/status of 4\d\d/.test(each) || refused-- <= 0),
    ).toEqual([]);
  });

  const row = (name: string) =>
    page.locator('tiding-interpreters li.setting').filter({
      has: page.getByRole('heading', { name, exact: false }).getByText(name, { exact: true }),
    });
  const shown = () =>
    page.locator('tiding-interpreters .setting:not([hidden]) .setting-name').allTextContents();
  const answer = async (words: string, button: string) => {
    const asked = page.getByRole('alertdialog').filter({ hasText: words });
    await asked.waitFor();
    await asked.getByRole('button', { name: button, exact: true }).click();
    await asked.waitFor({ state: 'detached' });
  };
  const toast = (words: string) =>
    page.locator('.toast').filter({ hasText: words }).first().waitFor();

  it('lists the interpreters by name and filters them [W30]', async () => {
    const all = await shown();
    expect(all).toEqual([...all].sort((a, b) => a.localeCompare(b)));
    expect(all).toContain('sql');
    await expect.poll(() => row('sql').locator('.magics').textContent()).toBe('%sql');
    await expect.poll(() => row('sql').locator('.mode').textContent()).toBe('Per Note, isolated');
    await expect
      .poll(() => row('python').locator('.mode').textContent())
      .toBe('Per Note, isolated');
    await expect.poll(() => row('md').locator('.mode').textContent()).toBe('Globally');
    await page.getByRole('searchbox', { name: 'Filter interpreters' }).fill('SQ');
    await expect.poll(shown).toEqual(['sql']);
    await page.getByRole('searchbox', { name: 'Filter interpreters' }).fill('zzz');
    await page.getByText('No matches.').waitFor();
    await page.getByRole('button', { name: 'Clear filter' }).click();
    await expect.poll(shown).toEqual(all);
    await row('sql').getByRole('button', { expanded: false }).first().click();
    await row('sql')
      .getByText('The interpreter will be instantiated Per Note in isolated process')
      .waitFor();
  });

  it('creates an interpreter, also from half-typed rows [W30 W75 W76 W77 W80 W124]', async () => {
    await page.getByRole('button', { name: 'Create' }).click();
    const form = page.getByRole('form', { name: 'Create new interpreter' });
    const save = form.getByRole('button', { name: 'Save' });
    await save.click();
    await form
      .getByRole('alert')
      .getByText('Please fill in interpreter name and choose a group')
      .waitFor();
    await form.getByLabel('Interpreter Name').fill('flights.db');
    await form.getByLabel('Interpreter group').selectOption('sql');
    await save.click();
    await form.getByRole('alert').getByText("'.' is invalid for interpreter name").waitFor();
    await form.getByLabel('Interpreter Name').fill('sql');
    await save.click();
    await form.getByRole('alert').getByText('Name sql already exists').waitFor();
    const template = (await client.interpreters.templates())['sql']!;
    const names = Object.keys(template.properties ?? {});
    await expect
      .poll(() =>
        form
          .locator('.props')
          .first()
          .locator('tbody tr:not(.last) td:first-child')
          .allTextContents(),
      )
      .toEqual(names);
    // Only the server checks this rule; its message is shown.
    await form.getByLabel('Interpreter Name').fill('flights db');
    refused = 1;
    await save.click();
    await form.getByRole('alert').getByText('can consist only of').waitFor();
    await form.getByLabel('Interpreter Name').fill('flights');
    await form.getByLabel('Name of the new property').fill('tries');
    await form.getByLabel('Type of the new property').selectOption('number');
    await form.getByLabel('Value of the new property').pressSequentially('a-1.5x');
    await form.getByRole('button', { name: 'Add property' }).click();
    await expect.poll(() => form.getByLabel('tries', { exact: true }).inputValue()).toBe('-1.5');
    await form.getByLabel('Value of the new property').fill('nameless');
    await save.click();
    await form.getByRole('alert').getByText('The new property has a value but no name.').waitFor();
    await form.getByLabel('Type of the new property').selectOption('password');
    await form.getByLabel('Name of the new property').fill('secret');
    await form.getByLabel('Value of the new property').fill('not to be seen');
    await form.getByLabel('Artifact of the new dependency').fill('org.duckdb:duckdb_jdbc:1.1.3');
    await form.getByLabel('Exclude from the new dependency').fill('a:b, c:d');
    await save.click();
    await toast('The interpreter setting flights was created.');
    const made = await client.interpreters.get('flights');
    expect(made).toMatchObject({
      group: 'sql',
      properties: { tries: { value: '-1.5', type: 'number' }, secret: { type: 'password' } },
      dependencies: [
        { groupArtifactVersion: 'org.duckdb:duckdb_jdbc:1.1.3', exclusions: ['a:b', 'c:d'] },
      ],
      option: { perNote: 'isolated', perUser: '', setPermission: false },
    });
    // The new setting is open, its name has the focus and the password is hidden.
    await row('flights').locator('.setting-body').getByText('tries').waitFor();
    expect(
      await row('flights')
        .getByRole('button', { expanded: true })
        .evaluate((button) => (button.getRootNode() as ShadowRoot).activeElement === button),
    ).toBe(true);
    expect(await row('flights').textContent()).not.toContain('not to be seen');
  });

  it('changes instantiation, users and properties after confirmation [W30 W74]', async () => {
    await client.interpreters.create({
      name: 'mine',
      group: 'sql',
      properties: {
        door: { name: 'door', value: 'https://example.org/', type: 'url' },
        flag: { name: 'flag', value: true, type: 'checkbox' },
        secret: { name: 'secret', value: 'known', type: 'password' },
      },
    });
    await page.reload();
    await row('mine').getByRole('button', { name: 'Edit mine' }).click();
    const form = page.getByRole('form', { name: 'Edit mine' });
    await expect.poll(() => row('mine').locator('.mode').textContent()).toBe('Editing, not saved');
    await expect.poll(() => form.getByLabel('Instantiated').inputValue()).toBe('Per Note');
    await form.getByLabel('Instantiated').selectOption('Globally');
    await expect
      .poll(() => form.getByLabel('Process', { exact: true }).locator('option').allTextContents())
      .toEqual(['shared']);
    await form.getByLabel('Instantiated').selectOption('Per Note');
    await expect
      .poll(() => form.getByLabel('Process', { exact: true }).inputValue())
      .toBe('scoped');
    await form.getByLabel('Instantiated').selectOption('Per User');
    await form.getByLabel('Process', { exact: true }).selectOption('isolated');
    // Only a Zeppelin runs interpreters as other users and connects to existing processes.
    for (const never of ['User Impersonate', 'Connect to existing process'])
      expect(await form.getByLabel(never).count(), never).toBe(0);
    await form.getByRole('button', { name: 'And Per Note' }).click();
    await expect.poll(() => form.getByLabel('Process per note').inputValue()).toBe('scoped');
    // Suggestions appear from the third letter, grouped by kind.
    await form.getByLabel('Set permission').check();
    const owners = form.getByRole('combobox', { name: 'Owners' });
    await owners.pressSequentially('ad');
    await page.waitForTimeout(400);
    expect(await page.locator('.menu.combobox').getByRole('option').count()).toBe(0);
    await owners.pressSequentially('m');
    await page
      .locator('.menu.combobox')
      .getByRole('option', { name: 'admin', exact: true })
      .click();
    await owners.pressSequentially('ann,');
    await expect.poll(() => form.locator('.chip').allTextContents()).toEqual(['admin', 'ann']);
    await expect
      .poll(() =>
        form.getByRole('link', { name: 'Open door in a new window' }).getAttribute('href'),
      )
      .toBe('https://example.org/');
    await form.getByLabel('flag', { exact: true }).uncheck();
    await form.getByRole('button', { name: 'Remove door' }).click();
    // If the server rejects the setting, the form stays open.
    const tooLong = 'g'.repeat(1_001);
    await form.getByLabel('Artifact of the new dependency').fill(tooLong);
    refused = 1;
    await form.getByRole('button', { name: 'Save and restart' }).click();
    await answer(
      'Do you want to update this interpreter and restart with new settings?',
      'Save and restart',
    );
    await form.getByRole('alert').getByText('1 to 1000 characters').waitFor();
    await expect
      .poll(() => form.getByLabel('Artifact of the new dependency').inputValue())
      .toBe(tooLong);
    await form.getByLabel('Artifact of the new dependency').fill('');
    await form.getByRole('button', { name: 'Save and restart' }).click();
    await answer('Do you want to update this interpreter', 'Cancel');
    expect((await client.interpreters.get('mine')).properties).toHaveProperty('door');
    await form.getByRole('button', { name: 'Save and restart' }).click();
    await answer('Do you want to update this interpreter', 'Save and restart');
    await toast('The interpreter setting mine was saved.');
    const saved = await client.interpreters.get('mine');
    expect(saved).toMatchObject({
      option: {
        perUser: 'isolated',
        perNote: 'scoped',
        setPermission: true,
        owners: ['admin', 'ann'],
      },
      properties: { flag: { value: false }, secret: { type: 'password' } },
    });
    expect(saved.properties).not.toHaveProperty('door');
    await row('mine')
      .getByText(
        'The interpreter will be instantiated Per User in isolated process ' +
          'And Per Note in scoped process',
      )
      .waitFor();
    await row('mine').getByText('Only for: admin, ann').waitFor();
    await expect.poll(() => row('mine').locator('.mode').textContent()).toBe('Per User, isolated');
  });

  it('asks before unsaved changes are discarded', async () => {
    await row('sql').getByRole('button', { name: 'Edit sql' }).click();
    const form = page.getByRole('form', { name: 'Edit sql' });
    await form.getByRole('button', { name: 'Cancel' }).click();
    await form.waitFor({ state: 'detached' });
    await row('sql').getByRole('button', { name: 'Edit', exact: true }).click();
    await form.getByLabel('Name of the new property').fill('half');
    await form.getByRole('button', { name: 'Cancel' }).click();
    await answer('Interpreter setting changes will be discarded.', 'Cancel');
    // A filter hides the row and keeps the typed text.
    await page.getByRole('searchbox', { name: 'Filter interpreters' }).fill('zzz');
    await form.waitFor({ state: 'hidden' });
    await page.evaluate(() => (location.hash = '#/configuration'));
    await answer('Interpreter setting changes will be discarded.', 'Cancel');
    await expect.poll(() => page.url()).toMatch(/#\/interpreter$/);
    await page.getByRole('searchbox', { name: 'Filter interpreters' }).fill('');
    await expect.poll(() => form.getByLabel('Name of the new property').inputValue()).toBe('half');
    await page.evaluate(() => (location.hash = '#/'));
    await answer('Interpreter setting changes will be discarded.', 'Discard');
    await page.locator('tiding-home').waitFor();
  });

  it('restarts an interpreter, shows a failed restart, and deletes it', async () => {
    await client.interpreters.create({ name: 'brief', group: 'sql' });
    await page.reload();
    await row('brief').getByRole('button', { name: 'Restart brief' }).click();
    await answer('Do you want to restart this interpreter?', 'Restart');
    await toast('Interpreter stopped. Will be lazily started on next run.');
    const remove = async () => {
      await row('brief').getByRole('button', { name: 'More actions for brief' }).click();
      await page.getByRole('menuitem', { name: 'Remove' }).click();
    };
    await remove();
    await answer('Do you want to delete this interpreter setting?', 'Cancel');
    // Somebody else deletes it first.
    await client.interpreters.remove('brief');
    refused = 2;
    await row('brief').getByRole('button', { name: 'Restart brief' }).click();
    await answer('Do you want to restart this interpreter?', 'Restart');
    await page.getByRole('alertdialog').getByText('No such interpreter setting: brief').waitFor();
    await answer('Error restart interpreter.', 'Close');
    await client.interpreters.create({ name: 'brief', group: 'sql' });
    await remove();
    await answer('Do you want to delete this interpreter setting?', 'Delete');
    await toast('The interpreter setting brief was deleted.');
    expect(await row('brief').count()).toBe(0);
    expect((await client.interpreters.list()).map(({ id }) => id)).not.toContain('brief');
  });

  it('leaves room for a sticky message on a narrow page', async () => {
    const list = await client.interpreters.list();
    const artifacts = 'org.example:a-very-long-name:1.0.0 '.repeat(30);
    const reason = `Cannot fetch dependencies for ${artifacts}`;
    await page.route('**/api/interpreter/setting', (route) =>
      route.request().method() === 'GET'
        ? route.fulfill({
            json: {
              status: 'OK',
              body: list.map((each, at) => ({
                ...each,
                ...(at === 0
                  ? { status: 'ERROR', errorReason: reason }
                  : { status: 'READY', errorReason: null }),
              })),
            },
          })
        : route.continue(),
    );
    await page.setViewportSize({ width: 390, height: 844 });
    await page.reload();
    const message = page.locator('.toast.stays');
    await message.waitFor();
    const box = (await message.boundingBox())!;
    expect([box.x >= 0 && box.x + box.width <= 390, box.height < 844 / 2]).toEqual([true, true]);
    // The end of the page scrolls to above the message.
    await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));
    const last = (await page.locator('.setting').last().boundingBox())!;
    expect(last.y + last.height).toBeLessThanOrEqual(box.y);
    await message.getByRole('button', { name: 'Close' }).click();
    await message.waitFor({ state: 'detached' });
    await page.unroute('**/api/interpreter/setting');
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.reload();
    await row('sql').waitFor();
  });

  it('manages the repositories of dependencies [W30 W41]', async () => {
    await page.getByRole('button', { name: 'Repositories' }).click();
    const list = page.getByRole('dialog', { name: 'Repositories' });
    await list.getByText('central').waitFor();
    expect(await list.getByRole('button', { name: /Remove the repository/ }).count()).toBe(0);
    await list.getByRole('button', { name: 'Add repository' }).click();
    const form = page.getByRole('dialog', { name: 'Add New Repository' });
    const add = form.getByRole('button', { name: 'Add', exact: true });
    await add.click();
    await form.getByRole('alert').getByText('Please fill in an ID and a URL.').waitFor();
    await form.getByLabel('ID').fill('central');
    await form.getByLabel('URL').fill('ftp://repo.example.org/');
    await add.click();
    await form
      .getByRole('alert')
      .getByText('The URL must start with http://, https:// or file://')
      .waitFor();
    await form.getByLabel('URL').fill('https://repo.example.org/maven');
    await form.getByLabel('Host').fill('proxy.example.org');
    await form.getByLabel('Port').fill('70000');
    await add.click();
    await form.getByRole('alert').getByText('The port must be a number from 1 to 65535.').waitFor();
    await form.getByLabel('Port').fill('3128');
    refused = 1;
    await add.click();
    await form.getByRole('alert').getByText('Repository central already exists').waitFor();
    await form.getByLabel('ID').fill('ours');
    await form.getByLabel('Snapshot').selectOption('true');
    await form.getByLabel('Username').fill('reader');
    await form.getByLabel('Password', { exact: true }).fill('hidden');
    await add.click();
    await form.waitFor({ state: 'detached' });
    await list.getByTitle('https://repo.example.org/maven').getByText('Snapshot').waitFor();
    expect(
      (await client.interpreters.repositories()).find(({ id }) => id === 'ours'),
    ).toMatchObject({
      url: 'https://repo.example.org/maven',
      authentication: { username: 'reader' },
      proxy: { host: 'proxy.example.org', port: 3128 },
      snapshotPolicy: { enabled: true },
    });
    await list.getByRole('button', { name: 'Remove the repository ours' }).click();
    await answer('Do you want to delete this repository?', 'Delete');
    await list.getByTitle('https://repo.example.org/maven').waitFor({ state: 'detached' });
    await page.keyboard.press('Escape');
    await list.waitFor({ state: 'detached' });
    expect((await client.interpreters.repositories()).map(({ id }) => id)).toEqual([
      'central',
      'local',
    ]);
  });
});
