import { describe, expect, test } from 'vitest';
import { cronPresets } from './cron-presets.ts';
import { parseQuartz } from './quartz-cron.ts';

const two = (value: number) => String(value).padStart(2, '0');
const local = (date: Date | undefined) =>
  date &&
  `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())} ` +
    `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
/** The next times after Wednesday, 14 January 2026, 10:30:15. */
function starts(expression: string, count = 3): (string | undefined)[] {
  const schedule = parseQuartz(expression);
  let at = new Date(2026, 0, 14, 10, 30, 15);
  return Array.from({ length: count }, () => {
    const next = schedule.next(at);
    at = next ?? at;
    return local(next);
  });
}

describe('Quartz expressions', () => {
  test.each([
    ['0 0/5 * * * ?', ['2026-01-14 10:35:00', '2026-01-14 10:40:00', '2026-01-14 10:45:00']],
    ['0 3/20 * ? * *', ['2026-01-14 10:43:00', '2026-01-14 11:03:00', '2026-01-14 11:23:00']],
    ['0 0 0/6 * * ?', ['2026-01-14 12:00:00', '2026-01-14 18:00:00', '2026-01-15 00:00:00']],
    ['0 0 0 1 1 ?', ['2027-01-01 00:00:00', '2028-01-01 00:00:00', '2029-01-01 00:00:00']],
    ['0 15 10 ? * 1', ['2026-01-18 10:15:00', '2026-01-25 10:15:00', '2026-02-01 10:15:00']],
    ['0 15 10 ? * 7', ['2026-01-17 10:15:00', '2026-01-24 10:15:00', '2026-01-31 10:15:00']],
    ['0 15 10 ? * L', ['2026-01-17 10:15:00', '2026-01-24 10:15:00', '2026-01-31 10:15:00']],
    ['0 0 12 ? * mon-wed', ['2026-01-14 12:00:00', '2026-01-19 12:00:00', '2026-01-20 12:00:00']],
    ['0 0 12 ? * FRI-MON', ['2026-01-16 12:00:00', '2026-01-17 12:00:00', '2026-01-18 12:00:00']],
    ['0 0 22-2/2 * * ?', ['2026-01-14 22:00:00', '2026-01-15 00:00:00', '2026-01-15 02:00:00']],
    ['0 0 12 ? * 6#3', ['2026-01-16 12:00:00', '2026-02-20 12:00:00', '2026-03-20 12:00:00']],
    ['0 0 12 ? * 6L', ['2026-01-30 12:00:00', '2026-02-27 12:00:00', '2026-03-27 12:00:00']],
    ['0 0 12 L * ?', ['2026-01-31 12:00:00', '2026-02-28 12:00:00', '2026-03-31 12:00:00']],
    ['0 0 12 L-3 * ?', ['2026-01-28 12:00:00', '2026-02-25 12:00:00', '2026-03-28 12:00:00']],
    ['0 0 12 LW * ?', ['2026-01-30 12:00:00', '2026-02-27 12:00:00', '2026-03-31 12:00:00']],
    ['0 0 12 15W * ?', ['2026-01-15 12:00:00', '2026-02-16 12:00:00', '2026-03-16 12:00:00']],
    [
      '0 0 12 1,15 JAN,MAR ? 2026-2027',
      ['2026-01-15 12:00:00', '2026-03-01 12:00:00', '2026-03-15 12:00:00'],
    ],
    ['0 0 12 1 1 ? 2030', ['2030-01-01 12:00:00', undefined, undefined]],
    ['0 0 12 1 1 ? 2020', [undefined, undefined, undefined]],
    ['*/30 * * * * ?', ['2026-01-14 10:30:30', '2026-01-14 10:31:00', '2026-01-14 10:31:30']],
  ])('%s', (expression, expected) => expect(starts(expression)).toEqual(expected));

  test('every preset can be parsed', () => {
    const presets = cronPresets.flatMap(({ cron }) => cron ?? []);
    expect(presets.length).toBeGreaterThan(0);
    for (const cron of presets) expect(parseQuartz(cron).next(new Date())).toBeInstanceOf(Date);
  });

  test.each([
    '',
    'nope',
    'bad cron',
    '* * * * *',
    '0 0 0 * * *',
    '0 0 0 ? * ?',
    '0 0 0 1 1 ? 2030 1',
    '60 * * * * ?',
    '* 60 * * * ?',
    '* * 24 * * ?',
    '0 0 0 32 * ?',
    '0 0 0 0 * ?',
    '0 0 0 1 13 ?',
    '0 0 0 ? * 0',
    '0 0 0 ? * 8',
    '0 0 0 ? * 2#6',
    '0 0 0 ? * FOO',
    '0/0 * * * * ?',
    '0/61 * * * * ?',
    '? * * * * ?',
    '0 0 0 1,? * ?',
    '0 0 0 ? * 1 1969',
    '0 0 0 ? * 1 2030-2020',
    '-1 * * * * ?',
    '1- * * * * ?',
    '1,, * * * * ?',
    '0x1 * * * * ?',
    '1.5 * * * * ?',
    '*-5 * * * * ?',
    'L * * * * ?',
    '0 0 0 L-31 * ?',
    '0 0 0 99W * ?',
    `${'0,'.repeat(200)}0 * * * * ?`,
    '@daily',
    '2026-01-01T00:00:00',
  ])('rejects %j', (expression) =>
    expect(() => parseQuartz(expression)).toThrow(`CronExpression '${expression}' is invalid.`),
  );
});

test('the time zone applies to the expression', () => {
  const after = new Date('2026-01-15T00:00:00Z');
  expect(parseQuartz('0 30 9 * * ?', 'America/New_York').next(after)?.toISOString()).toBe(
    '2026-01-15T14:30:00.000Z',
  );
  expect(parseQuartz('0 30 9 * * ?', 'Asia/Tokyo').next(after)?.toISOString()).toBe(
    '2026-01-15T00:30:00.000Z',
  );
  expect(() => parseQuartz('0 30 9 * * ?', 'Mars/Olympus')).toThrow(
    "Time zone 'Mars/Olympus' is not known.",
  );
});
