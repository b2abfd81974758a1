/**
 * Packages of a registry in a browser: a visualization that is drawn, configured and disabled; a
 * spell that updates another page; an application that replaces a result.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { applicationsOf, type Client, type Note } from '@tiding/client';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { ADMIN_PASSWORD } from '../support/embedded.ts';
import { startRegistry, type TestRegistry } from '../support/npm-registry.ts';
import { openPage, showNote, signIn, type WatchedPage } from '../support/page.ts';
import { publishRecorded } from '../support/recorded-packages.ts';
import { untilEnd } from '../support/until-end.ts';
import { startWalk, type Walk } from '../support/walk.ts';

const table =
  'name\tamount\tkind\nash\t30\ttree\noak\t50\ttree\nrye\t20\tgrass\n' +
  'elm\t44\ttree\noats\t12\tgrass\nmoss\t9\tmoss\n';
const bubbles = 'zeppelin-bubblechart';

describe('packages in a browser', () => {
  let registry: TestRegistry;
  let embedded: Walk['embedded'];
  let watched: WatchedPage;
  let second: WatchedPage;
  let page: Page;
  let client: Client;
  let note: Note;

  beforeAll(async () => {
    registry = untilEnd(await startRegistry());
    publishRecorded(registry, join(import.meta.dirname, '../fixtures/helium'));
    const walk = untilEnd(await startWalk({ heliumRegistry: registry.url }));
    ({ client, embedded, page, watched } = walk);
    const { url } = embedded.server;
    await client.packages.enable(bubbles, `${bubbles}@0.0.4`);
    await client.packages.enable('zeppelin-echo-spell', 'zeppelin-echo-spell@1.0.7');
    await client.packages.configure('zeppelin-echo-spell', 'zeppelin-echo-spell@1.0.7', {
      repeat: 2,
      delay: 10,
    });
    const id = await client.notes.create({ path: 'packages' });
    note = await client.open(id);
    note.paragraphs[0]!.edit(`%js\nconsole.log(${JSON.stringify(`%table ${table}`)})`);
    await note.insert({ text: '%echo said by a spell\n%html <b>bold</b>' });
    await note.insert({ text: '%js\nconsole.log("some words")' });
    for (const at of [0, 2]) expect((await note.paragraphs[at]!.run()).status).toBe('FINISHED');
    await note.paragraphs[0]!.configure({
      results: {
        0: {
          graph: {
            mode: bubbles,
            height: 300,
            optionOpen: true,
            setting: { [bubbles]: { value: { name: 'amount', index: 1, aggr: 'sum' } } },
          },
        },
      },
    });
    second = await openPage(walk.browser);
    await signIn(second.page, url, 'admin', ADMIN_PASSWORD);
    for (const shown of [page, second.page]) await showNote(shown, url, id, 3);
  });

  const article = (at: number, of = page) => of.locator('article').nth(at);

  it('shows the note before packages are loaded, and their views afterwards [W9]', async () => {
    let release = () => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    const asked: string[] = [];
    await page.route('**/api/helium/**', async (route) => {
      asked.push(route.request().url());
      await held;
      await route.continue();
    });
    await page.reload();
    await article(2).getByText('some words', { exact: true }).waitFor();
    await expect.poll(() => asked.length).toBeGreaterThan(0);
    expect(await article(0).locator('iframe.package-frame').count()).toBe(0);
    release();
    await article(0).frameLocator('iframe.package-frame').locator('circle').nth(5).waitFor();
    await page.unroute('**/api/helium/**');
  });

  it('runs a spell in the page and shows its result to others [W49]', async () => {
    const received = new Promise<unknown>((resolve) =>
      client.on('RUN_PARAGRAPH_USING_SPELL', ({ data }) => resolve(data.paragraph)),
    );
    await article(1).hover();
    await article(1).getByRole('button', { name: 'Run this paragraph (Shift+Enter)' }).click();
    await expect.poll(() => article(1).getAttribute('data-status')).toBe('FINISHED');
    await expect
      .poll(() => article(1).locator('.output-part').innerText())
      .toContain('said by a spell');
    await expect
      .poll(() => article(1).frameLocator('iframe').first().locator('b').first().textContent())
      .toBe('bold');
    // The setting `repeat` prints it a second time.
    expect(await received).toMatchObject({
      status: 'FINISHED',
      results: {
        code: 'FINISHED',
        msg: [{ type: 'TEXT', data: 'said by a spell\n' }, { type: 'HTML' }, { type: 'HTML' }],
      },
    });
    await expect.poll(() => article(1, second.page).getAttribute('data-status')).toBe('FINISHED');
    await expect
      .poll(() => article(1, second.page).locator('.output-part').innerText())
      .toContain('said by a spell');
  });

  it('adds an application to the last output, shows it in place and removes it [D12]', async () => {
    await mkdir(join(embedded.data, 'helium'), { recursive: true });
    await writeFile(
      join(embedded.data, 'helium/counter.json'),
      JSON.stringify({
        type: 'APPLICATION',
        name: 'counter',
        artifact: 'counter@1',
        icon: "<i class='fa fa-table'></i>",
      }),
    );
    await writeFile(
      join(embedded.data, 'helium/counter.js'),
      "tiding.element.textContent = 'rows: ' + " +
        'tiding.tables.map(({ rows }) => rows.length).join();',
    );
    await client.packages.enable('counter', 'counter@1');
    const statuses: unknown[] = [];
    // The channel that created the note hears of it too.
    client.on('APP_STATUS_CHANGE', ({ noteId, data }) => {
      if (noteId === note.id) statuses.push(data.status);
    });
    const activeApp = () =>
      (
        note.paragraphs[0]!.state.server.config!.results as Record<
          string,
          { helium?: { activeApp?: string } }
        >
      )[0]!.helium?.activeApp;
    await page.reload();
    await article(0).locator('.result-bar').waitFor();
    await article(0).getByRole('button', { name: 'Add an application' }).click();
    await page.getByRole('menuitem', { name: 'counter' }).click();
    const button = article(0).getByRole('button', { name: 'counter', exact: true });
    await button.waitFor();
    // Scripts run because the reader wrote the note.
    await expect
      .poll(() => article(0).frameLocator('iframe').first().locator('#application').textContent())
      .toBe('rows: 6');
    await article(0).locator('iframe.package-frame').waitFor({ state: 'detached' });
    const { id } = applicationsOf(note.paragraphs[0]!.state.server)[0]!;
    await expect.poll(activeApp).toBe(id);
    await button.click();
    await article(0).locator('iframe.package-frame').waitFor();
    await expect.poll(activeApp).toBe(undefined);
    await button.click();
    await article(0).getByRole('button', { name: 'Remove counter' }).click();
    await button.waitFor({ state: 'detached' });
    await expect.poll(() => note.paragraphs[0]!.state.server.apps).toEqual([]);
    await expect.poll(() => statuses).toEqual(['LOADING', 'LOADED', 'UNLOADING', 'UNLOADED']);
  });

  it('logs no errors on either page', () => {
    // The package's own console messages are not errors.
    expect([...watched.complaints, ...second.complaints]).toEqual([]);
  });
});
