/** JupyterLab, if it can be installed: the tasks of other sections, measured in the same way. */
import { large, pythonStream, wideTable } from './content.mjs';
import { notebookOf, openCell, openLab, startLab, untilIdle } from './engines/jupyterlab.mjs';
import { quantile, series } from './statistics.mjs';
import { watchStream } from './stream.mjs';
import { countTraffic } from './traffic.mjs';
import { typeKeys } from './typing.mjs';

export const title = 'JupyterLab: the values are its own';
const cells = '.jp-Notebook-cell';
const outputs = '.jp-OutputArea-output';

const wideText = () => wideTable().results.msg[0].data;

async function home(world, lab, rows) {
  const context = await world.context();
  try {
    const page = await context.newPage();
    const traffic = await countTraffic(page);
    await page.goto(lab.address(), { waitUntil: 'commit' });
    rows.home.add(await page.evaluate(() => window.bench.shown('.jp-DirListing-item')));
    await page.waitForLoadState('networkidle');
    rows.homeKB.add(traffic.kB);
    rows.homeRequests.add(traffic.requests);
  } finally {
    await context.close();
  }
}

/** Opens a notebook until nothing more changes, and calls `look` with the page and its times. */
async function open(context, address, look) {
  const page = await context.newPage();
  try {
    await page.goto(address, { waitUntil: 'commit' });
    const times = await page.evaluate(async (output) => {
      const first = await window.bench.shown(output);
      const last = await window.bench.quiet(first);
      return { first, last, blocked: window.bench.blocking() };
    }, outputs);
    await look(page, times);
  } finally {
    await page.close();
  }
}

const note = (context, lab, rows) =>
  open(context, lab.address('large'), async (page, { first, last, blocked }) => {
    rows.first.add(first);
    rows.last.add(last);
    rows.blocked.add(blocked);
    rows.elements.add(await page.evaluate(() => window.bench.elements()));
    await openCell(page);
    const { keys } = await typeKeys(page);
    rows.typing.add(quantile(keys, 0.5));
    rows.typingMost.add(quantile(keys, 0.95));
  });

const table = (context, lab, rows) =>
  open(context, lab.address('wide'), (_page, { first, blocked }) => {
    rows.table.add(first);
    rows.tableBlocked.add(blocked);
  });

/** Measures the section. */
export async function measure(world, repeats) {
  const paragraphs = large.paragraphs.toLocaleString('en');
  const rows = {
    home: series('first visit: navigation → list of files painted', 'ms'),
    homeKB: series('first visit: bytes, as its server sends them', 'kB'),
    homeRequests: series('first visit: requests', ''),
    first: series(`${paragraphs}: navigation → first output painted`, 'ms'),
    last: series(`${paragraphs}: navigation → nothing more changes`, 'ms'),
    blocked: series(`${paragraphs}: blocking time (long tasks beyond 50 ms)`, 'ms'),
    elements: series(`${paragraphs}: elements`, ''),
    table: series('table as text: navigation → painted', 'ms'),
    tableBlocked: series('table as text: blocking time', 'ms'),
    typing: series(`${paragraphs}: key → painted, p50`, 'ms'),
    typingMost: series(`${paragraphs}: key → painted, p95`, 'ms'),
    run: series('Shift+Enter → print painted', 'ms'),
    streamFirst: series('stream: key → first line painted', 'ms'),
    streamEnd: series('stream: key → last line painted', 'ms'),
  };
  const exported = await world.server.client.notes.export(await world.note('large'), {
    format: 'ipynb',
  });
  const lab = await startLab(world, {
    large: JSON.parse(exported),
    wide: notebookOf(['1'], [{ output_type: 'stream', name: 'stdout', text: wideText() }]),
    stream: notebookOf([pythonStream, '1']),
  });
  const printing = await openLab(world);
  const context = await world.context();
  try {
    const page = await context.newPage();
    await page.goto(lab.address('stream'), { waitUntil: 'commit' });
    await page.evaluate((cell) => window.bench.shown(cell, 2), cells);
    await untilIdle(page);
    for (const _ of repeats()) {
      await home(world, lab, rows);
      await note(context, lab, rows);
      await table(context, lab, rows);
      for (let at = 0; at < 5; at += 1) rows.run.add((await printing.run()).painted);
      await page.bringToFront();
      await openCell(page);
      const { first, end } = await watchStream(page, `${cells} ${outputs}`, 'Shift+Enter');
      rows.streamFirst.add(first);
      rows.streamEnd.add(end);
    }
  } finally {
    await context.close();
    await printing.close();
    await lab.stop();
  }
  return Object.values(rows);
}
