/**
 * Where the time of the figures with goals goes: the same tasks, traced, with the time of the
 * page's main thread by kind of work. The rest is time in which the page waits: for the network,
 * the server, another process or the next frame. Tracing itself takes time, so the sums are larger
 * than the figures without it.
 */
import { large, long } from './content.mjs';
import { paintedFrame, serveHosts } from './embed.mjs';
import { series } from './statistics.mjs';
import { cells, prepareTable } from './table.mjs';
import { openEditor } from './world.mjs';

export const title = 'Where the time goes: the main thread by kind of work, traced';

const categories = [
  'toplevel',
  'devtools.timeline',
  'blink.user_timing',
  'v8',
  'disabled-by-default-v8.compile',
];
/** Number of keys of the traced typing; times are per key. */
const KEYS = 40;
const KEY_PAUSE_MS = 25;
/** Rows of the bare list of notes. */
const ROWS = 16;

/** Kinds of work, and the trace events that belong to each. All other events are `other`. */
const kinds = {
  compile: /^v8\.(compile|produceCache|deserialize|parse)/i,
  collect: /GC/,
  script: /^(Evaluate|Function|RunMicro|Fire(Animation|Idle)|Timer|EventDispatch|v8\.|V8\.)/,
  layout: /^(UpdateLayoutTree|Layout|PrePaint|UpdateLayer|HitTest|.*[Ii]ntersection|.*[Ss]tyle)/,
  paint: /^(Paint|Layerize|Commit|Composite|Decode|Raster|Draw)/,
};
const labels = {
  total: 'in all',
  waiting: 'waiting',
  compile: 'compiling scripts',
  script: 'running scripts',
  collect: 'collecting garbage',
  layout: 'style and layout',
  paint: 'paint',
  other: 'parsing HTML, receiving data, other',
};

const kindOf = (name) => Object.keys(kinds).find((kind) => kinds[kind].test(name)) ?? 'other';

/** The marks of the probe in a trace, in order. */
const marksOf = (events) =>
  events
    .filter(({ cat, name }) => cat.includes('blink.user_timing') && name.startsWith('bench-'))
    .sort((a, b) => a.ts - b.ts);

/** Start and end of the task, in µs, and the thread it ran on. */
function windowOf(events) {
  const marks = marksOf(events);
  const end = marks.findLast(({ name }) => name === 'bench-end');
  if (!end) throw new Error('the trace has no end mark');
  const own = ({ pid, tid }) => pid === end.pid && tid === end.tid;
  const start =
    marks.find((mark) => mark.name === 'bench-begin' && own(mark)) ??
    events.filter((each) => each.name === 'navigationStart' && each.pid === end.pid).at(0);
  if (!start) throw new Error('the trace has no start');
  return { from: start.ts, to: end.ts, own };
}

/** Time of each kind within the window, in ms. Nested events count as their own kind alone. */
export function breakdown(events) {
  const { from, to, own } = windowOf(events);
  const sums = Object.fromEntries(Object.keys(labels).map((name) => [name, 0]));
  const open = [];
  const within = (start, end) => Math.max(0, Math.min(end, to) - Math.max(start, from));
  const work = events
    .filter((event) => event.ph === 'X' && own(event) && event.dur > 0)
    .filter(({ ts, dur }) => ts + dur > from && ts < to)
    .sort((a, b) => a.ts - b.ts || b.dur - a.dur);
  let busy = 0;
  for (const { name, ts, dur } of work) {
    while (open.length > 0 && open.at(-1).end <= ts) open.pop();
    const took = within(ts, ts + dur);
    const outer = open.at(-1);
    const kind = kindOf(name);
    sums[kind] += took;
    if (outer) sums[outer.kind] -= took;
    else busy += took;
    open.push({ end: ts + dur, kind });
  }
  sums.total = to - from;
  sums.waiting = sums.total - busy;
  return Object.fromEntries(Object.entries(sums).map(([name, value]) => [name, value / 1e3]));
}

/** Traces `act`, which marks the end, and the beginning unless it is the navigation. */
async function traced(world, page, act) {
  await world.browser.startTracing(page, { categories });
  let buffer;
  try {
    await act(page);
  } finally {
    buffer = await world.browser.stopTracing();
  }
  return breakdown(JSON.parse(String(buffer)).traceEvents);
}

const shownMark = (page, [selector, count]) =>
  page.evaluate(
    async ([wanted, number]) => {
      await window.bench.shown(wanted, number);
      window.bench.mark('end');
    },
    [selector, count],
  );

/** Traces a page of a context from its navigation until something is painted. */
async function visit(world, context, url, shown) {
  const page = await context.newPage();
  try {
    return await traced(world, page, async () => {
      await page.goto(url, { waitUntil: 'commit' });
      await shownMark(page, shown);
    });
  } finally {
    await page.close();
  }
}

const beginAtKey = (page) =>
  page.evaluate(() =>
    window.addEventListener('keydown', () => window.bench.mark('begin'), {
      capture: true,
      once: true,
    }),
  );

async function openNote(world, context, name, count) {
  const page = await context.newPage();
  await page.goto(`${world.server.url}/#/notebook/${await world.note(name)}`);
  await page.evaluate(
    async (wanted) => window.bench.quiet(await window.bench.shown('article', wanted)),
    count,
  );
  return page;
}

