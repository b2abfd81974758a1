import { describe, expect, it } from 'vitest';
import { durationOf, filterLogs, inOrder, runRows, summaryOf, trend } from './runs.ts';

describe('runs', () => {
  it('take as long as from their start to their end, and nothing while they go on', () => {
    expect(durationOf({ startTime: '2024-05-02T09:00:00Z', endTime: '2024-05-02T09:01:10Z' })).toBe(
      70_000,
    );
    expect(durationOf({ startTime: 1_000, endTime: 3_500 })).toBe(2_500);
    for (const odd of [
      {},
      { startTime: 1 },
      { startTime: 'soon', endTime: 5 },
      { startTime: 10, endTime: 5 },
    ])
      expect(durationOf(odd)).toBeUndefined();
  });
  it('stand the newest first, those without a time last', () => {
    expect(
      runRows([{ startTime: 1, n: 'a' }, { n: 'b' }, { startTime: 3, n: 'c' }, { n: 'd' }]).map(
        ({ run }) => run.n,
      ),
    ).toEqual(['c', 'a', 'b', 'd']);
  });
  it('have figures that a payload tells, or that follow from them', () => {
    const runs = [
      { durationMs: 10, state: 'succeeded' },
      { durationMs: 30, state: 'Failed' },
      { state: 'Finished' },
      { durationMs: -5 },
    ];
    expect(summaryOf(undefined, runs)).toEqual({
      runCount: 4,
      succeededCount: 2,
      averageDurationMs: 20,
    });
    expect(summaryOf({ runCount: 90, averageDurationMs: 7 }, runs)).toEqual({
      runCount: 90,
      succeededCount: 2,
      averageDurationMs: 7,
    });
    expect(summaryOf(undefined, [])).toEqual({
      runCount: 0,
      succeededCount: 0,
      averageDurationMs: undefined,
    });
  });
  it('make a trend from the oldest to the newest', () => {
    const { bars, longest } = trend([
      { startTime: 3, durationMs: 50 },
      { startTime: 1, durationMs: 100 },
      { startTime: 2 },
    ]);
    expect([longest, ...bars.map(({ share }) => share)]).toEqual([100, 1, 0, 0.5]);
    expect(
      trend(
        Array.from({ length: 100 }, (_, at) => ({ startTime: at, durationMs: at })),
        60,
      ).bars.map(({ run }) => run.startTime),
    ).toEqual(Array.from({ length: 60 }, (_, at) => 40 + at));
    expect(trend([{ durationMs: 0 }]).bars[0]!.share).toBe(0);
  });
});

describe('logs', () => {
  it('are in the order they were written; what has no time stays where it is', () => {
    expect(
      inOrder([
        { eventTime: 3, message: 'c' },
        { message: 'after c' },
        { eventTime: 1, message: 'a' },
        { message: 'after a' },
      ]).map(({ message }) => message),
    ).toEqual(['a', 'after a', 'c', 'after c']);
  });
  it('are filtered by text and type', () => {
    const logs = [
      { eventType: 'TaskOutput', message: '500 Rows' },
      { eventType: 'TaskFailed', taskName: 'build' },
      { message: 'rows' },
    ];
    expect(filterLogs(logs, ' rows ', '').length).toBe(2);
    expect(filterLogs(logs, 'BUILD', '')).toEqual([logs[1]]);
    expect(filterLogs(logs, 'rows', 'taskoutput')).toEqual([logs[0]]);
    expect(filterLogs(logs, '', '')).toBe(logs);
  });
});
