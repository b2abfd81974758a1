/**
 * A team at work for many minutes: users type in the same lines, run code, reload their pages and
 * lose their connections, while interpreter processes are killed and pages with embed tokens read
 * outputs or stop reading. At the end every character must be in its note exactly once, all pages
 * and the server must have the same texts, and pages that read must have received every output.
 */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import {
  createClient,
  isTidingError,
  memoryJournal,
  webSocketTransport,
} from '../../client/dist/index.js';
import { figure } from '../bench/format.mjs';
import { quantile } from '../bench/statistics.mjs';
import { slope } from './broadcast.mjs';
import { processesBelow } from './capacity.mjs';
import { openPages, visitorOf } from './embeds.mjs';
import { generator, PASSWORD, signIn, sleep, startChild } from './sockets.mjs';

const run = promisify(execFile);
const program = join(import.meta.dirname, '../../server/bin/tiding.mjs');
/** Paragraphs of a note: two to type in, and one for each interpreter. */
const TEXTS = [
  '%md\nTogether: ',
  '%md\nMore: ',
  '%md\n# A title\n\nsome *text*',
  '%js\nfor (let at = 0; at < 200; at += 1) console.log("line", at);',
  '%sql\nselect range as n, range * 2 as twice from range(1000)',
  '%python\nprint(sum(range(100_000)))',
];
const LINES = 2;
/** Pause of a user between two actions, and between two keys, in ms. */
const PAUSE_MS = [500, 4_000];
const KEY_MS = [60, 200];
/** Interval between two kills of an interpreter process, in ms. */
const KILL_MS = 30_000;
/** Interval between two samples of the server's memory, in ms; some are printed. */
const SAMPLE_MS = 10_000;
const PRINTED = 6;
/** Memory of the server's heap and of its process, in MB. */
const HEAP_MB = 1_024;
const LIMIT_MB = 1_536;
/** Pages with embed tokens, of which some stop reading after a while. */
const VIEWERS = 300;
const SLOW = 30;
/** Runs that all pages read, and that slow ones don't: tokens are valid for five minutes. */
const STREAMS = [6, 3];
const STREAM_MS = 10_000;
const END = 'all of it';
const STREAM = `%js
for (let at = 0; at < 2_000; at += 1) {
  console.log('line ' + at + ' ' + 'x'.repeat(50));
  if (at % 50 === 0) await new Promise((resolve) => setTimeout(resolve, 10));
}
console.log('${END}')`;
/** Time limit for the pages to save everything at the end, in ms. */
const SETTLE_MS = 120_000;
/** Time limit of a run, in ms: processes may have to start first. */
const RUN_MS = 120_000;

/** Letters without meaning in any language, each typed once in a note. */
function* letters() {
  for (const [from, to] of [
    [0x4e00, 0x9fa5],
    [0xac00, 0xd7a3],
    [0xe000, 0xf8ff],
  ])
    for (let code = from; code <= to; code += 1) yield String.fromCharCode(code);
}

/** One user with one page. */
class Person {
  constructor(name, url, place, world) {
    Object.assign(this, { name, url, place, world, journal: memoryJournal(), links: new Set() });
  }

  /** Opens live connections that {@link cut} can break. */
  transport = (url, events) => {
    let over = false;
    const link = webSocketTransport(url, {
      ...events,
      onMessage: (text) => over || events.onMessage(text),
      onClose: (code, reason) => end(code, reason),
    });
    const end = (code, reason) => {
      if (over) return;
      over = true;
      this.links.delete(cut);
      events.onClose(code, reason);
    };
    const cut = () => {
      end(1006, '');
      link.close();
    };
    this.links.add(cut);
    return link;
  };

  async signIn() {
    this.client = createClient({
      server: this.url,
      journal: this.journal,
      transport: this.transport,
      autosave: 1_000,
      timeout: 60_000,
    });
    await this.client.session.login(this.name, PASSWORD);
    await this.open();
  }

  async open() {
    this.note = await this.client.open(this.place.id, { timeout: 60_000 });
  }

  cut() {
    for (const link of [...this.links]) link();
  }

