/** Bytes of the app's pages and of elements by tag with a cold cache, in gzipped bytes. */
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { createClient } from '@tiding/client';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectWithinBudget } from '../support/byte-budgets.ts';
import { launchChromium } from '../support/chromium.ts';
import { ADMIN_PASSWORD, startEmbedded } from '../support/embedded.ts';
import { openPage, serveDocument } from '../support/page.ts';
import { root } from '../support/sources.ts';

/** Requests of a table by tag: on a slow line, each costs as much as 10 kB. */
const MAX_TABLE_REQUESTS = 30;
const ROWS = "select i as id, 'region ' || (i % 17) as region from range(200) t(i)";
const profile = readFileSync(join(root, 'test/fixtures/widgets/data-set-profile.json'), 'utf8');

let browser: Browser;
let embedded: Awaited<ReturnType<typeof startEmbedded>>;
let note: string;
let paragraph: string;
/** Elements by the name of the page that shows them. */
let tags: Record<'embed' | 'text' | 'table' | 'chart' | 'profile' | 'card' | 'notebook', string>;
/** Serves the pages on another origin. */
let portal: Server;
let origin: string;

beforeAll(async () => {
  portal = createServer(({ url = '' }, response) => {
    const tag = tags[url.slice('/host/'.length) as keyof typeof tags];
    response.setHeader('Content-Type', 'text/html').end(tag && pageOf(tag, embedded.server.url));
  });
  await new Promise<void>((resolve) => portal.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(portal.address() as AddressInfo).port}`;
  embedded = await startEmbedded({ allowOrigins: [origin] });
  browser = await launchChromium();
  const client = createClient({ server: embedded.server.url });
  try {
    await client.session.login('admin', ADMIN_PASSWORD);
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
      chart: await add(`%sql\n${ROWS}`, 'multiBarChart'),
    };
    report.close();
    const { token } = await client.embedTokens.create({ noteId, scope: 'view', origin });
    const tag = (name: string, attributes: string) =>
      `<tiding-${name} server="${embedded.server.url}" ${attributes}></tiding-${name}>` +
      `<script>document.querySelector('tiding-${name}').token = '${token}'</script>`;
    const paragraphTag = (id: string) => tag('paragraph', `note="${noteId}" paragraph="${id}"`);
    tags = {
      embed:
        `<tiding-paragraph server="/" note="${note}" paragraph="${paragraph}" look="embed">` +
        '</tiding-paragraph>',
      text: paragraphTag(ids.text),
      table: paragraphTag(ids.table),
      chart: paragraphTag(ids.chart),
      notebook: tag('notebook', `note="${noteId}"`),
      card: '<tiding-cluster-card server="/" cluster="DefaultCluster"></tiding-cluster-card>',
      profile:
        '<tiding-profile></tiding-profile>' +
        `<script>document.querySelector('tiding-profile').data = ${profile}</script>`,
    };
  } finally {
    client.close();
  }
});
afterAll(async () => {
  await browser?.close();
  await embedded?.stop();
  portal?.close();
});

const pageOf = (tag: string, server = '') =>
  `<!doctype html><title>Host</title><link rel="icon" href="data:,">` +
  `<script type="module" src="${server}/tiding.js"></script>${tag}`;

/** Loads a page with an empty cache until nothing more is requested; returns its gzipped bytes. */
async function load(
  address: string,
  shown: (page: Page) => Promise<void>,
): Promise<{ bytes: number; requests: number }> {
  const { page, complaints, close } = await openPage(browser);
  try {
    const { url } = embedded.server;
    await page.context().request.post(`${url}/api/login`, {
      form: { userName: 'admin', password: ADMIN_PASSWORD },
    });
    // Cookies are only sent to pages of the server.
    for (const name of ['embed', 'card'] as const)
      await serveDocument(page, `${url}/host/${name}`, pageOf(tags[name]));
    const sizes: Promise<number>[] = [];
    page.on('response', (response) => {
      if (!response.url().includes('/host/'))
        sizes.push(response.body().then((body) => gzipSync(body, { level: 9 }).length));
    });
    await page.goto(URL.canParse(address) ? address : url + address);
    await shown(page);
    await page.waitForLoadState('networkidle');
    expect(complaints).toEqual([]);
    const all = await Promise.all(sizes);
    return { bytes: all.reduce((sum, size) => sum + size, 0), requests: all.length };
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
    const { bytes, requests } = await load(address, shown);
    expectWithinBudget(name, bytes);
    return requests;
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

  it.each([
    ['embed', 'One live paragraph.'],
    ['text', 'One live paragraph.'],
    ['table', 'region 3'],
    ['chart', '200 rows'],
    ['profile', 'core.trips'],
    ['card', 'DefaultCluster'],
    ['notebook', 'One live paragraph.'],
  ] as const)('the element of a host page stays within its budget: %s', async (name, text) => {
    const place = name === 'embed' || name === 'card' ? '' : origin;
    const requests = await withinBudget(name, `${place}/host/${name}`, showing(text));
    if (name === 'table') expect(requests).toBeLessThanOrEqual(MAX_TABLE_REQUESTS);
  });
});

describe('with a warm cache', () => {
  it('home stays within its budget', async () => {
    const bytes = await bytesOfSecondVisit();
    // A document, which is always requested, and little besides.
    expect(bytes).toBeGreaterThan(500);
    expectWithinBudget('homeAgain', bytes);
  });
});
