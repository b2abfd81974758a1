/**
 * `npm run test:crash`: kills a server under load with SIGKILL at random moments. After each kill
 * it checks that everything acknowledged is stored (edits, notes, names, revisions), and every text
 * that another page has received, that no file is torn, that interrupted runs are ABORT with a
 * message, and that the interpreters, some of which run at each kill, have exited before the next
 * server starts. Stops with exit code 1 at the first failure and keeps the data folder.
 *
 * npm run test:crash -- [--kills 40] SEED=n repeats the same moments and texts
 *
 * Forty kills take one to three minutes and two hundred take five to fifteen, depending on the
 * machine. The limit is one minute plus ten seconds per kill.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual, parseArgs } from 'node:util';
import { install } from './install.mjs';

const root = join(import.meta.dirname, '..');
/** Time limit for a server to start, in ms. */
const START_MS = 30_000;
/** Time limit for the server's child processes to exit, in ms. */
const END_MS = 10_000;
/** Time limit of the whole test, in ms: fixed part, and per kill. */
const LIMIT_MS = [60_000, 10_000];
const { values } = parseArgs({ options: { kills: { type: 'string', default: '40' } } });
const kills = Number(values.kills);
const seed = Number(process.env.SEED ?? Date.now() % 1_000_000);
if (!Number.isInteger(kills) || kills < 1 || !Number.isInteger(seed)) {
  console.error('usage: [SEED=n] npm run test:crash -- [--kills N]');
  process.exit(2);
}
install((text) => console.error(text));
const { build } = await import('./build.mjs');
await build({ say: (text) => console.error(text) });
const { newLedger, work } = await import('../test/crash/load.mjs');
const { generator, PASSWORD, signIn, sleep } = await import('../test/load/sockets.mjs');

const next = generator(seed);
const data = mkdtempSync(join(tmpdir(), 'tiding-crash-'));
writeFileSync(join(data, 'samples.json'), '{}');

let server;
/** Keeps the first port for all servers, because the name of the session cookie contains it. */
let port = '0';
/** Starts the server on the data folder; rejects with its log if it does not come up. */
async function start() {
  const child = spawn(
    process.execPath,
    [join(root, 'server/bin/tiding.mjs'), '--no-open', '--port', port, '--data', data],
    {
      env: { ...process.env, TIDING_LOG: 'warn', TIDING_ADMIN_PASSWORD: PASSWORD },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  let out = '';
  let log = '';
  child.stderr.on('data', (chunk) => (log += chunk));
  const began = performance.now();
  const url = await new Promise((resolve, reject) => {
    const late = setTimeout(
      () => reject(new Error(`no address printed within ${START_MS} ms: ${log}`)),
      START_MS,
    );
    child.stdout.on('data', (chunk) => {
      const found = /(http:\/\/[^/\s]+)/.exec((out += chunk));
      if (found) clearTimeout(late), resolve(found[1]);
    });
    child.once('exit', (code) => reject(new Error(`the server exited with code ${code}: ${log}`)));
  });
  ({ port } = new URL(url));
  server = { child, url, log: () => log, ms: performance.now() - began };
  return server;
}
const kill = async () => {
  const exit = once(server.child, 'exit');
  server.child.kill('SIGKILL');
  await exit;
};
process.once('exit', () => server?.child.kill('SIGKILL'));
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(130));

const failures = [];
const check = (good, text) => good || failures.push(text);

/** Calls the REST API; rejects unless the call succeeds. All servers have the same address. */
let call;

/** Processes that work below the data files folder: interpreters of notes and their children. */
function leftovers() {
  const files = join(data, 'files');
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        return (
          `${readlinkSync(`/proc/${pid}/cwd`)}/`.startsWith(`${files}/`) &&
          !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
        );
      } catch {
        return false;
      }
    });
}

/** Waits for interpreters of the load, so that each kill meets some, and for edits. */
async function untilLoaded(processes, edits) {
  const began = performance.now();
  const isLoaded = () =>
    leftovers().length >= processes && ledger.edits > edits && ledger.shown > edits;
  while (!isLoaded() && performance.now() - began < START_MS) await sleep(20);
}

