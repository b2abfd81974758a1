/** A result of 100,000 rows × 10 columns, from the navigation to its first rows. */
import { wide, wideTable } from './content.mjs';
import { series } from './statistics.mjs';

const size = `${wide.rows.toLocaleString('en')} × ${wide.columns}`;
export const title = `A table of ${size} (warm cache)`;

async function open(context, url, selector) {
  const page = await context.newPage();
  try {
    await page.goto(url, { waitUntil: 'commit' });
    return await page.evaluate(async (wanted) => {
      const { bench } = window;
      const rows = await bench.shown(wanted, 10);
      await bench.quiet(rows);
      return { rows, blocked: bench.blocking() };
    }, selector);
  } finally {
    await page.close();
  }
}

/** Selectors of the cells in the product and in the bare page. */
export const cells = { ours: '.grid-row [role=gridcell]', bare: 'td' };

/** Runs the statement once, so that its result is stored. Returns the id of the note. */
export async function prepareTable(world) {
  const id = await world.note('wide');
  const note = await world.server.client.open(id);
  const { status } = await note.paragraphs[0].run();
  note.close();
  if (status !== 'FINISHED') throw new Error(`the statement ended as ${status}`);
  world.bare.serve({
    notes: {
      wide: JSON.stringify({ op: 'NOTE', data: { note: { paragraphs: [wideTable()] } } }),
    },
  });
  return id;
}

/** Measures the section. */
export async function measure(world, repeats) {
  const shown = series('navigation → rows painted', 'ms', { goal: 400 });
  const blocked = series('blocking time (long tasks beyond 50 ms)', 'ms', { goal: 50 });
  const id = await prepareTable(world);
  const context = await world.context();
  try {
    const ours = [`${world.server.url}/#/notebook/${id}`, cells.ours];
    const least = [`${world.bare.url}/#note/wide`, cells.bare];
    for (const each of [ours, least]) await open(context, ...each);
    for (const _ of repeats()) {
      const [our, bare] = [await open(context, ...ours), await open(context, ...least)];
      shown.add(our.rows, bare.rows);
      blocked.add(our.blocked, bare.blocked);
    }
  } finally {
    await context.close();
  }
  return [shown, blocked];
}
