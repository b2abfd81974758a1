/** A short print, from the key to the paint, beside JupyterLab; from the call, beside Zeppelin. */
import { createClient } from '@tiding/client';
import { byKey, inNode, medianOf, openProduct } from '../run.mjs';
import { quantile, series } from '../statistics.mjs';
import { openLab } from './jupyterlab.mjs';
import { openZeppelin } from './zeppelin.mjs';

/** Runs per repeat; the median counts. */
const RUNS = 5;

export const rowsOf = () => ({
  painted: series('page: Shift+Enter → print painted, %python, beside JupyterLab', 'ms', {
    times: 1,
  }),
  changed: series('page: Shift+Enter → print in the document, %python, beside JupyterLab', 'ms', {
    times: 1,
  }),
  zeppelin: series('Node: run() → print, %python, beside a Zeppelin server', 'ms', { times: 1 }),
});

/** Medians of several runs with a key. */
async function runsOf(act) {
  const runs = [];
  for (let at = 0; at < RUNS; at += 1) runs.push(await act());
  const median = (key) =>
    quantile(
      runs.map((each) => each[key]),
      0.5,
    );
  return { painted: median('painted'), changed: median('changed') };
}

async function inPages(rows, world, repeats) {
  const context = await world.context();
  const lab = await openLab(world).catch((error) => ({ problem: error.message }));
  try {
    const page = await openProduct(context, world);
    await page.evaluate(() => window.bench.rest());
    // Warm up: the first run starts the kernel and loads the code for its result.
    await byKey(page, 3);
    for (const row of [rows.painted, rows.changed]) if (lab.problem) row.skip(lab.problem);
    for (const _ of repeats()) {
      const least = lab.problem ? {} : await runsOf(() => lab.run());
      const ours = await runsOf(() => byKey(page, 3));
      rows.painted.add(ours.painted, least.painted);
      rows.changed.add(ours.changed, least.changed);
    }
  } finally {
    await lab.close?.();
    await context.close();
  }
}

const print = (at) => `%python\nprint(${at})`;

/** A note whose first paragraph has run. Running the last one would append another. */
async function openPrint(client) {
  const id = await client.notes.create({ name: `Bench/Print ${Date.now()}` });
  const note = await client.open(id);
  while (note.paragraphs.length < 2) await note.insert();
  await inNode(note.paragraphs[0], print('"ready"'));
  return note;
}

async function besideZeppelin(row, world, repeats) {
  const note = await openPrint(world.engines.client);
  let zeppelin;
  let theirs;
  try {
    zeppelin = await openZeppelin(world.cleanup);
    zeppelin.client = createClient({ server: zeppelin.url, autosave: 0, timeout: 60_000 });
    await zeppelin.client.session.ticket();
    theirs = await openPrint(zeppelin.client);
  } catch (error) {
    row.skip(error.message);
  }
  try {
    for (const _ of repeats()) {
      const least =
        theirs && (await medianOf((at) => inNode(theirs.paragraphs[0], print(at)), RUNS));
      row.add(await medianOf((at) => inNode(note.paragraphs[0], print(at)), RUNS), least);
    }
  } finally {
    note.close();
    theirs?.close();
    zeppelin?.client?.close();
    await zeppelin?.stop();
  }
}

export async function measure(rows, world, repeats) {
  await inPages(rows, world, repeats);
  await besideZeppelin(rows.zeppelin, world, repeats);
}
