/**
 * `npm run test:load`: the server under load, loopback only. Prints a table, writes `dist/load.json`, and ends with 1 where a target
 * is missed.
 *
 *   npm run test:load -- [--minutes 2] [--sockets 500] [--zeppelin] [broadcast] [slow] [many]
 *
 * `--zeppelin` measures a real Zeppelin beside it, where a starter of one is beside the checkout or named by ZEPPELIN_BOOT.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { install } from './install.mjs';

const root = join(import.meta.dirname, '..');
const say = (text) => process.stderr.write(`${text}\n`);
const { values, positionals } = parseArgs({
  options: { minutes: { type: 'string', default: '2' }, sockets: { type: 'string', default: '500' }, zeppelin: { type: 'boolean', default: false } },
  allowPositionals: true,
});
const sections = ['broadcast', 'slow', 'many'];
const minutes = Number(values.minutes);
const sockets = Number(values.sockets);
const unknown = positionals.find((name) => !sections.includes(name));
if (unknown !== undefined || !(minutes > 0) || !Number.isInteger(sockets) || sockets < 2) {
  say(`usage: npm run test:load -- [--minutes N] [--sockets N] [--zeppelin] [${sections.join('] [')}]`);
  process.exit(2);
}
const wanted = (name) => positionals.length === 0 || positionals.includes(name);

install(say);
const { build } = await import('./build.mjs');
await build({ say });
const part = (path) => import(join(root, 'test', path));
const { Cleanup } = await part('bench/world.mjs');
const { figure } = await part('bench/table.mjs');
const { signIn, startChild } = await part('load/sockets.mjs');
const { broadcast } = await part('load/broadcast.mjs');
const { slowReaders } = await part('load/slow.mjs');
const { manyNotes } = await part('load/many.mjs');

const cleanup = new Cleanup();
const folder = mkdtempSync(join(tmpdir(), 'tiding-load-'));
cleanup.add(() => rmSync(folder, { recursive: true, force: true }));
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => void cleanup.run().then(() => process.exit(130)));

/** A server of its own with a note of ten paragraphs. */
async function startServer(name) {
  const data = join(folder, name);
  mkdirSync(data, { recursive: true });
  writeFileSync(join(data, 'samples.json'), '{}');
  const server = await startChild('server.mjs', [data], cleanup);
  const { identity, call } = await signIn(server.url);
  const id = await call('POST', '/notebook', { name: 'load', paragraphs: Array.from({ length: 10 }, (_each, at) => ({ text: `%md\nparagraph ${at}` })) });
  const { paragraphs } = await call('GET', `/notebook/${id}`);
  // The index of the search is kept from here on.
  await call('GET', '/notebook/search?q=paragraph');
  return { server, place: { url: server.url, identity, id, paragraph: paragraphs[0].id } };
}

