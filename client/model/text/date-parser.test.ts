import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatStorageDate, formatWireDate } from './date-format.ts';
import { isDateText, parseDate } from './date-parser.ts';

const utc = (text: string | number | undefined) => parseDate(text, { utc: true })?.toISOString();

describe('parseDate', () => {
  test.each([
    ['2026-11-21T07:01:50+0000', '2026-11-21T07:01:50.000Z'],
    ['2026-11-21T07:01:50+01:30', '2026-11-21T05:31:50.000Z'],
    ['2026-11-21T07:01:50-0800', '2026-11-21T15:01:50.000Z'],
    ['2026-11-21T07:01:50.123Z', '2026-11-21T07:01:50.123Z'],
    ['2026-11-21T07:01:50.123456789Z', '2026-11-21T07:01:50.123Z'],
    ['2026-11-21T07:01:50.5+0000', '2026-11-21T07:01:50.500Z'],
    ['2026-11-21 07:19:04.448', '2026-11-21T07:19:04.448Z'],
    ['2026-11-21 07:19', '2026-11-21T07:19:00.000Z'],
    ['2026-11-21', '2026-11-21T00:00:00.000Z'],
    ['0044-03-15', '0044-03-15T00:00:00.000Z'],
    ['0000-02-29 01:02:03+0100', '0000-02-29T00:02:03.000Z'],
    ['Nov 21, 2026, 6:58:54 AM', '2026-11-21T06:58:54.000Z'],
    ['Nov 21, 2026, 6:58:54\u202fPM', '2026-11-21T18:58:54.000Z'],
    ['Nov 21, 2026, 6:58:54\u00a0PM', '2026-11-21T18:58:54.000Z'],
    ['Nov 21, 2026 6:58:54 AM', '2026-11-21T06:58:54.000Z'],
    ['Jan 1, 2026 12:00:00 AM', '2026-01-01T00:00:00.000Z'],
    ['Jan 1, 2026 12:00:00 PM', '2026-01-01T12:00:00.000Z'],
    ['Nov 21, 2026 18:58:54', '2026-11-21T18:58:54.000Z'],
    ['Sat Nov 21 06:58:48 UTC 2026', '2026-11-21T06:58:48.000Z'],
    ['Sat Nov 21 06:58:48 CET 2026', '2026-11-21T05:58:48.000Z'],
    ['Sat Nov 21 06:58:48 EST 2026', '2026-11-21T11:58:48.000Z'],
    ['Sat Nov 21 06:58:48 GMT 2026', '2026-11-21T06:58:48.000Z'],
    ['Sat Nov 21 06:58:48 GMT+08:00 2026', '2026-11-20T22:58:48.000Z'],
    [' 2026-11-21T07:01:50Z\n', '2026-11-21T07:01:50.000Z'],
    [1795244510000, '2026-11-21T07:01:50.000Z'],
    ['1795244510000', '2026-11-21T07:01:50.000Z'],
    [0, '1970-01-01T00:00:00.000Z'],
  ])('reads %j', (value, expected) => expect(utc(value)).toBe(expected));

  test.each([
    undefined,
    '',
    'yesterday',
    '2026-13-01',
    '2026-02-30',
    '2026-11-21T24:01:00Z',
    '2026-11-21T07:61:00Z',
    'Nov 31, 2026, 6:58:54 AM',
    'Nov 21, 2026, 13:58:54 PM',
    'Nov 21, 2026, 0:58:54 AM',
    'Foo 21, 2026, 6:58:54 AM',
    Number.NaN,
    9e15,
    '12',
  ])('%j is not a date', (value) => expect(parseDate(value)).toBeUndefined());

  test('a text without a time zone is local time', () => {
    expect(parseDate('2026-11-21 07:19:04.448')).toEqual(new Date(2026, 10, 21, 7, 19, 4, 448));
    expect(parseDate('Nov 21, 2026, 6:58:54 PM')).toEqual(new Date(2026, 10, 21, 18, 58, 54));
    expect(parseDate('Sat Nov 21 06:58:48 XYZ 2026')).toEqual(new Date(2026, 10, 21, 6, 58, 48));
  });

  test('parses what formatDate returns', () => {
    const dates = fc.date({
      min: new Date('1970-01-01'),
      max: new Date('2100-01-01'),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(dates, (date) => {
        expect(parseDate(formatStorageDate(date, { utc: true }), { utc: true })).toEqual(date);
        expect(parseDate(date.toISOString())).toEqual(date);
        expect(parseDate(formatWireDate(date))?.getTime()).toBe(
          Math.floor(date.getTime() / 1000) * 1000,
        );
      }),
    );
  });

  test('isDateText agrees with parseDate', () => {
    const part = (max: number) =>
      fc.integer({ min: 0, max }).map((n) => String(n).padStart(2, '0'));
    const text = fc
      .tuple(
        fc.integer({ min: 1600, max: 2400 }),
        part(13),
        part(32),
        fc.constantFrom('', 'T', ' '),
        part(25),
        part(61),
        part(61),
        fc.constantFrom('', 'Z', '+0100', ' x'),
      )
      .map(
        ([year, month, day, gap, hour, minute, second, zone]) =>
          `${year}-${month}-${day}${gap === '' ? '' : `${gap}${hour}:${minute}:${second}${zone}`}`,
      );
    fc.assert(
      fc.property(
        text,
        (value) => void expect(isDateText(value)).toBe(parseDate(value) !== undefined),
      ),
      { numRuns: 2_000 },
    );
    for (const value of ['2024-02-29', ' 2026-11-21\u00a0', '2026-11-21T07:01:50.123Z'])
      expect(isDateText(value), value).toBe(true);
    for (const value of [
      '2026-02-29',
      '1900-02-29',
      'Nov 21, 2026 6:58:54 AM',
      '',
      '2026-11-21 07',
    ])
      expect(isDateText(value), value).toBe(false);
  });
});