const perKey = (times) =>
  Object.fromEntries(Object.entries(times).map(([name, time]) => [name, time / KEYS]));

/** Types into the first paragraph of a note. */
async function typeInto(world, context, name, count) {
  const page = await openNote(world, context, name, count);
  try {
    await openEditor(page);
    await beginAtKey(page);
    const times = await traced(world, page, async () => {
      for (let key = 0; key < KEYS; key += 1) {
        await page.keyboard.press('x');
        await page.waitForTimeout(KEY_PAUSE_MS);
      }
      await page.evaluate(() => window.bench.mark('end'));
    });
    return perKey(times);
  } finally {
    await page.close();
  }
}

/** Runs a paragraph by a key, the second time with a warm process, until new output is painted. */
async function runByKey(world, context, { name, count, place, isNew }) {
  const page = await openNote(world, context, name, count);
  const run = async () => {
    await openEditor(page, place);
    await page.evaluate(
      ([at, test]) => {
        const output = () =>
          window.bench.view().querySelectorAll('article')[at].querySelector('.output-part')
            ?.textContent ?? '';
        const before = output();
        const holds = new RegExp(test);
        let isCleared = !holds.test(before);
        window.pending = window.bench
          .afterKey(() => {
            const text = output();
            isCleared ||= text !== before;
            return isCleared && text !== before && holds.test(text);
          })
          .then(() => window.bench.mark('end'));
      },
      [place, isNew],
    );
    await beginAtKey(page);
    await page.keyboard.press('Shift+Enter');
    await page.evaluate(() => window.pending);
  };
  try {
    await run();
    await page.evaluate(() => window.bench.quiet(performance.now(), 1_000));
    return await traced(world, page, run);
  } finally {
    await page.close();
  }
}

async function embedded(world, kind) {
  const context = await world.context();
  try {
    const page = await context.newPage();
    return await traced(world, page, async () => {
      const url = `${world.bare.url}/${kind}`;
      await page.goto(url, { waitUntil: 'commit' });
      const { frame } = await paintedFrame(page, url);
      await frame.evaluate(() => void performance.mark('bench-end'));
    });
  } finally {
    await context.close();
  }
}

/** The traced tasks: times of the product, and of the bare page if it has the same task. */
async function tasksOf(world) {
  const { url } = world.server;
  const warm = await world.context();
  const table = await prepareTable(world);
  await serveHosts(world);
  world.bare.serve({ rows: Array.from({ length: ROWS }, (_row, at) => `Note ${at}`) });
  const address = async (name) => `${url}/#/notebook/${await world.note(name)}`;
  const bare = (path, shown) => visit(world, warm, `${world.bare.url}/#${path}`, shown);
  const list = ['[role=treeitem]', 1];
  const note = async (name, { paragraphs }) => ({
    ours: await visit(world, warm, await address(name), ['article', paragraphs]),
    floor: await bare(`note/${name}`, ['article', paragraphs]),
  });
  const run = (name, count, place, isNew) => runByKey(world, warm, { name, count, place, isNew });
  const cold = async () => {
    const context = await world.context();
    try {
      return await visit(world, context, `${url}/#/`, list);
    } finally {
      await context.close();
    }
  };
  return {
    close: () => warm.close(),
    tasks: {
      'home, first visit': async () => ({ ours: await cold(), floor: await bare('list', list) }),
      'home, second visit': async () => ({ ours: await visit(world, warm, `${url}/#/`, list) }),
      'table of 100,000 rows': async () => ({
        ours: await visit(world, warm, `${url}/#/notebook/${table}`, [cells.ours, 10]),
        floor: await bare('note/wide', [cells.bare, 10]),
      }),
      '200 paragraphs, to the last': () => note('large', large),
      '1,000 paragraphs, to the last': () => note('long', long),
      'a key typed into 200 paragraphs': async () => ({
        ours: await typeInto(world, warm, 'large', large.paragraphs),
      }),
      'a key typed into 1,000 paragraphs': async () => ({
        ours: await typeInto(world, warm, 'long', long.paragraphs),
      }),
      'Shift+Enter to painted, %python': async () => ({ ours: await run('run', 5, 3, '\\d') }),
      'stream, first line': async () => ({ ours: await run('stream', 2, 0, 'line 1 ') }),
      'embedded element': async () => ({ ours: await embedded(world, 'element') }),
      'embedded frame': async () => ({ ours: await embedded(world, 'frame') }),
    },
  };
}

/** Measures the section. */
export async function measure(world, repeats) {
  const { tasks, close } = await tasksOf(world);
  const rows = [];
  try {
    for (const [task, measureTask] of Object.entries(tasks)) {
      const parts = Object.fromEntries(
        Object.entries(labels).map(([key, label]) => [key, series(`${task}: ${label}`, 'ms')]),
      );
      // Warm up: caches, processes and the code that is loaded on demand.
      await measureTask();
      for (const _ of repeats()) {
        const { ours, floor } = await measureTask();
        for (const [key, row] of Object.entries(parts)) row.add(ours[key], floor?.[key]);
      }
      rows.push(...Object.values(parts));
    }
  } finally {
    await close();
  }
  return rows;
}
