import * as arrow from 'apache-arrow';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { zoneOffsetMinutes } from '../rows/time-zone.ts';
import { arrowFormat, decimalText, singlePrecisionText } from './arrow-text.ts';
import { hasArrowValue } from './arrow-values.ts';

const texts = (data: arrow.Data, kind: 'text' | 'json' = 'text'): (string | null)[] => {
  const read = arrowFormat(data.type)[kind](data);
  return Array.from({ length: data.length }, (_, at) =>
    hasArrowValue(data, at) ? read(at) : null,
  );
};
const data = (type: arrow.DataType, values: object, length: number): arrow.Data =>
  arrow.makeData({ type, length, nullCount: 0, data: values } as never);
const vector = (values: readonly unknown[], type: arrow.DataType): arrow.Data =>
  arrow.vectorFromArray(values, type).data[0] as arrow.Data;

describe('text of Arrow values', () => {
  it('keeps all digits of decimals', () => {
    expect([
      decimalText(-5n, 2),
      decimalText(12n, 0),
      decimalText(12n, -2),
      decimalText(0n, -2),
    ]).toEqual(['-0.05', '12', '1200', '0']);
  });

  it('is the shortest for single and half precision', () => {
    const values = [104.457146, 0.1, 16777216, 1e-7];
    expect(values.map((value) => singlePrecisionText(Math.fround(value)))).toEqual([
      '104.457146',
      '0.1',
      '16777216',
      '1e-7',
    ]);
    expect(
      texts(data(new arrow.Float32(), Float32Array.of(0.1, Number.NaN, -Infinity), 3)),
    ).toEqual(['0.1', 'NaN', '-Infinity']);
    expect(
      texts(data(new arrow.Float16(), Uint16Array.of(0x3c00, 0xc000, 0x7c00, 0x0001), 4)),
    ).toEqual(['1', '-2', 'Infinity', String(2 ** -24)]);
  });

  it('omits trailing zeros of fractions and marks instants with Z', () => {
    const values = BigInt64Array.of(1_714_564_800_000_000n, 1_714_564_800_500_000n, -1n);
    expect(texts(data(new arrow.TimestampMicrosecond(), values, 3))).toEqual([
      '2024-05-01 12:00:00',
      '2024-05-01 12:00:00.5',
      '1969-12-31 23:59:59.999999',
    ]);
    const zoned = data(new arrow.TimestampMicrosecond('UTC'), values, 3);
    expect([texts(zoned)[0], texts(zoned, 'json')[1]]).toEqual([
      '2024-05-01 12:00:00Z',
      '"2024-05-01T12:00:00.5Z"',
    ]);
  });

  it('writes dates as the SQL engine does, also beyond the range of JavaScript', () => {
    const days = Int32Array.of(
      2 ** 31 - 1,
      -(2 ** 31 - 1),
      2 ** 31 - 2,
      2_932_897,
      -735_160,
      -719_163,
    );
    expect(texts(data(new arrow.DateDay(), days, 6))).toEqual([
      'infinity',
      '-infinity',
      '5881580-07-10',
      '10000-01-01',
      '0044-03-15 (BC)',
      '0001-12-31 (BC)',
    ]);
    fc.assert(
      fc.property(fc.integer({ min: -719_162, max: 2_932_896 }), (day) => {
        const iso = new Date(day * 86_400_000).toISOString().slice(0, 10);
        expect(texts(data(new arrow.DateDay(), Int32Array.of(day), 1))).toEqual([iso]);
      }),
    );
  });

  it.each([
    ['Asia/Tokyo', '2023-12-31T15:30:00Z', '2024-01-01 00:30:00+09:00'],
    ['Asia/Kathmandu', '2024-01-01T00:00:00Z', '2024-01-01 05:45:00+05:45'],
    ['Europe/Paris', '2024-03-31T00:59:59.25Z', '2024-03-31 01:59:59.25+01:00'],
    ['Europe/Paris', '2024-03-31T01:00:00Z', '2024-03-31 03:00:00+02:00'],
    ['Europe/Paris', '2024-10-27T00:30:00Z', '2024-10-27 02:30:00+02:00'],
    ['Europe/Paris', '2024-10-27T01:30:00Z', '2024-10-27 02:30:00+01:00'],
    ['Europe/Paris', '1900-01-01T00:00:00Z', '1900-01-01 00:09:21+00:09:21'],
    ['Europe/London', '2024-01-01T00:00:00Z', '2024-01-01 00:00:00+00:00'],
    ['America/St_Johns', '2024-01-01T00:00:00Z', '2023-12-31 20:30:00-03:30'],
    ['-03:30', '2024-01-01T00:00:00Z', '2023-12-31 20:30:00-03:30'],
    ['+0900', '1969-12-31T15:30:00Z', '1970-01-01 00:30:00+09:00'],
    ['UTC', '2024-01-01T00:00:00Z', '2024-01-01 00:00:00Z'],
    ['Etc/UTC', '2024-01-01T00:00:00Z', '2024-01-01 00:00:00Z'],
    ['Mars/Olympus', '2024-01-01T00:00:00Z', '2024-01-01 00:00:00+00:00'],
  ])('shows an instant on the clocks of %s: %s', (zone, instant, text) => {
    const values = BigInt64Array.of(BigInt(new Date(instant).getTime()));
    const zoned = data(new arrow.TimestampMillisecond(zone), values, 1);
    expect([...texts(zoned), ...texts(zoned, 'json')]).toEqual([
      text,
      JSON.stringify(text.replace(' ', 'T')),
    ]);
  });

  it('finds the offset of every instant', () => {
    const zones = ['America/New_York', 'Australia/Lord_Howe', 'Pacific/Apia', 'Africa/Casablanca'];
    const most = Date.UTC(2100, 0);
    fc.assert(
      fc.property(fc.constantFrom(...zones), fc.integer({ min: -most, max: most }), (zone, at) => {
        const clock = new Date(at).toLocaleString('sv-SE', { timeZone: zone });
        const local = at + zoneOffsetMinutes(zone, at) * 60_000;
        expect(new Date(local).toISOString().slice(0, 19)).toBe(clock.replace(' ', 'T'));
      }),
    );
  });

  it('writes intervals in words and an empty one as a time', () => {
    const values = Int32Array.of(14, 3, 1_500_000_000, 0, 0, 0, 0, 0, -1, 1, -1, -1);
    expect(texts(data(new arrow.IntervalMonthDayNano(), values, 3))).toEqual([
      '1 year 2 months 3 days 00:00:01.5',
      '00:00:00',
      '-1 month 1 day -00:00:00.000000001',
    ]);
    expect(texts(data(new arrow.DurationSecond(), BigInt64Array.of(180_000n), 1))).toEqual([
      '50:00:00',
    ]);
  });

  it('escapes bytes in text and encodes them as base64 in JSON', () => {
    const bytes = vector([Uint8Array.of(97, 92, 0, 255)], new arrow.Binary());
    expect([texts(bytes), texts(bytes, 'json')]).toEqual([['a\\x5C\\x00\\xFF'], ['"YVwA/w=="']]);
    const long = Uint8Array.from({ length: 100_000 }, (_, at) => at & 255);
    expect(texts(vector([long], new arrow.Binary()), 'json')).toEqual([
      `"${btoa(Array.from(long, (byte) => String.fromCharCode(byte)).join(''))}"`,
    ]);
  });

  it('follows dictionaries and unions', () => {
    const words = vector(
      ['a', null, 'b'],
      new arrow.Dictionary(new arrow.Utf8(), new arrow.Int32()),
    );
    expect([texts(words), texts(words, 'json')]).toEqual([
      ['a', null, 'b'],
      ['"a"', null, '"b"'],
    ]);
    const union = arrow.makeData({
      type: new arrow.SparseUnion(
        [0, 1],
        [new arrow.Field('number', new arrow.Int32()), new arrow.Field('text', new arrow.Utf8())],
      ),
      length: 2,
      typeIds: Int8Array.of(0, 1),
      children: [
        data(new arrow.Int32(), Int32Array.of(7, 0), 2),
        vector(['', 'x'], new arrow.Utf8()),
      ],
    } as never) as arrow.Data;
    expect([texts(union), texts(union, 'json')]).toEqual([
      ['7', 'x'],
      ['7', '"x"'],
    ]);
  });

  it('is JSON for nested values, cut off at the limit', () => {
    const lists = vector(
      [[1, null, Number.NaN], []],
      new arrow.List(new arrow.Field('item', new arrow.Float64(), true)),
    );
    expect(texts(lists)).toEqual(['[1,null,"NaN"]', '[]']);
    const long = vector(
      [Array.from({ length: 10_000 }, (_, at) => at)],
      new arrow.List(new arrow.Field('item', new arrow.Int32(), true)),
    );
    const preview = arrowFormat(long.type).text(long)(0, 20);
    expect(preview.length).toBeLessThan(30);
    expect(preview.startsWith('[0,1,2,3')).toBe(true);
  });
});
