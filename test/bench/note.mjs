/** Notes of 200, 1,000 and 3,000 paragraphs with a warm cache, from the navigation. */
import { large, long, longest } from './content.mjs';
import { turnWheel } from './scroll.mjs';
import { quantile, series } from './statistics.mjs';

export const title = 'Notes with results: 200, 1,000 and 3,000 paragraphs (warm cache)';

/** Heap after garbage collection, in MB. */
async function heapOf(page) {
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  await session.detach();
  return usedSize / 1e6;
}

async function open(context, url, paragraphs) {
  const page = await context.newPage();
  try {
    await page.goto(url, { waitUntil: 'commit' });
    const opened = await page.evaluate(async (wanted) => {
      const { bench } = window;
      const first = await bench.shown('article');
      const last = await bench.shown('article', wanted);
      await bench.quiet(last);
      return {
        first,
        last,
        arrived: first - bench.marks.note,
        blocked: bench.blocking(),
        elements: bench.elements(),
      };
    }, paragraphs);
    const scroll = quantile(await turnWheel(page), 0.95);
    await page.evaluate(() => window.bench.scrollThrough());
    return {
      ...opened,
      scroll,
      scrolled: await page.evaluate(() => window.bench.elements()),
      heap: await heapOf(page),
    };
  } finally {
    await page.close();
  }
}

const rowsOf = ({ paragraphs }, goals) => {
  const where = paragraphs.toLocaleString('en');
  const row = (key, what, unit) => [key, series(`${where}: ${what}`, unit, { goal: goals[key] })];
  return Object.fromEntries([
    row('first', 'navigation → first paragraph painted', 'ms'),
    row('arrived', 'note arrived → first paragraph painted', 'ms'),
    row('last', 'navigation → last paragraph painted', 'ms'),
    row('blocked', 'blocking time (long tasks beyond 50 ms)', 'ms'),
    row('scroll', 'time between frames while scrolling, p95', 'ms'),
    row('elements', 'elements, including shadow roots', ''),
    row('scrolled', 'elements after scrolling through it', ''),
    row('heap', 'heap after scrolling through it', 'MB'),
  ]);
};

const sizes = {
  large: [large, { first: 500, last: 900, blocked: 100, elements: 10_000, scrolled: 10_000 }],
  long: [long, { first: 800, last: 1_500, scroll: 16.8, scrolled: 15_000, heap: 60 }],
  longest: [longest, {}],
};

/** Measures the section. */
export async function measure(world, repeats) {
  const all = [];
  const context = await world.context();
  try {
    for (const [name, [size, goals]] of Object.entries(sizes)) {
      const rows = rowsOf(size, goals);
      all.push(...Object.values(rows));
      const ours = `${world.server.url}/#/notebook/${await world.note(name)}`;
      const least = `${world.bare.url}/#note/${name}`;
      // Warm up the cache.
      if (name === 'large')
        for (const url of [ours, least]) await open(context, url, size.paragraphs);
      // The longest takes minutes to scroll through.
      for (const _ of name === 'longest' ? [0] : repeats()) {
        const our = await open(context, ours, size.paragraphs);
        const bare = await open(context, least, size.paragraphs);
        for (const [key, row] of Object.entries(rows)) row.add(our[key], bare[key]);
      }
    }
  } finally {
    await context.close();
  }
  return all;
}
