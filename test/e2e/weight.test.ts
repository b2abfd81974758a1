/** Bytes of the app's pages and of elements by tag with a cold cache, in gzipped bytes. */
import { readdirSync, readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { extname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Browser, Page } from 'playwright-core';
import { build } from 'vite';
import { beforeAll, describe, expect, it } from 'vitest';
import { expectWithinBudget } from '../support/byte-budgets.ts';
import { launchChromium } from '../support/chromium.ts';
import { ADMIN_PASSWORD, adminClient, startEmbedded } from '../support/embedded.ts';
import { openPage, serveDocument } from '../support/page.ts';
import { serve } from '../support/serve.ts';
import { root } from '../support/sources.ts';
import { temporaryFolder, untilEnd } from '../support/until-end.ts';

/** Tables on one page. */
const MANY = 50;
/** Elements in host pages, and a text that shows that their result is painted. */
const entries = [
  ['embed', 'One live paragraph.'],
  ['text', 'One live paragraph.'],
  ['table', 'region 3'],
  ['chart', 'region 0'],
  ['chartView', 'Nothing to draw'],
  ['readText', 'One live paragraph.'],
  ['readTable', 'region 3'],
  ['readChart', 'region 0'],
  ['profile', 'core.trips'],
  ['card', 'DefaultCluster'],
  ['notebook', 'One live paragraph.'],
  ['output', 'region 3'],
  ['plainChart', 'region 0'],
  ['many', `city ${MANY} 39`],
] as const;
/** The same elements, bundled by Vite, with the name of the tag's module. */
const bundled = {
  viteText: ['text', 'paragraph'],
  viteTable: ['table', 'paragraph'],
  viteChartView: ['chartView', 'paragraph'],
  viteProfile: ['profile', 'profile'],
  viteCard: ['card', 'cluster-card'],
  viteNotebook: ['notebook', 'notebook'],
  viteOutput: ['output', 'output'],
  vitePlainChart: ['plainChart', 'chart'],
} as const;
const bundles = temporaryFolder();
/** Requests of a paragraph for readers: on a slow line, each costs as much as 10 kB. */
const MAX_READ_REQUESTS = 8;
const MAX_MANY_SHIFT = 0.02;
const cities = (table: number): string =>
  ['city\train', ...Array.from({ length: 40 }, (_, at) => `city ${table} ${at}\t${at * 7}`)].join(
    '\n',
  );
const ROWS = "select i as id, 'region ' || (i % 17) as region from range(200) t(i)";
const profile = readFileSync(join(root, 'test/fixtures/widgets/data-set-profile.json'), 'utf8');

let browser: Browser;
let embedded: Awaited<ReturnType<typeof startEmbedded>>;
let note: string;
let paragraph: string;
/** Elements by the name of the page that shows them. */
let tags: Record<(typeof entries)[number][0], string>;
/** Serves the pages on another origin. */
let origin: string;

beforeAll(async () => {
  await build({
    root: bundles,
    logLevel: 'error',
    // Vite takes it from the environment of the tests.
    define: { 'process.env.NODE_ENV': '"production"' },
    build: {
      rolldownOptions: {
        input: Object.fromEntries(
          Object.values(bundled).map(([, module]) => [
            module,
            join(root, `elements/dist/tags/${module}.js`),
          ]),
        ),
        output: { entryFileNames: 'assets/[name].js' },
      },
    },
  });
  origin = await serve(({ url = '' }, response) => answerHost(url, response));
  embedded = untilEnd(await startEmbedded({ allowOrigins: [origin] }));
  browser = untilEnd(await launchChromium());
  const client = await adminClient(embedded.server.url);
  try {
    note = await client.notes.create({ path: 'Weight' });
    const { paragraphs } = await client.open(note);
    paragraph = paragraphs[0]!.id;
    paragraphs[0]!.edit('%md\nOne **live** paragraph.');
    await paragraphs[0]!.run();
    const noteId = await client.notes.create({ path: 'Reports/Weight' });
    const report = await client.open(noteId);
    const add = async (text: string, mode = 'table') => {
      const added = await report.insert({ text });
      await added.run();
      await added.configure({ results: { 0: { graph: { mode } } } });
      return added.id;
    };
    const ids = {
      text: await add('%md\nOne **live** paragraph.'),
      table: await add(`%sql\n${ROWS}`),
      chart: await add(`%sql\nselect region, id * 2 as n from (${ROWS})`, 'multiBarChart'),
      chartView: await add(`%sql\n${ROWS}`, 'multiBarChart'),
    };
    report.close();
    const { token } = await client.embedTokens.create({ noteId, scope: 'view', origin });
    const tag = (name: string, attributes: string) =>
      `<tiding-${name} server="${embedded.server.url}" ${attributes}></tiding-${name}>` +
      `<script>document.querySelector('tiding-${name}').token = '${token}'</script>`;
    const rows = Array.from({ length: 200 }, (_, id) => ({ id, region: `region ${id % 17}` }));
    const plain = (name: string, attributes: string) =>
      `<tiding-${name}${attributes}></tiding-${name}>` +
      `<script>document.querySelector('tiding-${name}').data = ${JSON.stringify(rows)}</script>`;
    const paragraphTag = (id: string, look = '') =>
      tag('paragraph', `note="${noteId}" paragraph="${id}"${look}`);
    const readTag = (id: string) => paragraphTag(id, ' look="report"');
    const manyId = await client.notes.importNote({
      name: 'Reports/Many',
      paragraphs: Array.from({ length: MANY }, (_, at) => ({
        id: `20260101-000000_${at}`,
        text: `%sql\nselect ${at}`,
        status: 'FINISHED',
        results: { code: 'SUCCESS', msg: [{ type: 'TABLE', data: cities(at + 1) }] },
      })),
    });
    const many = await client.embedTokens.create({ noteId: manyId, scope: 'view', origin });
    tags = {
      many:
        Array.from(
          { length: MANY },
          (_, at) =>
            `<tiding-paragraph server="${embedded.server.url}" note="${manyId}" look="report" ` +
            `paragraph="20260101-000000_${at}" style="display:block;min-height:300px">` +
            '</tiding-paragraph>',
        ).join('') +
        "<script>document.querySelectorAll('tiding-paragraph').forEach((each) => " +
        `(each.token = '${many.token}'))</script>`,
      embed:
        `<tiding-paragraph server="/" note="${note}" paragraph="${paragraph}" look="embed">` +
        '</tiding-paragraph>',
      text: paragraphTag(ids.text),
      table: paragraphTag(ids.table),
      chart: paragraphTag(ids.chart),
      chartView: paragraphTag(ids.chartView),
      readText: readTag(ids.text),
      readTable: readTag(ids.table),
      readChart: readTag(ids.chart),
      notebook: tag('notebook', `note="${noteId}"`),
      card: '<tiding-cluster-card server="/" cluster="DefaultCluster"></tiding-cluster-card>',
      output: plain('output', ''),
      plainChart: plain('chart', ' keys="region" values="id"'),
      profile:
        '<tiding-profile></tiding-profile>' +
        `<script>document.querySelector('tiding-profile').data = ${profile}</script>`,
    };
  } finally {
    client.close();
  }
});

const pageOf = (tag: string, script = '/tiding.js') =>
  `<!doctype html><title>Host</title><link rel="icon" href="data:,">` +
  `<script type="module" src="${script}"></script>${tag}`;

/** Serves the page of an element, by tag or bundled, and the files of the bundles. */
function answerHost(url: string, response: ServerResponse): void {
  const name = url.slice('/host/'.length);
  const types = { '.js': 'text/javascript', '.css': 'text/css' } as Record<string, string>;
  if (url.startsWith('/assets/'))
    response
      .setHeader('Content-Type', types[extname(url)] ?? 'application/octet-stream')
      .setHeader('Access-Control-Allow-Origin', '*')
      .end(readFileSync(join(bundles, 'dist', url)));
  else if (Object.hasOwn(bundled, name)) {
    const [tag, module] = bundled[name as keyof typeof bundled];
    response.setHeader('Content-Type', 'text/html').end(pageOf(tags[tag], `/assets/${module}.js`));
  } else
    response
      .setHeader('Content-Type', 'text/html')
      .end(pageOf(tags[name as keyof typeof tags] ?? '', `${embedded.server.url}/tiding.js`));
}

/** Loads a page with an empty cache until nothing more is requested; returns its gzipped bytes. */
async function load(
  address: string,
  shown: (page: Page) => Promise<void>,
): Promise<{ bytes: number; requests: number; sockets: number; shift: number }> {
  const { page, complaints, close } = await openPage(browser);
  try {
    const { url } = embedded.server;
    await page.context().request.post(`${url}/api/login`, {
      form: { userName: 'admin', password: ADMIN_PASSWORD },
    });
    // Cookies are only sent to pages of the server.
    for (const name of ['embed', 'card'] as const)
      await serveDocument(page, `${url}/host/${name}`, pageOf(tags[name]));
    const script = `${origin}/assets/cluster-card.js`;
    await serveDocument(page, `${url}/host/viteCard`, pageOf(tags.card, script));
    const sizes: Promise<number>[] = [];
    let sockets = 0;
    page.on('websocket', () => (sockets += 1));
    await page.addInitScript(() => {
      Object.assign(window, { shift: 0 });
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries())
          (window as unknown as { shift: number }).shift += (
            entry as unknown as { value: number }
          ).value;
      }).observe({ type: 'layout-shift', buffered: true });
    });
    page.on('response', (response) => {
      if (response.url().includes('/host/')) return;
      const size = response
        .body()
        // A browser that is busy may have dropped it.
        .catch(async () => (await page.request.fetch(response.request())).body())
        .then((body) => gzipSync(body, { level: 9 }).length);
      // What arrives after the count fails when the page is closed.
      size.catch(() => {});
      sizes.push(size);
    });
    await page.goto(URL.canParse(address) ? address : url + address);
    await shown(page);
    await page.waitForLoadState('networkidle');
    expect(complaints).toEqual([]);
    const all = await Promise.all(sizes);
    const shift = await page.evaluate(() => (window as unknown as { shift: number }).shift);
    return {
      bytes: all.reduce((sum, size) => sum + size, 0),
      requests: all.length,
      sockets,
      shift,
    };
  } finally {
    await close();
  }
}