  /** Acts until the time is over. */
  async work(isOver) {
    const { random, counts, commits, failures } = this.world;
    const between = ([least, most]) => least + random() * (most - least);
    while (!isOver()) {
      const dice = random();
      try {
        if (dice < 0.65) await this.type(between, isOver);
        else if (dice < 0.72) await this.run();
        else if (dice < 0.76) {
          counts.reloads += 1;
          this.note.close();
          await this.open();
        } else if (dice < 0.78) {
          counts.cuts += 1;
          this.cut();
        } else {
          const paragraph = await this.type(between, isOver);
          const began = performance.now();
          await paragraph.commit();
          commits.push(performance.now() - began);
        }
      } catch (error) {
        // Errors that a user sees and can recover from. Any other error is a defect.
        if (!isTidingError(error)) throw error;
        const reason = `${error.code}: ${error.message}`;
        failures.set(reason, (failures.get(reason) ?? 0) + 1);
        if (error.code === 'closed') await this.open();
      }
      await sleep(between(PAUSE_MS));
    }
  }

  /** Types a few letters in a row, and returns where. */
  async type(between, isOver) {
    const { random, counts } = this.world;
    const { place } = this;
    const paragraph = this.note.paragraphs[Math.floor(random() * LINES)];
    const first = TEXTS[0].indexOf('\n') + 1;
    let at = first + Math.floor(random() * (paragraph.text.length - first + 1));
    for (let left = 1 + Math.floor(random() * 8); left > 0 && !isOver(); left -= 1) {
      const letter = place.letters.next().value;
      place.typed.push(letter);
      counts.characters += 1;
      const { text } = paragraph;
      at = Math.min(at, text.length);
      paragraph.edit(text.slice(0, at) + letter + text.slice(at));
      at += 1;
      await sleep(between(KEY_MS));
    }
    return paragraph;
  }

  async run() {
    const { random, counts, problems } = this.world;
    const at = LINES + Math.floor(random() * (TEXTS.length - LINES));
    const paragraph = this.note.paragraphs[at];
    if (['PENDING', 'RUNNING'].includes(paragraph.status)) return;
    const { status, error = '' } = await paragraph.run({ timeout: RUN_MS });
    counts.runs += 1;
    if (status === 'FINISHED') return;
    const reason = `${status}: ${error.split('\n')[0].slice(0, 100)}`;
    problems.set(reason, (problems.get(reason) ?? 0) + 1);
  }
}

/** Returns what is wrong with the texts of a note: pages that differ, lost and double letters. */
async function check(place, people, admin) {
  const fresh = await admin.open(place.id, { timeout: 60_000 });
  const texts = (note) => note.paragraphs.slice(0, LINES).map(({ text }) => text);
  const stored = texts(fresh);
  const differ = people.filter(({ note }) => texts(note).join('\0') !== stored.join('\0')).length;
  const found = new Map();
  for (const letter of stored.join('')) found.set(letter, (found.get(letter) ?? 0) + 1);
  fresh.close();
  return {
    differ,
    lost: place.typed.filter((letter) => !found.has(letter)).length,
    double: place.typed.filter((letter) => (found.get(letter) ?? 0) > 1).length,
  };
}

/** Lets pages read streams until the time is over, with new tokens for each round. */
async function watchStreams(url, call, cleanup, isOver) {
  const id = await call('POST', '/notebook', { name: 'stream', paragraphs: [{ text: STREAM }] });
  const { paragraphs } = await call('GET', `/notebook/${id}`);
  const pages = await startChild('pages.mjs', [url, id, END], cleanup);
  const counts = { viewers: VIEWERS, slow: SLOW, streams: 0, missed: 0 };
  while (!isOver()) {
    await openPages(pages, VIEWERS, visitorOf({ url, id }, call));
    for (const [at, runs] of STREAMS.entries()) {
      const reading = VIEWERS - at * SLOW;
      await pages.ask({ pause: at * SLOW });
      for (let run = 0; run < runs && !isOver(); run += 1) {
        await pages.ask({ reset: true });
        await call('POST', `/notebook/run/${id}/${paragraphs[0].id}`);
        const began = performance.now();
        let received = 0;
        while (received < reading && performance.now() - began < RUN_MS) {
          await sleep(100);
          ({ received } = await pages.ask({}));
        }
        counts.streams += 1;
        counts.missed += Math.max(0, reading - received);
        for (const until = performance.now() + STREAM_MS; performance.now() < until && !isOver(); )
          await sleep(200);
      }
    }
    await pages.ask({ close: true });
  }
  await pages.stop();
  return counts;
}

/**
 * Starts a server with its users and notes, and lets them work.
 *
 * @param {object} options `people`, `notes`: how many; `ms`: how long; `seed`
 */