const report = { machine: { cores: cpus().length, cpu: cpus()[0]?.model.trim(), node: process.versions.node, load: loadavg()[0], date: new Date().toISOString() } };
try {
  if (wanted('broadcast')) {
    say(`${sockets} sockets on one note, ten edits a second, ${minutes} min …`);
    const { server, place } = await startServer('broadcast');
    report.broadcast = await broadcast(place, { sockets, ms: minutes * 60_000, churn: true, memory: () => server.ask('after') });
    await server.stop();
    say('The floor: a bare server that stores each message and sends it on …');
    const { floor } = await part('load/floor.mjs');
    report.floor = await floor(sockets, folder, cleanup);
  }
  if (values.zeppelin && wanted('broadcast')) {
    say('The same with a real Zeppelin …');
    const { zeppelin } = await part('load/zeppelin.mjs');
    report.zeppelin = await zeppelin(sockets, Math.min(minutes, 1) * 60_000, cleanup);
  }
  if (wanted('slow')) {
    say('Some stop reading …');
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

/** Lines of the table: what, unit, value, target, beside it. */
function lines() {
  const rows = [];
  const add = (name, unit, value, target, beside = {}) => rows.push({ name, unit, value, target, ...beside });
  const { broadcast: all, zeppelin, floor, slow = [], many } = report;
  if (all) {
    const both = (pick) => ({ floor: floor && pick(floor), zeppelin: zeppelin && pick(zeppelin) });
    add(`edit → ${all.sockets - 1} others, p50`, 'ms', all.p50, undefined, both(({ p50 }) => p50));
    add('… p99', 'ms', all.p99, 50, both(({ p99 }) => p99));
    add('… longest', 'ms', all.max, undefined, both(({ max }) => max));
    add(`… receipts missing of ${all.edits} edits`, '', all.missing, 0, both(({ missing }) => missing));
    add(`${all.sockets} sockets open the note`, 'ms', all.openMs, undefined, both(({ openMs }) => openMs));
    add('memory before / with them', 'MB', `${figure(all.memory.before.rss)} / ${figure(all.memory.during.rss)}`, undefined, zeppelin && { zeppelin: `${figure(zeppelin.memory.before.rss)} / ${figure(zeppelin.memory.during.rss)}` });
    add(`heap after gc, growth over ${all.seconds} s`, 'MB/min', all.memory.heapSlope, 1);
    add('resident memory, growth', 'MB/min', all.memory.rssSlope, undefined, zeppelin && { zeppelin: zeppelin.memory.rssSlope });
  }
  for (const { slow: count, ...each } of slow) {
    add(`${count} stop reading: dropped`, '', each.dropped, count);
    add('… after', 'ms', each.droppedMs);
    add('… memory of the server meanwhile, growth', 'MB', each.memory.most - each.memory.before);
    add('… others p99 before / meanwhile', 'ms', `${figure(each.usual.p99)} / ${figure(each.p99)}`);
    add('… receipts missing at the others', '', each.missing, 0);
  }
  if (many) {
    add(`${many.notes} notes: start`, 'ms', many.startMs);
    add('… memory', 'MB', many.memory);
    add('… list, p50', 'ms', many.list.p50);
    add('… first search, builds the index', 'ms', many.firstSearch);
    add('… others wait meanwhile at most', 'ms', many.longestWhileBuilt);
    for (const [kind, took] of Object.entries(many.searches)) add(`… search, ${kind}, p50`, 'ms', took.p50, 50);
    add(`… rename with ${many.renames.sockets} who have the list, p50`, 'ms', many.renames.p50);
    add('… lists sent to each of them after 20 renames', '', many.renames.lists / many.renames.sockets);
    add('… another waits meanwhile, p50 / longest', 'ms', `${figure(many.renames.other.p50)} / ${figure(many.renames.other.max)}`);
  }
  return rows;
}

const rows = lines();
const cell = (value) => (value === undefined ? '' : typeof value === 'number' ? figure(value) : value);
/** A count is to be reached or kept, everything else is at most its target. */
const missed = ({ name, value, target }) => target !== undefined && (name.endsWith('dropped') ? value !== target : value > target);
const heads = ['', 'unit', 'Tiding', 'target', 'floor', 'Zeppelin', ''];
const cells = [heads, ...rows.map((row) => [row.name, row.unit, cell(row.value), cell(row.target), cell(row.floor), cell(row.zeppelin), missed(row) ? 'MISSED' : ''])];
const widths = heads.map((_head, at) => Math.max(...cells.map((line) => line[at].length)));
for (const line of cells) console.log(line.map((text, at) => (at < 2 ? text.padEnd(widths[at]) : text.padStart(widths[at]))).join('  ').trimEnd());
const { cores, cpu, node, load, date } = report.machine;
console.log(`\n${cores} cores, ${cpu}, load ${load.toFixed(1)} before, Node ${node}, ${date.slice(0, 16).replace('T', ' ')} UTC. Sockets and server share the cores.`);
mkdirSync(join(root, 'dist'), { recursive: true });
writeFileSync(join(root, 'dist/load.json'), `${JSON.stringify({ ...report, rows }, (_key, value) => (typeof value === 'number' ? Number(value.toFixed(3)) : value), 2)}\n`);
if (rows.some(missed)) process.exitCode = 1;
process.exit();
