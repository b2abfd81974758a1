import fc from 'fast-check';
import { expect, test } from 'vitest';
import { commonLength, isComparable, linesOf } from './text-lines.ts';

test('joined lines give the text, and only the last may lack its line break', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[ab\n]{0,12}$/), (text) => {
      const lines = linesOf(text);
      expect(lines.join('')).toBe(text);
      for (const line of lines.slice(0, -1)) expect(line).toMatch(/^[^\n]*\n$/);
      expect(lines.at(-1)).not.toBe('');
    }),
  );
});

test('counts what two lists share at either end', () => {
  expect(commonLength(['a', 'b', 'c'], ['a', 'b', 'd'], 3)).toBe(2);
  expect(commonLength('xbc', 'abc', 3, true)).toBe(2);
  expect(commonLength('abc', 'abc', 2)).toBe(2);
  expect(commonLength('', 'a', 0)).toBe(0);
});

test('long lists are comparable unless they repeat lines', () => {
  const distinct = Array.from({ length: 20_000 }, (_, at) => `line ${at}`);
  expect(isComparable(distinct, distinct)).toBe(true);
  const same = Array<string>(400).fill('x');
  expect(isComparable(same, same)).toBe(false);
  expect(isComparable(same, distinct)).toBe(true);
});
