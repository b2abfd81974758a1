import { describe, expect, it } from 'vitest';
import { joinParagraphTexts, splitParagraphText } from './paragraph-text.ts';

describe('texts of paragraphs', () => {
  it.each([
    ['%md\none\ntwo', 7, '%md\none', '%md\ntwo'],
    ['%md\none\ntwo', 8, '%md\none', '%md\ntwo'],
    ['one two', 4, 'one ', 'two'],
    ['%md\none', 1, '%md\n', '%md\none'],
    ['', 3, '', ''],
  ])('%j at %i: %j and %j', (text, at, head, tail) =>
    expect(splitParagraphText(text, at)).toEqual([head, tail]),
  );

  it.each([
    ['%md\none', '%md\ntwo', '%md\none\ntwo'],
    ['%md\none', '%sh\ntwo', '%md\none\n%sh\ntwo'],
    ['%md\none\n', '%md\ntwo', '%md\none\ntwo'],
    ['', 'two', 'two'],
    ['one', '', 'one'],
  ])('%j and %j are %j', (first, second, joined) =>
    expect(joinParagraphTexts(first, second)).toBe(joined),
  );
});
