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

/**
 * Opens a host's page and checks it: the paragraph signs in with a token, is connected, runs, and
 * shows its chart; the page hears the end of the run; the widget draws its graph, by a worker if
 * `hasWorker`; the browser reports no error. Throws with the first thing that is missing.
 */
export async function expectPage(browser, { address, tiding, hasWorker }) {
  const page = await browser.newPage();
  page.setDefaultTimeout(LIMIT_MS);
  const complaints = [];
  const sockets = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
  page.on('websocket', (socket) => sockets.push(socket.url()));
  const workers = [];
  page.on('worker', (worker) => workers.push(isReady(worker)));
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
    const paragraph = page.locator('tiding-paragraph');
    await expect('the paragraph is shown', () => paragraph.getByRole('article').waitFor());
    await expect('the paragraph is live', () =>
      sockets.some((url) => url.startsWith(tiding.replace('http', 'ws'))),
    );
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await expect('the page hears an event', () => page.getByText('Last run: FINISHED').waitFor());
    await expect('the paragraph shows its chart', () =>
      paragraph.getByRole('img', { name: /chart/i }).first().waitFor(),
    );
    const graph = page.locator('tiding-job-graph');
    for (const name of ['fetch', 'build'])
      await expect(`the widget shows '${name}'`, () => graph.getByText(name).first().waitFor());
    if (hasWorker)
      await expect('a worker does its work', async () =>
        (await Promise.all(workers)).includes(true),
      );
    await expect('the browser reports no error', () => complaints.length === 0);
  } finally {
    await page.close();
  }
}

/** Checks what a program prints: the same as a page, in words. */
export function expectPrinted(output) {
  for (const line of ['Event: ', 'Last run: FINISHED', '18 rows', 'Widget: fetch, build'])
    if (!output.includes(line)) throw new Error(`'${line}' is not printed:\n${output}`);
}

/** Checks that a document contains the paragraph's chart before any script has run. */
export async function expectSnapshot(address) {
  const html = await (await fetch(address)).text();
  for (const part of ['<template shadowrootmode="open">', '<svg', 'Days by kind of weather'])
    if (!html.includes(part)) throw new Error(`${address} does not contain '${part}'`);
}
