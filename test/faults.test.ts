/**
 * Network faults and a client: cuts, silence, late and duplicate frames, a clock that jumps.
 * `SEED=…` repeats a run.
 */

import {
  type Client,
  type ClientOptions,
  createClient,
  type JournalEntry,
  memoryJournal,
  type Note,
} from '@tiding/client';
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { defaultBackoff } from '../client/channel/backoff.ts';
import { loadProtocol } from '../client/channel/lazy-protocol.ts';
import { outputText } from '../client/core/outputs.ts';
import { loadNoteModule } from '../client/note/lazy-note.ts';
import { wrapped } from './support/scripted.ts';
import { generator, seedOfRun } from './support/seed.ts';
import { Simulated } from './support/simulated.ts';

// Lazy modules load in real time, which fake timers do not cover.
beforeAll(async () => void (await Promise.all([loadNoteModule(), loadProtocol()])));

const seed = seedOfRun(20261122);

const clients: Client[] = [];
beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  for (const client of clients.splice(0)) client.close();
  vi.useRealTimers();
});

/** REST answers, independent of faults on the live channel. */
const rest: typeof fetch = async (input) => {
  const path = new URL(input instanceof Request ? input.url : String(input)).pathname;
  if (path.endsWith('/version')) return wrapped({ version: '0.11.0', tiding: { version: '1' } });
  return wrapped({ principal: 'ann', ticket: 'ticket-1', roles: '[]' });
};

function setUp(notes: readonly string[], options: Partial<ClientOptions> = {}) {
  const random = generator(seed);
  const server = new Simulated(random);
  for (const id of notes)
    server.notes.set(
      id,
      ['p1', 'p2', 'p3'].map((name) => ({
        id: `${id}-${name}`,
        text: '',
        rev: 1,
        status: 'READY',
      })),
    );
  const make = (more: Partial<ClientOptions> = {}): Client => {
    const client = createClient({
      server: 'http://server',
      transport: server.transport,
      fetch: rest,
      backoff: (attempt) => defaultBackoff(attempt, random),
      autosave: 0,
      ...options,
      ...more,
    });
    clients.push(client);
    return client;
  };
  const text = (id: string): string =>
    [...server.notes.values()].flat().find((each) => each.id === id)!.text;
  return { server, random, make, text };
}
const pass = (ms: number): Promise<unknown> => vi.advanceTimersByTimeAsync(ms);
async function opened(client: Client, id: string): Promise<Note> {
  const note = client.open(id);
  note.catch(() => {});
  await pass(500);
  return note;
}
/** Tracks whether a promise has settled, and how. */
function outcome<T>(promise: PromiseLike<T>) {
  const result: { done: boolean; value?: T; error: unknown } = { done: false, error: undefined };
  promise.then(
    (value) => Object.assign(result, { done: true, value }),
    (error: unknown) => Object.assign(result, { done: true, error }),
  );
  return result;
}

