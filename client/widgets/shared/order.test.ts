import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseDate } from '../../model/text/date-parser.ts';
import {
  isLongPayload,
  readWidget,
  readWidgetSteps,
  runRows,
  runRowsSteps,
  sortSteps,
  timeOf,
} from '../index.ts';

/** The result of the steps, and their number. */
function all<T>(steps: Generator<undefined, T, void>): { value: T; count: number } {
  for (let count = 0; ; count += 1) {
    const step = steps.next();
    if (step.done) return { value: step.value, count };
  }
}

describe('long lists in steps', () => {
  it('are sorted as in one go, and equal items keep their order', () => {
    // biome-ignore lint/nursery/noFloatingPromises: only asynchronous properties return a promise
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 50 }), { maxLength: 300 }),
        fc.constantFrom(1, 40),
        (numbers, times) => {
          const items = Array.from({ length: times }, () => numbers)
            .flat()
            .map((number, at) => ({ number, at }));
          const compare = (a: { number: number }, b: { number: number }) => b.number - a.number;
          expect(all(sortSteps(items, compare)).value).toEqual([...items].sort(compare));
        },
      ),
      { numRuns: 60 },
    );
    expect(all(sortSteps([], () => 0)).value).toEqual([]);
  });

  it('give the same payloads and rows as in one go, also with invalid entries', () => {
    const history = Array.from({ length: 12_345 }, (_, at) =>
      at % 1_000 === 7
        ? { jobRunId: at, startTime: {} }
        : at % 5_000 === 3
          ? null
          : {
              jobRunId: `r${at}`,
              startTime: new Date(1.6e12 + ((at * 7919) % 12_345) * 60_000).toISOString(),
              ...(at % 3 === 0 ? { endTime: 1.7e12 } : {}),
            },
    );
    const payload = { projectName: 'p', history, more: 1 };
    for (const input of [
      payload,
      { widget: 'job-history', version: 1, data: payload },
      JSON.stringify(payload),
    ]) {
      expect(isLongPayload(input)).toBe(true);
      const { value, count } = all(readWidgetSteps(input, 'job-history'));
      expect(count).toBeGreaterThan(10);
      const whole = readWidget(input, 'job-history')!;
      expect(value!.data).toEqual(whole.data);
      expect(value!.problems).toEqual(whole.problems);
    }
    const runs = (readWidget(payload, 'job-history')!.data as { history: { startTime?: string }[] })
      .history;
    expect(all(runRowsSteps(runs)).value).toEqual(runRows(runs));
    expect(isLongPayload({ history: history.slice(0, 500) })).toBe(false);
    expect(all(readWidgetSteps({ history: [] }, 'job-history')).value).toEqual(
      readWidget({ history: [] }, 'job-history'),
    );
    expect(all(readWidgetSteps({}, 'nothing')).value).toBeUndefined();
  });

  it('times are parsed like all other dates', () => {
    const times = [
      '2024-05-02T09:00:00Z',
      '2024-05-02T09:00:00.123Z',
      '2024-02-31T09:00:00Z',
      '2024-02-29T23:59:59Z',
      '2023-02-29T00:00:00Z',
      '2024-04-31T00:00:00Z',
      '2024-05-02T24:00:00Z',
      '2024-05-02T09:00:00',
      '2024-13-02T09:00:00Z',
      '0000-01-01T00:00:00Z',
      '0050-05-02T09:00:00Z',
      'soon',
      '',
      5,
    ];
    for (const time of times)
      expect(timeOf(time), String(time)).toBe(parseDate(time, { utc: true })?.getTime());
  });
});
