/**
 * Home: first visit with an empty cache, second visit, and with 10,000 notes; from the navigation
 * to the list of notes.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { smallNote } from './content.mjs';
import { series } from './statistics.mjs';
import { countTraffic } from './traffic.mjs';

const MANY = 10_000;
export const title = 'Home, and home with 10,000 notes';

const rowsOf = (page) => page.evaluate(() => window.bench.count('[role=treeitem]'));

/** Loads a page until its list is painted and nothing more is requested. */
async function load(context, url) {
  const page = await context.newPage();
  try {
    const traffic = await countTraffic(page);
    await page.setExtraHTTPHeaders({ 'Accept-Encoding': 'gzip' });
    await page.goto(url, { waitUntil: 'commit' });
    const time = await page.evaluate(() => window.bench.shown('[role=treeitem]'));
    await page.waitForLoadState('networkidle');
    // The list may be completed after its first rows.
    await page.evaluate(() => window.bench.quiet(0));
    return { time, ...traffic, rows: await rowsOf(page) };
  } finally {
    await page.close();
  }
}

async function visits(world, url, server) {
  const context = await world.context(server);
  try {
    return { first: await load(context, url), second: await load(context, url) };
  } finally {
    await context.close();
  }
}

/** A server with many notes, whose files are written before it starts. */
async function startCrowded(world) {
  const folder = join(world.folder, 'crowded', 'notebook');
  for (let at = 0; at < MANY; at += 1) {
    const id = `2${String(at).padStart(8, 'A')}`;
    mkdirSync(join(folder, id), { recursive: true });
    const note = { ...smallNote(`Folder ${at % 100}/Note ${at}`), id };
    writeFileSync(join(folder, id, 'note.json'), JSON.stringify(note));
  }
  const server = await world.startServer('crowded');
  const listed = (await server.client.notes.list()).length;
  if (listed < MANY) throw new Error(`the server lists ${listed} of ${MANY} notes`);
  return server;
}

/** Measures the section. */
export async function measure(world, repeats) {
  const rows = {
    time: series('first visit: navigation → note list painted', 'ms', { goal: 300 }),
    kB: series('first visit: bytes, gzip', 'kB', { goal: 150 }),
    requests: series('first visit: requests', ''),
    second: series('second visit: navigation → note list painted', 'ms', { goal: 200 }),
    secondKB: series('second visit: bytes', 'kB', { goal: 5 }),
    many: series('10,000 notes: navigation → note list painted', 'ms'),
    manyKB: series('10,000 notes: bytes, gzip', 'kB'),
  };
  const crowded = await startCrowded(world);
  try {
    for (const _ of repeats()) {
      const our = await visits(world, `${world.server.url}/#/`);
      world.bare.serve({
        rows: Array.from({ length: our.first.rows }, (_row, at) => `Note ${at}`),
      });
      const least = await visits(world, `${world.bare.url}/#list`);
      if (least.first.rows !== our.first.rows)
        throw new Error(`the bare page has ${least.first.rows} rows, not ${our.first.rows}`);
      rows.time.add(our.first.time, least.first.time);
      rows.kB.add(our.first.kB, least.first.kB);
      rows.requests.add(our.first.requests, least.first.requests);
      rows.second.add(our.second.time, least.second.time);
      rows.secondKB.add(our.second.kB, least.second.kB);
      const many = await visits(world, `${crowded.url}/#/`, crowded);
      world.bare.serve({ rows: Array.from({ length: MANY }, (_row, at) => `Note ${at}`) });
      const leastMany = await visits(world, `${world.bare.url}/#list`);
      rows.many.add(many.first.time, leastMany.first.time);
      rows.manyKB.add(many.first.kB, leastMany.first.kB);
    }
  } finally {
    crowded.client.close();
    await crowded.stop();
  }
  return Object.values(rows);
}
