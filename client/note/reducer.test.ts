import { describe, expect, test } from 'vitest';
import { fixtures, recording, recordings, recordingsOf } from '../../test/support/recorded.ts';
import { printed, replay, type Step } from '../../test/support/replay.ts';
import type { AnyReceivedEvent, ClientEvent } from '../core/events.ts';
import type { NoteState } from '../core/state.ts';
import { isRunning } from '../model/notes/paragraph-status.ts';
import type { Paragraph } from '../protocol/index.ts';
import { noteState, reduceNote } from './reducer.ts';

const received = (type: AnyReceivedEvent['type'], data: unknown): ClientEvent =>
  ({ type, data, noteId: 'n', msgId: undefined }) as AnyReceivedEvent;
const paragraph = (id: string, more: Partial<Paragraph> = {}): Paragraph => ({
  id,
  text: `text of ${id}`,
  status: 'READY',
  config: {},
  settings: { params: {}, forms: {} },
  ...more,
});
const noteEvent = (...paragraphs: Paragraph[]) =>
  received('NOTE', {
    note: { id: 'n', path: '/dir/n', paragraphs, config: { looknfeel: 'default' } },
  });
const opened = (...paragraphs: Paragraph[]): NoteState =>
  reduceNote(noteState('n'), noteEvent(...paragraphs));
const then = (state: NoteState, ...events: ClientEvent[]) => events.reduce(reduceNote, state);
const edited = (paragraphId: string, text: string): ClientEvent => ({
  type: 'edited',
  noteId: 'n',
  paragraphId,
  text,
  author: 'me',
});

