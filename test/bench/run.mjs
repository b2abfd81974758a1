/**
 * Round trip of a run: in the page from the key press to the painted result, in Node from the call
 * to its end.
 */
import { once } from 'node:events';
import WebSocket from 'ws';
import { openBareKernel, pythonOf } from './processes.mjs';
import { quantile, series } from './statistics.mjs';
import { openEditor } from './world.mjs';

export const title = 'Run round trip';
/** Runs per repeat; the median counts, because one run takes only a few milliseconds. */
const RUNS = 5;

const median = (times) => quantile(times, 0.5);
/** Median of what `act` returns in several calls. */
export const medianOf = async (act, runs = RUNS) => {
  const times = [];
  for (let at = 0; at < runs; at += 1) times.push(await act(at));
  return median(times);
};

export async function openProduct(context, { server, note }) {
  const id = await note('run');
  const page = await context.newPage();
  await page.goto(`${server.url}/#/notebook/${id}`);
  await page.evaluate(async (id) => {
    await window.bench.shown('article', 5);
    window.note = await document.querySelector('tiding-workbench').client.open(id);
  }, id);
  return page;
}

/** Runs with a key. The output differs in each run, so a changed text is the new result. */
export async function byKey(page, place) {
  // Chromium slows the timers of a page that is not in front down to one a second.
  await page.bringToFront();
  await openEditor(page, place);
  await page.evaluate((at) => {
    const result = () =>
      window.bench
        .view()
        .querySelectorAll('article')
        [at].querySelector('.output-part')
        ?.textContent.trim() ?? '';
    const before = result();
    window.pending = window.bench.afterKey(() => ![before, ''].includes(result()));
  }, place);
  await page.keyboard.press('Shift+Enter');
  const times = await page.evaluate(() => window.pending);
  // The run ends after its output.
  await page.evaluate(
    (at) => window.bench.until(() => window.note.paragraphs[at].status === 'FINISHED'),
    place,
  );
  return times;
}

/** Runs a paragraph with a new text through the page's client. */
const byCall = async (page, at, text, result) => {
  await page.bringToFront();
  return page.evaluate(
    async ([place, code, wanted]) => {
      const paragraph = window.note.paragraphs[place];
      paragraph.edit(code);
      await paragraph.commit();
      let run;
      const shown = () =>
        window.bench
          .view()
          .querySelectorAll('article')
          [place].querySelector('.output-part')
          ?.textContent.includes(wanted);
      const time = await window.bench.settle(() => (run = paragraph.run()), shown);
      await run;
      return time;
    },
    [at, text, result],
  );
};

const echoPainted = async (page, text) => {
  await page.bringToFront();
  return page.evaluate(
    (wanted) =>
      window.bench.settle(
        () => window.bare.echo(wanted),
        () => window.bench.text('output') === wanted,
      ),
    text,
  );
};

/** Time of a run with a new text through a client in Node, in ms. */
export async function inNode(paragraph, code) {
  paragraph.edit(code);
  await paragraph.commit();
  const began = performance.now();
  const { status } = await paragraph.run();
  const time = performance.now() - began;
  if (status !== 'FINISHED') throw new Error(`the run ended as ${status}`);
  return time;
}

async function timeOf(act) {
  const began = performance.now();
  await act();
  return performance.now() - began;
}

async function openEcho(address) {
  const socket = new WebSocket(address);
  await once(socket, 'open');
  const trip = async () => {
    const began = performance.now();
    socket.send('x'.repeat(200));
    await once(socket, 'message');
    return performance.now() - began;
  };
  return { trip, close: () => socket.terminate() };
}

async function inPage(context, world, repeats, rows) {
  const [ours, least] = [await openProduct(context, world), await context.newPage()];
  await least.goto(`${world.bare.url}/`);
  for (const page of [ours, least]) await page.evaluate(() => window.bench.rest());
  let number = 0;
  const measures = [
    [rows.js, async () => (await byKey(ours, 0)).painted],
    [rows.md, () => byCall(ours, 1, `%md\nrun ${++number} of many`, `run ${number} of many`)],
    [
      rows.sql,
      () =>
        byCall(
          ours,
          2,
          `%sql\nselect ${++number} as number, 'of many' as words`,
          `${number}of many`,
        ),
    ],
  ];
  // Warm up: the first run starts a process and loads the code for its result.
  for (const [, act] of measures.filter(([row]) => row !== rows.sql)) await act();
  await byKey(ours, 3);
  await byCall(ours, 2, '%sql\nselect 0 as number', 'number');
  for (const _ of repeats()) {
    for (const [row, act] of measures) {
      const floor = await medianOf(() => echoPainted(least, `echo ${++number}`));
      row.add(await medianOf(act), floor);
    }
    const runs = [];
    for (let at = 0; at < RUNS; at += 1) runs.push(await byKey(ours, 3));
    const floor = await medianOf(() => echoPainted(least, `echo ${++number}`));
    rows.python.add(median(runs.map(({ painted }) => painted)), floor);
    rows.changed.add(median(runs.map(({ changed }) => changed)));
  }
}

async function outsidePage(world, repeats, rows) {
  const { server, bare } = world;
  const note = await server.client.open(await world.note('run'));
  const echo = await openEcho(bare.socket);
  const kernel = await openBareKernel((await pythonOf(server.client)).python);
  try {
    const python = (at) => `print(${at})`;
    const codes = [
      [rows.js, 0, (at) => `%js\nconsole.log(${at})`],
      [rows.md, 1, (at) => `%md\nrun ${at}`],
      [rows.sql, 2, (at) => `%sql\nselect ${at} as one`],
    ];
    for (const [, place, code] of codes) await inNode(note.paragraphs[place], code('0'));
    for (const _ of repeats()) {
      for (const [row, place, code] of codes) {
        const floor = await medianOf(() => echo.trip());
        row.add(await medianOf((at) => inNode(note.paragraphs[place], code(`${at + 1}`))), floor);
      }
      rows.python.add(
        await medianOf((at) => inNode(note.paragraphs[3], `%python\n${python(at)}`)),
        await medianOf((at) => timeOf(() => kernel.run(python(at)))),
      );
    }
  } finally {
    await kernel.close();
    echo.close();
    note.close();
  }
}

/** Measures the section. */
export async function measure(world, repeats) {
  const page = {
    python: series('page: Shift+Enter → painted, %python', 'ms', { goal: 35 }),
    changed: series('page: Shift+Enter → output in the document, %python', 'ms', { goal: 12 }),
    js: series('page: Shift+Enter → painted, %js', 'ms'),
    md: series('page: run() → painted, %md', 'ms'),
    sql: series('page: run() → painted, %sql', 'ms'),
  };
  const node = {
    python: series('Node: run() → settled, %python, beside a bare kernel', 'ms', { goal: 8 }),
    js: series('Node: run() → settled, %js', 'ms'),
    md: series('Node: run() → settled, %md', 'ms'),
    sql: series('Node: run() → settled, %sql', 'ms'),
  };
  const context = await world.context();
  try {
    await inPage(context, world, repeats, page);
  } finally {
    await context.close();
  }
  await outsidePage(world, repeats, node);
  return [...Object.values(page), ...Object.values(node)];
}
