import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checksum } from '../tables/checksum.ts';
import { applyTextPatch, makeTextPatch } from './text-patch.ts';

const text = fc.string({
  unit: fc.constantFrom(
    'a',
    'b',
    ' ',
    '\n',
    '%',
    'ü',
    '你',
    '\u{1F600}',
    '\u{1F601}',
    '\u{1FA00}',
    ',@@',
  ),
  maxLength: 60,
});

describe('a patch of a text', () => {
  test('turns one text into the other, for any texts', () => {
    fc.assert(
      fc.property(
        text,
        text,
        (before, after) => applyTextPatch(before, makeTextPatch(before, after)) === after,
      ),
    );
  });

  test('keeps a character of two code units at the edge of the context', () => {
    for (const [before, after] of [
      [' ,@@\u{1F600}a', ',@@\u{1F600}a'],
      ['abc\u{1F600}x', 'abc\u{1F600}xy'],
      ['a\u{1F600}b', 'a\u{1F601}b'],
    ] as const)
      expect(applyTextPatch(before, makeTextPatch(before, after))).toBe(after);
  });

  test('of equal texts is empty', () => {
    expect(makeTextPatch('x', 'x')).toBe('');
    expect(applyTextPatch('x', '')).toBe('x');
  });

  test('applies to a text that has changed elsewhere', () => {
    const patch = makeTextPatch('select a\nfrom t\nwhere x', 'select a, b\nfrom t\nwhere x');
    expect(applyTextPatch('select a\nfrom t\nwhere x and y', patch)).toBe(
      'select a, b\nfrom t\nwhere x and y',
    );
  });

  test('in the format of Zeppelin can be applied', () => {
    expect(applyTextPatch('%md\nhello', '@@ -1,9 +1,15 @@\n %25md%0Ahello\n+ world\n')).toBe(
      '%md\nhello world',
    );
  });

  test('that is invalid or does not apply returns nothing', () => {
    expect(
      applyTextPatch(
        'entirely different content here',
        '@@ -100,10 +100,12 @@\n abcdefghij\n+zz\n',
      ),
    ).toBeUndefined();
    expect(applyTextPatch('x', 'not a patch')).toBeUndefined();
    expect(applyTextPatch('x', '@@ -1,1 +1,2 @@\n %ZZ\n')).toBeUndefined();
  });
});

describe('a checksum', () => {
  test('has eight digits and differs for different texts', () => {
    expect(checksum('')).toBe('811c9dc5');
    expect(checksum('a')).toBe('e40c292c');
    fc.assert(
      fc.property(text, text, (a, b) => a === b || checksum(a) !== checksum(b) || a.length > 8),
    );
  });
});
