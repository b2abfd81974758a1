import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { appendToOutput, createOutput, outputText } from '../../core/outputs.ts';
import type { ParagraphState } from '../../core/state.ts';
import type { TextChange } from '../../model/text/text-change.ts';
import type { Paragraph } from '../../protocol/index.ts';
import { unsentChange } from './draft-changes.ts';
import {
  appendOutput,
  applyEdit,
  commitAnswered,
  commitSent,
  keepRemovedParagraph,
  paragraphState,
  receiveConflict,
  receiveParagraph,
  receivePatched,
  rereadParagraph,
  resolveConflict,
  updateOutput,
} from './reducer.ts';

const base: Paragraph = {
  id: 'p',
  title: 'T',
  text: 'one\n',
  status: 'FINISHED',
  config: { colWidth: 6 },
  settings: { params: { a: 1 } },
  results: { code: 'SUCCESS', msg: [{ type: 'TEXT', data: 'old\n' }] },
};
const says = (more: Partial<Paragraph>): Paragraph => {
  const { results: _results, ...rest } = base;
  return { ...rest, ...more };
};
const receive = (state: ParagraphState, ...all: Partial<Paragraph>[]) =>
  all.reduce((before: ParagraphState, more) => receiveParagraph(before, says(more)), state);
const texts = (state: ParagraphState) => state.outputs.map(outputText);
const finished = paragraphState(base);
const pending = receive(finished, { status: 'PENDING' });

describe('the output of a run', () => {
  test('of the previous run stays visible until the new run prints something', () => {
    expect([texts(pending), pending.outputPhase]).toEqual([['old\n'], 'old']);
    const running = receive(pending, { status: 'PENDING' }, { status: 'RUNNING' });
    expect(texts(running)).toEqual(['old\n']);
    expect(texts(updateOutput(running, 0, 'TEXT', ''))).toEqual(['']);
    expect(texts(appendOutput(running, 0, 'new\n'))).toEqual(['new\n']);
  });

  test('is accepted before RUNNING, which short runs never report and long ones late', () => {
    const streamed = appendOutput(updateOutput(pending, 0, 'TEXT', ''), 0, 'a\n');
    const running = receive(streamed, { status: 'RUNNING' });
    expect(texts(appendOutput(running, 0, 'b\n'))).toEqual(['a\nb\n']);
  });

  test('is replaced by the results at its end, after which late chunks are dropped [D10]', () => {
    const streamed = appendOutput(pending, 0, 'a\n');
    const done = receive(streamed, {
      status: 'ERROR',
      results: {
        code: 'ERROR',
        msg: [
          { type: 'TEXT', data: 'a\nb\n' },
          { type: 'TEXT', data: 'ExitValue: 3' },
        ],
      },
    });
    expect([texts(done), done.outputPhase]).toEqual([['a\nb\n', 'ExitValue: 3'], 'final']);
    expect(appendOutput(done, 0, 'b\n')).toBe(done);
    expect(updateOutput(done, 2, 'HTML', 'x')).toBe(done);
  });

  test('without results at the end is the streamed text, before or after the end', () => {
    const early = receive(appendOutput(pending, 0, 'a\n'), { status: 'FINISHED' });
    expect(texts(early)).toEqual(['a\n']);
    // PENDING, FINISHED, output, FINISHED again: no later message repairs it.
    const late = receive(
      appendOutput(updateOutput(receive(pending, { status: 'FINISHED' }), 0, 'TEXT', ''), 0, 'a\n'),
      { status: 'FINISHED' },
    );
    expect(texts(late)).toEqual(['a\n']);
  });

  test('of a run queued behind another is accepted after an end without results', () => {
    const first = receive(pending, {
      status: 'FINISHED',
      results: { code: 'SUCCESS', msg: [{ type: 'TEXT', data: 'first\n' }] },
    });
    const second = receive(first, { status: 'FINISHED', dateStarted: '2026-11-21T07:41:38+0000' });
    expect(texts(appendOutput(second, 0, 'second\n'))).toEqual(['second\n']);
  });

  test('that never got its results does not leak into the next run', () => {
    const stale = receive(
      appendOutput(pending, 0, 'a\n'),
      { status: 'FINISHED' },
      { status: 'PENDING' },
    );
    expect(texts(stale)).toEqual(['a\n']);
    expect(texts(appendOutput(stale, 0, 'b\n'))).toEqual(['b\n']);
  });

  test('is removed when it is cleared', () => {
    const cleared = receive(finished, { status: 'FINISHED' });
    expect(cleared.outputs).toEqual([]);
    expect(receive(finished, { status: 'READY' })).toMatchObject({
      outputs: [],
      outputPhase: 'final',
    });
  });

  test('with several parts is stored by index, even if a later part arrives first', () => {
    const state = appendOutput(updateOutput(pending, 2, 'HTML', '<b>'), 0, 'a');
    expect(state.outputs.map(({ type }) => type)).toEqual(['TEXT', 'TEXT', 'HTML']);
    expect(texts(state)).toEqual(['a', '', '<b>']);
  });

  test.each([-1, 0.5, Number.NaN, 1e9, Infinity])('ignores index %d', (index) => {
    expect(appendOutput(pending, index, 'x')).toBe(pending);
    expect(updateOutput(pending, index, 'TEXT', 'x')).toBe(pending);
  });

  test('of a paragraph first seen during its run continues from what it has', () => {
    const seen = paragraphState(
      says({ status: 'RUNNING', results: { msg: [{ type: 'TEXT', data: 'so far\n' }] } }),
    );
    expect(texts(appendOutput(seen, 0, 'more\n'))).toEqual(['so far\nmore\n']);
  });

  test('is what stream and results contain, whatever the order of the chunks', () => {
    const step = fc.oneof(
      fc.record({
        kind: fc.constant('append' as const),
        index: fc.nat(3),
        data: fc.string({ maxLength: 2 }),
      }),
      fc.record({
        kind: fc.constant('update' as const),
        index: fc.nat(3),
        data: fc.string({ maxLength: 2 }),
      }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), fc.boolean(), (steps, ends) => {
        const expected: string[] = [];
        let state = pending;
        for (const { kind, index, data } of steps) {
          while (expected.length <= index) expected.push('');
          expected[index] = kind === 'append' ? expected[index]! + data : data;
          state =
            kind === 'append'
              ? appendOutput(state, index, data)
              : updateOutput(state, index, 'TEXT', data);
        }
        if (ends) state = receive(state, { status: 'FINISHED' });
        expect(texts(state)).toEqual(steps.length > 0 ? expected : ends ? [] : ['old\n']);
      }),
    );
  });

  test('that is repeated by the results keeps its record', () => {
    const streamed = appendOutput(pending, 0, 'a\n');
    const done = receive(streamed, {
      status: 'FINISHED',
      results: { msg: [{ type: 'TEXT', data: 'a\n' }] },
    });
    expect(done.outputs).toBe(streamed.outputs);
    expect(appendToOutput(createOutput('TEXT', 'a'), '')).toEqual(createOutput('TEXT', 'a'));
  });
});

