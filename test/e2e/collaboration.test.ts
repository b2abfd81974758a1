/**
 * Two people on one note in browsers: they see each other, edit the same paragraph, also
 * after a break, and undo a removal.
 */

import { type Client, createClient, type Note } from '@tiding/client';
import type { Browser, Page, WebSocketRoute } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { Users } from '../../server/auth/users.ts';
import { launchChromium } from '../support/chromium.ts';
import { ADMIN_PASSWORD, startEmbedded } from '../support/embedded.ts';
import { openPage, type WatchedPage } from '../support/page.ts';
import { untilEnd } from '../support/until-end.ts';

describe('two people on one note', () => {
  let browser: Browser;
  let embedded: Awaited<ReturnType<typeof startEmbedded>>;
  let watched: WatchedPage;
  let page: Page;
  let other: Client;
  let note: Note;
  let isCut = false;
  const lines = new Set<WebSocketRoute>();
  /** Closes the page's connections and rejects new ones while `on`. */
  const cut = (on: boolean): void => {
    isCut = on;
    if (on) for (const line of lines) void line.close({ code: 4000, reason: 'cut' });
  };

  beforeAll(async () => {
    embedded = untilEnd(await startEmbedded());
    await new Users(embedded.data).set('bob', { password: 'bobs-password', roles: [] });
    other = untilEnd(createClient({ server: embedded.server.url }));
    await other.session.login('bob', 'bobs-password');
    const id = await other.notes.create({ path: 'shared' });
    note = await other.open(id);
    note.paragraphs[0]!.edit('%md\none two three');
    await note.commit();
    await note.insert({ text: '%js\nconsole.log("printed")' });
    expect((await note.paragraphs[1]!.run()).status).toBe('FINISHED');
    await other.call('setPermissions', {
      params: { noteId: id },
      body: { owners: ['admin'], writers: [], runners: [], readers: [] },
    });
    browser = untilEnd(await launchChromium());
    watched = await openPage(browser);
    ({ page } = watched);
    await page.routeWebSocket(/\/ws$/, (line) => {
      if (isCut) return void line.close({ code: 4000, reason: 'cut' });
      line.connectToServer();
      lines.add(line);
    });
    await page.goto(`${embedded.server.url}/#/notebook/${id}`);
    await page.getByLabel('User Name').fill('admin');
    await page.getByLabel('Password', { exact: true }).fill(ADMIN_PASSWORD);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.locator('article').first().waitFor();
  });
  const shot = async (name: string) => {
    if (process.env['SHOTS'])
      await page.screenshot({ path: `${process.env['SHOTS']}/${name}.png` });
  };
  const first = () => page.locator('article').first();

  it('see each other by name and position', async () => {
    await first().locator('.code-area').click();
    await first().locator('.cm-content').click();
    await first().locator('.cm-focused').waitFor();
    await page.keyboard.press('Control+End');
    note.announce({ paragraphId: note.paragraphs[0]!.id, anchor: 4, head: 7 });
    await page.getByRole('button', { name: 'bob is viewing this note' }).waitFor();
    await first().locator('.person-chip').getByText('bob').waitFor();
    await first().locator('.caret-name').getByText('bob').waitFor();
    await expect.poll(() => first().locator('.caret-selection').textContent()).toBe('one');
    await expect
      .poll(() =>
        Object.values(note.state.presence).map(({ name, paragraphId, head }) => [
          name,
          paragraphId,
          head,
        ]),
      )
      .toContainEqual(['admin', note.paragraphs[0]!.id, 17]);
    await shot('presence');
  });

  it('edit one paragraph: both texts are kept, and the cursor moves with its text', async () => {
    await page.keyboard.type(' four');
    note.paragraphs[0]!.edit(note.paragraphs[0]!.text.replace('%md\n', '%md\nzero '));
    const shown = () =>
      first()
        .locator('.cm-content')
        .evaluate((element) => {
          const copy = element.cloneNode(true) as HTMLElement;
          copy.querySelectorAll('.caret').forEach((caret) => caret.remove());
          return copy.textContent;
        });
    await expect.poll(shown).toBe('%mdzero one two three four');
    await expect.poll(() => note.paragraphs[0]!.text).toBe('%md\nzero one two three four');
    await expect.poll(() => first().locator('.caret-selection').textContent()).toBe('one');
    await expect.poll(() => note.dirty).toBe(false);
  });

  it('keep what both write at one place, also after a break', async () => {
    cut(true);
    await first().locator('.cm-content').click();
    await page.keyboard.press('Control+a');
    await page.keyboard.type('%md\nmine');
    note.paragraphs[0]!.edit('%md\ntheirs, altogether');
    await note.commit();
    cut(false);
    await expect.poll(() => note.paragraphs[0]!.text).toContain('mine');
    // Letters that the other text shares with the one that was deleted here are deleted with it.
    expect(note.paragraphs[0]!.text).toContain('theirs');
    await expect.poll(() => page.locator('.save-state').textContent()).toBe('Saved');
    expect(await page.locator('.strip.warning').count()).toBe(0);
  });

  it('follow the other person to each paragraph, until the page is used', async () => {
    const far = await note.insert({ text: `%md\n${'line\n'.repeat(80)}` });
    await note.insert({ text: '%md\nlast' });
    const last = note.paragraphs.at(-1)!;
    const seen = (id: string) =>
      page.locator(`article[data-paragraph="${id}"]`).evaluate((element) => {
        const { top, bottom } = element.getBoundingClientRect();
        return bottom > 0 && top < innerHeight;
      });
    const bob = page.getByRole('button', { name: 'bob is viewing this note' });
    await page.locator(`article[data-paragraph="${last.id}"]`).waitFor();
    expect(await seen(last.id)).toBe(false);
    await bob.click();
    await expect.poll(() => bob.getAttribute('aria-pressed')).toBe('true');
    await page.getByText('You follow bob. Scroll, click or type to stop.').waitFor();
    note.announce({ paragraphId: last.id, anchor: 0, head: 0 });
    await expect.poll(() => seen(last.id)).toBe(true);
    note.announce({ paragraphId: note.paragraphs[0]!.id, anchor: 0, head: 0 });
    await expect.poll(() => seen(last.id)).toBe(false);
    await page.keyboard.press('Shift');
    await expect.poll(() => bob.getAttribute('aria-pressed')).toBe('false');
    note.announce({ paragraphId: last.id, anchor: 0, head: 0 });
    await page
      .locator(`article[data-paragraph="${last.id}"] .person-chip`)
      .getByText('bob')
      .waitFor();
    expect(await seen(last.id)).toBe(false);
    note.announce({ paragraphId: note.paragraphs[0]!.id, anchor: 0, head: 0 });
    await last.remove();
    await far.remove();
  });

  it('undo a removal, with the output', async () => {
    const { id } = note.paragraphs[1]!;
    const second = page.locator(`article[data-paragraph="${id}"]`);
    await second.getByText('printed', { exact: true }).waitFor();
    await second.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Remove' }).click();
    await second.waitFor({ state: 'detached' });
    await shot('removed');
    await page.getByRole('status').getByRole('button', { name: 'Undo' }).click();
    await second.getByText('printed', { exact: true }).waitFor();
    expect(note.paragraphs.map((paragraph) => paragraph.id)).toContain(id);
    expect(
      watched.complaints.filter((complaint) => !complaint.includes('ERR_INTERNET_DISCONNECTED')),
    ).toEqual([]);
  });
});
