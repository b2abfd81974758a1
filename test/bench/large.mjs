/** A note of 200 paragraphs with results, 20 of them tables of 1,000 rows. */
import { large } from './content.mjs';
import { series } from './statistics.mjs';

const { paragraphs, everyNth, rows } = large;
export const title =
  `A note of ${paragraphs} paragraphs, ${paragraphs / everyNth} with tables of ` +
  `${rows.toLocaleString('en')} rows (warm cache)`;
export const weight = 4;

async function open(context, url) {
  const page = await context.newPage();
  try {
    await page.goto(url, { waitUntil: 'commit' });
    return await page.evaluate(async (wanted) => {
      const { bench } = window;
      const first = await bench.shown('article');
      const all = await bench.shown('article', wanted);
      const quiet = await bench.quiet(all);
      return {
        first,
        arrived: bench.marks.note,
        all,
        quiet,
        elements: bench.elements(),
        blocking: bench.blocking(),
      };
    }, large.paragraphs);
  } finally {
    await page.close();
  }
}

/** Measures the section. */
export async function measure(world, repeats) {
  const first = series('navigation → first paragraph painted', 'ms');
  const arrived = series('note arrived → first paragraph painted', 'ms');
  const all = series('navigation → all articles painted', 'ms');
  const quiet = series('navigation → idle (last change or long task)', 'ms');
  const elements = series('elements, including shadow roots', '');
  const blocking = series('blocking time (long tasks beyond 50 ms)', 'ms');
  const context = await world.context();
  try {
    const [ours, least] = [
      `${world.server.url}/#/notebook/${world.notes.large}`,
      `${world.bare.url}/#note/large`,
    ];
    await open(context, ours);
    await open(context, least);
    for await (const _ of repeats()) {
      const [our, bare] = [await open(context, ours), await open(context, least)];
      first.add(our.first, bare.first);
      arrived.add(our.first - our.arrived, bare.first - bare.arrived);
      all.add(our.all, bare.all);
      quiet.add(our.quiet, bare.quiet);
      elements.add(our.elements, bare.elements);
      blocking.add(our.blocking, bare.blocking);
    }
  } finally {
    await context.close();
  }
  return [first, arrived, all, quiet, elements, blocking];
}
