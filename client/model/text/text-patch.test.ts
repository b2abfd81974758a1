import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checksum } from '../tables/checksum.ts';
import { applyTextPatch, MAX_PATCH_PARTS, makeTextPatch } from './text-patch.ts';

const text = fc.string({
  unit: fc.constantFrom(...'a|b| |\n|%|ü|你|\u{1F600}|\u{1F601}|\u{1FA00}|,@@'.split('|')),
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

// Without the limits, each of these patches takes longer than a test may.
describe('the work of a patch', () => {
  const long = 'abcdefgh ijklmnop\n'.repeat(30_000);

  test('is bounded for parts that fit nowhere', () => {
    const parts = Array.from(
      { length: 2_000 },
      (_, at) => `@@ -${at * 200 + 1},32 +${at * 200 + 1},33 @@\n ${'zyx'.repeat(10)}qq\n+!\n`,
    );
    for (const count of [40, 300, 2_000])
      expect(applyTextPatch(long, parts.slice(0, count).join(''))).toBeUndefined();
  });

  test('is bounded for a part with a huge context that fits nowhere', () => {
    const context = 'zyxw'.repeat(100_000);
    const patch = `@@ -1,400000 +1,400001 @@\n ${context}\n+!\n`;
    expect(applyTextPatch(long, patch)).toBeUndefined();
  });

  test('is bounded for unlike texts, and the patch still turns one into the other', () => {
    const before = Array.from({ length: 60_000 }, (_, at) => `${(at * 7919) % 60_013}`).join('\n');
    const after = Array.from({ length: 60_000 }, (_, at) => `${(at * 104_729) % 60_017}`).join(
      '\n',
    );
    const patch = makeTextPatch(before, after);
    expect(applyTextPatch(before, patch) === after).toBe(true);
  });

  test('never makes more parts than are accepted', () => {
    const after = long.replaceAll(' ', '_');
    const patch = makeTextPatch(long, after);
    expect(patch.match(/^@@/gm)!.length).toBeLessThanOrEqual(MAX_PATCH_PARTS);
    expect(applyTextPatch(long, patch) === after).toBe(true);
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
