import { describe, expect, test } from 'vitest';
import { fixtures, recording, recordings, recordingsOf } from '../../test/support/recorded.ts';
import { printed, replay, type Step } from '../../test/support/replay.ts';
import type { AnyReceivedEvent, ClientEvent } from '../events.ts';
import { isRunning } from '../model/status.ts';
import type { Paragraph } from '../protocol/index.ts';
import type { NoteState } from '../state.ts';
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
  test('is what the server said, with the path of either generation', () => {
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

  test('takes no note but its own, and stays when there is none', () => {
    const state = opened(paragraph('a'));
    expect(then(state, received('NOTE', { note: { id: 'other' } }), received('NOTE', {}))).toBe(
      state,
    );
  });

  test('changes one paragraph and keeps the identity of all others', () => {
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
  ] as const)('is the same state after %s of something else, or of nothing new', (type, data) => {
    const state = opened(paragraph('a'));
    expect(then(state, received(type, data))).toBe(state);
  });

  test.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty'])(
    'knows a paragraph with the id %s only when it has one',
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

  test('has a paragraph once that the note lists twice, as it is told last', () => {
    const state = opened(
      paragraph('a', { text: 'first' }),
      paragraph('b'),
      paragraph('a', { text: 'last' }),
    );
    expect([state.order, state.paragraphs['a']?.server.text]).toEqual([['a', 'b'], 'last']);
  });

  test('does not go back behind a text it knows by a paragraph told late, but does so with the whole note', () => {
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

  test('inserts, moves and removes paragraphs, with places beyond the ends read as the ends', () => {
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
    // Told twice: the place may change, the paragraph is there once.
    expect(
      then(state, received('PARAGRAPH_ADDED', { paragraph: paragraph('c'), index: 0 })).order,
    ).toEqual(['c', 'a', 'b']);
  });

  test('follows its path through the list, by which alone some servers tell of a renamed folder', () => {
    expect(
      then(opened(), received('NOTES_INFO', { notes: [{ id: 'n', path: '/new/n' }] })).path,
    ).toBe('new/n');
    expect(
      then(noteState('n'), received('NOTES_INFO', { notes: [{ id: 'n', path: '/new/n' }] })).path,
    ).toBe('');
  });

  test('takes form values only when they differ, because they come before every paragraph', () => {
    const state = then(
      opened(),
      received('SAVE_NOTE_FORMS', { formsData: { params: { a: 1 }, forms: {} } }),
    );
    expect(state.params).toEqual({ a: 1 });
    expect(then(state, received('SAVE_NOTE_FORMS', { formsData: { params: { a: 1 } } }))).toBe(
      state,
    );
  });

  test('that cannot be opened says why, and recovers when it comes', () => {
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

  test('is on between the words of its start and end', () => {
    expect(then(opened(), running).sequential).toBe(true);
    expect(
      then(opened(), running, received('NOTE_RUNNING_STATUS', { status: false })).sequential,
    ).toBe(false);
    expect(then(opened(), running, noteEvent()).sequential).toBe(true);
  });

  test('whose end passed while the connection was away is not on for ever', () => {
    expect(
      then(opened(), running, connection('waiting'), connection('open'), noteEvent()).sequential,
    ).toBe(false);
  });

  test('that goes on after a reconnect is on again, by the note or by a word of its own', () => {
    const info = received('NOTE', { note: { id: 'n', info: { isRunning: true } } });
    expect(then(opened(), connection('waiting'), connection('open'), info).sequential).toBe(true);
    expect(then(opened(), connection('open'), noteEvent(), running).sequential).toBe(true);
    expect(
      then(opened(), info, received('NOTE', { note: { id: 'n', info: { isRunning: false } } }))
        .sequential,
    ).toBe(false);
  });
});

describe('unsaved text', () => {
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
    ['told of it alone', [received('PARAGRAPH_REMOVED', { id: 'a' })], ['a', 'b']],
    ['told by the whole note', [noteEvent(paragraph('b'))], ['b', 'a']],
  ] as const)(
    'stays with its paragraph when somebody else removes that, %s, and says that it cannot be saved',
    (_how, events, order) => {
      const after = then(typed, ...events);
      expect(after.paragraphs['a']).toMatchObject({
        draft: 'mine',
        removed: true,
        commitError: 'the paragraph was removed',
      });
      expect(after.order).toEqual(order);
      // The paragraph goes with the text, and comes back whole if the server has it again.
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
    ['told of it alone', received('PARAGRAPH_REMOVED', { id: 'a' })],
    ['told by the whole note', noteEvent(paragraph('b'))],
  ] as const)(
    'of a paragraph that is removed while it runs says that nothing runs any more, %s',
    (_how, event) => {
      const after = then(
        typed,
        received('PARAGRAPH', { paragraph: paragraph('a', { status: 'RUNNING' }) }),
        event,
      );
      expect(after.paragraphs['a']).toMatchObject({
        draft: 'mine',
        removed: true,
        server: { status: 'ABORT' },
      });
    },
  );

  test('of nobody keeps no paragraph that is gone', () => {
    expect(then(opened(paragraph('a'), paragraph('b')), noteEvent(paragraph('b'))).order).toEqual([
      'b',
    ]);
  });
});

describe('recorded runs', () => {
  /** While the server's last word of a paragraph has results, its outputs are these and nothing else. */
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
        // A start blanks nothing: what stands there stays until the run prints.
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
            `${id} at ${entry.ms} ms (${entry.op}): ${JSON.stringify(shown)} instead of ${JSON.stringify(expected)}`,
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
    test(`${each.name}: results are shown as they are, no late frame changes them, and no start blanks them`, () => {
      const clients = new Set(
        each.entries.map(({ client }) => client).filter((client) => client !== undefined),
      );
      const wrong = [...clients].flatMap((client) => faults(replay(each, client)));
      expect(wrong).toEqual([]);
    });
  }

  test('the output of a second run that was started during the first is shown, although it comes after its end', () => {
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

  test('a note that is opened in the middle of a run shows what comes from then on, and in the end everything', () => {
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
