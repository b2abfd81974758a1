/* Arrow tables for tests of the table view. Not part of the product. */

import { type ArrowSource, arrowRows } from '@tiding/client/model';
import * as arrow from 'apache-arrow';

const utf8 = (values: readonly (string | null)[]) =>
  arrow.vectorFromArray(values, new arrow.Utf8());

/**
 * Returns a table with a column of every type and three rows; the values of the second row are
 * missing.
 */
export function everyKind(): arrow.Table {
  const decimal = new Uint32Array(12);
  // 12345678901234567890.12 and -0.05 with scale 2.
  const digits = 1234567890123456789012n;
  for (let word = 0; word < 4; word++)
    decimal[word] = Number((digits >> BigInt(32 * word)) & 0xffffffffn);
  for (let word = 0; word < 4; word++)
    decimal[8 + word] = Number((BigInt.asUintN(128, -5n) >> BigInt(32 * word)) & 0xffffffffn);
  const gap = new Uint8Array([0b101]);
  const make = (type: arrow.DataType, data: object, extra: object = {}): arrow.Vector =>
    new arrow.Vector([
      arrow.makeData({ type, length: 3, nullCount: 1, nullBitmap: gap, data, ...extra } as never),
    ]);
  const struct = new arrow.Struct([
    new arrow.Field('a', new arrow.Int32()),
    new arrow.Field('b', new arrow.Utf8()),
  ]);
  const map = new arrow.Map_(
    new arrow.Field(
      'entries',
      new arrow.Struct([
        new arrow.Field('key', new arrow.Utf8()),
        new arrow.Field('value', new arrow.Int32()),
      ]),
      false,
    ) as never,
  );
  return new arrow.Table({
    flag: arrow.vectorFromArray([true, null, false], new arrow.Bool()),
    long: make(new arrow.Int64(), new BigInt64Array([9007199254740993n, 0n, -1n])),
    float: arrow.vectorFromArray([1.5, null, -2.25], new arrow.Float64()),
    price: make(new arrow.Decimal(2, 38, 128), decimal),
    text: utf8(['', null, 'Zoë']),
    day: make(new arrow.DateDay(), new Int32Array([19844, 0, -1])),
    clock: make(new arrow.TimeMicrosecond(), new BigInt64Array([45_296_000_001n, 0n, 0n])),
    moment: make(
      new arrow.TimestampMicrosecond('UTC'),
      new BigInt64Array([1_714_564_800_123_456n, 0n, -1n]),
    ),
    span: make(
      new arrow.IntervalMonthDayNano(),
      new Int32Array([14, 3, 1_500_000_000, 0, 0, 0, 0, 0, 0, 0, 0, 0]),
    ),
    bytes: arrow.vectorFromArray(
      [new Uint8Array([0xde, 0xad, 0xbe, 0xef]), null, new Uint8Array()],
      new arrow.Binary(),
    ),
    list: arrow.vectorFromArray(
      [[1, 2, 3], null, []],
      new arrow.List(new arrow.Field('item', new arrow.Int32())),
    ),
    record: arrow.vectorFromArray([{ a: 1, b: 'x "y"' }, null, { a: null, b: 'z' }], struct),
    map: arrow.vectorFromArray([new Map([['k', 7]]), null, new Map()], map),
    word: arrow.vectorFromArray(
      ['red', null, 'blue'],
      new arrow.Dictionary(new arrow.Utf8(), new arrow.Int32()),
    ),
  } as never);
}

/** Returns a row source with all rows of the given tables. */
export function sourceOf(...tables: readonly arrow.Table[]): ArrowSource {
  const rows = arrowRows();
  for (const table of tables) for (const batch of table.batches) rows.add(batch);
  return rows.snapshot({ complete: true });
}

/** Returns a text column split into small batches, so that rows span several chunks. */
export function textSource(values: readonly (string | null)[], batch = 97): ArrowSource {
  const tables = [];
  for (let at = 0; at < values.length; at += batch)
    tables.push(new arrow.Table({ text: utf8(values.slice(at, at + batch)) }));
  return sourceOf(...tables);
}
