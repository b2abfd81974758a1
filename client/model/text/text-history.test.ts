import { describe, expect, it } from 'vitest';
import { applyTextChange, type TextChange } from './text-change.ts';
import { type NumberedText, TextConflict, TextHistory } from './text-history.ts';

const paragraph = (text: string): NumberedText => ({ id: 'p1', text, rev: 5 });
/** What an author sends with an edit. */
const by = (author: string, authorSeq = 1, baseRev = 5) => ({ baseRev, author, authorSeq });

describe('the history of texts', () => {
  it('replaces a text without a base and increases its revision', () => {
    const one = paragraph('a');
    new TextHistory().set(one, 'b', {});
    expect(one).toEqual({ id: 'p1', text: 'b', rev: 6 });
  });

  it('merges an edit with changes by others since its base [S78]', () => {
    const texts = new TextHistory();
    const one = paragraph('one\ntwo\nthree');
    texts.set(one, 'ONE\ntwo\nthree', by('ann'));
    texts.set(one, 'one\ntwo\nTHREE', by('ben'));
    expect(one).toMatchObject({ text: 'ONE\ntwo\nTHREE', rev: 7, author: 'ben' });
    expect([texts.textAt(one, 5), texts.textAt(one, 7), texts.textAt(one, 4)]).toEqual([
      'one\ntwo\nthree',
      one.text,
      undefined,
    ]);
  });

  it('keeps what two users insert or replace at one place [S78]', () => {
    const texts = new TextHistory();
    const one = paragraph('a hello');
    texts.set(one, 'a help', { ...by('ann'), changes: [2, [5, 'help']] });
    texts.set(one, 'a halo', { ...by('ben'), changes: [2, [5, 'halo']] });
    expect(one).toMatchObject({ text: 'a halohelp', rev: 7 });
    // Without a record of what was typed, the texts are compared.
    texts.set(one, 'a help?', by('zoe', 1, 6));
    expect(one.text).toBe('a halohelp?');
  });

  it('tells an author what others changed, as a change of the text of the author', () => {
    const texts = new TextHistory();
    const one = paragraph('line');
    texts.set(one, 'lineA', by('ann'));
    const edit = { ...by('ben'), changes: [4, [0, 'B']] as TextChange };
    const made = texts.rebase(one, 'lineB', edit);
    expect(made).toMatchObject({
      revision: { text: 'lineBA', rev: 7 },
      step: [4, [0, 'B'], 1],
      reply: [5, [0, 'A']],
    });
    Object.assign(one, made.revision);
    texts.set(one, 'lineBAC', by('ann', 2, 7));
    // The reply was lost, and the edit is sent again: it is not applied a second time.
    const again = texts.rebase(one, 'lineB', edit);
    expect(again.revision).toBeUndefined();
    expect(applyTextChange('lineB', again.reply!)).toBe('lineBAC');
  });

  it('knows an edit that it has applied, also without the earlier texts', () => {
    const one = paragraph('line');
    const texts = new TextHistory();
    const edit = by('ann');
    texts.set(one, 'lineA', edit);
    texts.set(one, 'lineAB', by('ben', 1, 6));
    // The server has restarted.
    const later = new TextHistory();
    expect(later.rebase(one, 'lineA', edit)).toEqual({
      revision: undefined,
      step: [6],
      reply: undefined,
    });
    expect(() => later.set(one, 'lineX', by('zoe'))).toThrow(TextConflict);
    expect(one.text).toBe('lineAB');
  });

  it('applies an edit once if a later one by its author contains it', () => {
    const texts = new TextHistory();
    const one = paragraph('line');
    texts.set(one, 'lineA', by('ann'));
    texts.set(one, 'lineB', by('ben'));
    texts.set(one, 'lineAC', by('ann', 2));
    expect(one.text).toBe('lineBAC');
    texts.set(one, 'lineACD', by('ann', 3));
    expect(one.text).toBe('lineBACD');
  });

  it('stores the numbers of a limited number of authors', () => {
    const texts = new TextHistory();
    const one = paragraph('');
    for (let n = 0; n < 100; n += 1)
      texts.set(one, `${one.text}x`, { baseRev: one.rev, author: `a${n}`, authorSeq: 1 });
    expect(Object.keys(one.authorSeqs!)).toHaveLength(32);
    expect(Object.keys(one.authorSeqs!).at(-1)).toBe('a99 ');
  });

  it('knows an edit also if many others have edited since', () => {
    const texts = new TextHistory();
    const one = paragraph('');
    const edit = by('ann');
    texts.set(one, 'A', edit);
    for (let n = 0; n < 100; n += 1)
      texts.set(one, `${one.text}x`, { baseRev: one.rev, author: `a${n}`, authorSeq: 1 });
    expect(texts.rebase(one, 'A', edit).revision).toBeUndefined();
  });

  it('is not deceived by a user who sends the author of another user [S78]', () => {
    const texts = new TextHistory();
    const one = paragraph('line');
    const ann = { author: 'ann-1', user: 'ann' };
    texts.set(one, 'lineA', { ...ann, baseRev: 5, authorSeq: 1 });
    texts.set(one, 'lineAx', { author: 'ann-1', user: 'eve', baseRev: 6, authorSeq: 1e15 });
    texts.set(one, 'lineAB', { ...ann, baseRev: 6, authorSeq: 2 });
    expect(one.text).toBe('lineABx');
  });

  it('compares texts by words if an edit does not say what was typed', () => {
    const texts = new TextHistory();
    const one = paragraph('say hello');
    // A client of Zeppelin.
    texts.set(one, 'say help', {});
    const xyz = { ...by('ann'), changes: [4, [5, 'xyz']] as TextChange };
    texts.set(one, 'say xyz', xyz);
    expect(one.text).toBe('say xyzhelp');
  });

  it('accepts later edits of an author and drops earlier ones that arrive late', () => {
    const texts = new TextHistory();
    const one = paragraph('a');
    texts.set(one, 'ab', by('ann'));
    texts.set(one, 'x', by('ann', 3));
    texts.set(one, 'abc', by('ann', 2));
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
    const edit = by('ann');
    texts.set(one, 'one two three four', edit);
    texts.set(one, 'zero one two 3', by('bob'));
    expect([one.text, one.rev]).toEqual(['zero one two 3 four', 7]);
    texts.set(one, 'one two three four', edit);
    expect([one.text, one.rev]).toEqual(['zero one two 3 four', 7]);
    // An edit that was not stored (the disk is full) was not applied.
    const other = paragraph('one');
    texts.set(other, 'one two', edit);
    Object.assign(other, {
      text: 'one',
      rev: 5,
      author: undefined,
      authorSeq: undefined,
      authorSeqs: undefined,
    });
    texts.set(other, 'zero one', by('bob', 2));
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
