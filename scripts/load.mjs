/**
 * `npm run test:load`: measures the server under load on the loopback interface. Prints a table,
 * writes `dist/load.json`, and exits with 1 if a target is missed.
 *
 * npm run test:load -- [--minutes 2] [--sockets 500] [--soak MINUTES] [--people 50] [--notes 20]
 * [--viewers 2000] [--zeppelin] [broadcast] [slow] [many] [capacity] [embeds] [large]
 *
 * `--soak` lets many users type, run code, reload and lose connections while interpreters are
 * killed and pages with embed tokens read outputs or stop reading, prints memory every minute, and
 * looks for what was lost. It runs alone, or with the named sections. `--zeppelin` also measures a
 * real Zeppelin, if a script that starts one is beside the checkout or named by ZEPPELIN_BOOT.
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
    people: { type: 'string', default: '50' },
    notes: { type: 'string', default: '20' },
    viewers: { type: 'string', default: '2000' },
    zeppelin: { type: 'boolean', default: false },
  },
  allowPositionals: true,
});
const sections = ['broadcast', 'slow', 'many', 'capacity', 'embeds', 'large'];
const minutes = Number(values.minutes);
const sockets = Number(values.sockets);
const soakMinutes = values.soak === undefined ? undefined : Number(values.soak);
const [people, notes] = [Number(values.people), Number(values.notes)];
const viewers = Number(values.viewers);
const seed = Number(process.env.SEED ?? Date.now() % 1_000_000);
const unknown = positionals.find((name) => !sections.includes(name));
if (
  unknown !== undefined ||
  !(minutes > 0) ||
  (soakMinutes !== undefined && !(soakMinutes > 0)) ||
  [people, notes, viewers].some((each) => !Number.isInteger(each) || each < 1) ||
  !Number.isInteger(sockets) ||
  sockets < 2
) {
  const options = [
    '[--minutes N] [--sockets N] [--soak MINUTES] [--people N] [--notes N] [--viewers N]',
    '[--zeppelin]',
  ].join(' ');
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
const { figure } = await part('bench/format.mjs');
const { loadRows } = await part('load/rows.mjs');
const { signIn, startChild } = await part('load/sockets.mjs');
const { broadcast } = await part('load/broadcast.mjs');
const { makeFloor } = await part('load/floor.mjs');
const { soak } = await part('load/soak.mjs');
const { capacity } = await part('load/capacity.mjs');
const { slowReaders } = await part('load/slow.mjs');
const { manyNotes } = await part('load/many.mjs');
const { embeds } = await part('load/embeds.mjs');
const { largeNote } = await part('load/large.mjs');

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

/** Starts a server with a note of ten paragraphs. `options` are further ones of the server. */
async function startServer(name, options = {}) {
  const data = join(folder, name);
  mkdirSync(data, { recursive: true });
  writeFileSync(join(data, 'samples.json'), '{}');
  const server = await startChild('server.mjs', [data, JSON.stringify(options)], cleanup);
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
      memory: () => server.ask('after'),
      cpu: cpuOf(server),
    });
    await server.stop();
    say('Floor again, because the load of the machine may have changed …');
    await floor.measure();
    report.floor = floor.figures();
  }
  if (soakMinutes !== undefined) {
    say(`${people} users with ${notes} notes, SEED=${seed}: ${soakMinutes} min …`);
    const data = join(folder, 'soak');
    mkdirSync(data, { recursive: true });
    writeFileSync(join(data, 'samples.json'), '{}');
    report.soak = await soak(data, cleanup, { people, notes, ms: soakMinutes * 60_000, seed, say });
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
  if (wanted('capacity')) {
    say('As many edits and runs as the server can do, and memory of processes …');
    const started = await startServer('capacity', { spareKernel: false });
    report.capacity = await capacity(started);
    await started.server.stop();
  }
  if (wanted('embeds')) {
    say(`${viewers} pages with embed tokens …`);
    const started = await startServer('embeds', {
      maxEmbedSockets: viewers,
      maxVisitorSockets: viewers,
    });
    report.embeds = await embeds(started, viewers, cleanup);
    await started.server.stop();
  }
  if (wanted('large')) {
    say('A note with 76 MB of outputs …');
    report.large = await largeNote(join(folder, 'large'), cleanup);
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

const rows = loadRows(report);
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
