import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  isOutdated,
  isRunning,
  jobProgress,
  noteIsRunning,
  progressStyle,
  resultSource,
  statusColor,
  statusIcon,
} from './paragraph-status.ts';

const all = ['READY', 'PENDING', 'RUNNING', 'FINISHED', 'ABORT', 'ERROR'];
const of = (...statuses: string[]) => statuses.map((status) => ({ status }));

test.each([
  ['READY', 'green', 'ring', false],
  ['PENDING', 'gray', 'disc', true],
  ['RUNNING', 'blue', 'spinner', true],
  ['FINISHED', 'green', 'disc', false],
  ['ABORT', 'orange', 'disc', false],
  ['ERROR', 'red', 'disc', false],
  ['UNKNOWN', 'green', 'ring', false],
  [undefined, 'green', 'ring', false],
])('%s is %s with a %s [W47]', (status, color, icon, running) => {
  expect(statusColor(status)).toBe(color);
  expect(statusIcon(status)).toBe(icon);
  expect(isRunning(status)).toBe(running);
});

test('a note is running if any of its paragraphs is [W47]', () => {
  expect(noteIsRunning(of('FINISHED', 'PENDING'))).toBe(true);
  expect(noteIsRunning(of('FINISHED', 'READY', 'ABORT', 'ERROR'))).toBe(false);
  expect(noteIsRunning([])).toBe(false);
});

describe('jobProgress', () => {
  test.each([
    [of('RUNNING', 'READY', 'READY'), 34],
    [of('FINISHED', 'RUNNING', 'ERROR'), 67],
    [of('FINISHED', 'FINISHED'), 100],
    [of('PENDING', 'ABORT', 'ERROR', 'READY'), 0],
    [[], 0],
  ])('%j is %i %% [W61]', (paragraphs, percent) => expect(jobProgress(paragraphs)).toBe(percent));

  test('is an integer, and 100 only if every paragraph counts', () => {
    const list = fc.array(fc.constantFrom(...all), { minLength: 1, maxLength: 300 });
    fc.assert(
      fc.property(list, (statuses) => {
        const percent = jobProgress(of(...statuses));
        const counted = statuses.filter(
          (status) => status === 'RUNNING' || status === 'FINISHED',
        ).length;
        expect(Number.isInteger(percent) && percent >= 0 && percent <= 100).toBe(true);
        expect(percent === 0).toBe(counted === 0);
        if (counted === statuses.length) expect(percent).toBe(100);
        expect(percent).toBeGreaterThanOrEqual((counted / statuses.length) * 100 - 1e-9);
        expect(percent).toBeLessThan((counted / statuses.length) * 100 + 1);
      }),
    );
  });
});

test.each([
  [-1, 'striped'],
  [0, 'striped'],
  [1, 'bar'],
  [99.5, 'bar'],
  [100, 'striped'],
  [Number.NaN, 'striped'],
])('%d percent is a %s [W61]', (percent, look) => expect(progressStyle(percent)).toBe(look));

test('results are outdated if the text changed after the run started [W52]', () => {
  const early = '2026-11-21T07:01:50+0000';
  const late = '2026-11-21T07:01:51+0000';
  expect(isOutdated({ dateUpdated: late, dateStarted: early })).toBe(true);
  expect(isOutdated({ dateUpdated: early, dateStarted: early })).toBe(false);
  expect(isOutdated({ dateUpdated: early, dateStarted: late })).toBe(false);
  expect(isOutdated({ dateUpdated: late })).toBe(false);
  expect(isOutdated({ dateStarted: late })).toBe(false);
});

test('results are not outdated if only the display settings changed since', () => {
  const ran = {
    text: '%md hello',
    settings: { params: { a: 1 } },
    dateUpdated: '2026-11-21T07:01:50+0000',
    dateStarted: '2026-11-21T07:01:50+0000',
  };
  const resultOf = resultSource(ran);
  const configured = { ...ran, config: { resultOf }, dateUpdated: '2026-11-21T07:02:30+0000' };
  expect(isOutdated(configured)).toBe(false);
  expect(resultSource(configured)).toEqual(resultOf);
  expect(isOutdated({ ...configured, config: {} })).toBe(true);
  expect(isOutdated({ ...configured, text: '%md bye' })).toBe(true);
  expect(isOutdated({ ...configured, settings: { params: { a: 2 } } })).toBe(true);
  // Run again elsewhere, with a change after it.
  expect(isOutdated({ ...configured, dateStarted: '2026-11-21T07:02:10+0000' })).toBe(true);
  expect(resultSource({ ...ran, dateUpdated: '2026-11-21T07:02:30+0000' })).toBeUndefined();
  expect(resultSource({ text: 'never run' })).toBeUndefined();
});
