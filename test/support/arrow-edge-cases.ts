/** Arrow columns with the values that are hard to write as text. */
import * as arrow from 'apache-arrow';

/** Makes a column from its buffers; with `missing`, the second value is missing. */
function column(type: arrow.DataType, length: number, parts: object, missing = true): arrow.Data {
  return arrow.makeData({
    type,
    length,
    ...(missing ? { nullCount: 1, nullBitmap: Uint8Array.of(0b11111101) } : {}),
    ...parts,
  } as never);
}
const data = (type: arrow.DataType, values: ArrayBufferView & { length: number }, width = 1) =>
  column(type, values.length / width, { data: values });
const bigints = (...values: bigint[]) => BigInt64Array.from(values);
const INFINITE = 2n ** 63n - 1n;

function decimals(...values: bigint[]): Uint32Array {
  const words = new Uint32Array(4 * values.length);
  values.forEach((value, at) => {
    for (let word = 0; word < 4; word += 1)
      words[4 * at + word] = Number(
        (BigInt.asUintN(128, value) >> BigInt(32 * word)) & 0xffffffffn,
      );
  });
  return words;
}
function texts(values: readonly string[], type: arrow.DataType = new arrow.Utf8()): arrow.Data {
  const bytes = values.map((value) =>
    Buffer.from(value, type instanceof arrow.Utf8 ? 'utf8' : 'latin1'),
  );
  const valueOffsets = new Int32Array(values.length + 1);
  bytes.forEach(({ length }, at) => (valueOffsets[at + 1] = valueOffsets[at]! + length));
  return column(type, values.length, { data: new Uint8Array(Buffer.concat(bytes)), valueOffsets });
}
const field = (name: string, type: arrow.DataType) => new arrow.Field(name, type, true);

const FLOATS = [0.1, 0, Number.NaN, Infinity, -Infinity];
const ELEMENTS = [
  column(new arrow.Float64(), 5, { data: Float64Array.from(FLOATS) }),
  column(new arrow.Float32(), 5, { data: Float32Array.from(FLOATS) }),
  data(new arrow.Decimal(2, 38, 128), decimals(12345n, 0n, -5n, 0n, 10n), 4),
  data(
    new arrow.TimestampMicrosecond('UTC'),
    bigints(1_714_564_800_500_000n, 0n, -1n, INFINITE, 0n),
  ),
  data(new arrow.DateDay(), Int32Array.of(19844, 0, -1, 2 ** 31 - 1, 0)),
  data(new arrow.TimeMicrosecond(), bigints(45_296_500_000n, 0n, 1n, 0n, 86_399_999_999n)),
  texts(['\xffa\\\n', '', 'plain', '', 'x'], new arrow.Binary()),
  texts(['"quoted"', '', 'a\nb', '', 'ü']),
] as const;

