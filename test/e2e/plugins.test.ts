/**
 * The documented examples of a visualization and a display, on a plain page of another origin with
 * the sample notes; and a selection in one paragraph that runs another.
 */

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Note, Paragraph } from '@tiding/client';
import { build } from 'esbuild';
import type { Page } from 'playwright-core';
import * as React from 'react';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openPage, type WatchedPage } from '../support/page.ts';
import { serve } from '../support/serve.ts';
import { untilEnd } from '../support/until-end.ts';
import { inFront, startWalk, type Walk } from '../support/walk.ts';

const root = join(import.meta.dirname, '../..');
const eventually = <T>(look: () => T) => expect.poll(look);

/**
 * Bundles the example of the documentation that contains `mark` as a module for a page. Its imports
 * of the elements resolve to the server's script.
 */
async function example(mark: string, url: string): Promise<string> {
  const found = [
    ...(await readFile(join(root, 'docs/embed/custom-views.md'), 'utf8')).matchAll(
      /```tsx?\n([\s\S]*?)```/g,
    ),
  ]
    .map(([, code]) => code!)
    .find((code) => code.includes(mark))!;
  const { outputFiles } = await build({
    stdin: { contents: found, resolveDir: root, loader: 'tsx' },
    bundle: true,
    format: 'esm',
    write: false,
    logLevel: 'silent',
    define: { 'process.env.NODE_ENV': '"production"' },
    plugins: [
      {
        name: 'server',
        setup({ onResolve, onLoad }) {
          onResolve({ filter: /^@tiding\/elements$/ }, () => ({
            path: `${url}/tiding.js`,
            external: true,
          }));
          onResolve({ filter: /^http:/ }, ({ path }) => ({ path, external: true }));
          onResolve({ filter: /^react$/ }, () => ({ path: 'react', namespace: 'server' }));
          onLoad({ filter: /^react$/, namespace: 'server' }, () => ({
            contents: `import { React } from '${url}/tiding.js';\nexport const { ${Object.keys(
              React,
            )
              .filter((name) => name !== 'default')
              .join(', ')} } = React;`,
          }));
        },
      },
    ],
    alias: { '@tiding/client': join(root, 'client/dist/index.js') },
  });
  return outputFiles[0]!.text;
}

