import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  envelopeHtml,
  envelopeOf,
  healthBadge,
  logBadge,
  newestFirst,
  readWidget,
  scoreBadge,
  stateBadge,
  widgetIds,
} from '../index.ts';

describe('a payload', () => {
  it('is returned unchanged if it fits, including unknown fields', () => {
    expect(readWidget({ secret: { name: 'a', colour: 'red' }, lineage: null }, 'secret')).toEqual({
      widget: 'secret',
      problems: [],
      data: { secret: { name: 'a', colour: 'red' }, lineage: undefined },
    });
  });

  it('is converted if another type has the same meaning, and the problem is reported', () => {
    const given = { projectName: 5, history: { state: 'Failed' } };
    const read = readWidget(given, 'job-history')!;
    expect(read.data).toMatchObject({
      projectName: '5',
      history: [{ state: 'Failed', taskRuns: [], logs: [] }],
    });
    expect(read.problems).toEqual([
      { path: 'projectName', expected: 'string', found: 'number' },
      { path: 'history', expected: 'array', found: 'object' },
    ]);
    expect(given).toEqual({ projectName: 5, history: { state: 'Failed' } });
  });

  it('loses only the fields that cannot be read [O2]', () => {
    const read = readWidget(
      { history: [null, { jobRunId: 'a', startTime: {} }, 7, { jobRunId: 'b' }] },
      'job-history',
    )!;
    expect(read.data).toMatchObject({ history: [{ jobRunId: 'a' }, { jobRunId: 'b' }] });
    expect(read.problems.map(({ path }) => path)).toEqual([
      'history[0]',
      'history[1].startTime',
      'history[2]',
    ]);
  });

  it('does not convert NaN and Infinity to text', () => {
    expect(
      readWidget({ projectName: Number.NaN, jobName: Number.POSITIVE_INFINITY }, 'job-history')!
        .data,
    ).toEqual({ history: [] });
  });

  it('has empty lists in place of missing ones', () => {
    expect(readWidget({}, 'job-run')).toEqual({
      widget: 'job-run',
      problems: [],
      data: { taskRuns: [], logs: [] },
    });
  });

  it('that is not an object, or not JSON, is read as empty and reported', () => {
    expect(readWidget('{', 'job-run')!.problems).toEqual([
      { path: '', expected: 'JSON', found: 'text' },
    ]);
    expect(readWidget([1], 'job-run')!.problems).toEqual([
      { path: '', expected: 'object', found: 'array' },
    ]);
  });

  it('with 100,000 invalid rows is read, with a limited number of problems', () => {
    const read = readWidget(
      {
        history: Array.from({ length: 100_000 }, (_, at) => ({
          jobRunId: at,
          startTime: '2024-05-02T09:00:00Z',
        })),
      },
      'job-history',
    )!;
    expect((read.data as { history: unknown[] }).history).toHaveLength(100_000);
    expect(read.problems).toHaveLength(50);
  });

  it.each(widgetIds)('of %s never throws, for any value [O2]', (id) => {
    // biome-ignore lint/nursery/noFloatingPromises: only asynchronous properties return a promise
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => void readWidget(value, id)),
      { numRuns: 200 },
    );
    let deep: unknown = {};
    for (let at = 0; at < 20_000; at += 1) deep = { lineage: deep, history: [deep] };
    expect(readWidget(deep, id)).toBeDefined();
  });
});

describe('an envelope', () => {
  it('is read from HTML that contains nothing else, and is never executed [O3]', () => {
    const html = envelopeHtml('secret', { secret: { name: '</script><script>alert(1)</script>' } });
    expect(html.match(/<script/g)).toHaveLength(1);
    expect(envelopeOf(html)).toEqual({
      widget: 'secret',
      version: 1,
      data: { secret: { name: '</script><script>alert(1)</script>' } },
    });
    expect(envelopeOf(`<p>x</p>${html}`)).toBeUndefined();
    // Some JSON parsers treat these characters as line ends.
    const lines = envelopeHtml('secret', { secret: { name: 'a\u2028b\u2029c' } });
    expect([
      /[\u2028\u2029]/.test(lines),
      lines.includes('a\\u2028b\\u2029c'),
      envelopeOf(lines)!.data,
    ]).toEqual([false, true, { secret: { name: 'a\u2028b\u2029c' } }]);
    expect(
      envelopeOf('<tiding-widget><script type="application/json">{</script></tiding-widget>'),
    ).toBeUndefined();
  });
  it('has precedence over the given widget id; unknown ids are refused', () => {
    expect(readWidget({ widget: 'secret', data: {} }, 'user')!.widget).toBe('secret');
    expect(readWidget({ widget: 'toString', data: {} })).toBeUndefined();
    expect(readWidget({})).toBeUndefined();
  });
});

describe('badges', () => {
  it('have the specified colours, in any case [O29]', () => {
    expect(
      [
        'Succeeded',
        'running',
        'FINISHED',
        'Failed',
        'Preparing',
        'InProgress',
        'Provisioning',
        'Bootstrapping',
        'Stopping',
        'Stopped',
        'Disabled',
        '',
        undefined,
      ].map(stateBadge),
    ).toEqual(
      (
        'success success success danger info info info info info default default ' +
        'default default'
      ).split(' '),
    );
    expect(['Healthy', 'Degraded', 'Unhealthy', 'x'].map(healthBadge)).toEqual([
      'success',
      'warning',
      'danger',
      'default',
    ]);
  });
  it('of log entries depend on the event type, those of clusters on its ending [O30 O31]', () => {
    expect(
      [
        'JobFinish',
        'TaskFinish',
        'JobFailed',
        'TaskFailed',
        'MetadataError',
        'ExecutionError',
        'JobStart',
        'TaskStart',
        'TaskExecutionLog',
        'TaskOutput',
        undefined,
      ].map(logBadge),
    ).toEqual(
      'success success danger danger danger danger info info default default default'.split(' '),
    );
    expect(
      (
        'ClusterStarted InstanceStopped StageFinished BootstrapFailed StageStarted ' +
        'InstanceBootstrappingStarted BootstrapLog'
      )
        .split(' ')
        .map(logBadge),
    ).toEqual(['success', 'success', 'success', 'danger', 'default', 'default', 'default']);
  });
  it('of scores exclude their limits [O32]', () =>
    expect([0.81, 0.8, 0.66, 0.65, undefined].map(scoreBadge)).toEqual([
      'success',
      'warning',
      'warning',
      'danger',
      'danger',
    ]));
});

it('histories are sorted newest first in any date format; undated entries come last [O17]', () => {
  const rows = [
    { id: 1 },
    { id: 2, at: '2024-05-01T00:00:00Z' },
    { id: 3, at: 1_714_694_400_000 },
    { id: 4, at: 'May 2, 2024 9:00:00 AM' },
    { id: 5, at: 'soon' },
  ];
  expect(newestFirst(rows, ({ at }) => at).map(({ id }) => id)).toEqual([3, 4, 2, 1, 5]);
});
