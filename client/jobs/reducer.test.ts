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

  test('replaces the entries in it, keeping the order and the other entries', () => {
    expect(mergeJobs(before, [job('b', { isRunningJob: true })])).toEqual([
      before[0],
      job('b', { isRunningJob: true }),
      before[2],
    ]);
    expect(mergeJobs(before, [job('a', { isRunningJob: true })])[0]).toEqual(
      job('a', { interpreter: 'sql', isRunningJob: true }),
    );
  });

  test('drops removed entries, including the first [W60 D42]', () => {
    expect(
      mergeJobs(before, [
        { noteId: 'a', isRemoved: true, isRunningJob: false, unixTimeLastRun: 0, paragraphs: [] },
      ]).map(({ noteId }) => noteId),
    ).toEqual(['b', 'c']);
  });

  test('adds new entries at the end, except those already removed', () => {
    expect(
      mergeJobs(before, [job('d'), job('e', { isRemoved: true })]).map(({ noteId }) => noteId),
    ).toEqual(['a', 'b', 'c', 'd']);
  });

  test('without entries changes nothing', () => {
    expect(mergeJobs(before, [])).toBe(before);
  });
});