describe('a paragraph from the server', () => {
  test('that is incomplete keeps the missing fields', () => {
    const state = receiveParagraph(finished, { id: 'p', status: 'READY', jobName: 'j' });
    expect(state.server).toMatchObject({
      text: 'one\n',
      config: { colWidth: 6 },
      settings: { params: { a: 1 } },
      status: 'READY',
      jobName: 'j',
    });
  });

  test('with undefined fields is treated as if they were missing', () => {
    const state = receiveParagraph(finished, {
      id: 'p',
      text: undefined,
      config: undefined,
      status: undefined,
    });
    expect(state.server).toMatchObject({
      text: 'one\n',
      config: { colWidth: 6 },
      status: 'FINISHED',
    });
  });

  test('loses fields that servers omit when unset: title, results, message, end, duration', () => {
    const rich = receive(finished, {
      results: { msg: [] },
      errorMessage: 'e',
      dateFinished: 'd',
      tookMs: 7,
    });
    const bare = receiveParagraph(rich, { id: 'p', text: 'one\n', status: 'PENDING' });
    for (const name of ['title', 'results', 'errorMessage', 'dateFinished', 'tookMs'])
      expect(bare.server).not.toHaveProperty(name);
  });

  test('resets progress when a run starts and when it ends', () => {
    const running: ParagraphState = { ...receive(pending, { status: 'RUNNING' }), progress: 40 };
    expect(receive(running, { status: 'RUNNING' }).progress).toBe(40);
    expect(receive(running, { status: 'FINISHED', results: { msg: [] } }).progress).toBe(0);
    expect(receive({ ...finished, progress: 100 }, { status: 'PENDING' }).progress).toBe(0);
  });
});