/** Columns of five rows, by name. The second value of each is missing. */
export function edgeCases(): Readonly<Record<string, arrow.Data>> {
  const names = ['real', 'single', 'decimal', 'moment', 'day', 'clock', 'bytes', 'text'];
  const struct = new arrow.Struct(ELEMENTS.map(({ type }, at) => field(names[at]!, type)));
  const structs = column(struct, 5, { children: [...ELEMENTS] });
  const entries = new arrow.Struct([
    new arrow.Field('key', new arrow.Utf8(), false),
    field('value', new arrow.Float64()),
  ]);
  const keys = arrow.makeData({
    type: new arrow.Utf8(),
    length: 3,
    nullCount: 0,
    data: Uint8Array.of(97, 98, 34),
    valueOffsets: Int32Array.of(0, 1, 2, 3),
  });
  const pairs = arrow.makeData({
    type: entries,
    length: 3,
    nullCount: 0,
    children: [keys, column(new arrow.Float64(), 3, { data: Float64Array.of(1, 0, Number.NaN) })],
  } as never);
  return {
    flag: column(new arrow.Bool(), 5, { data: Uint8Array.of(0b10101) }),
    byte: data(new arrow.Int8(), Int8Array.of(-128, 0, 127, 0, 1)),
    long: data(new arrow.Int64(), bigints(-(2n ** 63n), 0n, 2n ** 63n - 1n, 0n, 9007199254740993n)),
    unsigned: data(new arrow.Uint64(), BigUint64Array.of(2n ** 64n - 1n, 0n, 1n, 0n, 2n)),
    half: data(new arrow.Float16(), Uint16Array.of(0x3c00, 0, 0x7e00, 0xfc00, 0x2e66)),
    single: ELEMENTS[1],
    double: ELEMENTS[0],
    small: data(new arrow.Float64(), Float64Array.of(1e-7, 0, 1e21, -0, 123456789.123)),
    decimal: ELEMENTS[2],
    integral: data(new arrow.Decimal(0, 38, 128), decimals(10n ** 37n, 0n, -1n, 0n, 7n), 4),
    scaled: data(new arrow.Decimal(-2, 38, 128), decimals(12n, 0n, -1n, 0n, 7n), 4),
    text: texts(['', '', '\ufeffmarked', 'a,b "c"\r\nd', 'Zoë 😀']),
    bytes: ELEMENTS[6],
    fixedBytes: column(new arrow.FixedSizeBinary(2), 5, {
      data: Uint8Array.of(0, 255, 0, 0, 97, 98, 92, 10, 1, 2),
    }),
    day: data(new arrow.DateDay(), Int32Array.of(19844, 0, -719_162, 2 ** 31 - 1, -200_000_000)),
    dayInMs: data(
      new arrow.DateMillisecond(),
      bigints(1_714_564_800_000n, 0n, -1n, 0n, 86_399_999n),
    ),
    seconds: data(new arrow.TimeSecond(), Int32Array.of(45_296, 0, 0, 1, 86_399)),
    milliseconds: data(new arrow.TimeMillisecond(), Int32Array.of(45_296_500, 0, 0, 1, 86_399_999)),
    microseconds: ELEMENTS[5],
    nanoseconds: data(new arrow.TimeNanosecond(), bigints(1n, 0n, 1_000_000_000n, 0n, 10n)),
    wallClock: data(
      new arrow.TimestampMicrosecond(),
      bigints(1_714_564_800_123_456n, 0n, -1n, INFINITE, -INFINITE),
    ),
    instant: ELEMENTS[3],
    inZone: data(
      new arrow.TimestampSecond('Europe/Berlin'),
      bigints(1_714_564_800n, 0n, -1n, 0n, 1n),
    ),
    inMs: data(new arrow.TimestampMillisecond(), bigints(1_714_564_800_120n, 0n, -1n, 0n, 1n)),
    inNs: data(new arrow.TimestampNanosecond('UTC'), bigints(INFINITE, 0n, -1n, 1n, 10n)),
    months: data(new arrow.IntervalYearMonth(), Int32Array.of(14, 0, -1, 0, 12)),
    daysAndMs: data(
      new arrow.IntervalDayTime(),
      Int32Array.of(1, 500, 0, 0, -2, -1, 0, 0, 0, 3_600_000),
      2,
    ),
    span: data(
      new arrow.IntervalMonthDayNano(),
      Int32Array.of(14, 3, 1_500_000_000, 0, 0, 0, 0, 0, -1, 0, -1, -1, 0, 0, 0, 0, 0, 1, 0, 0),
      4,
    ),
    duration: data(
      new arrow.DurationMicrosecond(),
      bigints(180_000_000_001n, 0n, -1n, 0n, 10n ** 13n),
    ),
    record: structs,
    list: column(new arrow.List(field('item', struct)), 5, {
      valueOffsets: Int32Array.of(0, 2, 2, 2, 3, 5),
      child: structs,
    }),
    fixedList: column(new arrow.FixedSizeList(1, field('item', new arrow.Float64())), 5, {
      child: ELEMENTS[0],
    }),
    map: column(new arrow.Map_(new arrow.Field('entries', entries, false) as never), 5, {
      valueOffsets: Int32Array.of(0, 2, 2, 2, 3, 3),
      child: pairs,
    }),
  };
}

/** A record batch of five rows with the given columns. */
export function batchOf(columns: Readonly<Record<string, arrow.Data>>): arrow.RecordBatch {
  const fields = Object.entries(columns).map(([name, { type }]) => field(name, type));
  return new arrow.RecordBatch(
    new arrow.Schema(fields),
    arrow.makeData({
      type: new arrow.Struct(fields),
      length: 5,
      nullCount: 0,
      children: Object.values(columns),
    } as never) as never,
  );
}
