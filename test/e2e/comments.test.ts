/** Comments of two users on one note, in two browsers. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Users } from '../../server/auth/users.ts';
import { accessibilityFindings } from '../support/axe.ts';
import { launchChromium } from '../support/chromium.ts';
import { ADMIN_PASSWORD, adminClient, startEmbedded } from '../support/embedded.ts';
import { noteMenu, openPage, type WatchedPage } from '../support/page.ts';
import { onlyFor } from '../support/raw.ts';
import { type MailServer, startMailServer } from '../support/smtp.ts';
import { untilEnd } from '../support/until-end.ts';

const BOB = 'bob@acme.org';
const CODE = 'select 1 as answer';

describe('comments', () => {
  let browser: Browser;
  let mail: MailServer;
  let embedded: Awaited<ReturnType<typeof startEmbedded>>;
  const watched: WatchedPage[] = [];
  let admin: Page;
  let bob: Page;
  let noteId: string;

  const visit = async (name: string, password: string): Promise<Page> => {
    const each = await openPage(browser);
    watched.push(each);
    await each.page.context().request.post(`${embedded.server.url}/api/login`, {
      form: { userName: name, password },
    });
    await each.page.goto(`${embedded.server.url}/#/notebook/${noteId}`);
    await each.page.locator('article').first().waitFor();
    return each.page;
  };
  const panel = (page: Page) => page.getByRole('complementary', { name: 'Comments' });
  const thread = (page: Page, at = 0) => panel(page).locator('li.thread').nth(at);
  const isFocused = (page: Page, selector: string) =>
    expect
      .poll(() =>
        page
          .locator(selector)
          .first()
          .evaluate((each) => each.matches(':focus')),
      )
      .toBe(true);

  beforeAll(async () => {
    mail = untilEnd(await startMailServer());
    embedded = untilEnd(await startEmbedded({ smtpUrl: mail.url, mailFrom: 'notes@acme.org' }));
    const users = new Users(embedded.data);
    await users.set(BOB, { password: 'bobs-password', roles: [] });
    await users.set('eve@acme.org', { password: 'eves-password', roles: [] });
    const client = await adminClient(embedded.server.url);
    noteId = await client.notes.create({ path: 'Discussed' });
    const note = await client.open(noteId);
    note.paragraphs[0]!.edit(`%sql\n${CODE}`);
    await note.commit();
    await note.insert({ text: '%md\nsecond', title: 'Summary' });
    await note.setPermissions({ ...onlyFor('admin'), readers: [BOB] });
    client.close();
    browser = untilEnd(await launchChromium());
    admin = await visit('admin', ADMIN_PASSWORD);
    bob = await visit(BOB, 'bobs-password');
  });
  afterAll(async () => {
    expect(watched.flatMap(({ complaints }) => complaints)).toEqual([]);
  });

  it('quote the selected code, complete names, and appear in the other browser', async () => {
    await noteMenu(bob, 'Comments');
    await panel(bob).getByText('No open comments').waitFor();
    await admin.getByText('answer').first().click();
    await admin.keyboard.press('End');
    await admin.keyboard.press('Shift+Home');
    await admin.locator('article').first().getByRole('button', { name: 'More actions' }).click();
    await admin.getByRole('menuitem', { name: 'Add comment' }).click();
    await panel(admin).getByText('New comment on Paragraph 1').waitFor();
    await isFocused(admin, '.comment-form textarea');
    expect(await panel(admin).locator('blockquote').innerText()).toBe(CODE);
    await admin.keyboard.type('Why 1, @bo');
    await panel(admin).getByRole('option', { name: BOB }).waitFor();
    expect(await accessibilityFindings(admin, 'names of users')).toEqual([]);
    await admin.keyboard.press('Enter');
    await admin.keyboard.type('and @eve@acme.org?');
    await admin.keyboard.press('Control+Enter');
    await thread(admin).waitFor();
    await admin.getByText("These users can't read this note").waitFor();
    await isFocused(admin, 'aside[aria-label="Comments"]');
    await thread(bob).getByText(`Why 1, @${BOB} and @eve@acme.org?`).waitFor();
    expect(await thread(bob).locator('blockquote').innerText()).toBe(CODE);
    await expect
      .poll(() => bob.locator('[data-command="comments"]').getAttribute('aria-label'))
      .toBe('Comments (1)');
    await expect.poll(() => mail.letters.map(({ to }) => to)).toEqual([[BOB]]);
  });

  it('are answered by keyboard, and the focus returns to the button', async () => {
    await thread(bob).getByRole('button', { name: 'Reply' }).focus();
    await bob.keyboard.press('Enter');
    await isFocused(bob, '.thread textarea');
    await bob.keyboard.press('Escape');
    await isFocused(bob, '.button.reply');
    await bob.keyboard.press('Enter');
    await isFocused(bob, '.thread textarea');
    await bob.keyboard.type('Because.');
    await bob.keyboard.press('Control+Enter');
    await isFocused(bob, '.button.reply');
    await thread(admin).getByText('Because.').waitFor();
  });

  it('can be edited and deleted by those who may', async () => {
    const comments = (page: Page) => thread(page).locator('.comment');
    expect(await comments(bob).nth(0).getByRole('button').count()).toBe(0);
    await comments(bob).nth(1).getByRole('button', { name: 'Edit' }).click();
    await isFocused(bob, '.comment textarea');
    await bob.keyboard.type(' Really.');
    await bob.getByRole('button', { name: 'Save' }).click();
    await comments(admin).nth(1).getByText('Because. Really.').waitFor();
    await comments(admin).nth(1).getByText('(edited)').waitFor();
    await comments(admin).nth(1).getByRole('button', { name: 'Delete' }).click();
    await admin
      .locator('[role=alertdialog], [role=dialog]')
      .getByRole('button', { name: 'Delete' })
      .click();
    await expect.poll(() => comments(bob).count()).toBe(1);
  });

  it('are listed in the order of paragraphs, resolved ones behind a switch', async () => {
    await bob.locator('article').nth(1).getByRole('button', { name: 'More actions' }).click();
    await bob.getByRole('menuitem', { name: 'Add comment' }).click();
    await panel(bob).getByText('New comment on Summary').waitFor();
    await isFocused(bob, '.comment-form textarea');
    await bob.keyboard.type('Too short.');
    await panel(bob).getByRole('button', { name: 'Add comment' }).click();
    await expect.poll(() => panel(admin).locator('li.thread').count()).toBe(2);
    await thread(admin, 1).getByRole('button', { name: 'Summary' }).click();
    await expect
      .poll(() => admin.locator('article').nth(1).getAttribute('class'))
      .toContain('focused');
    await thread(admin).getByRole('button', { name: 'Resolve' }).click();
    await expect.poll(() => panel(bob).locator('li.thread').count()).toBe(1);
    await panel(bob).getByLabel('Show resolved (1)').check();
    await thread(bob).getByText('Resolved by admin').waitFor();
    for (const [width, height] of [
      [1440, 900],
      [390, 844],
    ] as const)
      for (const colorScheme of ['light', 'dark'] as const) {
        await bob.setViewportSize({ width, height });
        await bob.emulateMedia({ colorScheme });
        const state = `comments-${width}-${colorScheme}`;
        expect(await accessibilityFindings(bob, state)).toEqual([]);
      }
    await bob.setViewportSize({ width: 1440, height: 900 });
    await thread(bob).getByRole('button', { name: 'Reopen' }).click();
    await expect.poll(() => panel(admin).locator('li.thread').count()).toBe(2);
  });
});
