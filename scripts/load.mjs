/**
 * `npm run test:load`: measures the server under load on the loopback interface. Prints a table,
 * writes `dist/load.json`, and exits with 1 if a target is missed.
 *
 * npm run test:load -- [--minutes 2] [--sockets 500] [--soak MINUTES] [--zeppelin] [broadcast]
 * [slow] [many]
 *
 * `--soak` measures memory over many minutes of connects, disconnects, edits, runs and clients that
 * stop reading; alone, or with the named sections.
 * `--zeppelin` also measures a real Zeppelin, if a script that starts one is beside the checkout or
 * named by ZEPPELIN_BOOT.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { install } from './install.mjs';

const root = join(import.meta.dirname, '..');
const say = (text) => process.stderr.write(`${text}\n`);
const { values, positionals } = parseArgs({
  options: {
    minutes: { type: 'string', default: '2' },
    sockets: { type: 'string', default: '500' },
    soak: { type: 'string' },
    zeppelin: { type: 'boolean', default: false },
  },
  allowPositionals: true,
});
const sections = ['broadcast', 'slow', 'many'];
const minutes = Number(values.minutes);
const sockets = Number(values.sockets);
const soakMinutes = values.soak === undefined ? undefined : Number(values.soak);
const unknown = positionals.find((name) => !sections.includes(name));
if (
  unknown !== undefined ||
  !(minutes > 0) ||
  (soakMinutes !== undefined && !(soakMinutes > 0)) ||
  !Number.isInteger(sockets) ||
  sockets < 2
) {
  const options = '[--minutes N] [--sockets N] [--soak MINUTES] [--zeppelin]';
  say(`usage: npm run test:load -- ${options} [${sections.join('] [')}]`);
  process.exit(2);
}
const wanted = (name) =>
  (positionals.length === 0 && soakMinutes === undefined) || positionals.includes(name);

install(say);
const { build } = await import('./build.mjs');
await build({ say });
const part = (path) => import(join(root, 'test', path));
const { Cleanup } = await part('bench/world.mjs');
const { figure } = await part('bench/table.mjs');
const { signIn, startChild } = await part('load/sockets.mjs');
const { broadcast } = await part('load/broadcast.mjs');
const { makeFloor } = await part('load/floor.mjs');
const { soak, soakRuns } = await part('load/soak.mjs');
const { slowReaders } = await part('load/slow.mjs');
const { manyNotes } = await part('load/many.mjs');

const cleanup = new Cleanup();
const folder = mkdtempSync(join(tmpdir(), 'tiding-load-'));
cleanup.add(() => rmSync(folder, { recursive: true, force: true }));
for (const signal of ['SIGINT', 'SIGTERM'])
  process.once(signal, () => void cleanup.run().then(() => process.exit(130)));

/** Extra time for start, stop and sections without a set length, on a busy machine. */
const SPARE_MINUTES = 15;
const limit = minutes * 2 + (soakMinutes ?? 0) + SPARE_MINUTES;
setTimeout(() => {
  say(`Timed out after ${limit} min.`);
  void cleanup.run().then(() => process.exit(1));
}, limit * 60_000).unref();

/** Starts a server with a note of ten paragraphs. */
async function startServer(name) {
  const data = join(folder, name);
  mkdirSync(data, { recursive: true });
  writeFileSync(join(data, 'samples.json'), '{}');
  const server = await startChild('server.mjs', [data], cleanup);
  const { identity, call } = await signIn(server.url);
  const id = await call('POST', '/notebook', {
    name: 'load',
    paragraphs: Array.from({ length: 10 }, (_each, at) => ({ text: `%md\nparagraph ${at}` })),
  });
  const { paragraphs } = await call('GET', `/notebook/${id}`);
  // The first search builds the index; later edits update it.
  await call('GET', '/notebook/search?q=paragraph');
  return { server, call, place: { url: server.url, identity, id, paragraph: paragraphs[0].id } };
}
const cpuOf = (server) => async () => (await server.ask('now')).cpu;

