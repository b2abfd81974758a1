/** First page load with an empty cache, from the navigation to the list of notes. */
import { series } from './statistics.mjs';

export const title = 'First page load (cold cache)';
export const weight = 3;

/** Measures one load; also returns the number of rows. */
async function load(world, url) {
  const context = await world.context();
  try {
    const page = await context.newPage();
    const network = await context.newCDPSession(page);
    let bytes = 0;
    network.on('Network.loadingFinished', ({ encodedDataLength }) => (bytes += encodedDataLength));
    await network.send('Network.enable');
    await network.send('Network.setAcceptedEncodings', { encodings: ['gzip'] });
    await page.goto(url, { waitUntil: 'commit' });
    const time = await page.evaluate(() => window.bench.shown('[role=treeitem]'));
    await page.waitForLoadState('networkidle');
    return { time, bytes, rows: await page.evaluate(() => window.bench.count('[role=treeitem]')) };
  } finally {
    await context.close();
  }
}

/** Measures the section. */
export async function measure(world, repeats) {
  const bytes = series('bytes of the home page, gzip', 'kB');
  const time = series('navigation → note list painted', 'ms');
  for await (const _ of repeats()) {
    const our = await load(world, `${world.server.url}/#/`);
    world.bare.serve({ rows: Array.from({ length: our.rows }, (_row, at) => `Note ${at}`) });
    const least = await load(world, `${world.bare.url}/#list`);
    if (least.rows !== our.rows)
      throw new Error(`the bare page has ${least.rows} rows, the product ${our.rows}`);
    bytes.add(our.bytes / 1e3, least.bytes / 1e3);
    time.add(our.time, least.time);
  }
  return [bytes, time];
}
