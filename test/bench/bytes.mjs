/**
 * Where the bytes of a page go: transferred bytes with a cold cache, in gzip, by package and room.
 * The bytes of a file are shared out by the length of the code before it is minified.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { paintedFrame, serveHosts } from './embed.mjs';
import { series } from './statistics.mjs';

export const title = 'Where the bytes go: cold cache, gzip, by package and room';
/** Packages and rooms that are named; the rest is summed up. */
const NAMED = 9;
const sizesFile = join(import.meta.dirname, '../../dist/module-sizes.json');

const kindOf = (path, type) =>
  path.endsWith('.woff2')
    ? 'fonts'
    : path.endsWith('.css')
      ? 'style sheets'
      : type === 'Document'
        ? 'documents'
        : 'calls';

/** Bytes of a page by owner. `open` resolves once the page is shown. */
async function bytesOf(world, url, sizes, open) {
  const context = await world.context();
  try {
    const page = await context.newPage();
    const network = await context.newCDPSession(page);
    const requests = new Map();
    const bytes = {};
    const add = (owner, count) => (bytes[owner] = (bytes[owner] ?? 0) + count / 1e3);
    network.on('Network.requestWillBeSent', ({ requestId, request, type }) =>
      requests.set(requestId, { path: new URL(request.url).pathname.slice(1), type }),
    );
    network.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
      const { path = '', type } = requests.get(requestId) ?? {};
      const owners = Object.entries(sizes[path] ?? {});
      const whole = owners.reduce((sum, [, length]) => sum + length, 0);
      if (whole === 0) add(kindOf(path, type), encodedDataLength);
      else for (const [owner, length] of owners) add(owner, (encodedDataLength * length) / whole);
    });
    await network.send('Network.enable');
    await page.setExtraHTTPHeaders({ 'Accept-Encoding': 'gzip' });
    await page.goto(url, { waitUntil: 'commit' });
    await open(page);
    await page.waitForLoadState('networkidle');
    return bytes;
  } finally {
    await context.close();
  }
}

/** The rows of a page: all bytes, the largest owners, and the others. */
function rowsOf(name, bytes) {
  const sorted = Object.entries(bytes).sort(([, a], [, b]) => b - a);
  const sum = (some) => some.reduce((all, [, count]) => all + count, 0);
  return [
    ['in all', sum(sorted)],
    ...sorted.slice(0, NAMED),
    ['others', sum(sorted.slice(NAMED))],
  ].map(([owner, count]) => {
    const row = series(`${name}: ${owner}`, 'kB');
    row.add(count);
    return row;
  });
}

/** Measures the section. The bytes are the same in each run. */
export async function measure(world) {
  const sizes = JSON.parse(readFileSync(sizesFile, 'utf8'));
  await serveHosts(world);
  const home = (page) => page.evaluate(() => window.bench.shown('[role=treeitem]'));
  const painted = (url) => (page) => paintedFrame(page, url);
  const pages = {
    home: [`${world.server.url}/#/`, home],
    element: [`${world.bare.url}/element`, painted('element')],
    table: [`${world.bare.url}/table`, painted('table')],
    frame: [`${world.bare.url}/frame`, painted('frame')],
  };
  const rows = [];
  for (const [name, [url, open]] of Object.entries(pages))
    rows.push(...rowsOf(name, await bytesOf(world, url, sizes, open)));
  return rows;
}
