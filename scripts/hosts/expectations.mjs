/** What every host must show or print, whatever it is built with. */

/** Time limit of each expectation, in ms. */
const LIMIT_MS = 60_000;

/** Content-Security-Policy of pages that bundle the elements, as `docs/embed/csp.md` gives it. */
export const policyOf = (tiding, hasTrustedTypes) =>
  [
    "default-src 'self'",
    `connect-src 'self' ${tiding} ${tiding.replace('http', 'ws')}`,
    `frame-src ${tiding}`,
    "img-src 'self' data:",
    ...(hasTrustedTypes
      ? ["require-trusted-types-for 'script'", 'trusted-types dompurify tiding#worker']
      : []),
  ].join('; ');

/** Whether a worker has loaded all its modules: it then listens. A missing file ends it. */
const isReady = (worker) =>
  worker
    .evaluate(async (limit) => {
      while (!self.onmessage && performance.now() < limit)
        await new Promise((resolve) => setTimeout(resolve, 50));
      return Boolean(self.onmessage);
    }, LIMIT_MS)
    .catch(() => false);

/** Opens a page. `look` expects things of it, and the browser must report no error meanwhile. */
async function visit(browser, address, look) {
  const page = await browser.newPage();
  page.setDefaultTimeout(LIMIT_MS);
  const complaints = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
  const seen = { sockets: [], workers: [] };
  page.on('websocket', (socket) => seen.sockets.push(socket.url()));
  page.on('worker', (worker) => seen.workers.push(isReady(worker)));
  const expect = async (what, holds) => {
    try {
      if ((await holds()) === false) throw new Error('it did not happen');
    } catch (error) {
      throw new Error(
        [`${what}: ${error.message}`, ...complaints, await page.locator('body').innerText()].join(
          '\n',
        ),
      );
    }
  };
  try {
    await page.goto(address);
    await look(page, expect, seen);
    await expect('the browser reports no error', () => complaints.length === 0);
  } finally {
    await page.close();
  }
}

const expectWorker = (expect, { workers }) =>
  expect('a worker does its work', async () => (await Promise.all(workers)).includes(true));

/** A snapshot is shown before it is live, so this waits. */
const expectConnection = (page, expect, { sockets }, tiding) => {
  const isLive = (url) => url.startsWith(tiding.replace('http', 'ws'));
  return expect(
    'the paragraph is live',
    () =>
      sockets.some(isLive) ||
      page.waitForEvent('websocket', { predicate: (socket) => isLive(socket.url()) }),
  );
};

/** The paragraph is live, runs, and shows its chart; the page hears the end of the run. */
async function expectParagraph(page, expect, seen, tiding) {
  const paragraph = page.locator('tiding-paragraph');
  await expect('the paragraph is shown', () => paragraph.getByRole('article').waitFor());
  await expectConnection(page, expect, seen, tiding);
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await expect('the page hears an event', () => page.getByText('Last run: FINISHED').waitFor());
  await expect('the paragraph shows its chart', () =>
    paragraph.getByRole('img', { name: /chart/i }).first().waitFor(),
  );
}

/**
 * Opens a host's page and checks it: the paragraph signs in with a token, is connected, runs, and
 * shows its chart; the page hears the end of the run; the widget draws its graph, by a worker if
 * `hasWorker`; the browser reports no error. Throws with the first thing that is missing.
 */
export const expectPage = (browser, { address, tiding, hasWorker }) =>
  visit(browser, address, async (page, expect, seen) => {
    await expectParagraph(page, expect, seen, tiding);
    const graph = page.locator('tiding-job-graph');
    for (const name of ['fetch', 'build'])
      await expect(`the widget shows '${name}'`, () => graph.getByText(name).first().waitFor());
    if (hasWorker) await expectWorker(expect, seen);
  });

/** Checks the page of a starter: a paragraph as above, without a widget. */
export const expectStarter = (browser, { address, tiding }) =>
  visit(browser, address, (page, expect, seen) => expectParagraph(page, expect, seen, tiding));

/** Checks the portal: two paragraphs and the whole note, live by one connection. */
export const expectPortal = (browser, { address, tiding }) =>
  visit(browser, address, async (page, expect, seen) => {
    const paragraphs = page.locator('.charts tiding-paragraph');
    const report = page.locator('tiding-notebook');
    for (const place of [paragraphs.nth(0), paragraphs.nth(1), report])
      await expect('an element is shown', () => place.getByRole('article').first().waitFor());
    await expectConnection(page, expect, seen, tiding);
    await expect('all elements share one connection', () => seen.sockets.length === 1);
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await expect('the page hears an event', () => page.getByText('Last run: FINISHED').waitFor());
    for (const place of [paragraphs.nth(0), report])
      await expect('the chart is shown', () =>
        place.getByRole('img', { name: /chart/i }).first().waitFor(),
      );
    await expect('the table is shown', () => paragraphs.nth(1).getByRole('grid').waitFor());
  });

/** What programs print: the same as a page shows, in words. */
const PRINTED = ['Event: ', 'Last run: FINISHED', '18 rows', 'Widget: fetch, build'];

/** Checks what a program prints. */
export function expectPrinted(output) {
  for (const line of PRINTED)
    if (!output.includes(line)) throw new Error(`'${line}' is not printed:\n${output}`);
}

/** Checks a page that shows what a program prints, and that a worker has printed it. */
export const expectLines = (browser, address) =>
  visit(browser, address, async (page, expect, seen) => {
    for (const line of PRINTED)
      await expect(`the page shows '${line}'`, () => page.getByText(line).first().waitFor());
    await expectWorker(expect, seen);
  });

/** Checks that a document contains the paragraph's chart before any script has run. */
export async function expectSnapshot(address) {
  const html = await (await fetch(address)).text();
  for (const part of ['<template shadowrootmode="open">', '<svg', 'Days by kind of weather'])
    if (!html.includes(part)) throw new Error(`${address} does not contain '${part}'`);
}
