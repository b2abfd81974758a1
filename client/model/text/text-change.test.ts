import { ChangeSet, Text } from '@codemirror/state';
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { generator, seedOfRun } from '../../../test/support/seed.ts';
import {
  applyTextChange,
  composeTextChanges,
  diffTexts,
  diffWords,
  emptyTextChange,
  isSendable,
  mapOffset,
  mapTextChange,
  rebaseEdit,
  rebaseText,
  type TextChange,
} from './text-change.ts';

const seed = seedOfRun(20261123);
const random = generator(seed);
const below = (n: number): number => Math.floor(random() * n);
const LETTERS = ['a', 'b', 'c', '\n', '😀', '😁'];
const someText = (most: number): string =>
  Array.from({ length: below(most + 1) }, () => LETTERS[below(LETTERS.length)]).join('');

/** A random change of a text, not always the shortest one. */
function someChange(text: string): TextChange {
  let change = emptyTextChange(text.length);
  for (let now = text, n = below(4); n > 0; n -= 1) {
    const at = below(now.length + 1);
    const deleted = below(Math.min(4, now.length - at + 1));
    const step: TextChange = [at, [deleted, someText(3)], now.length - at - deleted];
    change = composeTextChanges(change, step);
    now = applyTextChange(now, step)!;
  }
  return change;
}
const after = (text: string, change: TextChange): string => {
  const result = applyTextChange(text, change);
  expect(result, JSON.stringify({ seed, text, change })).toBeDefined();
  return result!;
};

describe('changes of texts', () => {
  it('apply to texts of their length only', () => {
    expect(applyTextChange('abc', [1, [1, 'xy'], 1])).toBe('axyc');
    expect(applyTextChange('abcd', [1, [1, 'xy'], 1])).toBeUndefined();
  });

  it('put the insertions of two users at one position one after the other', () => {
    const [ann, ben]: TextChange[] = [
      [4, [0, 'ann']],
      [4, [0, 'ben']],
    ];
    expect(after('textann', mapTextChange(ben!, ann!, false))).toBe('textannben');
    expect(after('textben', mapTextChange(ann!, ben!, true))).toBe('textannben');
  });

  it('keep text that one inserts into what the other deletes or replaces', () => {
    const [remove, insert]: TextChange[] = [
      [1, [3, '']],
      [2, [0, 'new'], 2],
    ];
    expect(
      after('anewbcd'.replace('anewbcd', 'abnewcd'), mapTextChange(remove!, insert!, true)),
    ).toBe('anew');
    // Both replace one word, by words that share letters with it.
    const [help, xyz]: TextChange[] = [[[5, 'help']], [[5, 'xyz']]];
    expect(after('xyz', mapTextChange(help!, xyz!, false))).toBe('xyzhelp');
  });

  it('give the same text in both orders, whatever the changes are', () => {
    for (let n = 0; n < 3_000; n += 1) {
      const text = someText(12);
      const [a, b] = [someChange(text), someChange(text)];
      for (const first of [true, false]) {
        const one = after(after(text, a), mapTextChange(b, a, !first));
        const other = after(after(text, b), mapTextChange(a, b, first));
        expect(one, JSON.stringify({ seed, text, a, b })).toBe(other);
      }
    }
  });

  it('compose as the change sets of the editor do', () => {
    const set = (change: TextChange) =>
      ChangeSet.fromJSON(
        change.map((section) =>
          typeof section === 'number'
            ? section
            : section[1] === ''
              ? [section[0]]
              : [section[0], ...section[1].split('\n')],
        ),
      );
    const doc = (text: string) => Text.of(text.split('\n'));
    for (let n = 0; n < 3_000; n += 1) {
      const text = someText(12);
      const change = someChange(text);
      const next = someChange(after(text, change));
      expect(after(text, composeTextChanges(change, next))).toBe(
        set(change).compose(set(next)).apply(doc(text)).toString(),
      );
    }
  });

  it('are found between any two texts', () => {
    for (let n = 0; n < 3_000; n += 1) {
      const [a, b] = [someText(12), someText(12)];
      const change = diffTexts(a, b);
      expect(after(a, change)).toBe(b);
      // Never half of a character outside the basic plane.
      for (const section of change)
        if (typeof section === 'object')
          expect(section[1]).not.toMatch(/^[\udc00-\udfff]|[\ud800-\udbff]$/);
    }
  });

  it('are found without a deletion if text was only added', () => {
    for (let n = 0; n < 3_000; n += 1) {
      const text = someText(12);
      let more = text;
      for (let count = 1 + below(4); count > 0; count -= 1) {
        const points = [...more];
        points.splice(below(points.length + 1), 0, someText(3));
        more = points.join('');
      }
      const deleted = diffTexts(text, more).some(
        (section) => typeof section === 'object' && section[0] > 0,
      );
      expect(deleted, JSON.stringify([text, more])).toBe(false);
    }
  });

  it('compare long, very different texts in bounded time', () => {
    const [a, b] = [someText(200_000), someText(200_000)];
    expect(after(a, diffTexts(a, b))).toBe(b);
  });

  it('are found by words if letters were both added and deleted', () => {
    expect(diffWords('say hello to', 'say help to')).toEqual([4, [5, 'help'], 3]);
    expect(diffWords('say hello to', 'say hel-lo, to')).toEqual([7, [0, '-'], 2, [0, ','], 3]);
    expect(diffWords('say hello to', 'say hEo to', true)).toEqual([5, [3, 'E'], 4]);
    expect(diffWords('say hello to', 'say ho to')).toEqual([5, [3, ''], 4]);
    for (let n = 0; n < 3_000; n += 1) {
      const [a, b] = [someText(12), someText(12)];
      expect(after(a, diffWords(a, b))).toBe(b);
    }
  });

  it('are sent only if they are small', () => {
    expect(isSendable([5, [0, 'x'.repeat(100_000)]])).toBe(true);
    expect(isSendable([5, [0, 'x'.repeat(100_001)]])).toBe(false);
    expect(isSendable(Array.from({ length: 5_001 }, () => 1))).toBe(false);
  });

  it('move offsets with their text', () => {
    const change: TextChange = [2, [2, 'xyz'], 2, [0, 'end']];
    expect([0, 2, 3, 4, 5, 6].map((offset) => mapOffset(offset, change))).toEqual([
      0, 2, 5, 5, 6, 7,
    ]);
  });
});