/** Loads home in another page of a context that has visited it; returns the transferred bytes. */
async function bytesOfSecondVisit(): Promise<number> {
  const { page, complaints, close } = await openPage(browser);
  try {
    const { url } = embedded.server;
    const context = page.context();
    await context.request.post(`${url}/api/login`, {
      form: { userName: 'admin', password: ADMIN_PASSWORD },
    });
    const visit = async (next: Page): Promise<void> => {
      await next.goto(`${url}/#/`);
      await next.getByRole('treeitem').first().waitFor();
      await next.waitForLoadState('networkidle');
    };
    await visit(page);
    const second = await context.newPage();
    const network = await context.newCDPSession(second);
    let bytes = 0;
    network.on('Network.loadingFinished', ({ encodedDataLength }) => {
      bytes += encodedDataLength;
    });
    await network.send('Network.enable');
    await visit(second);
    expect(complaints).toEqual([]);
    return bytes;
  } finally {
    await close();
  }
}

const showing = (text: string) => (page: Page) => page.getByText(text).first().waitFor();
const result = showing('One live paragraph.');

describe('with a cold cache', () => {
  const withinBudget = async (
    name: Parameters<typeof expectWithinBudget>[0],
    address: string,
    shown: (page: Page) => Promise<void>,
  ) => {
    const { bytes, ...others } = await load(address, shown);
    expectWithinBudget(name, bytes);
    return others;
  };

  it('home stays within its budget', async () => {
    await withinBudget('home', '/#/', (page) => page.getByRole('treeitem').first().waitFor());
  });

  it('a note stays within its budget', async () => {
    await withinBudget('note', `/#/notebook/${note}`, result);
  });

  it('a paragraph in a frame stays within its budget', async () => {
    const address = `/#/notebook/${note}/paragraph/${paragraph}?asIframe`;
    await withinBudget('frame', address, result);
  });

  it.each(entries)('the element of a host page stays within its budget: %s', async (name, text) => {
    const place = name === 'embed' || name === 'card' ? '' : origin;
    const loaded = await withinBudget(name, `${place}/host/${name}`, showing(text));
    const { requests, sockets, shift } = loaded;
    console.log(`${name}: ${requests} requests, ${sockets} sockets, shift ${shift.toFixed(4)}`);
    const isRead =
      !/^(?:chartView|plainChart)$/.test(name) && /text$|table$|chart$|many/i.test(name);
    if (name === 'many') {
      expect(sockets).toBe(0);
      expect(shift).toBeLessThanOrEqual(MAX_MANY_SHIFT);
    }
    if (isRead) expect(requests).toBeLessThanOrEqual(MAX_READ_REQUESTS);
  });

  it.each(Object.keys(bundled) as (keyof typeof bundled)[])(
    'the element bundled by a host stays within its budget: %s',
    async (name) => {
      const text = entries.find(([tag]) => tag === bundled[name][0])![1];
      const place = name === 'viteCard' ? '' : origin;
      await withinBudget(name, `${place}/host/${name}`, showing(text));
    },
  );
});

it('bundlers recognize workers: none is in the code of a page as data', () => {
  const folder = join(bundles, 'dist/assets');
  const files = readdirSync(folder).filter((name) => name.endsWith('.js'));
  expect(files.filter((name) => name.includes('worker')).length).toBeGreaterThan(1);
  const withData = files.filter((name) =>
    readFileSync(join(folder, name), 'utf8').includes('data:text/javascript'),
  );
  expect(withData).toEqual([]);
});

describe('with a warm cache', () => {
  it('home stays within its budget', async () => {
    const bytes = await bytesOfSecondVisit();
    // A document, which is always requested, and little besides.
    expect(bytes).toBeGreaterThan(500);
    expectWithinBudget('homeAgain', bytes);
  });
});