describe('an open note', () => {
  test('contains what the server sent, with the path of either generation [D42]', () => {
    expect(opened(paragraph('a'), paragraph('b'))).toMatchObject({
      phase: 'ready',
      path: 'dir/n',
      order: ['a', 'b'],
      config: { looknfeel: 'default' },
    });
    expect(
      reduceNote(noteState('n'), received('NOTE', { note: { id: 'n', name: 'dir/old' } })),
    ).toMatchObject({ phase: 'ready', path: 'dir/old', order: [] });
  });

  test('ignores other notes, and stays as it is when there is none', () => {
    const state = opened(paragraph('a'));
    expect(then(state, received('NOTE', { note: { id: 'other' } }), received('NOTE', {}))).toBe(
      state,
    );
  });

  test('changes one paragraph and keeps the identity of all others [D42]', () => {
    const before = opened(paragraph('a'), paragraph('b'));
    const after = then(
      before,
      received('PARAGRAPH', { paragraph: paragraph('a', { text: 'new' }) }),
    );
    expect(after.paragraphs['b']).toBe(before.paragraphs['b']);
    expect([after.order, after.config]).toEqual([before.order, before.config]);
    expect(after.order).toBe(before.order);
  });

  test.each([
    ['PARAGRAPH', { paragraph: { id: 'x', text: 'x' } }],
    ['PARAGRAPH_MOVED', { id: 'x', index: 0 }],
    ['PARAGRAPH_REMOVED', { id: 'x' }],
    ['PARAGRAPH_UPDATE_OUTPUT', { paragraphId: 'x', index: 0, data: 'x' }],
    ['PARAGRAPH_APPEND_OUTPUT', { paragraphId: 'x', data: 'x' }],
    ['PROGRESS', { id: 'x', progress: 1 }],
    ['PARAS_INFO', { id: 'x', infos: {} }],
    ['PARAGRAPH_CONFLICT', { id: 'x', noteId: 'n', rev: 1, text: '' }],
    ['NOTES_INFO', { notes: [{ id: 'other', path: '/x' }] }],
    ['SAVE_NOTE_FORMS', { formsData: { params: {}, forms: {} } }],
    ['NOTE_RUNNING_STATUS', { status: false }],
    ['CONFIGURATIONS_INFO', { configurations: {} }],
  ] as const)('is the same state after %s of another note or without news', (type, data) => {
    const state = opened(paragraph('a'));
    expect(then(state, received(type, data))).toBe(state);
  });

  test.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty'])(
    'knows a paragraph with the id %s only if it has one',
    (id) => {
      const state = opened(paragraph('a'));
      for (const event of [
        received('PARAGRAPH', { paragraph: paragraph(id) }),
        received('PROGRESS', { id, progress: 1 }),
        received('PARAGRAPH_MOVED', { id, index: 0 }),
        received('PARAGRAPH_REMOVED', { id }),
        received('PARAGRAPH_APPEND_OUTPUT', { paragraphId: id, data: 'x' }),
        received('PARAS_INFO', { id, infos: {} }),
      ])
        expect(then(state, event)).toBe(state);
      for (const after of [
        opened(paragraph('a'), paragraph(id)),
        then(state, received('PARAGRAPH_ADDED', { paragraph: paragraph(id), index: 1 })),
      ]) {
        expect([
          after.order,
          Object.keys(after.paragraphs),
          Object.getPrototypeOf(after.paragraphs),
        ]).toEqual([['a', id], ['a', id], Object.prototype]);
        expect(Object.keys(then(after, received('PARAGRAPH_REMOVED', { id })).paragraphs)).toEqual([
          'a',
        ]);
      }
    },
  );

  test('contains a paragraph once that is listed twice, with its last content', () => {
    const state = opened(
      paragraph('a', { text: 'first' }),
      paragraph('b'),
      paragraph('a', { text: 'last' }),
    );
    expect([state.order, state.paragraphs['a']?.server.text]).toEqual([['a', 'b'], 'last']);
  });

  test('ignores an older paragraph that arrives late, but accepts an older complete note', () => {
    const state = opened(paragraph('a', { rev: 5, text: 'five' }));
    expect(
      then(state, received('PARAGRAPH', { paragraph: paragraph('a', { rev: 4, text: 'four' }) })),
    ).toBe(state);
    expect(
      then(state, noteEvent(paragraph('a', { rev: 4, text: 'four' }))).paragraphs['a']?.server.text,
    ).toBe('four');
    expect(
      then(
        state,
        received('PARAGRAPH', {
          paragraph: paragraph('a', { text: 'of a server without numbers' }),
        }),
      ).paragraphs['a']?.server.text,
    ).toBe('of a server without numbers');
  });

  test('inserts, moves and removes paragraphs, clamping positions to the ends [D42]', () => {
    const state = then(
      opened(paragraph('a'), paragraph('b')),
      received('PARAGRAPH_ADDED', { paragraph: paragraph('c'), index: 1 }),
    );
    expect(state.order).toEqual(['a', 'c', 'b']);
    expect(
      then(state, received('PARAGRAPH_ADDED', { paragraph: paragraph('d'), index: 99 })).order,
    ).toEqual(['a', 'c', 'b', 'd']);
    expect(then(state, received('PARAGRAPH_MOVED', { id: 'b', index: 0 })).order).toEqual([
      'b',
      'a',
      'c',
    ]);
    expect(then(state, received('PARAGRAPH_MOVED', { id: 'a', index: 99 })).order).toEqual([
      'c',
      'b',
      'a',
    ]);
    const removed = then(state, received('PARAGRAPH_REMOVED', { id: 'c' }));
    expect([removed.order, removed.paragraphs['c']]).toEqual([['a', 'b'], undefined]);
    // Repeated: the position may change, but the paragraph exists once.
    expect(
      then(state, received('PARAGRAPH_ADDED', { paragraph: paragraph('c'), index: 0 })).order,
    ).toEqual(['c', 'a', 'b']);
  });

  test('takes config and info from NOTE_UPDATED, and keeps what the message omits [D42]', () => {
    const before = opened(paragraph('a'));
    const state = then(
      before,
      received('NOTE_UPDATED', {
        name: '/dir/n',
        config: { looknfeel: 'simple', cron: '0 0 * * * ?' },
        info: { cron: 'invalid' },
      }),
    );
    expect(state).toMatchObject({
      path: 'dir/n',
      config: { looknfeel: 'simple', cron: '0 0 * * * ?' },
      info: { cron: 'invalid' },
    });
    expect(state.paragraphs).toBe(before.paragraphs);
    expect(then(state, received('NOTE_UPDATED', {})).config).toBe(state.config);
  });

  test('takes its path from the list, as some servers announce a renamed folder [D42]', () => {
    expect(
      then(opened(), received('NOTES_INFO', { notes: [{ id: 'n', path: '/new/n' }] })).path,
    ).toBe('new/n');
    expect(
      then(noteState('n'), received('NOTES_INFO', { notes: [{ id: 'n', path: '/new/n' }] })).path,
    ).toBe('');
  });

  test('changes form values only if they differ: servers repeat them per paragraph', () => {
    const state = then(
      opened(),
      received('SAVE_NOTE_FORMS', { formsData: { params: { a: 1 }, forms: {} } }),
    );
    expect(state.params).toEqual({ a: 1 });
    expect(then(state, received('SAVE_NOTE_FORMS', { formsData: { params: { a: 1 } } }))).toBe(
      state,
    );
  });

  test("that can't be opened has the reason, and recovers when it arrives", () => {
    const missing = then(noteState('n'), {
      type: 'note-missing',
      noteId: 'n',
      error: 'HTTP 404 Not Found',
    });
    expect(missing).toMatchObject({ phase: 'missing', error: 'HTTP 404 Not Found' });
    expect(then(missing, noteEvent())).toMatchObject({ phase: 'ready', error: undefined });
  });
});

