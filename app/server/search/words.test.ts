import { describe, expect, it } from 'vitest';
import { excerpt, fold, mark, wordsOf } from './words.ts';

const hits =
  (...words: string[]) =>
  (word: string) =>
    words.includes(word);

it.each([
  ['select a_b from t1\twhere x>=1.5', ['select', 'a', 'b', 'from', 't1', 'where', 'x', '1', '5']],
  ['Zürich cafe\u0301 ﬁn', ['Zürich', 'cafe\u0301', 'ﬁn']],
  ['在note中 データ', ['在', 'note', '中', 'デ', 'ー', 'タ']],
  ['𝒳𝒴 😀', ['𝒳𝒴']],
  ['%#!', []],
  ['', []],
])('words of %j', (text, words) => {
  const found = [...wordsOf(text)];
  expect(found.map(({ word }) => word)).toEqual(words);
  for (const { word, start, end } of found) expect(text.slice(start, end)).toBe(word);
});

it('compares without case, accents and spellings', () => {
  expect([
    fold('ÉCOLE'),
    fold('e\u0301cole'),
    fold('ﬁn'),
    fold('한국'),
    fold('x'.repeat(100)).length,
  ]).toEqual(['ecole', 'ecole', 'fin', '한국', 64]);
});

describe('marks', () => {
  it('stand around whole words as they are written, and nothing else changes', () => {
    expect(mark('a<b>Needle</b> & needles, NEEDLE', hits('needle'))).toBe(
      'a<b><B>Needle</B></b> & needles, <B>NEEDLE</B>',
    );
    expect(mark('no hit <i>', hits('x'))).toBe('no hit <i>');
  });
});

describe('an excerpt', () => {
  const lines = (count: number, from = 0) =>
    Array.from({ length: count }, (_, n) => `line ${n + from} of a text`);
  it('is all of a short text', () => expect(excerpt('short\ntext', hits('x'))).toBe('short\ntext'));
  it('has the first hit, in whole lines', () => {
    const text = [...lines(100), 'the needle is here', ...lines(100, 100)].join('\n');
    const cut = excerpt(text, hits('needle'));
    expect(cut).toContain('the needle is here');
    expect(cut.length).toBeLessThanOrEqual(600);
    for (const line of cut.split('\n')) expect(text.split('\n')).toContain(line);
  });
  it.each([
    ['', 5_000],
    ['x '.repeat(5_000), 0],
    ['y'.repeat(5_000), 300],
    ['😀'.repeat(3_000), 3_000],
  ])('has the hit where there are no lines', (before, after) => {
    const cut = excerpt(`${before} needle ${'😀'.repeat(after)}`, hits('needle'));
    expect(cut).toContain('needle');
    expect(cut.length).toBeLessThanOrEqual(600);
    expect(cut).not.toMatch(/\p{Cs}/u);
  });
  it('is the beginning where the hit is elsewhere', () =>
    expect(excerpt('z '.repeat(1_000), hits('x')).startsWith('z z')).toBe(true));
});