test('1,000 cuts at random moments lose no text and leave no promise pending [S74]', {
  timeout: 240_000,
}, async () => {
  console.log(`seed of the faults: ${seed}`);
  const { server, random, make, text } = setUp(['a', 'b', 'c']);
  const client = make({ autosave: 300 });
  const below = (n: number) => Math.floor(random() * n);
  const open = new Map<string, Note>();
  const typed = new Map<string, string>();
  const results: ReturnType<typeof outcome>[] = [];
  for (const id of ['a', 'b']) open.set(id, await opened(client, id));

  const act = (number: number) => {
    const id = ['a', 'b', 'c'][below(3)]!;
    const note = open.get(id);
    if (!note) {
      results.push(outcome(client.open(id).then((made) => void open.set(id, made))));
      return;
    }
    const paragraph = note.paragraphs[below(note.paragraphs.length)]!;
    const dice = random();
    if (dice < 0.7) {
      const next = `${typed.get(paragraph.id) ?? ''}${number} `;
      typed.set(paragraph.id, next);
      paragraph.edit(next);
      if (dice < 0.4) results.push(outcome(paragraph.commit()));
    } else if (dice < 0.9) results.push(outcome(paragraph.run()));
    else if (id === 'c') {
      open.delete(id);
      note.close();
    }
  };

  const kinds = { cut: 0, dead: 0, offline: 0, silent: 0, mute: 0 };
  for (let cut = 0; cut < 1_000; cut += 1) {
    for (let n = 1 + below(3); n > 0; n -= 1) act(cut);
    await pass(random() * 300);
    const dice = random();
    const kind =
      dice < 0.55
        ? 'cut'
        : dice < 0.75
          ? 'dead'
          : dice < 0.9
            ? 'offline'
            : dice < 0.95
              ? 'silent'
              : 'mute';
    kinds[kind] += 1;
    if (kind !== 'cut' && kind !== 'dead') server.weather = kind;
    server.cut(kind === 'dead');
    if (random() < 0.5) act(cut);
    await pass(random() * 1_500);
    server.weather = 'fine';
    if (random() < 0.3) client.wake();
    await pass(random() * 500);
    // A note closed at the wrong moment is not open: there is nothing to type into.
    for (const [id, note] of open) if (!client.state.open[id]) open.delete(note.id);
  }
  expect(Math.min(...Object.values(kinds))).toBeGreaterThan(10);

  client.wake();
  await pass(180_000);
  for (const id of ['a', 'b', 'c']) open.set(id, open.get(id) ?? (await opened(client, id)));
  const saved = outcome(Promise.all([...open.values()].map((note) => note.commit())));
  await pass(60_000);
  expect(saved, `seed ${seed}`).toMatchObject({ done: true, error: undefined });
  for (const [id, expected] of typed)
    expect([id, text(id)], `seed ${seed}`).toEqual([id, expected]);
  for (const note of open.values()) {
    expect(
      [note.dirty, note.paragraphs.map((paragraph) => [paragraph.text, paragraph.status])],
      `seed ${seed}`,
    ).toEqual([false, server.notes.get(note.id)!.map((stored) => [stored.text, stored.status])]);
  }
  expect(results.filter(({ done }) => !done)).toEqual([]);
  expect(results.filter(({ error }) => error === undefined).length).toBeGreaterThan(200);
  // A note is read once per connection, and no timers remain.
  expect(server.links.filter(({ asked }) => (asked['GET_NOTE'] ?? 0) > 1)).toEqual([]);
  expect(server.open).toHaveLength(3);
  client.close();
  await pass(1_000);
  expect([vi.getTimerCount(), server.open]).toEqual([0, []]);
});

describe('a connection that is dead without being closed', () => {
  test('is detected by an unanswered commit, and the text arrives over the next one', async () => {
    const { server, make, text } = setUp(['a']);
    const note = await opened(make(), 'a');
    server.cut(true);
    note.paragraph('a-p1').edit('kept');
    const first = outcome(note.paragraph('a-p1').commit());
    await pass(15_000);
    expect(first.error).toMatchObject({ code: 'timeout' });
    expect(note.paragraph('a-p1').text).toBe('kept');
    await pass(6_000);
    expect([text('a-p1'), note.dirty]).toEqual(['kept', false]);
    expect(server.links.map(({ asked }) => asked['GET_NOTE'])).toEqual([1, 1]);
  });

  test('is detected within six seconds of waking, and each note is read once', async () => {
    const notes = ['a', 'b', 'c', 'd', 'e'];
    const { server, make } = setUp(notes);
    const client = make();
    for (const id of notes) await opened(client, id);
    server.cut(true);
    server.notes.get('c')![0]!.text = 'of somebody else';
    await pass(60_000);
    client.wake();
    client.wake();
    await pass(6_000);
    expect(client.state.open['c']?.paragraphs['c-p1']?.server.text).toBe('of somebody else');
    expect(server.open.map(({ asked, noteId }) => [noteId, asked['GET_NOTE']]).toSorted()).toEqual(
      notes.map((id) => [id, 1]),
    );
    expect(server.links).toHaveLength(10);
  });

  test("is replaced during a run, which settles with the server's result", async () => {
    const { server, make } = setUp(['a']);
    server.runTime = 1_000;
    const client = make();
    const note = await opened(client, 'a');
    const run = outcome(note.paragraph('a-p1').run());
    await pass(90);
    expect(note.paragraph('a-p1').status).toBe('RUNNING');
    server.cut(true);
    await pass(2_000);
    client.wake();
    await pass(6_500);
    expect(run).toMatchObject({ done: true, value: { status: 'FINISHED' } });
    expect(note.paragraph('a-p1').outputs.map(outputText)).toEqual(['out 1']);
  });
});