describe('a run of the whole note', () => {
  const connection = (state: 'open' | 'waiting'): ClientEvent => ({
    type: 'connection',
    state,
    noteId: 'n',
  });
  const running = received('NOTE_RUNNING_STATUS', { status: true });

  test('lasts from the message about its start to that about its end', () => {
    expect(then(opened(), running).sequential).toBe(true);
    expect(
      then(opened(), running, received('NOTE_RUNNING_STATUS', { status: false })).sequential,
    ).toBe(false);
    expect(then(opened(), running, noteEvent()).sequential).toBe(true);
  });

  test('whose end was missed while disconnected does not last forever', () => {
    expect(
      then(opened(), running, connection('waiting'), connection('open'), noteEvent()).sequential,
    ).toBe(false);
  });

  test('that continues after a reconnect is reported again by the note or by a message', () => {
    const info = received('NOTE', { note: { id: 'n', info: { isRunning: true } } });
    expect(then(opened(), connection('waiting'), connection('open'), info).sequential).toBe(true);
    expect(then(opened(), connection('open'), noteEvent(), running).sequential).toBe(true);
    expect(
      then(opened(), info, received('NOTE', { note: { id: 'n', info: { isRunning: false } } }))
        .sequential,
    ).toBe(false);
  });
});

describe('a draft', () => {
  const typed = then(opened(paragraph('a'), paragraph('b')), edited('a', 'mine'));

  test('survives a paragraph, a note and a move', () => {
    const events = [
      received('PARAGRAPH', { paragraph: paragraph('a', { status: 'RUNNING' }) }),
      noteEvent(paragraph('b'), paragraph('a')),
      received('PARAGRAPH_MOVED', { id: 'a', index: 0 }),
    ];
    const after = then(typed, ...events);
    expect([after.paragraphs['a']?.draft, after.order]).toEqual(['mine', ['a', 'b']]);
  });

  test.each([
    ['reported by itself', [received('PARAGRAPH_REMOVED', { id: 'a' })], ['a', 'b']],
    ['reported by a complete note', [noteEvent(paragraph('b'))], ['b', 'a']],
  ] as const)(
    "stays when another user removes its paragraph, %s, with the reason why it can't be saved",
    (_how, events, order) => {
      const after = then(typed, ...events);
      expect(after.paragraphs['a']).toMatchObject({
        draft: 'mine',
        removed: true,
        commitError: 'The paragraph was removed.',
      });
      expect(after.order).toEqual(order);
      // Discarding the draft removes the paragraph; it returns complete if the server has it again.
      expect(then(after, { type: 'draft-discarded', noteId: 'n', paragraphId: 'a' })).toMatchObject(
        { order: ['b'], paragraphs: { b: expect.anything() } },
      );
      expect(
        then(after, { type: 'draft-discarded', noteId: 'n', paragraphId: 'a' }).paragraphs,
      ).not.toHaveProperty('a');
      expect(then(after, noteEvent(paragraph('a'), paragraph('b'))).paragraphs['a']).toMatchObject({
        draft: 'mine',
        removed: false,
      });
    },
  );

  test.each([
    ['reported by itself', received('PARAGRAPH_REMOVED', { id: 'a' })],
    ['reported by a complete note', noteEvent(paragraph('b'))],
  ] as const)(
    'of a paragraph removed during its run shows it as not running, %s',
    (_how, event) => {
      const after = then(
        typed,
        received('PARAGRAPH', { paragraph: paragraph('a', { status: 'RUNNING' }) }),
        event,
        // The end of the run, which was on its way.
        received('PARAGRAPH', { paragraph: paragraph('a', { status: 'FINISHED' }) }),
      );
      expect(after.paragraphs['a']).toMatchObject({
        draft: 'mine',
        removed: true,
        server: { status: 'ABORT' },
        commitError: 'The paragraph was removed.',
      });
    },
  );

  test('that does not exist keeps no removed paragraph', () => {
    expect(then(opened(paragraph('a'), paragraph('b')), noteEvent(paragraph('b'))).order).toEqual([
      'b',
    ]);
  });
});

