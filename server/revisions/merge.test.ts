import type { JsonObject } from '@tiding/client/protocol';
import { describe, expect, test } from 'vitest';
import { mergeNotes as merge } from './merge.ts';

const mergeNotes = (...sides: Parameters<typeof merge>) => merge(...sides).note;

const note = (...paragraphs: JsonObject[]): JsonObject => ({
  id: '2A',
  name: 'a/b',
  config: { looknfeel: 'default' },
  paragraphs,
});
const p = (id: string, text: string, more: JsonObject = {}): JsonObject => ({ id, text, ...more });
const texts = (merged: JsonObject) =>
  (merged['paragraphs'] as JsonObject[]).map(({ id, text }) => `${String(id)}:${String(text)}`);

describe('merging notes', () => {
  test('takes the changed side if only one changed', () => {
    const base = note(p('1', 'one'));
    const changed = note(p('1', 'two'));
    expect(mergeNotes(base, changed, base)).toBe(changed);
    expect(mergeNotes(base, base, changed)).toBe(changed);
  });

  test('keeps changes in different paragraphs', () => {
    const merged = mergeNotes(
      note(p('1', 'one'), p('2', 'two')),
      note(p('1', 'ONE'), p('2', 'two')),
      note(p('1', 'one'), p('2', 'TWO')),
    );
    expect(texts(merged)).toEqual(['1:ONE', '2:TWO']);
  });

  test('keeps changes in different lines of one paragraph', () => {
    const merged = mergeNotes(
      note(p('1', 'a\nb\nc')),
      note(p('1', 'A\nb\nc')),
      note(p('1', 'a\nb\nC')),
    );
    expect(texts(merged)).toEqual(['1:A\nb\nC']);
  });

  test('keeps both versions of overlapping changes, once, and reports them', () => {
    const [base, ours, theirs] = [
      note(p('1', 'one'), p('2', 'two')),
      note(p('1', 'eins'), p('2', 'two')),
      note(
        p('1', 'uno', { title: 'T', status: 'FINISHED', results: { code: 'SUCCESS' } }),
        p('2', 'two'),
      ),
    ];
    const { note: merged, kept } = merge(base, ours, theirs);
    const [first, copy, last] = merged['paragraphs'] as JsonObject[];
    expect([first, last]).toEqual([p('1', 'eins'), p('2', 'two')]);
    expect(copy).toMatchObject({
      text: 'uno',
      title: 'Version of the remote: T',
      status: 'FINISHED',
      results: { code: 'SUCCESS' },
      config: { title: true },
    });
    expect(copy!['id']).toMatch(/^remote_[0-9a-f]{24}$/);
    expect(kept).toEqual([
      "Paragraph 1 of the note 'a/b' was changed here and at the remote, and the two changes " +
        "overlap: both are kept, the remote's in a paragraph below.",
    ]);
    // The remote has not accepted it yet and is asked again: no second copy.
    expect(merge(base, merged, theirs)).toEqual({ note: merged, kept: [] });
    // The other side accepts all of it unchanged.
    expect(merge(theirs, theirs, merged)).toEqual({ note: merged, kept: [] });
  });

  test('keeps both titles if they conflict', () => {
    const { note: merged } = merge(
      note(p('1', 'x', { title: 'a' })),
      note(p('1', 'x', { title: 'b' })),
      note(p('1', 'x', { title: 'c' })),
    );
    expect((merged['paragraphs'] as JsonObject[]).map(({ title, text }) => [title, text])).toEqual([
      ['b', 'x'],
      ['Version of the remote: c', 'x'],
    ]);
  });

  test('keeps new paragraphs of both sides in their places', () => {
    const base = note(p('1', 'one'), p('2', 'two'));
    const merged = mergeNotes(
      base,
      note(p('1', 'one'), p('x', 'ours'), p('2', 'two')),
      note(p('1', 'one'), p('2', 'two'), p('y', 'theirs')),
    );
    expect(texts(merged)).toEqual(['1:one', 'x:ours', '2:two', 'y:theirs']);
  });

  test('keeps moves made on either side', () => {
    const base = note(p('1', 'one'), p('2', 'two'), p('3', 'three'));
    const moved = note(p('3', 'three'), p('1', 'one'), p('2', 'two'));
    const edited = note(p('1', 'ONE'), p('2', 'two'), p('3', 'three'));
    expect(texts(mergeNotes(base, moved, edited))).toEqual(['3:three', '1:ONE', '2:two']);
    expect(texts(mergeNotes(base, edited, moved))).toEqual(['3:three', '1:ONE', '2:two']);
  });

  test('removes a paragraph unless the other side changed it', () => {
    const three = (two: string, last: string) => note(p('1', 'one'), p('2', two), p('3', last));
    const removed = note(p('1', 'one'), p('3', 'three'));
    const merged = (theirs: JsonObject) =>
      texts(mergeNotes(three('two', 'three'), removed, theirs));
    expect(merged(three('two', 'THREE'))).toEqual(['1:one', '3:THREE']);
    expect(merged(three('TWO', 'three'))).toEqual(['1:one', '2:TWO', '3:three']);
  });

  test('never mixes the runs of the two sides', () => {
    const base = note(p('1', 'one', { status: 'READY', config: { colWidth: 12 } }));
    const ran = note(
      p('1', 'one', { status: 'FINISHED', results: { code: 'SUCCESS' }, config: { colWidth: 12 } }),
    );
    const wide = note(p('1', 'one', { status: 'READY', config: { colWidth: 6 } }));
    expect((mergeNotes(base, wide, ran)['paragraphs'] as JsonObject[])[0]).toEqual({
      id: '1',
      text: 'one',
      status: 'FINISHED',
      results: { code: 'SUCCESS' },
      config: { colWidth: 6 },
    });
  });

  test('without a common version, merges equal notes and keeps both of different ones', () => {
    expect(
      texts(mergeNotes(undefined, note(p('1', 'one')), note(p('1', 'one'), p('2', 'two')))),
    ).toEqual(['1:one', '2:two']);
    const both = mergeNotes(undefined, note(p('1', 'one')), note(p('1', 'two')));
    expect((both['paragraphs'] as JsonObject[]).map(({ text }) => text)).toEqual(['one', 'two']);
  });

  test('keeps settings changed on either side', () => {
    const base = { ...note(p('1', 'one')), config: { a: 1, b: 1 } };
    const merged = mergeNotes(
      base,
      { ...base, config: { a: 2, b: 1 } },
      { ...base, config: { a: 1, b: 2 }, name: 'c' },
    );
    expect(merged).toMatchObject({ name: 'c', config: { a: 2, b: 2 } });
  });
});