/** Checks that running programs exit with their server. */
async function checkProcesses() {
  const began = performance.now();
  while (leftovers().length > 0 && performance.now() - began < END_MS) await sleep(50);
  check(
    isDeepStrictEqual(leftovers(), []),
    `processes still running: ${leftovers()
      .map((pid) => {
        const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
        return `${pid} ${command.slice(0, 60)}`;
      })
      .join('; ')}`,
  );
}

/** Checks the files as the killed server left them, before the next server changes them. */
function checkFiles(ledger) {
  const stored = new Map();
  for (const id of readdirSync(join(data, 'notebook'))) {
    const file = join(data, 'notebook', id, 'note.json');
    // A note whose creation or removal was interrupted; neither was acknowledged.
    if (!existsSync(file)) continue;
    try {
      stored.set(id, JSON.parse(readFileSync(file, 'utf8')));
    } catch (error) {
      check(false, `${file} is torn: ${error.message}`);
    }
  }
  for (const name of readdirSync(data).filter(
    (each) => each.endsWith('.json') && !each.startsWith('.'),
  )) {
    try {
      JSON.parse(readFileSync(join(data, name), 'utf8'));
    } catch (error) {
      check(false, `${name} is torn: ${error.message}`);
    }
  }
  for (const [paragraph, { noteId, possible }] of ledger.texts) {
    const text = stored.get(noteId)?.paragraphs.find(({ id }) => id === paragraph)?.text;
    const expected = possible.map((each) => JSON.stringify(each.slice(-80))).join(' or ');
    check(
      possible.includes(text),
      `paragraph ${paragraph} has ${JSON.stringify(text)?.slice(-80)}, expected ${expected}`,
    );
    // From now on only the stored text is possible.
    ledger.texts.get(paragraph).possible = [text];
  }
  for (const [id, names] of ledger.notes) {
    const name = stored.get(id)?.name;
    check(names.includes(name), `note ${id} is named ${name}, expected ${names.join(' or ')}`);
    if (name === undefined) ledger.notes.delete(id);
    else ledger.notes.set(id, [name]);
  }
}

/** Checks the server that was started after the kill. */
async function checkServer(ledger, number) {
  check((await call('GET', '/security/ticket')).principal === 'admin', 'the session is lost');
  const listed = new Map(
    (await call('GET', '/notebook')).map(({ id, path }) => [id, path.slice(1)]),
  );
  for (const [id, [name]] of ledger.notes)
    check(listed.get(id) === name, `note ${id} is listed as ${listed.get(id)}, expected ${name}`);
  for (const [id, { noteId, announced, printed }] of ledger.runs) {
    const body = await call('GET', `/notebook/${noteId}/paragraph/${id}`);
    check(!/RUNNING|PENDING/.test(body.status), `paragraph ${id} is still ${body.status}`);
    if (announced)
      check(
        body.status === 'ABORT' &&
          body.errorMessage === 'The server stopped while this paragraph ran.',
        `the interrupted paragraph ${id} is ${body.status}: ${body.errorMessage}`,
      );
    // Enough output that at least a part of it must have been stored.
    if (printed > 20_000)
      check(body.results?.msg?.[0]?.data?.length > 0, `paragraph ${id} has lost its output`);
  }
  for (const { noteId, revisionId, text } of ledger.revisions.slice(-3)) {
    const { paragraphs } = await call('GET', `/notebook/${noteId}/revision/${revisionId}`);
    check(paragraphs[0].text === text, `revision ${revisionId} has changed`);
  }
  if (number % 5 === 0) {
    // The database file must be usable too.
    const query = `select ${number} as n, repeat('x', 1000) as t from range(5000)`;
    const text = `%sql\ncreate or replace table crash as ${query}`;
    const id = await call('POST', '/notebook', { name: `sql ${number}`, paragraphs: [{ text }] });
    const { paragraphs } = await call('GET', `/notebook/${id}`);
    await call('POST', `/notebook/run/${id}/${paragraphs[0].id}`, {});
    await call('DELETE', `/notebook/${id}`);
  }
  for (const line of server.log().split('\n'))
    if (
      line.includes('"level":50') ||
      (line.includes('cannot be read') && !line.includes('ENOENT'))
    )
      check(false, `server log: ${line}`);
}

