/**
 * A DataFrame of a million rows, shown by `%python`. The floor is the same task in the Python
 * process itself, without a server and a page.
 */
import { outputText } from '@tiding/client';
import { frame, noteMakers } from './content.mjs';
import { series } from './statistics.mjs';
import { cells } from './table.mjs';
import { openEditor } from './world.mjs';

const size = `${frame.rows.toLocaleString('en')} × ${frame.columns}`;
export const title = `A DataFrame of ${size} in %python`;

/** Places of the paragraphs that make the frame, show it, and print times of the floor. */
const [MADE, SHOWN, FLOOR] = [0, 1, 2];

async function run(paragraph) {
  const began = performance.now();
  const { status } = await paragraph.run();
  if (status !== 'FINISHED') throw new Error(`a paragraph ended as ${status}`);
  return performance.now() - began;
}

/** Times of the same tasks in the Python process, in ms. */
async function floorOf(note) {
  await run(note.paragraphs[FLOOR]);
  return JSON.parse(outputText(note.paragraphs[FLOOR].outputs[0]));
}

/** Runs the statement with a key. Returns the time until the first rows are painted, in ms. */
async function show(page, note) {
  await note.clear();
  await page.waitForFunction((cell) => !window.bench.view().querySelector(cell), cells.ours);
  await openEditor(page, SHOWN);
  await page.evaluate((cell) => {
    window.pending = window.bench.afterKey(
      () => window.bench.view().querySelectorAll(cell).length > 10,
    );
  }, cells.ours);
  await page.keyboard.press('Shift+Enter');
  return (await page.evaluate(() => window.pending)).painted;
}

/** Time from an action on the table until a text is painted in a part of the page, in ms. */
const act = (page, name, where, text) =>
  page.evaluate(
    ([action, selector, wanted]) => {
      const find = (each) => window.bench.view().querySelector(each);
      const grid = find('.data-grid');
      const acts = {
        sort: () =>
          [...grid.querySelectorAll('[role=columnheader] *')]
            .find(({ textContent }) => textContent === 'price')
            .click(),
        end: () => (grid.scrollTop = grid.scrollHeight),
        chart: () => find('[role=radio][aria-label="Bar Chart"]').click(),
      };
      return window.bench.settle(acts[action], () => find(selector)?.textContent.includes(wanted));
    },
    [name, where, text],
  );

/** Measures the section. */
export async function measure(world, repeats) {
  const { client } = world.server;
  const painted = series('Shift+Enter → first rows painted', 'ms', { goal: 1000 });
  const stored = series('Node: run() → all rows stored', 'ms');
  const sorted = series('click → sorted by a number, painted', 'ms');
  const end = series('scrolled to the end → last row painted', 'ms');
  const chart = series('click → chart of all rows painted', 'ms', { goal: 1000 });
  const context = await world.context();
  try {
    for (const at of repeats()) {
      // A new note each time: the order and the chart of a table are stored with it.
      const id = await client.notes.importNote(noteMakers.frame(`Bench/frame ${at}`));
      const note = await client.open(id);
      await run(note.paragraphs[MADE]);
      const floor = await floorOf(note);
      stored.add(await run(note.paragraphs[SHOWN]), floor.stored);
      const page = await context.newPage();
      await page.goto(`${world.server.url}/#/notebook/${id}`);
      await page.evaluate(() => window.bench.shown('article', 3));
      painted.add(await show(page, note), floor.first);
      await page.waitForFunction(
        (wanted) => window.bench.view().querySelector('.result-meta')?.textContent.includes(wanted),
        `${frame.rows.toLocaleString('en')} rows`,
      );
      sorted.add(
        await act(page, 'sort', '.data-grid [data-row="0"][data-column="1"]', frame.leastPrice),
        floor.sorted,
      );
      end.add(await act(page, 'end', `.data-grid [data-row="${frame.rows - 1}"]`, ''), floor.end);
      chart.add(await act(page, 'chart', '.chart-more', 'Computed from all'), floor.chart);
      await page.close();
      note.close();
    }
  } finally {
    await context.close();
  }
  return [painted, stored, sorted, end, chart];
}
