import { describe, expect, it } from 'vitest';
import * as fc from 'fast-check';
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
} from './index.ts';

describe('a payload', () => {
  it('is taken as it is where it fits, with what is not known', () => {
    expect(readWidget({ secret: { name: 'a', colour: 'red' }, lineage: null }, 'secret')).toEqual({
      widget: 'secret',
      problems: [],
      data: { secret: { name: 'a', colour: 'red' }, lineage: undefined },
    });
  });

  it('is put right where it says the same in another type, and says so', () => {
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

  it('loses what cannot be read, and nothing else', () => {
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

  it('has no words for a number that is none', () => {
    expect(
      readWidget({ projectName: Number.NaN, jobName: Number.POSITIVE_INFINITY }, 'job-history')!
        .data,
    ).toEqual({ history: [] });
  });

  it('has empty lists where they are missing', () => {
    expect(readWidget({}, 'job-run')).toEqual({
      widget: 'job-run',
      problems: [],
      data: { taskRuns: [], logs: [] },
    });
  });

  it('of the wrong kind altogether, or no JSON, is empty and says so', () => {
    expect(readWidget('{', 'job-run')!.problems).toEqual([
      { path: '', expected: 'JSON', found: 'text' },
    ]);
    expect(readWidget([1], 'job-run')!.problems).toEqual([
      { path: '', expected: 'object', found: 'array' },
    ]);
  });

  it('of 100,000 wrong rows is read, and tells of some', () => {
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

  it.each(widgetIds)('of %s never throws, whatever it is', (id) => {
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
  it('is read from HTML that is nothing else, and never runs', () => {
    const html = envelopeHtml('secret', { secret: { name: '</script><script>alert(1)</script>' } });
    expect(html.match(/<script/g)).toHaveLength(1);
    expect(envelopeOf(html)).toEqual({
      widget: 'secret',
      version: 1,
      data: { secret: { name: '</script><script>alert(1)</script>' } },
    });
    expect(envelopeOf(`<p>x</p>${html}`)).toBeUndefined();
    // Lines end there for some who read JSON.
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
  it('names its widget itself; one that is not known is none', () => {
    expect(readWidget({ widget: 'secret', data: {} }, 'user')!.widget).toBe('secret');
    expect(readWidget({ widget: 'toString', data: {} })).toBeUndefined();
    expect(readWidget({})).toBeUndefined();
  });
});

describe('badges', () => {
  it('have the colours of the specification, in any case', () => {
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
    ).toEqual([
      'success',
      'success',
      'success',
      'danger',
      'info',
      'info',
      'info',
      'info',
      'info',
      'default',
      'default',
      'default',
      'default',
    ]);
    expect(['Healthy', 'Degraded', 'Unhealthy', 'x'].map(healthBadge)).toEqual([
      'success',
      'warning',
      'danger',
      'default',
    ]);
  });
  it('of logs go by the type, of clusters by its ending', () => {
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
    ).toEqual([
      'success',
      'success',
      'danger',
      'danger',
      'danger',
      'danger',
      'info',
      'info',
      'default',
      'default',
      'default',
    ]);
    expect(
      [
        'ClusterStarted',
        'InstanceStopped',
        'StageFinished',
        'BootstrapFailed',
        'StageStarted',
        'InstanceBootstrappingStarted',
        'BootstrapLog',
      ].map(logBadge),
    ).toEqual(['success', 'success', 'success', 'danger', 'default', 'default', 'default']);
  });
  it('of scores have their limits outside', () =>
    expect([0.81, 0.8, 0.66, 0.65, undefined].map(scoreBadge)).toEqual([
      'success',
      'warning',
      'warning',
      'danger',
      'danger',
    ]));
});

it('histories stand newest first, whatever their notation; without a time last, in their order', () => {
  const rows = [
    { id: 1 },
    { id: 2, at: '2024-05-01T00:00:00Z' },
    { id: 3, at: 1_714_694_400_000 },
    { id: 4, at: 'May 2, 2024 9:00:00 AM' },
    { id: 5, at: 'soon' },
  ];
  expect(newestFirst(rows, ({ at }) => at).map(({ id }) => id)).toEqual([3, 4, 2, 1, 5]);
});
