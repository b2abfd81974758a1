import { describe, expect, it } from 'vitest';
import { excerpt, foldWord, highlight, tokenizeText } from './tokenize.ts';

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
])('splits %j into words', (text, words) => {
  const found = [...tokenizeText(text)];
  expect(found.map(({ word }) => word)).toEqual(words);
  for (const { word, start, end } of found) expect(text.slice(start, end)).toBe(word);
});

it('ignores case, accents and Unicode forms', () => {
  expect([
    foldWord('ÉCOLE'),
    foldWord('e\u0301cole'),
    foldWord('ﬁn'),
    foldWord('한국'),
    foldWord('x'.repeat(100)).length,
  ]).toEqual(['ecole', 'ecole', 'fin', '한국', 64]);
});

describe('marks', () => {
  it('surround whole words as written and change nothing else', () => {
    expect(highlight('a<b>Needle</b> & needles, NEEDLE', hits('needle'))).toBe(
      'a<b><B>Needle</B></b> & needles, <B>NEEDLE</B>',
    );
    expect(highlight('no hit <i>', hits('x'))).toBe('no hit <i>');
  });
});

describe('excerpt', () => {
  const lines = (count: number, from = 0) =>
    Array.from({ length: count }, (_, n) => `line ${n + from} of a text`);
  it('is the whole text if it is short', () =>
    expect(excerpt('short\ntext', hits('x'))).toBe('short\ntext'));
  it('contains the first hit, in whole lines', () => {
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
  ])('contains the hit if there are no lines', (before, after) => {
    const cut = excerpt(`${before} needle ${'😀'.repeat(after)}`, hits('needle'));
    expect(cut).toContain('needle');
    expect(cut.length).toBeLessThanOrEqual(600);
    expect(cut).not.toMatch(/\p{Cs}/u);
  });
  it('is the beginning if the hit is elsewhere', () =>
    expect(excerpt('z '.repeat(1_000), hits('x')).startsWith('z z')).toBe(true));
});
