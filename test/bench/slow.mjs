/** Home and a note, with an empty cache, on a quarter of the processor and a line of 10 Mbit/s. */
import { series } from './statistics.mjs';

export const title = 'Slow machine: a quarter of the processor, 10 Mbit/s, empty cache';
const BYTES_PER_S = 10e6 / 8;
const LATENCY_MS = 20;

async function open(world, path, selector) {
  const context = await world.context();
  try {
    const page = await context.newPage();
    const session = await context.newCDPSession(page);
    await session.send('Network.enable');
    await session.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: LATENCY_MS,
      downloadThroughput: BYTES_PER_S,
      uploadThroughput: BYTES_PER_S,
    });
    await session.send('Emulation.setCPUThrottlingRate', { rate: 4 });
    await page.goto(`${world.server.url}/#/${path}`, { waitUntil: 'commit' });
    return await page.evaluate((wanted) => window.bench.shown(wanted), selector);
  } finally {
    await context.close();
  }
}

/** Measures the section. */
export async function measure(world, repeats) {
  const home = series('home: navigation → note list painted', 'ms', { goal: 1_500 });
  const note = series('200 paragraphs: navigation → first output painted', 'ms', { goal: 2_500 });
  const id = await world.note('large');
  for (const _ of repeats()) {
    home.add(await open(world, '', '[role=treeitem]'));
    note.add(await open(world, `notebook/${id}`, 'article .output-part'));
  }
  return [home, note];
}
