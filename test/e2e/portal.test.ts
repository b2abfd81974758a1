/**
 * A page of another origin with elements of two servers, which filter each other: one
 * `<tiding-filter>`, tables and charts in its portal, and a table in another portal.
 */
import { readFile } from 'node:fs/promises';
import { join, normalize } from 'node:path';
import type { Client, Note } from '@tiding/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ELEMENTS_VERSION } from '../../elements/version.ts';
import { adminClient, startEmbedded } from '../support/embedded.ts';
import { openPage, type WatchedPage } from '../support/page.ts';
import { serve } from '../support/serve.ts';
import { untilEnd } from '../support/until-end.ts';
import { inFront, noteOf, startWalk, type Walk } from '../support/walk.ts';

const web = join(import.meta.dirname, '../../server/dist/web');
const SALES = [
  '%js',
  "const rows = ['region\\tyear\\tday\\tsold'];",
  "for (const [at, region] of ['EU', 'US', 'Asia'].entries())",
  '  for (let year = 2020; year < 2024; year++)',
  "    rows.push([region, year, year + '-0' + (at + 1) + '-15', 10 * (at + 1)].join('\\t'));",
  "console.log('%table ' + rows.join('\\n'));",
].join('\n');
const OTHERS = "%js\nconsole.log('%table\\nname\\tcount\\nalpha\\t1\\nbeta\\t2')";

