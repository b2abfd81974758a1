/** Bytes of the app's pages and of an embedded paragraph with a cold cache, in gzipped bytes. */
import { gzipSync } from 'node:zlib';
import { createClient } from '@tiding/client';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectWithinBudget } from '../support/byte-budgets.ts';
import { launchChromium } from '../support/chromium.ts';
import { ADMIN_PASSWORD, startEmbedded } from '../support/embedded.ts';
import { openPage, serveDocument } from '../support/page.ts';

let browser: Browser;
let embedded: Awaited<ReturnType<typeof startEmbedded>>;
let note: string;
let paragraph: string;

beforeAll(async () => {
  embedded = await startEmbedded();
  browser = await launchChromium();
  const client = createClient({ server: embedded.server.url });
  try {
    await client.session.login('admin', ADMIN_PASSWORD);
    note = await client.notes.create({ path: 'Weight' });
    const { paragraphs } = await client.open(note);
    paragraph = paragraphs[0]!.id;
    paragraphs[0]!.edit('%md\nOne **live** paragraph.');
    await paragraphs[0]!.run();
  } finally {
    client.close();
  }
});
afterAll(async () => {
  await browser?.close();
  await embedded?.stop();
});

/** Loads a page with an empty cache until nothing more is requested; returns its gzipped bytes. */
async function bytesOf(address: string, shown: (page: Page) => Promise<void>): Promise<number> {
  const { page, complaints, close } = await openPage(browser);
  try {
    const { url } = embedded.server;
    await page.context().request.post(`${url}/api/login`, {
      form: { userName: 'admin', password: ADMIN_PASSWORD },
    });
    await serveDocument(
      page,
      `${url}/host`,
      `<!doctype html><title>Host</title><script type="module" src="/tiding.js"></script>` +
        `<tiding-paragraph server="/" note="${note}" paragraph="${paragraph}" look="embed">` +
        '</tiding-paragraph>',
    );
    const sizes: Promise<number>[] = [];
    page.on('response', (response) => {
      if (!response.url().startsWith(`${url}/host`))
        sizes.push(response.body().then((body) => gzipSync(body, { level: 9 }).length));
    });
    await page.goto(url + address);
    await shown(page);
    await page.waitForLoadState('networkidle');
    expect(complaints).toEqual([]);
    return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
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

const result = (page: Page) => page.getByText('One live paragraph.').first().waitFor();

describe('with a cold cache', () => {
  it('home stays within its budget', async () => {
    const shown = (page: Page) => page.getByRole('treeitem').first().waitFor();
    expectWithinBudget('home', await bytesOf('/#/', shown));
  });

  it('a note stays within its budget', async () => {
    expectWithinBudget('note', await bytesOf(`/#/notebook/${note}`, result));
  });

  it('a paragraph in a frame stays within its budget', async () => {
    const address = `/#/notebook/${note}/paragraph/${paragraph}?asIframe`;
    expectWithinBudget('frame', await bytesOf(address, result));
  });

  it('a paragraph in the page of a host stays within its budget', async () => {
    expectWithinBudget('embed', await bytesOf('/host', result));
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