const report = {
  machine: {
    cores: cpus().length,
    cpu: cpus()[0]?.model.trim(),
    node: process.versions.node,
    load: loadavg()[0],
    date: new Date().toISOString(),
  },
};
try {
  if (wanted('broadcast')) {
    say('Floor: a bare server that stores and broadcasts each message …');
    const floor = makeFloor(sockets, folder, cleanup);
    await floor.measure();
    say(`${sockets} sockets on one note, ten edits a second, ${minutes} min …`);
    const { server, place } = await startServer('broadcast');
    report.broadcast = await broadcast(place, {
      sockets,
      ms: minutes * 60_000,
      churn: true,
      memory: () => server.ask('after'),
      cpu: cpuOf(server),
    });
    await server.stop();
    say('Floor again, because the load of the machine may have changed …');
    await floor.measure();
    report.floor = floor.figures();
  }
  if (soakMinutes !== undefined) {
    say(`Edits, runs, connects, disconnects and stalled clients: ${soakMinutes} min …`);
    const { server, call, place } = await startServer('soak');
    const make = async (name, texts) => {
      const id = await call('POST', '/notebook', {
        name,
        paragraphs: texts.map((text) => ({ text })),
      });
      return {
        id,
        paragraphs: (await call('GET', `/notebook/${id}`)).paragraphs.map(
          ({ id: paragraph }) => paragraph,
        ),
      };
    };
    const [runs, slow] = [await make('runs', [...soakRuns, '']), await make('slow', ['%md'])];
    report.soak = await soak(
      place,
      { run: runs.id, runs: runs.paragraphs, slow: slow.id, slowParagraph: slow.paragraphs[0] },
      server,
      { sockets, ms: soakMinutes * 60_000 },
    );
    await server.stop();
  }
  if (values.zeppelin && wanted('broadcast')) {
    say('The same with a real Zeppelin …');
    const { zeppelin } = await part('load/zeppelin.mjs');
    report.zeppelin = await zeppelin(sockets, Math.min(minutes, 1) * 60_000, cleanup);
  }
  if (wanted('slow')) {
    say('Stalled clients …');
    const { server, place } = await startServer('slow');
    report.slow = [await slowReaders(place, server, 1), await slowReaders(place, server, 50)];
    await server.stop();
  }
  if (wanted('many')) {
    say('Ten thousand notes …');
    report.many = await manyNotes(join(folder, 'many'), cleanup, sockets);
  }
} catch (error) {
  say(`Not measured: ${error.stack}`);
  process.exitCode = 1;
} finally {
  await cleanup.run();
}

