import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { mergeText } from './text-merge.ts';

const base = '%sql\nselect a, b\nfrom t\nwhere x = 1\nlimit 10\n';

describe('by lines', () => {
  test('keeps changes of different lines', () => {
    const mine = base.replace('a, b', 'a, b, c');
    const theirs = base.replace('limit 10', 'limit 20');
    expect(mergeText(base, mine, theirs)).toEqual({
      text: '%sql\nselect a, b, c\nfrom t\nwhere x = 1\nlimit 20\n',
    });
  });

  test('keeps changes of adjacent lines', () => {
    const mine = base.replace('from t', 'from u').replace('limit 10', 'limit 20');
    const theirs = base.replace('x = 1', 'x = 2');
    expect(mergeText(base, mine, theirs)).toEqual({
      text: '%sql\nselect a, b\nfrom u\nwhere x = 2\nlimit 20\n',
    });
  });

  test('keeps a line added on one side and one removed on the other', () => {
    const mine = base.replace('%sql\n', '%sql\n-- note\n');
    const theirs = base.replace('where x = 1\n', '');
    expect(mergeText(base, mine, theirs)).toEqual({
      text: '%sql\n-- note\nselect a, b\nfrom t\nlimit 10\n',
    });
  });

  test('keeps a line added next to a changed one', () => {
    expect(mergeText('b\n', 'a\nb\n', 'B\n')).toEqual({ text: 'a\nB\n' });
    expect(mergeText('b\n', 'B\n', 'b\nc\n')).toEqual({ text: 'B\nc\n' });
  });

  test('treats the same change on both sides as one', () => {
    const same = base.replace('x = 1', 'x = 2');
    expect(mergeText(base, `-- m\n${same}`, same)).toEqual({ text: `-- m\n${same}` });
  });

  test('does not treat a missing line break at the end as a separate change', () => {
    expect(mergeText('a\nb', 'A\nb', 'a\nb\nc')).toEqual({ text: 'A\nb\nc' });
  });
});

describe('by characters', () => {
  test.each([
    ['select a from t', 'select a, b from t', 'select a from t2', 'select a, b from t2'],
    ['print(x)', 'print(xy)', 'sprint(x)', 'sprint(xy)'],
    ['abcdef', 'Xabcdef', 'def', 'Xdef'],
    ['one two three', 'one 2 three', 'one two 3', 'one 2 3'],
    ['', '', 'x', 'x'],
    // A change that both sides have counts once: it was sent and returned in another user's text.
    [
      'one two three',
      'zero one two three four',
      'zero one two three fou',
      'zero one two three four',
    ],
    ['one two three', 'zero one two three four', 'zero one two three', 'zero one two three four'],
    ['one', 'zero one, more', 'zero 1', undefined],
    ['one', 'zero one more', 'zero 1 two', undefined],
    ['丄丫丬东业', '丄丫为丬东业', '丄丫为丬东举业', '丄丫为丬东举业'],
    ['丄丫丬东业', '丄丫为主丬东业', '丄丫为丬东举业', undefined],
    ['a b', 'x a b', 'x A b', 'x A b'],
    [
      'select a from t',
      'select a, b from t',
      'select a, b from t where c',
      'select a, b from t where c',
    ],
    ['abc', 'ac', 'abcd', 'acd'],
    ['abcdef', 'abdef', 'axcyef', undefined],
    ['moved and more', 'x moved and more y', 'and more', undefined],
  ])('%j: %j and %j give %j', (from, mine, theirs, text) => {
    const wanted = text === undefined ? { conflict: true } : { text };
    expect(mergeText(from, mine, theirs)).toEqual(wanted);
    expect(mergeText(from, theirs, mine)).toEqual(wanted);
  });

  test.each([
    ['select a', 'select b', 'select c'],
    ['', 'x', 'y'],
    ['end', 'end one', 'end two'],
    ['keep this line', '', 'keep this long line'],
    ['a\nb\nc\n', 'a\nc\n', 'a\nB\nc\n'],
  ])('%j: %j and %j is a conflict', (from, mine, theirs) => {
    expect(mergeText(from, mine, theirs)).toEqual({ conflict: true });
    expect(mergeText(from, theirs, mine)).toEqual({ conflict: true });
  });

  test('a removed line and a change to the line in its place is a conflict', () => {
    expect(mergeText('x = 1\nx = 2\n', 'x = 2\nx = 3\n', 'y = 1\nx = 2\n')).toEqual({
      conflict: true,
    });
  });
});

describe('for any texts', () => {
  const line = fc.constantFrom('a', 'b', 'c', 'aa', '', 'select x');
  const text = fc.array(line, { maxLength: 8 }).map((lines) => lines.join('\n'));

  test('an unchanged side yields the other, and equal sides yield themselves', () => {
    fc.assert(
      fc.property(text, text, (from, to) => {
        expect(mergeText(from, to, from)).toEqual({ text: to });
        expect(mergeText(from, from, to)).toEqual({ text: to });
        expect(mergeText(from, to, to)).toEqual({ text: to });
      }),
    );
  });

  test('the sides may be swapped', () => {
    fc.assert(
      fc.property(text, text, text, (from, mine, theirs) => {
        expect(mergeText(from, mine, theirs)).toEqual(mergeText(from, theirs, mine));
      }),
      { numRuns: 1000 },
    );
  });

  test('inserted text is in the result exactly once', () => {
    /** Inserts a token somewhere and sometimes changes another position. */
    const edit = (token: string) =>
      fc
        .tuple(fc.nat(), fc.nat(), fc.constantFrom('', 'b', '\n', 'a\n'), fc.nat({ max: 6 }))
        .map(([at, other, extra, drop]) => (from: string): string => {
          const put = at % (from.length + 1);
          const inserted = from.slice(0, put) + token + from.slice(put);
          const place = other % (from.length + 1);
          if (place < put)
            return inserted.slice(0, place) + extra + inserted.slice(Math.min(place + drop, put));
          return (
            inserted.slice(0, place + token.length) +
            extra +
            inserted.slice(place + token.length + drop)
          );
        });
    let merged = 0;
    const twoLines = '⟦theirs\nof two lines⟧';
    fc.assert(
      fc.property(text, edit('⟦mine⟧'), edit(twoLines), (from, mine, theirs) => {
        const result = mergeText(from, mine(from), theirs(from));
        if ('conflict' in result) return;
        merged += 1;
        expect(result.text.split('⟦mine⟧')).toHaveLength(2);
        expect(result.text.split(twoLines)).toHaveLength(2);
      }),
      { numRuns: 2000 },
    );
    expect(merged).toBeGreaterThan(200);
  });

  test('distant changes of a long text are merged', () => {
    const long = Array.from({ length: 5000 }, (_, at) => `line ${at}\n`);
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 2000 }),
        fc.integer({ min: 3000, max: 4999 }),
        (first, second) => {
          const result = mergeText(
            long.join(''),
            long.with(first, 'mine\n').join(''),
            long.with(second, 'theirs\n').join(''),
          );
          expect(result).toEqual({
            text: long.with(first, 'mine\n').with(second, 'theirs\n').join(''),
          });
        },
      ),
      { numRuns: 10 },
    );
  });

  test('a text that repeats one line is merged quickly', () => {
    const same = 'x\n'.repeat(20_000);
    expect(mergeText(same, `mine\n${same}`, `${same}theirs\n`)).toEqual({
      text: `mine\n${same}theirs\n`,
    });
    expect(mergeText(`a\n${same}b\n`, `mine\n${same}b\n`, `a\n${same}theirs\n`)).toEqual({
      text: `mine\n${same}theirs\n`,
    });
  });
});