describe('a server that accepts connections but does not answer', () => {
  test.each(['silent', 'mute'] as const)(
    '(%s) does not block a client, which connects when the server is back',
    async (weather) => {
      const { server, make } = setUp(['a']);
      const client = make({ timeout: 120_000 });
      server.weather = weather;
      const opening = outcome(client.open('a'));
      await pass(25_000);
      expect(opening.done).toBe(false);
      server.weather = 'fine';
      await pass(20_000);
      expect(opening).toMatchObject({ done: true, error: undefined });
      expect(server.open.map(({ asked }) => asked['GET_NOTE'])).toEqual([1]);
    },
  );

  test('rejects opening a note after the time limit', async () => {
    const { server, make } = setUp(['a']);
    server.weather = 'silent';
    const opening = outcome(make().open('a'));
    await pass(15_000);
    expect(opening.error).toMatchObject({ code: 'timeout' });
  });
});

test('late, duplicate and reordered frames on a new connection do no lasting harm', async () => {
  const { server, make, text, random } = setUp(['a']);
  const client = make();
  const note = await opened(client, 'a');
  const earlier: { op: string; data: object }[] = [];
  server.stale = () => {
    const frames = [...earlier, ...earlier];
    for (let at = frames.length - 1; at > 0; at -= 1) {
      const other = Math.floor(random() * (at + 1));
      [frames[at], frames[other]] = [frames[other]!, frames[at]!];
    }
    return frames;
  };
  let typed = '';
  for (let round = 0; round < 40; round += 1) {
    typed += `${round} `;
    const paragraph = note.paragraph('a-p1');
    paragraph.edit(typed);
    if (round % 2 === 0) {
      const saved = outcome(paragraph.commit());
      await pass(200);
      expect(saved).toMatchObject({ done: true, error: undefined });
    }
    if (round % 5 === 0) {
      const run = outcome(note.paragraph('a-p2').run());
      await pass(1_000);
      expect(run.error).toBeUndefined();
    }
    for (const stored of server.notes.get('a')!)
      earlier.push({ op: 'PARAGRAPH', data: { paragraph: structuredClone(stored) } });
    earlier.push(
      { op: 'PARAGRAPH_APPEND_OUTPUT', data: { paragraphId: 'a-p2', index: 0, data: 'late' } },
      { op: 'PROGRESS', data: { id: 'a-p2', progress: 40 } },
    );
    earlier.push({
      op: 'PARAGRAPH_ADDED',
      data: { paragraph: structuredClone(server.notes.get('a')![2]!), index: 2 },
    });
    server.cut(round % 3 === 0);
    client.wake();
    await pass(8_000);
    expect([paragraph.text, paragraph.state.conflict, note.state.order], `seed ${seed}`).toEqual([
      typed,
      undefined,
      ['a-p1', 'a-p2', 'a-p3'],
    ]);
  }
  server.stale = () => [];
  const saved = outcome(note.commit());
  await pass(1_000);
  expect(saved).toMatchObject({ done: true, error: undefined });
  expect([text('a-p1'), note.dirty]).toEqual([typed, false]);
  expect([note.paragraph('a-p2').outputs.map(outputText), note.paragraph('a-p2').status]).toEqual([
    [server.notes.get('a')![1]!.results!.msg[0]!.data],
    'FINISHED',
  ]);
});

