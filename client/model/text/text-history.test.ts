import { describe, expect, it } from 'vitest';
import { type NumberedText, TextConflict, TextHistory } from './text-history.ts';

const paragraph = (text: string): NumberedText => ({ id: 'p1', text, rev: 5 });

describe('the history of texts', () => {
  it('replaces a text without a base and increases its revision', () => {
    const one = paragraph('a');
    new TextHistory().set(one, 'b', {});
    expect(one).toEqual({ id: 'p1', text: 'b', rev: 6 });
  });

  it('merges an edit with changes by others since its base', () => {
    const texts = new TextHistory();
    const one = paragraph('one\ntwo\nthree');
    texts.set(one, 'ONE\ntwo\nthree', { baseRev: 5, author: 'ann', authorSeq: 1 });
    texts.set(one, 'one\ntwo\nTHREE', { baseRev: 5, author: 'ben', authorSeq: 1 });
    expect(one).toMatchObject({ text: 'ONE\ntwo\nTHREE', rev: 7, author: 'ben' });
    expect([texts.textAt(one, 5), texts.textAt(one, 7), texts.textAt(one, 4)]).toEqual([
      'one\ntwo\nthree',
      one.text,
      undefined,
    ]);
  });

  it("refuses an edit that can't be merged, and writes nothing", () => {
    const texts = new TextHistory();
    const one = paragraph('a');
    texts.set(one, 'b', { baseRev: 5 });
    const edit = () => texts.set(one, 'c', { baseRev: 5 });
    expect(edit).toThrow(TextConflict);
    expect(one).toMatchObject({ text: 'b', rev: 6 });
    try {
      edit();
    } catch (error) {
      expect((error as TextConflict).baseText).toBe('a');
    }
  });

  it('accepts later edits of an author and drops earlier ones that arrive late', () => {
    const texts = new TextHistory();
    const one = paragraph('a');
    texts.set(one, 'ab', { baseRev: 5, author: 'ann', authorSeq: 1 });
    texts.set(one, 'x', { baseRev: 5, author: 'ann', authorSeq: 3 });
    texts.set(one, 'abc', { baseRev: 5, author: 'ann', authorSeq: 2 });
    expect(one).toMatchObject({ text: 'x', rev: 7, authorSeq: 3 });
  });

  it('remembers up to the given number of texts', () => {
    const texts = new TextHistory(1);
    const one = paragraph('a');
    texts.replace(one, 'b');
    texts.replace(one, 'c');
    expect([texts.textAt(one, 5), texts.textAt(one, 6)]).toEqual([undefined, 'b']);
    expect(() => texts.set(one, 'd', { baseRev: 5 })).toThrow(TextConflict);
  });

  it('remembers texts up to the given total length, and forgets the oldest first', () => {
    const texts = new TextHistory(2, 10);
    const [one, two] = [paragraph('aaaa'), { ...paragraph('bbbb'), id: 'p2' }];
    texts.replace(one, 'cccc');
    texts.replace(two, '2');
    expect([texts.textAt(one, 5), texts.textAt(two, 5)]).toEqual(['aaaa', 'bbbb']);
    texts.replace(one, 'd');
    expect([texts.textAt(one, 5), texts.textAt(two, 5), texts.textAt(one, 6)]).toEqual([
      undefined,
      'bbbb',
      'cccc',
    ]);
    expect(() => texts.set(one, 'x', { baseRev: 5 })).toThrow(TextConflict);
    // A text forgotten because of its number also frees space: 'cccc' is the third before 'f'.
    texts.replace(one, 'e');
    texts.replace(one, 'f');
    texts.replace(two, '3');
    expect([
      texts.textAt(one, 6),
      texts.textAt(one, 7),
      texts.textAt(one, 8),
      texts.textAt(two, 5),
      texts.textAt(two, 6),
    ]).toEqual([undefined, 'd', 'e', 'bbbb', '2']);
    // A text that is too long by itself is not remembered.
    texts.replace(one, 'z'.repeat(11));
    texts.replace(one, '');
    expect([
      texts.textAt(one, 8),
      texts.textAt(one, 9),
      texts.textAt(one, 10),
      texts.textAt(two, 5),
      one.text,
    ]).toEqual([undefined, undefined, undefined, undefined, '']);
  });

  it('applies an edit once, however often it arrives and whoever edited since', () => {
    const texts = new TextHistory();
    const one = paragraph('one two three');
    const edit = { baseRev: 5, author: 'ann', authorSeq: 1 };
    texts.set(one, 'one two three four', edit);
    texts.set(one, 'zero one two 3', { baseRev: 5, author: 'bob', authorSeq: 1 });
    expect([one.text, one.rev]).toEqual(['zero one two 3 four', 7]);
    texts.set(one, 'one two three four', edit);
    expect([one.text, one.rev]).toEqual(['zero one two 3 four', 7]);
    // An edit that was not stored (the disk is full) was not applied.
    const other = paragraph('one');
    texts.set(other, 'one two', edit);
    Object.assign(other, { text: 'one', rev: 5, author: undefined, authorSeq: undefined });
    texts.set(other, 'zero one', { baseRev: 5, author: 'bob', authorSeq: 2 });
    texts.set(other, 'one two', edit);
    expect(other.text).toBe('zero one two');
  });

  it('keeps the text if the check refuses the new one', () => {
    const one = paragraph('a');
    const check = () => {
      throw new RangeError('too long');
    };
    expect(() => new TextHistory().set(one, 'b', {}, check)).toThrow(RangeError);
    expect(one).toEqual({ id: 'p1', text: 'a', rev: 5 });
  });
});