describe.skipIf(inFront)('custom views and displays of a host page', () => {
  let walk: Walk;
  let watched: WatchedPage;
  let page: Page;
  let note: Note;
  let airports: Paragraph;
  let routes: Paragraph;
  const element = (id: string) => page.locator(`#${id}`);

  beforeAll(async () => {
    let served = (_path: string): Promise<[string, string] | undefined> =>
      Promise.resolve(undefined);
    const origin = await serve(
      (request, response) =>
        void served(new URL(request.url ?? '/', 'http://host').pathname).then((found) => {
          if (!found) return void response.writeHead(404).end();
          const { url } = walk.embedded.server;
          const policy = [
            "default-src 'self'",
            `script-src 'self' ${url}`,
            `connect-src 'self' ${url} ${url.replace('http', 'ws')}`,
            `frame-src ${url}`,
            "require-trusted-types-for 'script'",
            'trusted-types dompurify',
          ].join('; ');
          response
            .writeHead(200, { 'Content-Type': found[0], 'Content-Security-Policy': policy })
            .end(found[1]);
        }),
    );
    walk = untilEnd(await startWalk({ allowOrigins: [origin] }));
    const {
      client,
      embedded: {
        server: { url },
      },
    } = walk;
    note = untilEnd(
      await client.open(
        (await client.notes.list()).find(({ path }) => path === 'Samples/Flight delays')!.id,
      ),
    );
    const titled = (title: string) =>
      note.paragraphs.find(({ state }) => state.server.title === title)!;
    airports = titled('Busiest airports');
    routes = titled('Worst routes from one airport');
    await titled('Names for the files').run();
    await airports.run();
    await routes.run();
    await airports.configure({
      results: {
        0: {
          graph: { mode: 'dots', height: 300, optionOpen: true, setting: { dots: { x: 5, y: 4 } } },
        },
      },
    });
    const places = await note.insert({
      title: 'Places',
      text: [
        '%js',
        "const { readFileSync } = await import('node:fs');",
        "const lines = readFileSync('airports.csv', 'utf8').trim().split('\\n').slice(1)",
        "  .map((line) => line.split(','));",
        "const hubs = new Set(['ORD', 'ATL', 'DFW']);",
        "console.log('%geo');",
        'for (const line of lines)',
        '  if (hubs.has(line[0]))',
        "    console.log(line.at(-2) + ' ' + line.at(-1) + ' ' + line[0]);",
      ].join('\n'),
    });
    await places.run();
    const { token } = await client.tokens.create({ description: 'host page' });
    const tag = (id: string, paragraph: Paragraph) =>
      [
        `<tiding-paragraph id="${id}" server="${url}"`,
        `note="${note.id}" paragraph="${paragraph.id}"></tiding-paragraph>`,
      ].join(' ');
    const files: Record<string, () => Promise<[string, string]>> = {
      '/': () =>
        Promise.resolve([
          'text/html',
          [
            '<!doctype html><title>A page</title><body>',
            tag('places', places),
            tag('airports', airports),
            tag('routes', routes),
            '<script type="module" src="/page.js"></script>',
          ].join(''),
        ]),
      // Browsers request an icon if a page declares none.
      '/favicon.ico': () =>
        Promise.resolve(['image/svg+xml', '<svg xmlns="http://www.w3.org/2000/svg"/>']),
      '/page.js': () =>
        Promise.resolve([
          'text/javascript',
          `import '${url}/tiding.js';
import '/view.js';
import '/display.js';
for (const element of document.querySelectorAll('tiding-paragraph'))
  element.token = () => Promise.resolve('${token}');
window.chosen = [];
const other = document.querySelector('#routes');
for (const id of ['airports', 'places'])
  document.querySelector('#' + id).addEventListener('tiding-select', ({ detail }) => {
  window.chosen.push(detail);
  if (detail?.values.origin) other.run({ origin: detail.values.origin });
  else if (detail?.values.name) other.run({ origin: detail.values.name });
});`,
        ]),
      '/view.js': async () => ['text/javascript', await example('registerVisualization({', url)],
      '/display.js': async () => ['text/javascript', await example('registerDisplay({', url)],
    };
    served = async (path) => files[path]?.();
    watched = await openPage(walk.browser);
    ({ page } = watched);
    await page.goto(origin);
  });
  afterAll(async () => {
    expect(watched?.complaints ?? []).toEqual([]);
  });

  it('draws the rows of a query with the documented view and its saved columns', async () => {
    const chart = element('airports');
    await chart.getByRole('radio', { name: 'Dots' }).waitFor();
    const rows = Number((await airports.rows(0)).total);
    await eventually(() => chart.locator('svg[role=img] circle').count()).toBe(rows);
    await expect.poll(() => chart.getByLabel('x', { exact: true }).inputValue()).toBe('5');
    await chart.getByLabel('x', { exact: true }).selectOption({ label: 'flights' });
    await eventually(() => JSON.stringify(airports.state.server.config?.['results'])).toContain(
      '"dots":{"x":2,"y":4}',
    );
  });

  it('runs another paragraph with the value of a clicked mark', async () => {
    const circles = element('airports').locator('svg[role=img] circle');
    const first = routes.state.server.dateFinished;
    const table = (await airports.rows(0)).batches;
    const records: Record<string, unknown>[] = [];
    for await (const batch of table)
      records.push(...batch.toArray().map((row) => row!.toJSON() as Record<string, unknown>));
    const wanted = records.findIndex(({ origin }) => origin === 'LAX');
    await circles.nth(wanted).click({ force: true });
    await eventually(() =>
      page.evaluate(
        () =>
          (window as unknown as { chosen: { values: Record<string, unknown> }[] }).chosen.at(-1)
            ?.values,
      ),
    ).toMatchObject({ origin: 'LAX', flights: Number(records[wanted]!['flights']) });
    await eventually(() => routes.state.server.dateFinished).not.toBe(first);
    await eventually(() => routes.status).toBe('FINISHED');
    expect(routes.state.server.settings?.params).toMatchObject({ origin: 'LAX' });
    const asked = await walk.client.open(note.id);
    expect(await (await asked.paragraph(routes.id).rows(0)).total).toBeGreaterThan(0);
    asked.close();
    await element('routes').getByRole('gridcell').first().waitFor();
  });

  it('draws program output with the documented display and runs its selection', async () => {
    const list = element('places').getByRole('list', { name: 'Places' });
    await list.waitFor();
    expect((await list.getByRole('button').allTextContents()).sort()).toEqual([
      'ATL',
      'DFW',
      'ORD',
    ]);
    await list.getByRole('button', { name: 'ATL' }).click();
    await eventually(() => routes.state.server.settings?.params).toMatchObject({ origin: 'ATL' });
    await eventually(() => routes.status).toBe('FINISHED');
    expect(
      await page.evaluate(() =>
        (
          window as unknown as { chosen: { values: Record<string, unknown>; label: string }[] }
        ).chosen.at(-1),
      ),
    ).toMatchObject({
      values: { name: 'ATL', latitude: expect.any(Number) as number },
      label: 'ATL',
    });
  });
});
