/** Display widgets on host pages with plain data and no server, and in results of notes. */
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { extname, join, normalize } from 'node:path';
import { createClient, type Note } from '@tiding/client';
import { envelopeHtml, type WidgetId } from '@tiding/client/widgets';
import { build } from 'esbuild';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchChromium } from '../support/chromium.ts';
import { ADMIN_PASSWORD, startEmbedded } from '../support/embedded.ts';
import { openPage } from '../support/page.ts';
import { serve } from '../support/serve.ts';
import { root } from '../support/sources.ts';
import { temporaryFolder, untilEnd } from '../support/until-end.ts';
import { inFront, startWalk, type Walk } from '../support/walk.ts';

const payload = (name: string): unknown =>
  JSON.parse(readFileSync(join(root, 'test/fixtures/widgets', `${name}.json`), 'utf8'));
/** The elements of each page, their example data and a text they show. */
const placed: readonly (readonly [tag: string, example: string, words: string])[] = [
  ['tiding-table', 'table', 'One row per trip'],
  ['tiding-schema', 'schema', 'airports'],
  ['tiding-repository', 'repository', 'Default schema'],
  ['tiding-data-source', 'data-source', 'AwsAssumedRole'],
  ['tiding-stream', 'stream', 'Started'],
];
const data = Object.fromEntries(placed.map(([tag, example]) => [tag, payload(example)]));

/** Typical host pages; each gets the elements from `tiding.js` only. */
const scripts: Readonly<Record<string, string>> = {
  plain: `
    import './tiding.js';
    if (location.search) {
      const elements = await fetch('server.json').then((answer) => answer.json());
      for (const [tag, properties] of Object.entries(elements))
        document.querySelector('#app').append(
          Object.assign(document.createElement(tag), properties),
        );
    }
    const data = await fetch('data.json').then((answer) => answer.json());
    // One element gets a property; the others are in the page's HTML.
    const table = document.createElement('tiding-table');
    table.data = data['tiding-table'];
    if (!location.search) document.querySelector('#app').append(table);
    document.addEventListener('tiding-open-object', ({ detail }) => (window.chosen = detail));
    window.say = (element, payload) => { element.data = payload; };`,
  react: `
    import { useState } from 'react';
    import { createRoot } from 'react-dom/client';
    function Page({ all }) {
      const [shown, setShown] = useState(all);
      window.say = (element, payload) =>
        setShown((before) => ({ ...before, [element.localName]: payload }));
      const ofServer = ([Tag, properties]) => <Tag key={Tag} {...properties} />;
      if (location.search) return <>{Object.entries(all).map(ofServer)}</>;
      const listen = (element) =>
        element?.addEventListener('tiding-open-object', ({ detail }) => (window.chosen = detail));
      const ofData = ([Tag, data]) => <Tag key={Tag} data={data} ref={listen} />;
      return <>{Object.entries(shown).map(ofData)}</>;
    }
    await import('./tiding.js');
    const address = location.search ? 'server.json' : 'data.json';
    const all = await fetch(address).then((answer) => answer.json());
    createRoot(document.querySelector('#app')).render(<Page all={all} />);`,
  vue: `
    import { createApp, h, reactive } from 'vue';
    await import('./tiding.js');
    const shown = reactive(await fetch('data.json').then((answer) => answer.json()));
    window.say = (element, payload) => { shown[element.localName] = payload; };
    const all = location.search ? await fetch('server.json').then((answer) => answer.json()) : {};
    const ofServer = ([tag, { server, token, object }]) =>
      h(tag, { key: tag, '.server': server, '.token': token, '.object': object });
    const onOpenObject = ({ detail }) => (window.chosen = detail);
    const ofData = ([tag, data]) =>
      h(tag, { key: tag, '.data': data, 'onTiding-open-object': onOpenObject });
    const render = () =>
      location.search ? Object.entries(all).map(ofServer) : Object.entries(shown).map(ofData);
    createApp({ render }).mount('#app');`,
};
/** The plain HTML page: one element with an attribute, the others with a script inside. */
const markup = placed
  .slice(1)
  .map(([tag], at) =>
    at === 0
      ? `<${tag} data='${JSON.stringify(data[tag])}'></${tag}>`
      : `<${tag}><script type="application/json">${JSON.stringify(data[tag])}</script></${tag}>`,
  )
  .join('');
const types: Record<string, string> = {
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.html': 'text/html',
};

