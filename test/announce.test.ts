/** Announcements for screen readers: replayed recordings of a real server, with fake timers. */

import type { NoteState, ParagraphState } from '@tiding/client';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Announcer, MAX_ANNOUNCED_CHARACTERS } from '../elements/note/run-announcer.ts';
import { fixtures, recording } from './support/recorded.ts';
import { replay } from './support/replay.ts';

/** Collects announcements; urgent ones are marked with `!`. */
function listener() {
  const said: string[] = [];
  const announcer = new Announcer((message, urgent) =>
    said.push(urgent ? `! ${message}` : message),
  );
  return { said, announcer };
}

beforeEach(() => void vi.useFakeTimers({ now: 0 }));
afterEach(() => void vi.useRealTimers());

/** Replays the frames one client received, at their recorded times. */
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

describe('announcements of a recording', () => {
  it('report the end of each run, and the start of runs longer than a second', () => {
    expect(played('run.json', 'A').said).toEqual([
      'Hello: finished',
      'echo plain text: finished. plain text',
      "select 'a' as name, 1 as n union all select 'b', null order by 2 desc: running",
      "select 'a' as name, 1 as n union all select 'b', null order by 2 desc: finished " +
        'after 2 s. NAME, N',
      '! echo before; echo err >&2; exit 3: failed. ExitValue: 3',
      'ok: finished',
      'ok: finished',
      'md: finished',
      'Untitled: finished',
      'echo second: running',
      'echo second: finished after 1 s. done',
    ]);
  });

  it('do not include streamed output', () => {
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
  it('in sequence are announced once at the start and once at the end', () => {
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
    expect(said).toEqual(['Running the note, starting with a']);
    announcer.update(note({ a: 'FINISHED', b: 'ERROR', c: 'ABORT' }));
    vi.advanceTimersByTime(10_000);
    expect(said.slice(1)).toEqual([
      '! Run ended after 11 s: 1 finished, 1 failed, 1 stopped. First failure: b.',
    ]);
  });

  it('that begin within a second are announced together, later ones separately', () => {
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
  it('is announced in few words, whatever it printed', () => {
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
    expect(said[0]!.split('. ')[1]).toBe(`${'x'.repeat(MAX_ANNOUNCED_CHARACTERS - 1)}…`);
  });

  it('that already ran is announced when it ends, but not when cleared or removed', () => {
    const { said, announcer } = listener();
    announcer.update(note({ a: 'RUNNING', b: 'RUNNING', c: 'RUNNING' }));
    vi.advanceTimersByTime(5_000);
    expect(said).toEqual([]);
    announcer.update(note({ a: 'ABORT', b: 'READY' }));
    expect(said).toEqual(['a: stopped']);
  });
});

describe('the connection', () => {
  it('is announced when it is lost for a second and when it returns', () => {
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
    expect(said).toEqual(['Not connected. Your changes are kept in this browser.', 'Reconnected.']);
  });
});
