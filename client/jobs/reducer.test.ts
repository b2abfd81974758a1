import { describe, expect, test } from 'vitest';
import { mergeJobs } from './reducer.ts';

const job = (noteId: string, more: object = {}) => ({
  noteId,
  noteName: noteId,
  isRunningJob: false,
  ...more,
});

describe('an update of the job list', () => {
  const before = [job('a', { interpreter: 'sql' }), job('b'), job('c')];

  test('replaces what it names, keeps the order and what it does not name', () => {
    expect(mergeJobs(before, [job('b', { isRunningJob: true })])).toEqual([
      before[0],
      job('b', { isRunningJob: true }),
      before[2],
    ]);
    expect(mergeJobs(before, [job('a', { isRunningJob: true })])[0]).toEqual(
      job('a', { interpreter: 'sql', isRunningJob: true }),
    );
  });

  test('drops what was removed, also the first', () => {
    expect(
      mergeJobs(before, [
        { noteId: 'a', isRemoved: true, isRunningJob: false, unixTimeLastRun: 0, paragraphs: [] },
      ]).map(({ noteId }) => noteId),
    ).toEqual(['b', 'c']);
  });

  test('adds what is new at the end, but nothing that is gone already', () => {
    expect(
      mergeJobs(before, [job('d'), job('e', { isRemoved: true })]).map(({ noteId }) => noteId),
    ).toEqual(['a', 'b', 'c', 'd']);
  });

  test('without entries is no change', () => {
    expect(mergeJobs(before, [])).toBe(before);
  });
});