describe('pages with widgets', () => {
  let browser: Browser;
  let origin: string;
  let folder: string;
  let asked: string[] = [];
  /** Address of a server for the pages with a query, and the properties of their elements. */
  let upstream = '';
  let ofServer: Record<string, object> = {};

  beforeAll(async () => {
    folder = temporaryFolder();
    for (const [name, contents] of Object.entries(scripts)) {
      await build({
        stdin: { contents, loader: 'jsx', resolveDir: root },
        outfile: join(folder, `${name}.js`),
        bundle: true,
        format: 'esm',
        target: 'es2022',
        jsx: 'automatic',
        external: ['./tiding.js'],
        logLevel: 'error',
        define: {
          'process.env.NODE_ENV': '"production"',
          __VUE_OPTIONS_API__: 'true',
          __VUE_PROD_DEVTOOLS__: 'false',
          __VUE_PROD_HYDRATION_MISMATCH_DETAILS__: 'false',
        },
      });
    }
    origin = await serve(async (request, response) => {
      const path = normalize(new URL(request.url ?? '/', 'http://page').pathname);
      asked.push(path);
      const headers = {
        'Content-Type': types[extname(path)] ?? 'text/plain',
        'Content-Security-Policy': [
          "default-src 'none'",
          "script-src 'self'",
          "style-src 'self'",
          "img-src 'self' data:",
          `connect-src 'self' ${upstream} ${upstream.replace('http', 'ws')}`,
          "worker-src 'self'",
          "require-trusted-types-for 'script'",
          'trusted-types dompurify tiding#worker tiding#frame vue',
        ].join('; '),
      };
      if (path === '/favicon.ico') return void response.writeHead(204).end();
      if (path === '/server.json')
        return void response.writeHead(200, headers).end(JSON.stringify(ofServer));
      if (path === '/data.json')
        return void response.writeHead(200, headers).end(JSON.stringify(data));
      if (extname(path) === '.html')
        return void response
          .writeHead(200, headers)
          .end(
            [
              '<!doctype html><html lang="en"><title>Portal</title>',
              `<main id="app">${path === '/plain.html' ? markup : ''}</main>`,
              `<script type="module" src="${path.slice(1).replace('.html', '.js')}"></script>`,
              '</html>',
            ].join(''),
          );
      const file = await readFile(join(folder, path))
        .catch(() => readFile(join(root, 'server/dist/web', path)))
        .catch(() => undefined);
      return void (file === undefined
        ? response.writeHead(404).end()
        : response.writeHead(200, headers).end(file));
    });
    browser = untilEnd(await launchChromium());
  });

  for (const name of Object.keys(scripts)) {
    it(`a ${name} page draws widgets, updates their data and receives their events`, async () => {
      asked = [];
      const { page, complaints, close } = await openPage(browser);
      await page.goto(`${origin}/${name}.html`);
      for (const [tag, , words] of placed)
        await page.locator(tag).getByText(words).first().waitFor();
      expect(
        await page
          .locator('tiding-table')
          .evaluate((element) =>
            (element as HTMLElement & { describe(): Promise<string> }).describe(),
          ),
      ).toBe('Table core.trips with 2 fields. One row per trip Its rows come from files of lake.');
      await page.locator('tiding-table').getByRole('button', { name: 'core' }).click();
      expect(await page.evaluate(() => (window as unknown as { chosen: unknown }).chosen)).toEqual({
        widget: 'schema',
        name: 'core',
      });
      await page.locator('tiding-stream').evaluate((element) =>
        (window as unknown as { say(element: Element, payload: unknown): void }).say(element, {
          stream: { name: 'other_stream' },
        }),
      );
      await page.locator('tiding-stream').getByText('other_stream').first().waitFor();
      // Only scripts and the data, and no request to a server.
      expect(
        asked.filter((path) => !/\.(js|html)$|^\/data\.json$|^\/favicon\.ico$/.test(path)),
      ).toEqual([]);
      expect(complaints).toEqual([]);
      await close();
    });
  }

  it.skipIf(inFront)('widgets with a server request their objects, on each page', async () => {
    const mapUrl = 'https://maps.example.org/show';
    const embedded = untilEnd(await startEmbedded({ allowOrigins: [origin], mapUrl }));
    const client = untilEnd(createClient({ server: embedded.server.url }));
    expect(await client.administration.magpieConfig()).not.toHaveProperty('mapUrl');
    await client.session.login('admin', ADMIN_PASSWORD);
    expect(await client.administration.magpieConfig()).toMatchObject({ mapUrl });
    const note = await client.open(await client.notes.create({ path: 'catalogue' }));
    note.paragraphs[0]!.edit(`%magpie
create schema {"name": "core"};
create table core.trips from sql (
select i as trip_id, 'town ' || (i % 7) as origin from range(50) t(i)
);
create project {"name": "flights"};
create job {"name": "daily_load"} in project flights;
alter job flights.daily_load add magpie task {"name": "look"}
with script $$ profile table core.trips; $$;`);
    const run = await note.paragraphs[0]!.run();
    expect(run.status, JSON.stringify(run.outputs)).toBe('FINISHED');
    const { token } = await client.tokens.create({ description: 'portal', expiresInDays: 1 });
    upstream = embedded.server.url;
    const objects = {
      'tiding-table': 'core.trips',
      'tiding-profile': 'core.trips',
      'tiding-schema': 'core',
      'tiding-job-graph': 'flights.daily_load',
      'tiding-cluster': 'local',
    };
    ofServer = Object.fromEntries(
      Object.entries(objects).map(([tag, object]) => [tag, { server: upstream, token, object }]),
    );
    for (const name of Object.keys(scripts)) {
      const { page, complaints, close } = await openPage(browser);
      await page.goto(`${origin}/${name}.html?server`);
      for (const [tag, words] of [
        ['tiding-table', 'trip_id'],
        ['tiding-profile', '50 rows, 2 fields'],
        ['tiding-schema', 'trips'],
        ['tiding-job-graph', 'look'],
        ['tiding-cluster', 'local'],
      ] as const) {
        await page
          .locator(tag)
          .last()
          .getByText(words)
          .filter({ visible: true })
          .first()
          .waitFor()
          .catch(async (error: unknown) => {
            throw new Error(`${name}, ${tag}: ${await page.locator(tag).last().innerText()}`, {
              cause: error,
            });
          });
      }
      expect(complaints).toEqual([]);
      await close();
    }
    note.close();
  });
});

