/** Pages of readers and runners of a note: what they may not do is disabled, with a reason. */
import { type Client, createClient } from '@tiding/client';
import type { Browser } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { Users } from '../../server/auth/users.ts';
import { launchChromium } from '../support/chromium.ts';
import { ADMIN_PASSWORD, startEmbedded } from '../support/embedded.ts';
import { noteMenu, openPage, shoot, signIn } from '../support/page.ts';
import { PASSWORD } from '../support/people.ts';
import { untilEnd } from '../support/until-end.ts';
import { inFront } from '../support/walk.ts';

const mayNotRun = 'You may view this note but not run it. Ask an owner to add you to its runners.';
const mayNotChange = 'You may not change this note. Ask an owner to add you to its writers.';
const onlyOwners = 'Only owners of this note may do this.';

describe.skipIf(inFront)('a note that is not theirs', () => {
  let embedded: Awaited<ReturnType<typeof startEmbedded>>;
  let browser: Browser;
  let admin: Client;
  let id: string;

  beforeAll(async () => {
    embedded = untilEnd(await startEmbedded());
    const users = new Users(embedded.data);
    for (const who of ['reader', 'runner']) await users.set(who, { password: PASSWORD });
    admin = untilEnd(createClient({ server: embedded.server.url }));
    await admin.session.login('admin', ADMIN_PASSWORD);
    id = await admin.notes.create({ path: 'Reports/Weekly' });
    const note = await admin.open(id);
    note.paragraphs[0]!.edit("%sql\nselect '${city=Oslo}' as city, 7 as n");
    await note.paragraphs[0]!.run();
    const all = ['admin', 'runner'];
    await note.setPermissions({
      owners: ['admin'],
      writers: ['admin'],
      runners: all,
      readers: [...all, 'reader'],
    });
    browser = untilEnd(await launchChromium());
  });

  const open = async (who: 'reader' | 'runner') => {
    const watched = await openPage(browser);
    const { page } = watched;
    page.setDefaultTimeout(60_000);
    await signIn(page, embedded.server.url, who, PASSWORD);
    await page.goto(`${embedded.server.url}/#/notebook/${id}`);
    const bar = page.locator('.note-bar');
    await bar.getByText(who === 'reader' ? 'View only' : 'Run only').waitFor();
    return { ...watched, bar, paragraph: page.locator('article').first() };
  };

  it('is shown to readers with everything else disabled, and why', async () => {
    const { page, complaints, close, bar, paragraph } = await open('reader');
    for (const [button, reason] of [
      [bar.getByRole('button', { name: 'Run all' }), mayNotRun],
      [bar.getByRole('button', { name: 'Weekly' }), onlyOwners],
      [paragraph.locator('.run'), mayNotRun],
      [page.locator('.add-bar').getByRole('button', { name: 'Add paragraph' }), mayNotChange],
    ] as const) {
      await expect.poll(() => button.isDisabled(), { message: reason }).toBe(true);
      await expect.poll(() => button.getAttribute('title')).toBe(reason);
    }
    expect(await paragraph.getByRole('textbox', { name: 'city' }).isEditable()).toBe(false);
    await paragraph.locator('.code-part').click();
    await page.keyboard.type('not mine');
    expect(await paragraph.locator('.code-part').textContent()).not.toContain('not mine');
    await paragraph.getByRole('radio', { name: 'Bar Chart' }).click();
    await paragraph.locator('.chart-box[aria-label^="Bar Chart"]').waitFor();
    await shoot(page, 'reader-note');
    await noteMenu(page);
    for (const [name, reason] of [
      ['Move this note to trash', onlyOwners],
      ['Clear all output', mayNotChange],
    ] as const) {
      const entry = page.getByRole('menuitem', { name });
      await expect.poll(() => entry.getAttribute('aria-disabled')).toBe('true');
      await expect.poll(() => entry.getAttribute('title')).toBe(reason);
    }
    await shoot(page, 'reader-menu');
    await page.keyboard.press('Escape');
    await noteMenu(page, 'Note Permissions');
    await page.getByRole('button', { name: 'Save permissions' }).waitFor();
    await expect
      .poll(() => page.getByRole('button', { name: 'Save permissions' }).isDisabled())
      .toBe(true);
    await shoot(page, 'reader-permissions');
    await page.evaluate(() => location.assign('#/'));
    const row = page.locator('tiding-home').getByRole('treeitem').filter({ hasText: 'Weekly' });
    await row.last().hover();
    const rename = row.last().getByRole('button', { name: 'Rename note' });
    await expect.poll(() => rename.isDisabled()).toBe(true);
    await expect.poll(() => rename.getAttribute('title')).toBe(onlyOwners);
    await shoot(page, 'reader-home');
    // Nothing was sent that the server had to refuse.
    expect(complaints).toEqual([]);
    await close();
  });

  it('is run by runners with values of their own, without a refusal', async () => {
    const { page, complaints, close, bar, paragraph } = await open('runner');
    expect(await bar.getByRole('button', { name: 'Run all' }).isDisabled()).toBe(false);
    await noteMenu(page);
    await expect
      .poll(() =>
        page.getByRole('menuitem', { name: 'Clear all output' }).getAttribute('aria-disabled'),
      )
      .toBe('true');
    await page.keyboard.press('Escape');
    await paragraph.getByRole('textbox', { name: 'city' }).fill('Bergen');
    await paragraph.getByRole('textbox', { name: 'city' }).press('Enter');
    await paragraph.locator('.output-part').getByText('Bergen').first().waitFor();
    await shoot(page, 'runner-note');
    expect(await page.locator('.toast').count()).toBe(0);
    expect(complaints).toEqual([]);
    await close();
  });
});
