import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compareRevisions, diffLines } from './revision-diff.ts';

const first = [
  { id: 'gone', text: '%md old\nmore' },
  { id: 'same', text: 'select 1' },
  { id: 'changed', text: 'a\nb\nc' },
  { id: 'empty' },
];
const second = [
  { id: 'changed', title: 'Totals', text: 'a\nB\nc' },
  { id: 'new', text: '%sh ls' },
  { id: 'same', text: 'select 1' },
  { id: 'empty', text: '' },
];

describe('compareRevisions', () => {
  test('returns added, then compared, then deleted paragraphs [W35]', () => {
    expect(
      compareRevisions(first, second).map(({ paragraph, type, label, identical }) => [
        paragraph.id,
        type,
        label,
        identical,
      ]),
    ).toEqual([
      ['new', 'added', 'added', false],
      ['same', 'compared', 'contents are identical', true],
      ['changed', 'compared', 'there are differences', false],
      ['empty', 'compared', 'contents are identical', true],
      ['gone', 'deleted', 'deleted', false],
    ]);
  });

  test('returns the first line and the lines of both texts for each', () => {
    const found = new Map(compareRevisions(first, second).map((one) => [one.paragraph.id, one]));
    expect(found.get('gone')).toMatchObject({
      firstLine: '%md old',
      diff: [{ kind: 'removed', text: '%md old\nmore' }],
    });
    expect(found.get('new')).toMatchObject({
      firstLine: '%sh ls',
      diff: [{ kind: 'added', text: '%sh ls' }],
    });
    expect(found.get('changed')?.diff).toEqual([
      { kind: 'same', text: 'a\n' },
      { kind: 'removed', text: 'b\n' },
      { kind: 'added', text: 'B\n' },
      { kind: 'same', text: 'c' },
    ]);
    expect(found.get('empty')).toMatchObject({ firstLine: '', diff: [] });
  });

  test('returns nothing for two empty revisions', () =>
    expect(compareRevisions([], [])).toEqual([]));
});

describe('diffLines', () => {
  const text = fc
    .array(fc.constantFrom('a', 'b', '', 'c d'), { maxLength: 8 })
    .map((lines) => lines.join('\n'));
  const side = (from: string, to: string, other: 'added' | 'removed'): string =>
    diffLines(from, to)
      .filter(({ kind }) => kind !== other)
      .map((part) => part.text)
      .join('');

  test('contains both texts', () => {
    fc.assert(
      fc.property(text, text, (from, to) => {
        expect(side(from, to, 'added')).toBe(from);
        expect(side(from, to, 'removed')).toBe(to);
        expect(diffLines(from, from).every(({ kind }) => kind === 'same')).toBe(true);
      }),
    );
  });

  test('compares a text that repeats one line quickly', () => {
    const long = `a\n${'x\n'.repeat(20_000)}b\n`;
    const parts = diffLines(long, long.replace('a', 'A').replace('b', 'B'));
    expect(parts.map(({ kind }) => kind)).toEqual(['removed', 'added']);
  });
});
