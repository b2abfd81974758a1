/**
 * Many pages with embed tokens of their own show one note: memory of each, how long a large output
 * and a long stream hold up others, and what happens to pages that stop reading.
 */
import { quantile } from '../bench/statistics.mjs';
import { openSocket, sleep, startChild } from './sockets.mjs';

/** Time limit of each phase, in ms. */
const LONGEST_MS = 120_000;
const SIZE = 2_000_000;
const LINES = 20_000;
/** What a paragraph prints at its end, so that its last message can be recognised. */
const END = 'all of it';
const CODES = [
  `console.log('x'.repeat(${SIZE}) + '${END}')`,
  `for (let at = 0; at < ${LINES}; at += 1) {
  console.log('line ' + at);
  if (at % 50 === 0) await new Promise((resolve) => setTimeout(resolve, 10));
}
console.log('${END}')`,
];
/** Sockets have a time limit for a ticket until then, and memory of their opening is freed. */
const SETTLE_MS = 35_000;
/** Time without runs, to compare with, in ms. */
const IDLE_MS = 5_000;
/** Runs of the large output while the pages do not read. */
const STALLED_RUNS = 6;

/** Returns a function that creates a page's identity with a token of its own for a note. */
export const visitorOf =
  ({ url, id }, call) =>
  async () => {
    const { token } = await call('POST', '/magpie/embed-token', { noteId: id, scope: 'results' });
    const headers = { Authorization: `Bearer ${token}` };
    const { body } = await (await fetch(`${url}/api/security/ticket`, { headers })).json();
    return { principal: body.principal, ticket: body.ticket, roles: body.roles };
  };

/** Opens a note on many pages, some at a time. */
export async function openPages(pages, count, visitor) {
  for (let opened = 0; opened < count; opened += 25) {
    const identities = [];
    for (let at = opened; at < Math.min(count, opened + 25); at += 1)
      identities.push(await visitor());
    await pages.ask({ open: identities });
  }
}

/** Measures a server that was just started and admits this number of pages. */
export async function embeds({ server, call, place }, viewers, cleanup) {
  const { url } = place;
  const id = await call('POST', '/notebook', {
    name: 'embeds',
    paragraphs: CODES.map((code) => ({ text: `%js\n${code}` })),
  });
  const { paragraphs } = await call('GET', `/notebook/${id}`);
  const visitor = visitorOf({ url, id }, call);
  await call('POST', `/notebook/run/${id}/${paragraphs[1].id}`);
  const pages = await startChild('pages.mjs', [url, id, END], cleanup);
  const before = await server.ask('after');
  await openPages(pages, viewers, visitor);
  await sleep(SETTLE_MS);
  const kilobytes = (((await server.ask('after')).rss - before.rss) * 1_024) / viewers;
  const last = await openSocket(url, await visitor());
  last.send('GET_NOTE', { id });
  const code = await last.closed;
  const run = (paragraph) => call('POST', `/notebook/run/${id}/${paragraph.id}`);
  const acts = {};
  const phases = { nothing: undefined, 'an output of 2 MB': 0, [`${LINES} lines`]: 1 };
  for (const [what, at] of Object.entries(phases)) {
    await pages.ask({ reset: true });
    await server.ask('restartDelay');
    const waits = [];
    let isOver = false;
    const probing = (async () => {
      while (!isOver) {
        const began = performance.now();
        await (await fetch(`${url}/api/version`)).arrayBuffer();
        waits.push(performance.now() - began);
        await sleep(20);
      }
    })();
    const began = performance.now();
    await (at === undefined ? sleep(IDLE_MS) : run(paragraphs[at]));
    let received = at === undefined ? viewers : 0;
    while (received < viewers && performance.now() - began < LONGEST_MS) {
      await sleep(100);
      ({ received } = await pages.ask({}));
    }
    const ms = performance.now() - began;
    isOver = true;
    await probing;
    const figures = { p50: quantile(waits, 0.5), p99: quantile(waits, 0.99) };
    acts[what] = { received, ms, delay: await server.ask('delay'), waits: figures };
  }
  const { sockets, rss } = await server.ask('after');
  await pages.ask({ pause: viewers });
  for (let count = 0; count < STALLED_RUNS; count += 1) {
    await run(paragraphs[0]);
    await sleep(500);
  }
  const stalled = await server.ask('now');
  await sleep(8_000);
  const closed = sockets - (await server.ask('now')).sockets;
  await pages.stop();
  return {
    viewers,
    kilobytes,
    acts,
    stalled: { growth: stalled.rss - rss, closed },
    code,
  };
}
