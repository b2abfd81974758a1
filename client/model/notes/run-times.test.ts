import { describe, expect, test } from 'vitest';
import {
  relativeTime,
  runDuration,
  runFooterText,
  runStartedText,
  shortDuration,
} from './run-times.ts';

const start = '2026-11-21T07:00:00+0000';
const utc = { utc: true };
const after = (seconds: number): string =>
  new Date(Date.parse('2026-11-21T07:00:00Z') + seconds * 1000).toISOString();

describe('tookText', () => {
  test('contains duration, user and date [W90 W142]', () => {
    expect(
      runFooterText(
        { dateStarted: start, dateFinished: after(63), dateUpdated: start, user: 'ana' },
        utc,
      ),
    ).toBe('Took 1 min 3 sec. Last updated by ana at November 21 2026, 7:01:03 AM.');
  });

  test.each([
    [0, '0 sec'],
    [0.9, '0 sec'],
    [59, '59 sec'],
    [60, '1 min 0 sec'],
    [3600, '1 hrs 0 min 0 sec'],
    [93_784, '26 hrs 3 min 4 sec'],
  ])('%d seconds are %s', (seconds, words) => {
    expect(runFooterText({ dateStarted: start, dateFinished: after(seconds) }, utc)).toMatch(
      new RegExp(`^Took ${words}\\. Last updated by anonymous at `),
    );
  });

  test('agrees with the duration that the server measured', () => {
    // The dates of a run of 0.6 s are one second apart if a second ends within it.
    const run = { dateStarted: start, dateFinished: after(1), tookMs: 600 };
    expect(runFooterText(run, utc)).toMatch(/^Took 0 sec\. /);
    expect(runDuration(run)).toBe(600);
    expect(runDuration({ ...run, tookMs: undefined })).toBe(1_000);
    expect(runDuration({ tookMs: 600 })).toBeUndefined();
  });

  test('marks outdated results', () => {
    const run = { dateStarted: start, dateFinished: after(1), dateUpdated: after(5), user: 'bob' };
    expect(runFooterText(run, utc)).toBe(
      'Took 1 sec. Last updated by bob at November 21 2026, 7:00:01 AM. (outdated)',
    );
    expect(runFooterText({ dateStarted: start, dateUpdated: after(5) })).toBe('outdated');
  });

  test('is empty without valid times', () => {
    expect(runFooterText({})).toBe('');
    expect(runFooterText({ dateStarted: start })).toBe('');
    expect(runFooterText({ dateStarted: after(2), dateFinished: start })).toBe('');
    expect(runFooterText({ dateStarted: 'x', dateFinished: start })).toBe('');
  });
});

test('a running paragraph shows when it started', () => {
  expect(runStartedText({ dateStarted: start }, new Date(after(5)))).toBe(
    'Started a few seconds ago.',
  );
  expect(runStartedText({ dateStarted: start }, new Date(after(300)))).toBe(
    'Started 5 minutes ago.',
  );
  expect(runStartedText({}, new Date())).toBe('');
});

test.each([
  [0, '0 s'],
  [-5, '0 s'],
  [99, '0 s'],
  [850, '0.8 s'],
  [1200, '1.2 s'],
  [4000, '4 s'],
  [9999, '9.9 s'],
  [10_000, '10 s'],
  [38_900, '38 s'],
  [59_999, '59 s'],
  [60_000, '1 min 0 s'],
  [63_000, '1 min 3 s'],
  [3_599_999, '59 min 59 s'],
  [3_600_000, '1 h 0 min'],
  [7_500_000, '2 h 5 min'],
])('%i ms is shown as %s', (ms, text) => expect(shortDuration(ms)).toBe(text));

describe('relativeTime', () => {
  const minute = 60;
  const hour = 3600;
  const day = 24 * hour;
  test.each([
    [0, 'a few seconds ago'],
    [44, 'a few seconds ago'],
    [45, 'a minute ago'],
    [89, 'a minute ago'],
    [90, '2 minutes ago'],
    [5 * minute, '5 minutes ago'],
    [44 * minute, '44 minutes ago'],
    [45 * minute, 'an hour ago'],
    [89 * minute, 'an hour ago'],
    [90 * minute, '2 hours ago'],
    [21 * hour, '21 hours ago'],
    [22 * hour, 'a day ago'],
    [35 * hour, 'a day ago'],
    [36 * hour, '2 days ago'],
    [25 * day, '25 days ago'],
    [26 * day, 'a month ago'],
    [60 * day, '2 months ago'],
    [300 * day, '10 months ago'],
    [345 * day, 'a year ago'],
    [800 * day, '2 years ago'],
    [-30, 'in a few seconds'],
    [-2 * hour, 'in 2 hours'],
  ])('%i seconds before now: %s', (seconds, words) => {
    const now = new Date('2026-11-21T07:00:00Z');
    expect(relativeTime(new Date(now.getTime() - seconds * 1000), now)).toBe(words);
  });
});
