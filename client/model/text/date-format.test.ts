import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatDate, formatStorageDate, formatWireDate } from './date-format.ts';

const morning = new Date('2026-01-02T03:04:05.006Z');
const evening = new Date('2026-11-21T18:58:54.448Z');

describe('formatDate', () => {
  test.each([
    ['MMMM Do YYYY, h:mm a', 'January 2nd 2026, 3:04 am', 'November 21st 2026, 6:58 pm'],
    ['MMMM Do YYYY, h:mm:ss a', 'January 2nd 2026, 3:04:05 am', 'November 21st 2026, 6:58:54 pm'],
    ['MMMM DD YYYY, h:mm:ss A', 'January 02 2026, 3:04:05 AM', 'November 21 2026, 6:58:54 PM'],
    ['YYYY-MM-DD hh:mm:ss A', '2026-01-02 03:04:05 AM', '2026-11-21 06:58:54 PM'],
    ['_YYYYMMDD_HHmmss', '_20260102_030405', '_20261121_185854'],
    ['YYYY-MM-DD HH:mm:ss', '2026-01-02 03:04:05', '2026-11-21 18:58:54'],
    [
      'ddd dddd D M YY H m s SSS MMM',
      'Fri Friday 2 1 26 3 4 5 006 Jan',
      'Sat Saturday 21 11 26 18 58 54 448 Nov',
    ],
    ['[at] h[h]', 'at 3h', 'at 6h'],
  ])('%s [W141]', (pattern, first, second) => {
    expect(formatDate(morning, pattern, { utc: true })).toBe(first);
    expect(formatDate(evening, pattern, { utc: true })).toBe(second);
  });

  test.each([
    [1, '1st'],
    [2, '2nd'],
    [3, '3rd'],
    [4, '4th'],
    [10, '10th'],
    [11, '11th'],
    [12, '12th'],
    [13, '13th'],
    [22, '22nd'],
    [23, '23rd'],
    [30, '30th'],
    [31, '31st'],
  ])('day %i is the %s', (day, expected) =>
    expect(formatDate(new Date(2026, 0, day), 'Do')).toBe(expected),
  );

  test("midnight and noon are twelve o'clock", () => {
    expect(formatDate(new Date('2026-01-01T00:30:00Z'), 'h:mm A hh', { utc: true })).toBe(
      '12:30 AM 12',
    );
    expect(formatDate(new Date('2026-01-01T12:30:00Z'), 'h:mm A hh', { utc: true })).toBe(
      '12:30 PM 12',
    );
  });

  test('uses local time unless UTC is requested', () => {
    fc.assert(
      fc.property(
        fc.date({ min: new Date('1980-01-01'), max: new Date('2090-01-01'), noInvalidDate: true }),
        (date) => {
          const expected = [
            date.getFullYear(),
            date.getMonth() + 1,
            date.getDate(),
            date.getHours(),
            date.getMinutes(),
            date.getSeconds(),
          ];
          expect(formatDate(date, 'YYYY M D H m s').split(' ').map(Number)).toEqual(expected);
        },
      ),
    );
  });

  test('rejects an invalid date', () => {
    expect(() => formatDate(new Date(Number.NaN), 'YYYY')).toThrow(RangeError);
  });
});

test('the live channel and storage have formats of their own', () => {
  expect(formatWireDate(evening)).toBe('2026-11-21T18:58:54+0000');
  expect(formatStorageDate(evening, { utc: true })).toBe('2026-11-21 18:58:54.448');
  expect(formatStorageDate(new Date(2026, 10, 21, 7, 19, 4, 8))).toBe('2026-11-21 07:19:04.008');
});

test('formats every date like its pattern', () => {
  fc.assert(
    fc.property(fc.date({ noInvalidDate: true }), fc.boolean(), (date, utc) => {
      expect(formatWireDate(date)).toBe(
        formatDate(date, 'YYYY-MM-DD[T]HH:mm:ss[+0000]', { utc: true }),
      );
      expect(formatStorageDate(date, { utc })).toBe(
        formatDate(date, 'YYYY-MM-DD HH:mm:ss.SSS', { utc }),
      );
    }),
  );
});
