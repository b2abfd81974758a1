/**
 * The page of a note: 200 and 1,000 paragraphs from the arrival of their frame, scrolling through
 * them, and typing while one streams.
 */
import { large, long } from './content.mjs';
import { turnWheel } from './scroll.mjs';
import { quantile, series } from './statistics.mjs';
import { streamingRows, typeInStream } from './typing.mjs';

export const title = [
  `The page of a note: ${large.paragraphs} paragraphs with 20 tables of ` +
    `${large.rows.toLocaleString('en')} rows`,
  `${long.paragraphs.toLocaleString('en')} paragraphs`,
  'typing',
].join(', ');

/**
 * Reads the tasks of the page's main thread from a trace, in order, with start, duration and
 * processor time in ms; and the marks.
 */
function readTrace(buffer) {
  const { traceEvents } = JSON.parse(String(buffer));
  const named = traceEvents.filter(
    ({ cat, name }) => cat.includes('blink.user_timing') && name.startsWith('bench-'),
  );
  const { pid, tid } = named[0] ?? {};
  const tasks = traceEvents
    .filter(
      (event) =>
        event.pid === pid &&
        event.tid === tid &&
        event.ph === 'X' &&
        event.name === 'ThreadControllerImpl::RunTask',
    )
    .map(({ ts, dur, tdur = dur }) => ({ at: ts / 1e3, took: dur / 1e3, processor: tdur / 1e3 }))
    .sort((a, b) => a.at - b.at);
  return {
    tasks,
    marks: Object.fromEntries(named.map(({ name, ts }) => [name.slice(6), ts / 1e3])),
  };
}

/** Opens a note, waits until the page is idle, and scrolls with the wheel. */
async function visit(world, context, url, wanted) {
  const page = await context.newPage();
  try {
    await world.browser.startTracing(page, { categories: ['toplevel', 'blink.user_timing'] });
    await page.goto(url, { waitUntil: 'commit' });
    const opened = await page.evaluate(async (count) => {
      const { bench } = window;
      const first = await bench.shown('article');
      const all = await bench.shown('article', count);
      await bench.quiet(all);
      const { note } = bench.marks;
      bench.mark('scroll');
      return {
        first: first - note,
        all: all - note,
        interactive: Math.max(first, bench.lastLongTask()) - note,
        elements: bench.elements(),
      };
    }, wanted);
    const frames = await turnWheel(page);
    await page.evaluate(() => window.bench.mark('end'));
    const { tasks, marks } = readTrace(await world.browser.stopTracing());
    const between = (from, to) => tasks.filter(({ at, took }) => at + took > from && at < to);
    const most = (some) =>
      some.reduce((longestYet, { processor }) => Math.max(longestYet, processor), 0);
    const opening = between(marks.note, marks.scroll);
    return {
      ...opened,
      processor: opening.reduce((sum, { processor }) => sum + processor, 0),
      opening: most(opening),
      // Work that remains after the first paragraph is painted.
      after: most(opening.filter(({ at }) => at > marks.note + opened.first)),
      scrolling: most(between(marks.scroll, marks.end)),
      work:
        between(marks.scroll, marks.end).reduce((sum, { processor }) => sum + processor, 0) /
        frames.length,
      frames: quantile(frames, 0.95),
    };
  } finally {
    await page.close();
  }
}

const rowsOf = (count) => {
  const where = count.toLocaleString('en');
  return {
    first: series(`${where}: note arrived → first paragraph painted`, 'ms'),
    all: series(`${where}: … → all paragraphs painted`, 'ms'),
    interactive: series(`${where}: … → interactive (end of the last long task)`, 'ms'),
    processor: series(`${where}: … → idle, processor time`, 'ms'),
    opening: series(`${where}: longest task until idle, processor time`, 'ms'),
    after: series(`${where}: longest task after the first paint, processor time`, 'ms'),
    scrolling: series(`${where}: longest task while scrolling, processor time`, 'ms'),
    work: series(`${where}: processor time per frame while scrolling`, 'ms'),
    frames: series(`${where}: time between frames while scrolling, p95`, 'ms'),
    elements: series(`${where}: elements, including shadow roots`, ''),
  };
};

/** Measures the section. */
export async function measure(world, repeats) {
  const sizes = [
    ['large', large.paragraphs],
    ['long', long.paragraphs],
  ];
  const rows = [];
  const context = await world.context();
  try {
    for (const [name, count] of sizes) {
      const found = rowsOf(count);
      rows.push(...Object.values(found));
      const [ours, least] = [
        `${world.server.url}/#/notebook/${await world.note(name)}`,
        `${world.bare.url}/#note/${name}`,
      ];
      // Warm up the cache.
      if (name === 'large')
        for (const url of [ours, least]) await visit(world, context, url, count);
      for (const _ of repeats()) {
        const [our, bare] = [
          await visit(world, context, ours, count),
          await visit(world, context, least, count),
        ];
        for (const [key, row] of Object.entries(found)) row.add(our[key], bare[key]);
      }
    }
    const typing = streamingRows();
    rows.push(...Object.values(typing));
    await typeInStream(world, context, typing, repeats);
  } finally {
    await context.close();
  }
  return rows;
}
