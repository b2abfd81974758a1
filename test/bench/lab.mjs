/** JupyterLab, if it can be installed: the tasks of other sections, measured in the same way. */
import { large, pythonStream, wideTable } from './content.mjs';
import { notebookOf, openCell, openLab, startLab, untilIdle } from './engines/jupyterlab.mjs';
import { quantile, series } from './statistics.mjs';
import { watchStream } from './stream.mjs';
import { typeKeys } from './typing.mjs';

export const title = 'JupyterLab: the values are its own';
const cells = '.jp-Notebook-cell';
const outputs = '.jp-OutputArea-output';

const wideText = () => wideTable().results.msg[0].data;

async function openPage(context, url) {
  const page = await context.newPage();
  const network = await context.newCDPSession(page);
  const traffic = { kB: 0, requests: 0 };
  network.on('Network.loadingFinished', ({ encodedDataLength }) => {
    traffic.kB += encodedDataLength / 1e3;
    traffic.requests += 1;
  });
  await network.send('Network.enable');
  await page.goto(url, { waitUntil: 'commit' });
  return { page, traffic };
}

async function home(world, lab, rows) {
  const context = await world.context();
  try {
    const { page, traffic } = await openPage(context, lab.address());
    rows.home.add(await page.evaluate(() => window.bench.shown('.jp-DirListing-item')));
    await page.waitForLoadState('networkidle');
    rows.homeKB.add(traffic.kB);
    rows.homeRequests.add(traffic.requests);
  } finally {
    await context.close();
  }
}

async function note(context, lab, rows) {
  const { page } = await openPage(context, lab.address('large'));
  try {
    const first = await page.evaluate((output) => window.bench.shown(output), outputs);
    const last = await page.evaluate((first) => window.bench.quiet(first), first);
    rows.first.add(first);
    rows.last.add(last);
    rows.blocked.add(await page.evaluate(() => window.bench.blocking()));
    rows.elements.add(await page.evaluate(() => window.bench.elements()));
    await openCell(page);
    const { keys } = await typeKeys(page);
    rows.typing.add(quantile(keys, 0.5));
    rows.typingMost.add(quantile(keys, 0.95));
  } finally {
    await page.close();
  }
}

async function table(context, lab, rows) {
  const { page } = await openPage(context, lab.address('wide'));
  try {
    const shown = await page.evaluate((output) => window.bench.shown(output), outputs);
    await page.evaluate((at) => window.bench.quiet(at), shown);
    rows.table.add(shown);
    rows.tableBlocked.add(await page.evaluate(() => window.bench.blocking()));
  } finally {
    await page.close();
  }
}

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
    const { page } = await openPage(context, lab.address('stream'));
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