describe.skipIf(inFront)('a portal', () => {
  let walk: Walk;
  let second: Awaited<ReturnType<typeof startEmbedded>>;
  let secondClient: Client;
  const notes: Note[] = [];
  const tokens: string[] = [];
  let origin: string;
  let copy: string;

  beforeAll(async () => {
    copy = await serve(async (request, response) => {
      const name = normalize(new URL(request.url ?? '/', 'http://files').pathname).slice(1);
      const file = await readFile(join(web, name)).catch(() => undefined);
      if (!file) return void response.writeHead(404).end();
      response
        .writeHead(200, {
          'Content-Type': name.endsWith('.css') ? 'text/css' : 'text/javascript',
          'Access-Control-Allow-Origin': '*',
        })
        .end(name.endsWith('.js') ? `${file}`.replaceAll(ELEMENTS_VERSION, '0.9.0') : file);
    });
    origin = await serve((_, response) => {
      const servers = [walk.embedded.server.url, second.server.url];
      const sockets = servers.map((url) => url.replace('http', 'ws'));
      const policy = [
        "default-src 'self'",
        `script-src 'self' ${servers[0]} ${copy}`,
        `connect-src 'self' ${[...servers, ...sockets].join(' ')}`,
        `frame-src ${servers.join(' ')}`,
        "img-src 'self' data:",
        "require-trusted-types-for 'script'",
        'trusted-types dompurify tiding#worker',
      ].join('; ');
      response
        .writeHead(200, { 'Content-Type': 'text/html', 'Content-Security-Policy': policy })
        .end(
          '<!doctype html><title>Portal</title>' +
            `<script type="module" src="${servers[0]}/tiding.js"></script><main></main>`,
        );
    });
    walk = untilEnd(await startWalk({ allowOrigins: [origin] }));
    second = untilEnd(await startEmbedded({ allowOrigins: [origin] }));
    secondClient = untilEnd(await adminClient(second.server.url));
    for (const client of [walk.client, secondClient]) {
      const note = await noteOf(client, 'Sales', [SALES, SALES, OTHERS]);
      await note.run();
      await note.paragraphs[1]!.configure({
        results: { 0: { graph: { mode: 'multiBarChart', height: 240, optionOpen: false } } },
      });
      notes.push(note);
      tokens.push((await client.tokens.create({ description: 'portal' })).token!);
    }
  });
  afterAll(async () => {
    for (const note of notes) note.close();
  });

  /** Opens the page: a filter, three elements of each server, and one in another portal. */
  async function visit(): Promise<WatchedPage> {
    const watched = await openPage(walk.browser, { viewport: { width: 1440, height: 2400 } });
    await watched.page.goto(origin);
    await watched.page.evaluate(
      ({ servers, ids, secrets, paragraphs }) => {
        const main = document.querySelector('main')!;
        main.append(
          Object.assign(document.createElement('tiding-filter'), {
            id: 'region',
            portal: 'sales',
            column: 'region',
            label: 'Region',
            options: ['EU', 'US', 'Asia'],
          }),
        );
        for (const [at, server] of servers.entries())
          for (const [index, portal] of [
            [0, 'sales'],
            [1, 'sales'],
            [2, 'sales'],
            [0, at === 0 ? 'other' : undefined],
          ] as const)
            main.append(
              Object.assign(document.createElement('tiding-paragraph'), {
                id: `${'ab'[at]}${index}${portal ?? 'none'}`,
                server,
                token: secrets[at],
                note: ids[at],
                paragraph: paragraphs[at]![index],
                look: 'embed',
                portal,
              }),
            );
      },
      {
        servers: [walk.embedded.server.url, second.server.url],
        ids: notes.map(({ id }) => id),
        secrets: tokens,
        paragraphs: notes.map((note) => note.paragraphs.map(({ id }) => id)),
      },
    );
    const { page } = watched;
    for (const name of ['a0sales', 'b0sales', 'a2sales', 'b2sales', 'a0other', 'b0none'])
      await page.locator(`#${name}`).getByRole('gridcell').first().waitFor();
    for (const name of ['a1sales', 'b1sales'])
      await page.locator(`#${name} .chart-body svg`).waitFor();
    return watched;
  }

  const rowsOf = (page: WatchedPage['page'], id: string): Promise<number> =>
    page
      .locator(`#${id}`)
      .getByRole('grid')
      .evaluate((grid) => Number(grid.ariaRowCount ?? grid.getAttribute('aria-rowcount')));
  /** The categories that a chart shows, from its table for screen readers. */
  const barsOf = (page: WatchedPage['page'], id: string): Promise<string[]> =>
    page.locator(`#${id} .chart-body table tbody th`).allTextContents();

  it('filters tables and charts of two servers, each once, and no other', async () => {
    const watched = await visit();
    const { page } = watched;
    const before = await rowsOf(page, 'a0sales');
    // Records each number of rows that a grid announces.
    await page.evaluate(() => {
      const counts: Record<string, string[]> = ((window as { counts?: object }).counts =
        {}) as never;
      for (const element of document.querySelectorAll('tiding-paragraph')) {
        counts[element.id] = [];
        const grid = element.shadowRoot!.querySelector('[role=grid]');
        if (!grid) continue;
        new MutationObserver((records) => {
          for (const { attributeName } of records)
            counts[element.id]!.push(grid.getAttribute(attributeName!)!);
        }).observe(grid, { attributeFilter: ['aria-rowcount'] });
      }
    });
    await page.getByRole('checkbox', { name: 'US' }).check();
    await expect.poll(() => rowsOf(page, 'a0sales')).toBe(before - 8);
    await expect.poll(() => rowsOf(page, 'b0sales')).toBe(before - 8);
    for (const name of ['a1sales', 'b1sales'])
      await expect.poll(() => barsOf(page, name)).toEqual(['US']);
    const chip = page.locator('#a0sales').getByRole('list', { name: 'Filters of this page' });
    expect(await chip.textContent()).toBe('region: US');
    // A table without the column ignores the signal.
    expect(await page.locator('#a2sales').getByRole('gridcell').count()).toBe(4);
    expect(await page.locator('#a2sales .signal-chips').count()).toBe(0);
    const counts = await page.evaluate(
      () => (window as unknown as { counts: Record<string, string[]> }).counts,
    );
    expect(counts).toEqual({
      a0sales: [String(before - 8)],
      a1sales: [],
      a2sales: [],
      a0other: [],
      b0sales: [String(before - 8)],
      b1sales: [],
      b2sales: [],
      b0none: [],
    });

    // A chip removes the filter everywhere.
    await page
      .locator('#b0sales')
      .getByRole('button', { name: 'Remove filter region: US' })
      .click();
    await expect.poll(() => rowsOf(page, 'a0sales')).toBe(before);
    expect(await page.getByRole('checkbox', { name: 'US' }).isChecked()).toBe(false);
    expect(watched.complaints).toEqual([]);
    await watched.close();
  });

  it('sends what the user chooses in a chart, and shares it with another copy', async () => {
    const watched = await visit();
    const { page } = watched;
    const before = await rowsOf(page, 'a0sales');
    const chart = page.locator('#a1sales .chart-body [role=img], #a1sales .chart-body [tabindex]');
    await chart.first().focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    await expect.poll(() => rowsOf(page, 'b0sales')).toBe(before - 8);
    // The chart that sent it keeps all its bars, the other one doesn't.
    await expect.poll(() => barsOf(page, 'b1sales')).toHaveLength(1);
    expect(await barsOf(page, 'a1sales')).toHaveLength(3);
    expect(await rowsOf(page, 'a0other')).toBe(before);

    // Another version of the script reads and changes the same signals.
    const history = await page.evaluate(`(async () => {
      const { loadPortal } = await import('${copy}/tiding.js');
      const sales = (await loadPortal()).portal('sales');
      sales.clear('selection', { by: 'The page' });
      sales.set('range', { column: 'year', from: 2022 }, { by: 'The page' });
      return sales.history().map(({ signal, value, by }) => [signal, value, by.name, by.id]);
    })()`);
    const region = (await barsOf(page, 'a1sales'))[0]!;
    expect(history).toEqual([
      ['selection', { column: 'region', values: [region] }, 'tiding-paragraph', 'a1sales'],
      ['selection', null, 'The page', undefined],
      ['range', { column: 'year', from: 2022 }, 'The page', undefined],
    ]);
    for (const name of ['a0sales', 'b0sales'])
      await expect.poll(() => rowsOf(page, name)).toBe(before - 6);
    expect(watched.complaints).toEqual([]);
    await watched.close();
  });

  it('gives all its elements one theme, and shows the cluster of the page', async () => {
    const watched = await visit();
    const { page } = watched;
    await page.evaluate(
      ({ servers, secrets }) => {
        for (const [at, server] of servers.entries())
          document.querySelector('#region')!.after(
            Object.assign(document.createElement('tiding-cluster-card'), {
              id: `${'ab'[at]}card`,
              server,
              token: secrets[at],
              portal: 'sales',
            }),
          );
      },
      { servers: [walk.embedded.server.url, second.server.url], secrets: tokens },
    );
    const inPortal = ['region', 'acard', 'bcard', 'a0sales', 'a1sales', 'b0sales', 'b1sales'];
    /** What the elements have of the look, once each. */
    const looks = (names: readonly string[], property: string) =>
      page.evaluate(
        ([ids, name]) => [
          ...new Set(
            ids.map((id) =>
              getComputedStyle(document.getElementById(id)!).getPropertyValue(name).trim(),
            ),
          ),
        ],
        [names, property] as const,
      );
    const set = (signal: string, value: unknown) =>
      page.evaluate(`(async () => {
        const { loadPortal } = await import('${walk.embedded.server.url}/tiding.js');
        const sales = (await loadPortal()).portal('sales');
        sales.set('${signal}', ${JSON.stringify(value)}, { by: 'The page' });
      })()`);
    const before = await looks(['a0other'], 'color-scheme');
    await set('cluster', { id: 'local', name: 'local' });
    for (const name of ['acard', 'bcard'])
      await page.locator(`#${name}`).getByRole('article', { name: 'local' }).waitFor();
    await set('theme', 'dark');
    await expect.poll(() => looks(inPortal, 'color-scheme')).toEqual(['dark']);
    expect(await looks(['a0other', 'b0none'], 'color-scheme')).toEqual(before);
    await set('theme', 'warm');
    await expect
      .poll(() => looks(inPortal, '--tiding-accent'))
      .toEqual([expect.stringMatching(/./)]);
    expect(await looks(inPortal, 'color-scheme')).not.toContain('dark');
    expect(await looks(['a0other', 'b0none'], '--tiding-accent')).toEqual(['']);
    expect(watched.complaints).toEqual([]);
    await watched.close();
  });
});