describe('a comparison of long texts', () => {
  const page = Array.from({ length: 20_000 }, (_, n) => `line ${n} of a long text\r\u2028`);

  it('compares lines, and what is in a changed line precisely', () => {
    const [before, changed] = [page.join('\n'), [...page]];
    changed[10] = 'line 10 of one long text';
    changed.splice(15_000, 5, 'another line');
    const text = changed.join('\n');
    const deadline = Number.POSITIVE_INFINITY;
    for (const change of [
      diffTexts(before, text, deadline),
      diffWords(before, text, false, deadline),
    ]) {
      expect(applyTextChange(before, change)).toBe(text);
      const touched = change.filter((section) => typeof section === 'object');
      expect(touched.reduce((sum, [deleted]) => sum + deleted, 0)).toBeLessThan(200);
    }
  });

  it('replaces everything that differs after the deadline', () => {
    const [before, text] = ['one two three four', 'one 2 three 4 four'];
    expect(diffWords(before, text, false, 0)).toEqual([4, [9, '2 three 4'], 5]);
    expect(diffTexts(before, text, 0)).toEqual([4, [9, '2 three 4'], 5]);
  });
});

describe('a change to an earlier text', () => {
  test('is applied to the current text without removing anything from it', () => {
    expect(rebaseText('one two', 'one two!', 'one two')).toBe('one two!');
    expect(rebaseText('one two', 'one two!', 'zero one two')).toBe('zero one two!');
    expect(rebaseText('one two', 'one wo', 'one two three')).toBe('one wo three');
    expect(rebaseText('a\nb\nc', 'a\nb!\nc', 'a\nx\ny\nb\nc')).toBe('a\nx\ny\nb!\nc');
  });

  test('is always applied, even where both changed the same position', () => {
    const replaced = rebaseEdit('abc', 'a', 'bc', [[3, 'a']]);
    expect(replaced).toEqual({ text: 'a', change: [[2, 'a']] });
    expect(rebaseText('ab', 'a1b', 'a2b')).toBe('a12b');
    expect(rebaseText('one two three', 'one x three', 'one y three')).toBe('one xy three');
    fc.assert(
      fc.property(fc.string(), fc.nat(), fc.string(), (from, at, now) => {
        const place = at % (from.length + 1);
        const next = rebaseText(from, `${from.slice(0, place)}\u4e00${from.slice(place)}`, now);
        expect([next.split('\u4e00').length, next.replace('\u4e00', '')]).toEqual([2, now]);
      }),
      { numRuns: 1_000 },
    );
  });
});
