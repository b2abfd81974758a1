import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../../test/support/until-end.ts';
import { JobSchedules, type ScheduleDefinition, timesOf } from './schedules.ts';

let folder: string;
let now: Date;
let defined: ScheduleDefinition[];
let started: string[];
let logged: string[];
let schedules: JobSchedules;

const at = (text: string) => new Date(`2026-01-14T${text}Z`);
const make = (
  start: (id: string) => void | Promise<void> = (id) =>
    void started.push(`${id} ${now.toISOString().slice(11, 19)}`),
) =>
  new JobSchedules({
    folder,
    schedules: () => defined,
    start: ({ id }) => start(id),
    now: () => now,
    log: (message, fields) =>
      void logged.push(
        `${message}${fields?.['error'] === undefined ? '' : `: ${String(fields['error'])}`}`,
      ),
  });
const restart = async (start?: (id: string) => void) => {
  await schedules.close();
  schedules = make(start);
  await schedules.start();
};
const tick = async (text: string) => {
  schedules.tick((now = at(text)));
  await new Promise((resolve) => setImmediate(resolve));
};
const hourly: ScheduleDefinition = { id: 'p.job.hourly', expression: '0 0 * * * ?' };

beforeEach(async () => {
  folder = temporaryFolder();
  [defined, started, logged, now] = [[hourly], [], [], at('08:59:00')];
  schedules = make();
  await schedules.start();
});
afterEach(() => schedules.close());

describe('job schedules', () => {
  test('start once when due, and report the next start', async () => {
    expect(schedules.next(hourly)).toBe('2026-01-14T09:00:00.000Z');
    for (const time of ['08:59:59', '09:00:00', '09:00:01', '10:00:04']) await tick(time);
    expect(started).toEqual(['p.job.hourly 09:00:00', 'p.job.hourly 10:00:04']);
    expect(schedules.next(hourly)).toBe('2026-01-14T11:00:00.000Z');
  });

  test('changes take effect immediately; disabled and dropped schedules do nothing', async () => {
    defined = [{ ...hourly, expression: '0 30 * * * ?' }];
    await tick('09:00:00');
    await tick('09:30:00');
    defined = [{ ...hourly, state: 'Disabled' }];
    expect(schedules.next(defined[0]!)).toBeUndefined();
    await tick('10:00:00');
    defined = [];
    await tick('11:00:00');
    expect(started).toEqual(['p.job.hourly 09:30:00']);
  });

  test('late starts are recorded but not repeated', async () => {
    await tick('12:30:00');
    expect(started).toEqual([]);
    expect(schedules.missed(hourly.id)).toEqual([
      {
        state: 'Missed',
        startTime: '2026-01-14T09:00:00.000Z',
        endTime: '2026-01-14T12:30:00.000Z',
        missedCount: 4,
      },
    ]);
    await tick('13:00:00');
    expect(started).toEqual(['p.job.hourly 13:00:00']);
  });

  test('starts missed without a server are recorded until the schedule is deleted', async () => {
    now = at('10:30:00');
    await restart();
    expect(started).toEqual([]);
    expect(schedules.missed(hourly.id)).toMatchObject([{ missedCount: 2 }]);
    await restart();
    expect(schedules.missed(hourly.id)).toHaveLength(1);
    defined = [];
    await tick('10:31:00');
    await schedules.close();
    expect(JSON.parse(await readFile(join(folder, 'schedules.json'), 'utf8'))).toEqual({
      next: {},
      missed: {},
    });
  });

  test('a changed expression has no missed starts; a damaged file is logged', async () => {
    now = at('10:30:00');
    defined = [{ ...hourly, expression: '0 15 * * * ?' }];
    await restart();
    expect(schedules.missed(hourly.id)).toEqual([]);
    await schedules.close();
    await writeFile(join(folder, 'schedules.json'), '{');
    schedules = make();
    await schedules.start();
    expect(logged).toEqual([
      `missed starts of schedules cannot be read: The file ${join(folder, 'schedules.json')} ` +
        'is damaged: it is not JSON.',
    ]);
  });

  test('a schedule that fails to start, or is invalid, does not affect others', async () => {
    defined = [
      { id: 'broken', expression: 'soon' },
      { id: 'refused', expression: '0 0 * * * ?' },
      hourly,
    ];
    await restart((id) => {
      if (id === 'refused') throw new Error('Job runs already.');
      started.push(id);
    });
    await tick('09:00:00');
    expect(started).toEqual([hourly.id]);
    expect(logged).toEqual([
      "a schedule is invalid: CronExpression 'soon' is invalid.",
      'a schedule did not start: Job runs already.',
    ]);
    expect(schedules.next(defined[0]!)).toBeUndefined();
  });
});

describe('the times of a schedule', () => {
  const next = (schedule: Partial<ScheduleDefinition>, after: string) =>
    timesOf({ expression: '0 0 5 * * ?', ...schedule })
      .next(new Date(after))
      ?.toISOString();

  test('use its time zone, UTC by default, also across clock changes', () => {
    expect(next({}, '2026-01-14T06:00:00Z')).toBe('2026-01-15T05:00:00.000Z');
    expect(next({ timeZone: 'America/New_York' }, '2026-01-14T06:00:00Z')).toBe(
      '2026-01-14T10:00:00.000Z',
    );
    expect(next({ timeZone: 'America/New_York' }, '2026-03-08T00:00:00Z')).toBe(
      '2026-03-08T09:00:00.000Z',
    );
  });

  test('are limited to its window, including both ends', () => {
    const window = { startTime: '2026-02-01T05:00:00Z', endTime: '2026-02-02T05:00:00Z' };
    expect(next(window, '2026-01-01T00:00:00Z')).toBe('2026-02-01T05:00:00.000Z');
    expect(next(window, '2026-02-01T05:00:00Z')).toBe('2026-02-02T05:00:00.000Z');
    expect(next(window, '2026-02-02T05:00:00Z')).toBeUndefined();
    expect(next({ endTime: '2020-01-01T00:00:00Z' }, '2026-02-02T05:00:00Z')).toBeUndefined();
  });

  test.each([
    [{ expression: '* * *' }, "CronExpression '* * *' is invalid."],
    [{ timeZone: 'Mars/Base' }, "Time zone 'Mars/Base' is not known."],
    [{ startTime: 'soon' }, "'soon' is not a valid time. Use the form 2024-05-02T05:00:00Z."],
    [
      { startTime: '2026-01-02T00:00:00Z', endTime: '2026-01-01T00:00:00Z' },
      'The schedule ends before it starts.',
    ],
  ])('%j: %s', (schedule, message) => {
    expect(() => next(schedule, '2026-01-01T00:00:00Z')).toThrow(
      expect.objectContaining({ code: 'MetadataError', message }) as Error,
    );
  });
});