describe('a clock that jumps', () => {
  const hours = 3_600_000;

  test.each([
    ['forward', 5 * hours],
    ['backward', -5 * hours],
  ])(
    '%s by hours loses no text, starts no storm, and keeps commit numbers increasing',
    async (_way, jump) => {
      const journal = memoryJournal();
      const { server, make, text } = setUp(['a']);
      const first = make({ journal, autosave: 10_000 });
      const note = await opened(first, 'a');
      const seqs: number[] = [];
      const noted = async () =>
        seqs.push(...(await journal.list('')).map(({ authorSeq }: JournalEntry) => authorSeq ?? 0));
      note.paragraph('a-p1').edit('one');
      await noted();
      // Code that is still being loaded, in real time, may start a timer.
      await vi.dynamicImportSettled();
      vi.setSystemTime(Date.now() + jump);
      const [timers, links] = [vi.getTimerCount(), server.links.length];
      await pass(100);
      expect([vi.getTimerCount(), server.links.length]).toEqual([timers, links]);
      const saved = outcome(note.commit());
      await pass(500);
      expect([saved.error, text('a-p1')]).toEqual([undefined, 'one']);
      note.paragraph('a-p1').edit('one two');
      await noted();
      // The page is closed, and reopened after the jump.
      first.close();
      const second = await opened(make({ journal }), 'a');
      expect(second.paragraph('a-p1').text).toBe('one two');
      await pass(500);
      expect([text('a-p1'), second.dirty]).toEqual(['one two', false]);
      second.paragraph('a-p1').edit('one two three');
      await noted();
      expect(seqs).toEqual(seqs.toSorted((a, b) => a - b));
      expect(new Set(seqs).size).toBe(3);
      await pass(120_000);
      expect(server.links).toHaveLength(2);
    },
  );

  test('backward does not prevent an ended session from being renewed', async () => {
    const { server, make } = setUp(['a']);
    const client = make();
    await opened(client, 'a');
    server.open[0]!.say('SESSION_LOGOUT', { info: 'gone' });
    await pass(1_000);
    expect(client.state.session.phase).toBe('signed-in');
    vi.setSystemTime(Date.now() - 5 * hours);
    server.open[0]!.say('SESSION_LOGOUT', { info: 'gone' });
    await pass(1_000);
    expect(client.state.session.phase).toBe('signed-in');
  });
});

describe('a frame over the limit', () => {
  test('is rejected before it is sent, with its size and the limit; the text stays', async () => {
    const { server, make } = setUp(['a']);
    const journal = memoryJournal();
    const client = make({ journal });
    const note = await opened(client, 'a');
    const long = 'ü'.repeat(6_000_000);
    note.paragraph('a-p1').edit(long);
    const saved = outcome(note.paragraph('a-p1').commit());
    await pass(1_000);
    expect(saved.error).toMatchObject({
      code: 'too-large',
      operation: 'COMMIT_PARAGRAPH',
      message: expect.stringMatching(
        /^COMMIT_PARAGRAPH is too large: it has 12000\d{3} bytes, the server accepts 10240000\.$/,
      ) as unknown,
    });
    expect(server.links[0]!.asked['COMMIT_PARAGRAPH']).toBeUndefined();
    expect([
      note.paragraph('a-p1').text === long,
      note.dirty,
      note.paragraph('a-p1').state.commitError,
    ]).toEqual([true, true, expect.stringContaining('10240000')]);
    expect((await journal.list('')).map(({ text }) => text.length)).toEqual([6_000_000]);
    const run = outcome(note.paragraph('a-p1').run());
    await pass(1_000);
    expect(run.error).toMatchObject({ code: 'too-large' });
    expect([note.paragraph('a-p1').status, server.links[0]!.asked['RUN_PARAGRAPH']]).toEqual([
      'READY',
      undefined,
    ]);
    // Other paragraphs continue, and the shorter text is saved.
    note.paragraph('a-p1').edit('short');
    note.paragraph('a-p2').edit('too');
    const rest_ = outcome(note.commit());
    await pass(1_000);
    expect([rest_.error, server.notes.get('a')!.map(({ text }) => text)]).toEqual([
      undefined,
      ['short', 'too', ''],
    ]);
  });
});