/** Rows of the table: name, unit, value, target, and figures to compare with. */
function lines() {
  const rows = [];
  const add = (name, unit, value, target, beside = {}) =>
    rows.push({ name, unit, value, target, ...beside });
  const { broadcast: all, zeppelin, floor, soak: long, slow = [], many } = report;
  if (all) {
    const both = (pick) => ({ floor: floor && pick(floor), zeppelin: zeppelin && pick(zeppelin) });
    add(
      `edit → ${all.sockets - 1} others, p50`,
      'ms',
      all.p50,
      undefined,
      both(({ p50 }) => p50),
    );
    add(
      '… p99',
      'ms',
      all.p99,
      50,
      both(({ p99 }) => p99),
    );
    if (floor) add('… p99, times the floor', '', all.p99 / floor.p99);
    add(
      '… longest',
      'ms',
      all.max,
      undefined,
      both(({ max }) => max),
    );
    add(
      `… missing messages of ${all.edits} edits`,
      '',
      all.missing,
      0,
      both(({ missing }) => missing),
    );
    add(
      'processor time of the server per edit',
      'ms',
      all.cpu,
      undefined,
      both(({ cpu }) => cpu),
    );
    if (floor) add('… times the floor', '', all.cpu / floor.cpu);
    add(
      '… of the subscribers',
      'ms',
      all.ownCpu,
      undefined,
      both(({ ownCpu }) => ownCpu),
    );
    add(
      `${all.sockets} sockets open the note`,
      'ms',
      all.openMs,
      undefined,
      both(({ openMs }) => openMs),
    );
    add(
      'memory before / during',
      'MB',
      `${figure(all.memory.before.rss)} / ${figure(all.memory.during.rss)}`,
      undefined,
      zeppelin && {
        zeppelin: `${figure(zeppelin.memory.before.rss)} / ${figure(zeppelin.memory.during.rss)}`,
      },
    );
    add(`heap after gc, growth over ${all.seconds} s`, 'MB/min', all.memory.heapSlope, 1);
    add(
      'resident memory, growth',
      'MB/min',
      all.memory.rssSlope,
      undefined,
      zeppelin && { zeppelin: zeppelin.memory.rssSlope },
    );
  }
  if (long) {
    add(`soak of ${long.minutes} min, ${long.sockets} sockets: edits`, '', long.edits);
    add(
      '… runs / guest connections / dropped clients',
      '',
      `${long.runs} / ${long.guests} / ${long.dropped}`,
    );
    add(
      '… heap after gc: start / middle / end',
      'MB',
      [long.start, long.middle, long.end].map(({ heap }) => figure(heap)).join(' / '),
    );
    add(
      '… resident memory',
      'MB',
      [long.start, long.middle, long.end].map(({ rss }) => figure(rss)).join(' / '),
    );
    add('… growth of the heap', 'MB/min', long.memory.heapSlope, 1);
    add('… of the resident memory', 'MB/min', long.memory.rssSlope);
    add(
      '… in the second half, heap / resident',
      'MB/min',
      `${figure(long.secondHalf.heap)} / ${figure(long.secondHalf.rss)}`,
    );
    add('… runs failed', '', long.failed, 0);
    add('… missing messages', '', long.missing, 0);
    add('… edit → the others, p50 / p99', 'ms', `${figure(long.p50)} / ${figure(long.p99)}`);
  }
  for (const { slow: count, ...each } of slow) {
    add(`${count} stalled clients: dropped`, '', each.dropped, count, { exact: true });
    add(
      '… dropped after / memory freed after',
      'ms',
      `${figure(each.droppedMs)} / ${figure(each.goneMs)}`,
    );
    add(`… closed with 1013, of ${each.again} that read again`, '', each.notified, each.again, {
      exact: true,
    });
    add('… reconnect to the latest text and receive the next edit', '', each.back, count, {
      exact: true,
    });
    add('… memory of the server meanwhile, growth', 'MB', each.memory.most - each.memory.before);
    add('… others p99 before / meanwhile', 'ms', `${figure(each.usual.p99)} / ${figure(each.p99)}`);
    add('… missing messages at the others', '', each.missing, 0);
  }
  if (many) {
    add(`${many.notes} notes: start`, 'ms', many.startMs);
    add('… memory', 'MB', many.memory);
    add('… list, p50', 'ms', many.list.p50);
    add('… first search, builds the index', 'ms', many.firstSearch);
    add('… longest wait of other requests meanwhile', 'ms', many.longestWhileBuilt);
    for (const [kind, took] of Object.entries(many.searches))
      add(`… search, ${kind}, p50`, 'ms', took.p50, 50);
    add(`… rename with ${many.renames.sockets} list subscribers, p50`, 'ms', many.renames.p50);
    add(
      '… lists sent to each of them after 20 renames',
      '',
      many.renames.lists / many.renames.sockets,
    );
    add(
      '… wait of another request, p50 / longest',
      'ms',
      `${figure(many.renames.other.p50)} / ${figure(many.renames.other.max)}`,
    );
  }
  return rows;
}

const rows = lines();
const cell = (value) =>
  value === undefined ? '' : typeof value === 'number' ? figure(value) : value;
/** `exact` targets must be met exactly; all others are upper limits. */
const missed = ({ value, target, exact }) =>
  target !== undefined && (exact ? value !== target : value > target);
const heads = ['', 'unit', 'Tiding', 'target', 'floor', 'Zeppelin', ''];
const cells = [
  heads,
  ...rows.map((row) => [
    row.name,
    row.unit,
    cell(row.value),
    cell(row.target),
    cell(row.floor),
    cell(row.zeppelin),
    missed(row) ? 'MISSED' : '',
  ]),
];
const widths = heads.map((_head, at) => Math.max(...cells.map((line) => line[at].length)));
for (const line of cells)
  console.log(
    line
      .map((text, at) => (at < 2 ? text.padEnd(widths[at]) : text.padStart(widths[at])))
      .join('  ')
      .trimEnd(),
  );
const { cores, cpu, node, load, date } = report.machine;
const after = loadavg()[0];
const time = date.slice(0, 16).replace('T', ' ');
console.log(
  [
    `\n${cores} cores`,
    cpu,
    `load ${load.toFixed(1)} before and ${after.toFixed(1)} after`,
    `Node ${node}`,
    `${time} UTC. Sockets and server share the cores.`,
  ].join(', '),
);
mkdirSync(join(root, 'dist'), { recursive: true });
const rounded = (_key, value) => (typeof value === 'number' ? Number(value.toFixed(3)) : value);
writeFileSync(
  join(root, 'dist/load.json'),
  `${JSON.stringify({ ...report, loadAfter: after, rows }, rounded, 2)}\n`,
);
if (rows.some(missed)) process.exitCode = 1;
process.exit();