console.log(`Seed ${seed}, ${kills} kills`);
setTimeout(
  () => {
    console.error(
      `FAILED, seed ${seed}, data in ${data}\ntimed out after ${starts.length} of ${kills} kills`,
    );
    process.exit(1);
  },
  LIMIT_MS[0] + kills * LIMIT_MS[1],
).unref();
const began = performance.now();
const starts = [];
const ledger = newLedger();
let leftover = 0;
try {
  await start();
  const { identity, call: callServer } = await signIn(server.url);
  call = callServer;
  const ids = {};
  for (const [name, texts] of Object.entries({
    typed: ['', '', ''],
    run: ['%js', '%sh', ''],
    revised: ['', ''],
  })) {
    ids[name] = await call('POST', '/notebook', {
      name,
      paragraphs: texts.map((text) => ({ text })),
    });
    const { paragraphs } = await call('GET', `/notebook/${ids[name]}`);
    if (name !== 'run')
      for (const { id } of paragraphs) ledger.texts.set(id, { noteId: ids[name], possible: [''] });
  }
  for (let number = 1; number <= kills && failures.length === 0; number += 1) {
    const { url } = server;
    ledger.runs.clear();
    const working = work(url, identity, ids, ledger, next).catch((error) => {
      // A dying server refuses clients that are connecting.
      if (!/refused|ECONN|hang up|closed/.test(error.message)) check(false, error.message);
    });
    // The first kill meets a shell with children, and enough edits to prove something.
    await (number === 1 ? untilLoaded(3, kills * 5) : untilLoaded(1, 0));
    await sleep(next() * 1_400);
    const running = leftovers().length;
    check(running > 0, `no interpreter was running at kill ${number}`);
    leftover = Math.max(leftover, running);
    await kill();
    await working;
    await checkProcesses();
    checkFiles(ledger);
    starts.push((await start()).ms);
    await checkServer(ledger, number);
    if (number % 10 === 0)
      console.log(
        [
          `${number} kills`,
          `${ledger.edits} edits and ${ledger.revisions.length} revisions acknowledged`,
          `${ledger.notes.size} notes`,
          `starts ${Math.round(Math.min(...starts))}–${Math.round(Math.max(...starts))} ms`,
          `${Math.round((performance.now() - began) / 1000)} s`,
        ].join(', '),
      );
  }
} catch (error) {
  check(false, error.stack);
}
server?.child.removeAllListeners('exit');
if (server && server.child.exitCode === null && server.child.signalCode === null) {
  const exit = once(server.child, 'exit');
  server.child.kill('SIGTERM');
  check((await exit)[0] === 0, 'the server did not exit cleanly on SIGTERM');
}
const torn = readdirSync(join(data, 'notebook'), { recursive: true }).filter((name) =>
  name.endsWith('.tmp'),
).length;
// Without enough load the test would prove nothing.
if (failures.length === 0) {
  for (const what of ['edits', 'shown'])
    check(ledger[what] > kills * 5, `only ${ledger[what]} ${what}`);
  check(leftover >= 3, 'no shell with children was running at any kill');
}
if (failures.length > 0) {
  console.error(`FAILED, seed ${seed}, data in ${data}\n${failures.join('\n')}`);
  process.exit(1);
}
console.log(
  [
    `${kills} kills survived: ${ledger.edits} edits and ${ledger.revisions.length} revisions ` +
      `acknowledged, ${ledger.shown} edits shown to another page, none lost`,
    `up to ${leftover} interpreter processes exited`,
    `${torn} temporary files left`,
    `seed ${seed}`,
  ].join('; '),
);
rmSync(data, { recursive: true, force: true });
process.exit(0);