describe('recorded runs', () => {
  /**
   * Checks that the outputs are exactly the results whenever the server's last message has results.
   */
  const faults = (steps: readonly Step[]): string[] => {
    const truth = new Map<string, { type: string; data: string }[]>();
    const wrong: string[] = [];
    for (const { entry, event, before, after } of steps) {
      const told =
        event.type === 'PARAGRAPH'
          ? [event.data.paragraph]
          : event.type === 'NOTE'
            ? (event.data.note?.paragraphs ?? [])
            : [];
      for (const { id, status, results } of told) {
        if (results?.msg && !isRunning(status)) truth.set(id, results.msg);
        else truth.delete(id);
        const was = printed(before.paragraphs[id]);
        // A start clears nothing: old output stays until the run prints.
        if (
          isRunning(status) &&
          before.paragraphs[id] &&
          JSON.stringify(printed(after.paragraphs[id])) !== JSON.stringify(was)
        )
          wrong.push(`${id} was blanked by its start at ${entry.ms} ms`);
      }
      for (const [id, expected] of truth) {
        const shown = printed(after.paragraphs[id]);
        if (after.paragraphs[id] && JSON.stringify(shown) !== JSON.stringify(expected))
          wrong.push(
            `${id} at ${entry.ms} ms (${entry.op}): ${JSON.stringify(shown)} instead of ` +
              `${JSON.stringify(expected)}`,
          );
      }
    }
    return wrong;
  };
  const files = [
    ...recordingsOf(fixtures)!.filter(
      ({ name }) => !['operations.json', 'rest.json'].includes(name),
    ),
    ...(recordingsOf(`${recordings}/ws`) ?? []),
  ];

  for (const each of files) {
    test(`${each.name}: no late frame changes the results, and no start clears them`, () => {
      const clients = new Set(
        each.entries.map(({ client }) => client).filter((client) => client !== undefined),
      );
      const wrong = [...clients].flatMap((client) => faults(replay(each, client)));
      expect(wrong).toEqual([]);
    });
  }

  test("the output of a second run is shown, although it arrives after the run's end", () => {
    const steps = replay(recording(fixtures, 'run.json'), 'A');
    const shown = steps
      .filter(({ entry }) => entry.ms! > 16_000 && entry.ms! < 17_000)
      .map(({ entry, after }) => [
        entry.op,
        printed(Object.values(after.paragraphs)[0])
          .map(({ data }) => data)
          .join('|'),
      ]);
    expect(shown).toEqual([
      ['PARAGRAPH_UPDATE_OUTPUT', ''],
      ['PARAGRAPH_APPEND_OUTPUT', 'done\n'],
      ['PARAGRAPH', 'done\n'],
      ['PARAGRAPH', ''],
      ['PARAGRAPH_UPDATE_OUTPUT', ''],
      ['PARAGRAPH_APPEND_OUTPUT', 'second\n'],
    ]);
  });

  test('a note opened during a run shows output from then on, and everything at the end', () => {
    const steps = replay(recording(fixtures, 'reconnect.json'), 'A2').filter(
      ({ event }) => event.type !== 'COLLABORATIVE_MODE_STATUS',
    );
    const texts = steps.map(({ after }) =>
      printed(Object.values(after.paragraphs)[0])
        .map(({ data }) => data)
        .join(''),
    );
    expect([...new Set(texts)]).toEqual(['', '2\n', '2\n3\n', '1\n2\n3\n']);
  });
});
