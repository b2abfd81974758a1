/** What screen readers hear: over recordings of a real server, under a clock of the test's own. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { NoteState, ParagraphState } from 'tiding/client';
import { Announcer, SPOKEN_LENGTH } from '../elements/note/announce.ts';
import { fixtures, recording } from './support/recorded.ts';
import { replay } from './support/replay.ts';

/** What was said, urgent words with a mark. */
function listener() {
  const said: string[] = [];
  const announcer = new Announcer((message, urgent) =>
    said.push(urgent ? `! ${message}` : message),
  );
  return { said, announcer };
}

beforeEach(() => void vi.useFakeTimers({ now: 0 }));
afterEach(() => void vi.useRealTimers());

/** Plays what a client heard, at its times. */
function played(name: string, client: string): { said: string[]; runs: number } {
  const { said, announcer } = listener();
  let runs = 0;
  for (const { entry, before, after } of replay(recording(fixtures, name), client)) {
    vi.advanceTimersByTime(Math.max(0, (entry.ms ?? 0) - Date.now()));
    runs += after.order.filter(
      (id) =>
        after.paragraphs[id]!.server.status === 'PENDING' &&
        before.paragraphs[id]?.server.status !== 'PENDING',
    ).length;
    announcer.update({ ...after, connection: 'open' });
  }
  announcer.close();
  return { said, runs };
}

describe('a recording of a real server', () => {
  it('is told as the ends of its runs, and as the starts of those that go on for a second', () => {
    expect(played('run.json', 'A').said).toEqual([
      'Hello: finished',
      'echo plain text: finished. plain text',
      "select 'a' as name, 1 as n union all select 'b', null order by 2 desc: running",
      "select 'a' as name, 1 as n union all select 'b', null order by 2 desc: finished after 2 s. NAME, N",
      '! echo before; echo err >&2; exit 3: failed. ExitValue: 3',
      'ok: finished',
      'ok: finished',
      'md: finished',
      'Untitled: finished',
      'echo second: running',
      'echo second: finished after 1 s. done',
    ]);
  });

  it('has no word of what is printed while it is printed', () => {
    const { said, runs } = played('stream.json', 'A');
    expect(runs).toBe(5);
    expect(said.filter((message) => message.endsWith(': running'))).toEqual([
      'for i in 1 2 3; do echo line $i; sleep 0.4; done: running',
      'progress 10: running',
    ]);
    expect(said.filter((message) => message.includes('finished'))).toHaveLength(runs);
    expect(said).toHaveLength(7);
    expect(said.join('\n')).not.toMatch(/line 2|line 3/);
  });
});

const state = (id: string, status: string, more: object = {}): ParagraphState =>
  ({
    id,
    server: { id, status, title: id, text: '%sh\nx', ...more },
    outputs: [],
    outputPhase: 'old',
    inFlight: [],
    removed: false,
    progress: 0,
  }) as unknown as ParagraphState;
const note = (statuses: Record<string, string>, more: Partial<NoteState> = {}): NoteState =>
  ({
    id: 'n',
    connection: 'open',
    sequential: false,
    order: Object.keys(statuses),
    paragraphs: Object.fromEntries(
      Object.entries(statuses).map(([id, status]) => [id, state(id, status)]),
    ),
    ...more,
  }) as unknown as NoteState;

describe('several runs', () => {
  it('that the server goes through one by one are told once at the start and once at the end', () => {
    const { said, announcer } = listener();
    announcer.update(note({ a: 'READY', b: 'READY', c: 'READY' }));
    const sequential = { sequential: true };
    announcer.update(note({ a: 'PENDING', b: 'READY', c: 'READY' }, sequential));
    vi.advanceTimersByTime(3_000);
    for (const statuses of [
      { a: 'FINISHED', b: 'READY', c: 'READY' },
      { a: 'FINISHED', b: 'RUNNING', c: 'READY' },
      { a: 'FINISHED', b: 'ERROR', c: 'READY' },
      { a: 'FINISHED', b: 'ERROR', c: 'RUNNING' },
    ]) {
      announcer.update(note(statuses, sequential));
      vi.advanceTimersByTime(2_000);
    }
    announcer.update(note({ a: 'FINISHED', b: 'ERROR', c: 'ABORT' }, sequential));
    expect(said).toEqual(['The note is running, first a']);
    announcer.update(note({ a: 'FINISHED', b: 'ERROR', c: 'ABORT' }));
    vi.advanceTimersByTime(10_000);
    expect(said.slice(1)).toEqual([
      '! Run ended after 11 s: 1 finished, 1 failed, 1 stopped. First to fail: b.',
    ]);
  });

  it('that begin within a second belong together, and one that begins later is told by itself', () => {
    const { said, announcer } = listener();
    announcer.update(note({ a: 'READY', b: 'READY', c: 'READY' }));
    announcer.update(note({ a: 'RUNNING', b: 'READY', c: 'READY' }));
    vi.advanceTimersByTime(200);
    announcer.update(note({ a: 'RUNNING', b: 'RUNNING', c: 'READY' }));
    vi.advanceTimersByTime(2_000);
    announcer.update(note({ a: 'RUNNING', b: 'RUNNING', c: 'RUNNING' }));
    vi.advanceTimersByTime(500);
    announcer.update(note({ a: 'RUNNING', b: 'RUNNING', c: 'FINISHED' }));
    announcer.update(note({ a: 'FINISHED', b: 'FINISHED', c: 'FINISHED' }));
    vi.advanceTimersByTime(10_000);
    expect(said).toEqual([
      '2 paragraphs are running',
      'c: finished after 0.5 s',
      'Run ended after 2.7 s: 2 finished, 0 failed, 0 stopped.',
    ]);
  });
});

describe('one run', () => {
  it('is spoken of in few words, whatever it printed', () => {
    const { said, announcer } = listener();
    announcer.update(note({ a: 'READY' }));
    announcer.update(note({ a: 'RUNNING' }));
    const ended = {
      ...state('a', 'FINISHED'),
      outputs: [
        { type: 'TEXT', chunks: [`\n\u001b[31m${'x'.repeat(500)}\u001b[0m\nmore`], count: 1 },
      ],
    } as unknown as ParagraphState;
    announcer.update({ ...note({ a: 'FINISHED' }), paragraphs: { a: ended } });
    expect(said).toHaveLength(1);
    expect(said[0]!.split('. ')[1]).toBe(`${'x'.repeat(SPOKEN_LENGTH - 1)}…`);
  });

  it('that went on when the note was opened is told when it ends; one that was cleared or removed is not', () => {
    const { said, announcer } = listener();
    announcer.update(note({ a: 'RUNNING', b: 'RUNNING', c: 'RUNNING' }));
    vi.advanceTimersByTime(5_000);
    expect(said).toEqual([]);
    announcer.update(note({ a: 'ABORT', b: 'READY' }));
    expect(said).toEqual(['a: stopped']);
  });
});

describe('the connection', () => {
  it('is told when it is away for a second and when it is back, a hiccup is not', () => {
    const { said, announcer } = listener();
    announcer.update(note({ a: 'READY' }));
    announcer.update(note({ a: 'READY' }, { connection: 'waiting' }));
    vi.advanceTimersByTime(500);
    announcer.update(note({ a: 'READY' }));
    vi.advanceTimersByTime(5_000);
    expect(said).toEqual([]);
    announcer.update(note({ a: 'READY' }, { connection: 'waiting' }));
    vi.advanceTimersByTime(5_000);
    announcer.update(note({ a: 'READY' }));
    expect(said).toEqual(['Not connected. What you type is kept here.', 'Connected again.']);
  });
});
