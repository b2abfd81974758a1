import { describe, expect, it } from 'vitest';
import { completeSummary, durationOf, filterLogs, inOrder, runRows, trend } from './runs.ts';

describe('runs', () => {
  it('last from start to end, and have no duration while they are in progress', () => {
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
  it('are sorted newest first, those without a time last [O17]', () => {
    expect(
      runRows([{ startTime: 1, n: 'a' }, { n: 'b' }, { startTime: 3, n: 'c' }, { n: 'd' }]).map(
        ({ run }) => run.n,
      ),
    ).toEqual(['c', 'a', 'b', 'd']);
  });
  it('have the summary of the payload, completed from the runs', () => {
    const runs = [
      { durationMs: 10, state: 'succeeded' },
      { durationMs: 30, state: 'Failed' },
      { state: 'Finished' },
      { durationMs: -5 },
    ];
    expect(completeSummary(undefined, runs)).toEqual({
      runCount: 4,
      succeededCount: 2,
      averageDurationMs: 20,
    });
    expect(completeSummary({ runCount: 90, averageDurationMs: 7 }, runs)).toEqual({
      runCount: 90,
      succeededCount: 2,
      averageDurationMs: 7,
    });
    expect(completeSummary(undefined, [])).toEqual({
      runCount: 0,
      succeededCount: 0,
      averageDurationMs: undefined,
    });
  });
  it('have a trend from oldest to newest', () => {
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
  it('are sorted by time; entries without a time stay after their predecessor', () => {
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