describe('typed text', () => {
  const typed = applyEdit(finished, 'one\ntwo\n', 'me');

  test("is separate from the server's, with its base and its author", () => {
    expect(typed).toMatchObject({
      draft: 'one\ntwo\n',
      author: 'me',
      base: { text: 'one\n', rev: undefined },
      server: { text: 'one\n' },
    });
    const more = applyEdit(receive(typed, { rev: 3 }), 'one\ntwo\nthree\n', 'me');
    expect(more).toMatchObject({ draft: 'one\ntwo\nthree\n', base: { text: 'one\n', rev: 3 } });
    expect(applyEdit(more, 'one\ntwo\nthree\n', 'me')).toBe(more);
  });

  test("equal to the server's is not a draft, unless a commit is in flight", () => {
    expect(applyEdit(typed, 'one\n', 'me')).toMatchObject({
      draft: undefined,
      base: undefined,
      author: undefined,
    });
    expect(applyEdit(finished, 'one\n', 'me')).toBe(finished);
    expect(applyEdit(commitSent(typed, 'one\ntwo\n'), 'one\n', 'me').draft).toBe('one\n');
  });

  test('keeps what was typed over a selection although another user deletes the selection', () => {
    const numbered = paragraphState({ ...finished.server, text: 'abc', rev: 5 });
    const typed = applyEdit(numbered, 'a', 'me', [[3, 'a']]);
    expect(typed.change).toEqual([[3, 'a']]);
    const emptied = { text: '', rev: 6, author: 'other', change: [[3, '']] as TextChange };
    expect(receivePatched(typed, emptied)).toMatchObject({ draft: 'a' });
    expect(receivePatched(applyEdit(numbered, 'a', 'me'), emptied).draft).toBeUndefined();
  });

  test("is kept if it equals a text of the server's that it is not based on", () => {
    const numbered = paragraphState({ ...finished.server, text: 'aa', rev: 5 });
    const missed = rereadParagraph(applyEdit(numbered, 'aaa', 'me'), {
      ...numbered.server,
      text: 'aaaa',
      rev: 9,
      author: 'other',
    });
    expect(applyEdit(missed, 'aaaa', 'me')).toMatchObject({
      draft: 'aaaa',
      base: { text: 'aa', rev: 5 },
    });
  });

  test('is no longer a draft when the server has it', () => {
    const done = receive(commitSent(typed, 'one\ntwo\n'), { text: 'one\ntwo\n' });
    expect(done).toMatchObject({
      draft: undefined,
      base: undefined,
      author: undefined,
      inFlight: [],
      commitError: undefined,
      server: { text: 'one\ntwo\n' },
    });
  });

  test('is not reset by the echo of an earlier commit', () => {
    const ahead = applyEdit(
      commitSent(commitSent(typed, 'one\ntwo\n'), 'one\ntwo\nth'),
      'one\ntwo\nthree\n',
      'me',
    );
    const first = receive(ahead, { text: 'one\ntwo\n', rev: 1 });
    expect(first).toMatchObject({
      draft: 'one\ntwo\nthree\n',
      base: { text: 'one\ntwo\n', rev: 1 },
      inFlight: [{ text: 'one\ntwo\nth' }],
      conflict: undefined,
    });
    expect(receive(first, { text: 'one\ntwo\nth', rev: 2 })).toMatchObject({
      draft: 'one\ntwo\nthree\n',
      base: { rev: 2 },
      inFlight: [],
    });
  });

  test('recognizes an earlier commit by its author if the echo was lost', () => {
    const restored: ParagraphState = {
      ...finished,
      draft: 'ONE and more\n',
      author: 'me',
      base: { text: 'one\n', rev: 1 },
    };
    expect(receive(restored, { text: 'ONE\n', rev: 2, author: 'me' })).toMatchObject({
      draft: 'ONE and more\n',
      base: { text: 'ONE\n', rev: 2 },
      conflict: undefined,
    });
    expect(receive(restored, { text: 'ONE\n', rev: 2, author: 'you' }).base?.text).toBe('one\n');
    // A text without an author, after an own one: a client of Zeppelin has deleted a line.
    const own = paragraphState({ ...finished.server, text: 'a\nb\n', rev: 4, author: 'me' });
    expect(
      receive(applyEdit(own, 'a\nb\nc\n', 'me'), { text: 'a\n', rev: 5, author: undefined }).draft,
    ).toBe('a\nc\n');
    // An old revision by the same author says nothing about changes in between.
    expect(receive(restored, { text: 'ONE\n', rev: 1, author: 'me' }).conflict).toBeDefined();
  });

  test('is merged with changes by others elsewhere in the text', () => {
    const merged = receive(typed, { text: 'zero\none\n', rev: 4 });
    expect(merged).toMatchObject({
      draft: 'zero\none\ntwo\n',
      base: { text: 'zero\none\n', rev: 4 },
      conflict: undefined,
    });
  });

  describe('in flight to a server that numbers its texts', () => {
    const start = paragraphState({ ...finished.server, text: 'one two three', rev: 5 });
    const typing = applyEdit(
      commitSent(applyEdit(start, 'one two three four', 'me'), 'one two three four', 1),
      'one two three four five',
      'me',
    );

    test('is sent once: only its reply tells whether it includes changes by others', () => {
      const waiting = receive(typing, { text: 'zero one 2 three four', rev: 7, author: 'other' });
      expect(waiting).toMatchObject({
        draft: 'one two three four five',
        base: { rev: 5 },
        server: { text: 'zero one 2 three four' },
        inFlight: [{ seq: 1 }],
      });
      expect(commitAnswered(waiting, { seq: 1 })).toMatchObject({
        draft: 'zero one 2 three four five',
        base: { text: 'zero one 2 three four', rev: 7 },
        inFlight: [],
        conflict: undefined,
      });
    });

    test('is not taken for saved because another user sends its author', () => {
      const forged = { text: 'eve was here', rev: 7, author: 'me', authorSeq: 1e15 };
      expect(receive(typing, forged)).toMatchObject({
        draft: 'one two three four five',
        inFlight: [{ seq: 1 }],
      });
    });

    test('is one at a time and is answered by its number', () => {
      expect(commitSent(typing, 'one two three four five', 2).inFlight).toMatchObject([
        { text: 'one two three four five', seq: 2 },
      ]);
      expect(commitAnswered(typing, { seq: 2 })).toBe(typing);
      expect(
        receive(typing, { text: 'one two three 4', rev: 6, author: 'me', authorSeq: 0 }).inFlight,
      ).toEqual(typing.inFlight);
    });

    test('and undone meanwhile is removed from its reply', () => {
      const back = applyEdit(typing, 'one two three', 'me');
      expect(back.draft).toBe('one two three');
      expect(receive(back, { text: 'one two three', rev: 6, author: 'other' })).toMatchObject({
        draft: 'one two three',
        inFlight: [{ seq: 1 }],
      });
      const heard = receive(back, { text: 'zero one two three four', rev: 6, author: 'me' });
      expect(commitAnswered(heard, { seq: 1, change: [[0, 'zero '], 18] })).toMatchObject({
        draft: 'zero one two three',
        inFlight: [],
      });
    });

    test('and the text of its reply both stand if both changed one word', () => {
      const heard = receive(applyEdit(typing, 'one 2 three four', 'me'), {
        text: 'one TWO three four',
        rev: 7,
      });
      expect(commitAnswered(heard, { seq: 1 })).toMatchObject({
        draft: 'one 2TWO three four',
        base: { text: 'one TWO three four', rev: 7 },
        conflict: undefined,
        inFlight: [],
      });
    });

    test('and the same letter of another user are two letters', () => {
      const both = { text: 'one two threex', rev: 6, author: 'other' };
      const unsent = applyEdit(start, 'one two threex', 'me');
      const change: TextChange = [13, [0, 'x']];
      expect(receivePatched(unsent, { ...both, change }).draft).toBe('one two threexx');
      expect(receive(unsent, both).draft).toBe('one two threexx');
      const sent = receivePatched(commitSent(unsent, unsent.draft!, 1), { ...both, change });
      expect(sent.inFlight).toMatchObject([{ seq: 1 }]);
      // After a reconnect, the server decides.
      expect(rereadParagraph(unsent, { ...start.server, ...both })).toMatchObject({
        draft: 'one two threex',
        base: { rev: 5 },
      });
    });

    test('does not move what is typed after it apart from it', () => {
      const heard = receive(typing, { text: 'one two three four!', rev: 6, author: 'other' });
      expect(commitAnswered(heard, { seq: 1, change: [18, [0, '!']] }).draft).toBe(
        'one two three four five!',
      );
    });
  });

  test("that merges to the server's text is no longer a draft", () => {
    const shorter = applyEdit(finished, '', 'me');
    expect(receive(shorter, { text: '' }).draft).toBeUndefined();
  });

  test("that can't be merged is kept beside the server's, and either can be chosen", () => {
    const clash = receive(applyEdit(finished, 'mine\n', 'me'), { text: 'theirs\n', rev: 2 });
    expect(clash).toMatchObject({
      draft: 'mine\n',
      conflict: { theirs: 'theirs\n', base: 'one\n' },
      server: { text: 'theirs\n' },
    });
    expect(receive(clash, { text: 'theirs again\n', rev: 3 })).toMatchObject({
      draft: 'mine\n',
      conflict: { theirs: 'theirs again\n', base: 'one\n' },
    });
    expect(resolveConflict(clash, 'mine')).toMatchObject({
      draft: 'mine\n',
      conflict: undefined,
      base: { text: 'theirs\n', rev: 2 },
    });
    expect(resolveConflict(clash, 'theirs')).toMatchObject({
      draft: undefined,
      conflict: undefined,
    });
    // Chosen twice: later edits are based on the text at that time.
    expect(resolveConflict(resolveConflict(clash, 'theirs'), 'mine').base).toBeUndefined();
    expect(receive(clash, { text: 'mine\n', rev: 3 })).toMatchObject({
      draft: undefined,
      conflict: undefined,
    });
    // Resolved before the choice: changes by others are not overwritten.
    const waiting = receive(
      commitSent(
        applyEdit(paragraphState({ ...finished.server, rev: 5 }), 'mine\n', 'me'),
        'mine\n',
        1,
      ),
      { text: 'theirs\n', rev: 6, author: 'other' },
    );
    expect(resolveConflict(waiting, 'mine')).toBe(waiting);
  });

  test('that the server could not merge is a conflict with the text in its message', () => {
    expect(receiveConflict(commitSent(typed, 'x'), 'theirs\n', 5)).toMatchObject({
      draft: 'one\ntwo\n',
      inFlight: [],
      conflict: { theirs: 'theirs\n', base: 'one\n' },
      server: { text: 'theirs\n', rev: 5 },
    });
    expect(receiveConflict(typed, 'one\ntwo\n', 5)).toMatchObject({
      draft: undefined,
      conflict: undefined,
      server: { rev: 5 },
    });
    expect(receiveConflict(finished, 'theirs\n', 5)).toMatchObject({
      draft: undefined,
      conflict: undefined,
      server: { text: 'theirs\n' },
    });
  });

  test('of a removed paragraph reports that until the paragraph is restored', () => {
    const lost = keepRemovedParagraph(commitSent(typed, 'x'));
    expect(lost).toMatchObject({
      removed: true,
      draft: 'one\ntwo\n',
      inFlight: [],
      commitError: 'The paragraph was removed.',
    });
    expect(receive(lost, {}).removed).toBe(false);
  });

  test('is merged if the server goes back to an earlier revision', () => {
    const seen = paragraphState({ ...finished.server, text: 'one\ntwo\n', rev: 5 });
    const typing = applyEdit(seen, 'one\ntwo\nmine\n', 'me');
    const known = receivePatched(typing, { text: 'one\ntwo\nmore\n', rev: 6, author: 'you' });
    expect(receive({ ...known, base: typing.base }, { text: 'one\n', rev: 3 }).base).toEqual({
      text: 'one\n',
      rev: 3,
    });
  });

  test('counts although another user typed the same, if the server has forgotten the base', () => {
    const numbered = paragraphState({ ...finished.server, text: 'aa', rev: 5 });
    const sent = commitSent(applyEdit(numbered, 'aaa', 'me'), 'aaa', 1);
    expect(receiveConflict(sent, 'aaa', 9, false)).toMatchObject({
      draft: 'aaaa',
      base: { text: 'aaa', rev: 9 },
      conflict: undefined,
    });
  });

  test("is never lost: it is always in the draft, in the server's text, or in a conflict", () => {
    const word = fc.constantFrom('one\n', 'two\n', 'three\n', 'four\n');
    const textOf = fc.array(word, { maxLength: 4 }).map((lines) => lines.join(''));
    const step = fc.oneof(
      fc.record({ kind: fc.constant('edit' as const), text: textOf }),
      fc.record({ kind: fc.constant('receive' as const), text: textOf }),
      fc.record({ kind: fc.constant('sent' as const), text: textOf }),
      fc.record({ kind: fc.constant('run' as const), text: textOf }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
        let state = finished;
        let rev = 1;
        for (const { kind, text } of steps) {
          const before = state;
          if (kind === 'edit') state = applyEdit(state, text, 'me');
          else if (kind === 'sent')
            state = state.draft === undefined ? state : commitSent(state, state.draft);
          else
            state = receive(state, {
              text: kind === 'run' ? (state.server.text ?? '') : text,
              rev: (rev += 1),
              status: kind === 'run' ? 'PENDING' : 'FINISHED',
            });
          // A draft disappears only if the server has its text or has merged all of it.
          if (kind !== 'edit' && before.draft !== undefined && state.draft === undefined) {
            const there = state.server.text ?? '';
            const added = unsentChange(before).flatMap((section) =>
              typeof section === 'number' ? [] : section[1].split('\n'),
            );
            expect(added.filter((line) => !there.includes(line))).toEqual([]);
          }
          if (state.conflict) expect(state.draft).toBeDefined();
        }
      }),
      { numRuns: 2_000 },
    );
  });
});
