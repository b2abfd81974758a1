import { beforeAll, describe, expect, it } from 'vitest';
import { adminClient, startEmbedded } from '../support/embedded.ts';
import { temporaryFolder, untilEnd } from '../support/until-end.ts';
import { inFront, startWalk, type Walk } from '../support/walk.ts';

describe('home page with a home note', () => {
  let walk: Walk;

  beforeAll(async () => {
    const data = temporaryFolder();
    const first = await startEmbedded({ data });
    const client = await adminClient(first.server.url);
    const note = await client.open(await client.notes.create({ path: 'Start here' }));
    note.paragraphs[0]!.edit('%md\n# Good morning');
    await note.paragraphs[0]!.run();
    await note.insert({ text: '%md\nwithout a result' });
    const { id } = note;
    note.close();
    client.close();
    await first.stop();
    walk = untilEnd(await startWalk({ data, homeNote: id }));
  });

  it('shows the paragraphs with results as read-only beside the list of notes [W11]', async () => {
    const { page } = walk;
    await page.getByRole('heading', { name: 'Good morning' }).waitFor();
    const note = page.locator('tiding-home tiding-notebook');
    await expect.poll(() => note.locator('article').count()).toBe(1);
    await expect.poll(() => note.getByRole('button', { name: /^Run/ }).count()).toBe(0);
    await page.getByRole('treeitem').first().waitFor();
    expect(walk.watched.complaints).toEqual([]);
  });

  it('creates a note in a folder, clears the output and opens the note [D7]', async () => {
    const { page, client, embedded } = walk;
    await page.goto(`${embedded.server.url}/#/`);
    const row = (name: string | RegExp) =>
      page.locator('tiding-home').getByRole('treeitem', { name }).first();
    await row(/^Samples/).hover();
    await row(/^Samples/)
      .getByRole('button', { name: 'Create New Note' })
      .click();
    await expect
      .poll(() => page.getByRole('dialog').getByRole('textbox').inputValue())
      .toMatch(/^Samples\/Untitled Note \d+$/);
    await page.keyboard.press('Enter');
    await page.waitForURL(/#\/notebook\//);
    await page.locator('tiding-notebook .cm-content:focus').waitFor();
    expect(
      (await client.notes.list()).some(({ path }) => /^Samples\/Untitled Note/.test(path)),
    ).toBe(true);
    await page.goto(`${embedded.server.url}/#/`);
    // Tab moves from a row to its buttons.
    await row('Start here').locator('.tree-item').focus();
    await page.keyboard.press('Tab');
    await row('Start here').getByRole('button', { name: 'Clear output' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Clear output' }).click();
    await expect
      .poll(async () =>
        (
          await client.call('getNote', {
            params: {
              noteId: (await client.notes.list()).find(({ path }) => path === 'Start here')!.id,
            },
          })
        ).paragraphs?.every(({ results }) => !results),
      )
      .toBe(true);
    expect(walk.watched.complaints).toEqual([]);
  });
});

describe.skipIf(inFront)('home of a signed-in user', () => {
  it('shows its notes before any call is answered', async () => {
    const { embedded, watched, page } = untilEnd(await startWalk());
    await page.getByRole('treeitem').first().waitFor();
    await page.goto('about:blank');
    await page.route('**/api/**', () => {});
    await page.routeWebSocket('**/ws', () => {});
    await page.goto(`${embedded.server.url}/#/`);
    await page.getByRole('treeitem', { name: /Samples/ }).waitFor();
    expect(watched.complaints).toEqual([]);
  });
});