describe('widgets in results of a note', () => {
  let walk: Walk;
  let note: Note;
  const carrier = (id: WidgetId, example: string) => envelopeHtml(id, payload(example));
  const quoted = (text: string) => `'${text.replace(/'/g, `'\\''`)}'`;
  beforeAll(async () => {
    walk = untilEnd(await startWalk({ shell: true }));
  });
  afterAll(async () => {
    note?.close();
  });

  it.skipIf(inFront)(
    'open the objects that they name: profiles, and jobs with their graph',
    async () => {
      const { client, page, embedded, watched } = walk;
      const opened = await client.open(await client.notes.create({ path: 'Widgets/names' }));
      opened.paragraphs[0]!.edit(`%magpie
create schema {"name": "core"};
create table core.trips from sql (select i as trip_id from range(5) t(i));
create project {"name": "flights"};
create job {"name": "daily_load"} in project flights;
alter job flights.daily_load add magpie task {"name": "look"}
  with script $$ profile table core.trips; $$;
profile schema core;
describe project flights;`);
      expect((await opened.paragraphs[0]!.run()).error).toBeUndefined();
      const address = `${embedded.server.url}/#/notebook/${opened.id}`;
      await page.goto(address);
      const article = page.locator('article').first();
      await article.getByRole('button', { name: 'trips', exact: true }).click();
      const shown = page.locator('tiding-widget').last();
      await shown.getByText('trip_id').first().waitFor();
      expect(new URL(page.url()).hash).toBe('#/object/data-set-profile/core.trips');
      await expect
        .poll(() => page.getByRole('heading', { level: 1 }).allInnerTexts())
        .toEqual(['core.trips']);
      await page.goBack();
      await article.getByRole('button', { name: 'daily_load', exact: true }).click();
      await shown.getByRole('button', { name: 'look', exact: true }).waitFor();
      expect(new URL(page.url()).hash).toBe('#/object/job/flights.daily_load');
      await shown.getByRole('button', { name: 'Job graph', exact: true }).click();
      await shown.locator('.flow-node').getByText('look').waitFor();
      expect(new URL(page.url()).hash).toBe('#/object/job-graph/flights.daily_load');
      expect(watched.complaints).toEqual([]);
      opened.close();
    },
  );

  it('draw a printed payload in the page, not in a frame, and never as HTML', {
    timeout: 180_000,
  }, async () => {
    const {
      client,
      page,
      embedded,
      watched: { complaints },
    } = walk;
    const ways: readonly (readonly [string, string, string])[] = [
      [
        'sh',
        `%sh\nprintf '%s\\n' ${quoted(`%html ${carrier('table', 'table')}`)}`,
        'One row per trip',
      ],
      [
        'HTML within the data',
        `%sh\nprintf '%s\\n' ${quoted(`%html ${carrier('table', 'table-full')}`)}`,
        '<b>passengers</b>',
      ],
      ...(inFront
        ? []
        : ([
            [
              'python',
              `%python\nprint('%html ' + ${JSON.stringify(carrier('schema', 'schema'))})`,
              'airports',
            ],
            [
              'an envelope of an unknown widget',
              `%sh\nprintf '%s\\n' '%html <tiding-widget><script type="application/json">` +
                `{"widget":"nest","data":{}}</script></tiding-widget>'`,
              'There is no widget named nest.',
            ],
          ] as const)),
    ];
    note = await client.open(await client.notes.create({ path: `Widgets/${String(process.pid)}` }));
    for (const [, text] of ways) await note.insert({ text });
    await note.paragraphs[0]!.remove();
    for (const paragraph of note.paragraphs.slice(0, ways.length)) await paragraph.run();
    await page.goto(`${embedded.server.url}/#/notebook/${note.id}`);
    for (const [at, [way, , words]] of ways.entries()) {
      const article = page.locator('article').nth(at);
      await article.scrollIntoViewIfNeeded();
      await article
        .getByText(words)
        .filter({ visible: true })
        .first()
        .waitFor()
        .catch(async (error: unknown) => {
          throw new Error(`${way}: ${await article.innerText()}`, { cause: error });
        });
      expect([way, await article.locator('iframe').count()]).toEqual([way, 0]);
    }
    expect(complaints).toEqual([]);
  });
});