export async function soak(folder, cleanup, { people: count, notes, ms, seed, say }) {
  const names = Array.from({ length: count }, (_each, at) => `user${at}`);
  for (const name of names) {
    const child = run(process.execPath, [program, 'user', 'add', name, '--data', folder]);
    child.child.stdin.end(`${PASSWORD}\n`);
    await child;
  }
  const options = JSON.stringify({ newNotes: 'shared' });
  const heap = `--max-old-space-size=${HEAP_MB}`;
  const server = await startChild('server.mjs', [folder, options], cleanup, [heap]);
  const { call } = await signIn(server.url);
  const places = [];
  for (let at = 0; at < notes; at += 1)
    places.push({
      id: await call('POST', '/notebook', {
        name: `team/${at}`,
        paragraphs: TEXTS.map((text) => ({ text })),
      }),
      letters: letters(),
      typed: [],
    });
  const world = {
    random: generator(seed),
    counts: { characters: 0, runs: 0, reloads: 0, cuts: 0, kills: 0 },
    commits: [],
    failures: new Map(),
    problems: new Map(),
  };
  const people = names.map((name, at) => new Person(name, server.url, places[at % notes], world));
  for (const person of people) await person.signIn();
  say(`${count} users have ${notes} notes open.`);

  const until = performance.now() + ms;
  const isOver = () => performance.now() >= until;
  const start = await server.ask('after');
  await server.ask('restartDelay');
  const points = [];
  const sampling = (async () => {
    while (!isOver()) {
      await sleep(Math.min(SAMPLE_MS, Math.max(0, until - performance.now())));
      const { rss, heap } = await server.ask('now');
      points.push([ms - (until - performance.now()), rss, heap, processesBelow(server.pid).length]);
      if (points.length % PRINTED > 0) continue;
      const { p99, max } = await server.ask('delay');
      const [memory, delays] = [
        [heap, rss],
        [p99, max],
      ].map((pair) => pair.map(figure).join(' / '));
      say(
        `${points.length / PRINTED} min: heap / resident ${memory} MB, delay p99 / max ${delays}`,
      );
    }
  })();
  const killing = (async () => {
    for (;;) {
      await sleep(Math.min(KILL_MS, Math.max(0, until - performance.now())));
      if (isOver()) return;
      const running = processesBelow(server.pid);
      const victim = running[Math.floor(world.random() * running.length)];
      if (victim === undefined) continue;
      try {
        process.kill(victim, 'SIGKILL');
        world.counts.kills += 1;
      } catch {
        // It has ended meanwhile.
      }
    }
  })();
  const [streams] = await Promise.all([
    watchStreams(server.url, call, cleanup, isOver),
    sampling,
    killing,
    ...people.map((person) => person.work(isOver)),
  ]);
  const delay = await server.ask('delay');

  const limit = performance.now() + SETTLE_MS;
  const isUnsaved = ({ note }) =>
    note.state.connection !== 'open' ||
    note.paragraphs.some(({ state }) => state.draft !== undefined);
  while (people.some(isUnsaved) && performance.now() < limit) {
    for (const { client, note } of people) {
      client.wake();
      for (const each of note.paragraphs)
        if (each.state.draft !== undefined) each.commit().catch(() => {});
    }
    await sleep(200);
  }
  const admin = createClient({ server: server.url });
  await admin.session.login('admin', PASSWORD);
  const wrong = { differ: 0, lost: 0, double: 0 };
  for (const place of places) {
    const found = await check(
      place,
      people.filter((each) => each.place === place),
      admin,
    );
    for (const key of Object.keys(wrong)) wrong[key] += found[key];
  }
  const unsaved = people.filter(isUnsaved).length;
  admin.close();
  for (const { client } of people) client.close();
  await sleep(1_000);
  const end = await server.ask('after');
  await server.stop();
  const half = points.filter(([at]) => at >= ms / 2);
  return {
    ...world.counts,
    ...wrong,
    ...streams,
    most: Math.max(...points.map(([, rss]) => rss)),
    limit: LIMIT_MB,
    people: count,
    notes,
    minutes: ms / 60_000,
    unsaved,
    delay,
    commit: { p50: quantile(world.commits, 0.5), p99: quantile(world.commits, 0.99) },
    processes: Math.max(...points.map(([, , , number]) => number)),
    start,
    end,
    secondHalf: {
      heap: slope(half.map(([at, , heap]) => [at, heap])),
      rss: slope(half.map(([at, rss]) => [at, rss])),
    },
    problems: Object.fromEntries(world.problems),
    failures: Object.fromEntries(world.failures),
  };
}
