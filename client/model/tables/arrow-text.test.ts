import * as arrow from 'apache-arrow';
import { describe, expect, it } from 'vitest';
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
    expect([0.1, 16777216, 1e-7].map((value) => singlePrecisionText(Math.fround(value)))).toEqual([
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

  it('names infinite dates, and dates beyond the range of JavaScript', () => {
    const days = Int32Array.of(2 ** 31 - 1, -(2 ** 31 - 1), 200_000_000, 3_000_000);
    expect(texts(data(new arrow.DateDay(), days, 4))).toEqual([
      'infinity',
      '-infinity',
      '200000000 days after 1970-01-01',
      '+010183-09-21',
    ]);
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
    expect(texts(lists)).toEqual(['[1,null,null]', '[]']);
    const long = vector(
      [Array.from({ length: 10_000 }, (_, at) => at)],
      new arrow.List(new arrow.Field('item', new arrow.Int32(), true)),
    );
    const preview = arrowFormat(long.type).text(long)(0, 20);
    expect(preview.length).toBeLessThan(30);
    expect(preview.startsWith('[0,1,2,3')).toBe(true);
  });
});
