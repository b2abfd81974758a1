/** A Python script that prints for five seconds, with the page left alone. */
import { streamed } from './content.mjs';
import { series } from './statistics.mjs';
import { openEditor } from './world.mjs';

const { lines, burst, pauseMs } = streamed;
const lineCount = lines.toLocaleString('en');
export const title = `A stream of ${lineCount} lines, ${burst} every ${pauseMs} ms`;

/** What a reader sees of the stream, from the next key press; times in ms. */
const watch = (page, output) =>
  page.evaluate(
    ([selector, last]) => {
      window.stream = window.bench.watchStream(selector, last);
    },
    [output, `line ${lines} `],
  );

/** Presses a key that starts the stream, and watches the output. */
export async function watchStream(page, output, key) {
  await watch(page, output);
  await page.keyboard.press(key);
  return page.evaluate(() => window.stream);
}

/** Measures the section. */
export async function measure(world, repeats) {
  const rows = {
    first: series('key → first line painted', 'ms', { goal: 25 }),
    updates: series('frames with new lines', '', { more: true, goal: 100 }),
    end: series('key → last line painted', 'ms', { goal: 5_250 }),
    visible: series('last line on the screen at the end (1: yes)', '', { more: true, goal: 1 }),
  };
  const context = await world.context();
  try {
    const ours = await context.newPage();
    await ours.goto(`${world.server.url}/#/notebook/${await world.note('stream')}`);
    await ours.evaluate(() => window.bench.shown('article', 2));
    await openEditor(ours);
    const least = await context.newPage();
    await least.goto(`${world.bare.url}/#stream`);
    // The first run starts the kernel.
    await watchStream(ours, 'article .output-part', 'Shift+Enter');
    for (const _ of repeats()) {
      await ours.bringToFront();
      await openEditor(ours);
      const our = await watchStream(ours, 'article .output-part', 'Shift+Enter');
      await least.bringToFront();
      const bare = await watchStream(least, '#log', 'Enter');
      for (const [key, row] of Object.entries(rows)) row.add(Number(our[key]), Number(bare[key]));
    }
  } finally {
    await context.close();
  }
  return Object.values(rows);
}
