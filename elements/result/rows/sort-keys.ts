import type { Chunk } from '@tiding/client/model';
import {
  ArrowTypeId,
  arrowTypeDetails,
  type CellValue,
  exactNumber,
  INFINITE_DAYS,
  INFINITE_TIMESTAMP,
  isAbsent,
  parseDate,
  toNumber,
} from '@tiding/client/model';
import type { ReadAs, RowSource } from './row-source.ts';
import { SortGroup } from './sort-group.ts';
import { type TextKeys, textKeys } from './text-keys.ts';

/** Sort keys of all rows, indexed by row: unsigned 32-bit words, most significant first. */
export interface SortKeys {
  readonly words: readonly Uint32Array[];
  readonly groups: Uint8Array;
  /** Orders rows whose words are equal. */
  readonly finer?: TextKeys | undefined;
}

/** Rows processed between two yields. */
const step = 8192;
const float = new Float64Array(1);
const bits = new Uint32Array(float.buffer);
/** Types whose values are single numbers. */
const PLAIN = ['Int', 'Float', 'Date', 'Time', 'Timestamp', 'Duration'] as const;
const INFINITE_DATE = INFINITE_DAYS * 86_400_000;

/** Builds the sort keys of a column; yields every few thousand rows. */
export function* sortKeys(
  source: RowSource,
  column: number,
  as: ReadAs,
): Generator<void, SortKeys> {
  const groups = new Uint8Array(source.length);
  const chunks = source.chunks?.(column);
  const { kind, order } = source.columns[column]!;
  if (order && as === 'string') return yield* rankKeys(source, column, order, groups);
  if (chunks && (as !== 'string' || kind === 'interval') && kind !== 'text') {
    const typed = yield* typedKeys(source.length, chunks, groups);
    if (typed) return { words: typed, groups };
  }
  const numeric = as === 'string' ? undefined : numberReader(source, column, as);
  if (!numeric || ['list', 'struct', 'binary', 'interval'].includes(kind)) {
    const finer = yield* textKeys(source, column, groups);
    return { words: finer.words, groups, finer };
  }
  const [high, low] = [new Uint32Array(source.length), new Uint32Array(source.length)];
  let rest: Uint32Array[] = [];
  let others = 0;
  for (let row = 0; row < source.length; row++) {
    if (row % step === 0) yield;
    const value = source.value(row, column);
    if (isAbsent(source, value)) {
      groups[row] = SortGroup.missing;
      continue;
    }
    const number = numeric(value);
    if (number === undefined) {
      groups[row] = SortGroup.other;
      others += 1;
      continue;
    }
    const float = Number(number);
    putFloat(high, low, row, float);
    if (typeof number !== 'bigint' || number === BigInt(float)) continue;
    if (rest.length === 0) rest = restWords(source.length);
    putRest(rest, row, number - BigInt(float));
  }
  const numbers = [high, low, ...rest];
  if (others === 0) return { words: numbers, groups };
  // Texts in a number column come after the numbers and are sorted as text.
  const finer = yield* textKeys(
    source,
    column,
    new Uint8Array(groups),
    (row) => groups[row] === SortGroup.other,
  );
  const words = Array.from({ length: Math.max(numbers.length, finer.words.length) }, (_, at) => {
    const own = numbers[at] ?? new Uint32Array(source.length);
    const word = finer.words[at];
    for (let row = 0; row < own.length; row++)
      if (groups[row] === SortGroup.other) own[row] = word ? word[row]! : 0;
    return own;
  });
  return { words, groups, finer };
}

/** Builds keys from the place of each text in an order. */
function* rankKeys(
  source: RowSource,
  column: number,
  order: readonly string[],
  groups: Uint8Array,
): Generator<void, SortKeys> {
  const ranks = new Map(order.map((text, rank) => [text, rank]));
  const word = new Uint32Array(source.length);
  for (let row = 0; row < source.length; row++) {
    if (row % step === 0) yield;
    const value = source.value(row, column);
    if (isAbsent(source, value)) groups[row] = SortGroup.missing;
    else word[row] = ranks.get(String(value)) ?? order.length;
  }
  return { words: [word], groups };
}

/**
 * Returns a function that reads a column's values as numbers (dates in milliseconds), or
 * `undefined` if a value isn't one.
 */
export function numberReader(
  source: RowSource,
  column: number,
  as: 'number' | 'date',
): (value: CellValue) => number | bigint | undefined {
  const { kind, scale = 0, digits = 0 } = source.columns[column]!;
  if (as === 'date') {
    const infinity =
      kind === 'timestamp' ? Number(INFINITE_TIMESTAMP * 10n ** BigInt(9 - digits)) : INFINITE_DATE;
    return (value) =>
      typeof value === 'string'
        ? parseDate(value, { utc: true })?.getTime()
        : typeof value === 'bigint'
          ? kind === 'timestamp'
            ? milliseconds(value, finiteTime(value, infinity))
            : finiteTime(value, infinity)
          : typeof value === 'number'
            ? finiteTime(value, infinity)
            : undefined;
  }
  return (value) => {
    if (typeof value === 'number') return value;
    if (typeof value === 'bigint')
      return kind === 'decimal' && scale > 0 ? Number(value) / 10 ** scale : value;
    if (typeof value === 'boolean') return value ? 1 : 0;
    return typeof value === 'string'
      ? source.isText
        ? exactNumber(value)
        : toNumber(value)
      : undefined;
  };
}

/** A time in its unit, or the infinite number that it stands for. */
const finiteTime = (value: bigint | number, infinity: number): number => {
  const time = Number(value);
  return Math.abs(time) === infinity ? Math.sign(time) * Infinity : time;
};

/** Converts nanoseconds; those that round to the next millisecond are still before it. */
function milliseconds(nanoseconds: bigint, time: number): number {
  const ms = time / 1e6;
  return Number.isInteger(ms) && BigInt(ms) * 1_000_000n > nanoseconds ? ms - 1 : ms;
}

function putFloat(high: Uint32Array, low: Uint32Array, row: number, value: number): void {
  // NaN comes after infinity, whatever its sign is.
  float[0] = value === 0 ? 0 : Number.isNaN(value) ? Number.NaN : value;
  const negative = bits[1]! >>> 31;
  high[row] = negative ? ~bits[1]! : bits[1]! ^ 0x80000000;
  low[row] = negative ? ~bits[0]! : bits[0]!;
}

/** Bits of the difference between an integer and its nearest double; fits 128-bit integers. */
const restBits = 96;

/** Creates the key words of that difference, initially for 0. */
const restWords = (length: number): Uint32Array[] => [
  new Uint32Array(length).fill(0x80000000),
  new Uint32Array(length),
  new Uint32Array(length),
];

function putRest(words: readonly Uint32Array[], row: number, rest: bigint): void {
  const key = BigInt.asUintN(restBits, BigInt.asIntN(restBits, rest) + (1n << 95n));
  for (let at = 0; at < 3; at++)
    words[at]![row] = Number((key >> BigInt(64 - 32 * at)) & 0xffffffffn);
}

/** The unit of intervals of months, days and nanoseconds, as numbered by the Arrow format. */
const MONTH_DAY_NANO = 2;
const DAY_NS = 86_400_000_000_000n;
const MONTH_NS = 30n * DAY_NS;

/** Intervals are compared as in SQL, where a month has 30 days: by months, days and the rest. */
function putInterval(words: readonly Uint32Array[], row: number, parts: Int32Array): void {
  const [months = 0, days = 0, low = 0, high = 0] = parts;
  const time = (BigInt(high) << 32n) | BigInt(low >>> 0);
  words[0]![row] = (months + Math.trunc(days / 30) + Number(time / MONTH_NS)) ^ 0x80000000;
  words[1]![row] = ((days % 30) + Number((time % MONTH_NS) / DAY_NS)) ^ 0x80000000;
  const rest = BigInt.asUintN(64, (time % DAY_NS) + (1n << 63n));
  words[2]![row] = Number(rest >> 32n);
  words[3]![row] = Number(rest & 0xffffffffn);
}

/**
 * Builds keys straight from the column's buffers; null for types whose buffer isn't ordered like a
 * number.
 */
function* typedKeys(
  length: number,
  chunks: readonly Chunk[],
  groups: Uint8Array,
): Generator<void, Uint32Array[] | null> {
  const type = chunks[0]?.data.type;
  if (!type) return [];
  const id = type.typeId as number;
  const parts = arrowTypeDetails(type);
  const wide =
    chunks[0]!.data.values instanceof BigInt64Array ||
    chunks[0]!.data.values instanceof BigUint64Array;
  const isPlain = PLAIN.some((name) => id === ArrowTypeId[name]);
  const half = id === ArrowTypeId.Float && chunks[0]!.data.values instanceof Uint16Array;
  const isInterval = id === ArrowTypeId.Interval && parts.unit === MONTH_DAY_NANO;
  if (half || !(isPlain || isInterval || id === ArrowTypeId.Decimal || id === ArrowTypeId.Bool))
    return null;
  const width =
    id === ArrowTypeId.Decimal || isInterval
      ? chunks[0]!.data.stride
      : wide || id === ArrowTypeId.Float
        ? 2
        : 1;
  const words = Array.from({ length: width }, () => new Uint32Array(length));
  const unsigned = id === ArrowTypeId.Int && !parts.isSigned;
  for (const { start, data } of chunks) {
    const { values } = data;
    for (let at = 0; at < data.length; at++) {
      if (at % step === 0) yield;
      const row = start + at;
      if (data.nullCount > 0 && !data.getValid(at)) groups[row] = SortGroup.missing;
      else if (isInterval)
        putInterval(words, row, (values as Int32Array).subarray(at * 4, at * 4 + 4));
      else if (id === ArrowTypeId.Bool)
        words[0]![row] =
          ((values as Uint8Array)[(data.offset + at) >> 3]! >> ((data.offset + at) % 8)) & 1;
      else if (id === ArrowTypeId.Float) {
        putFloat(words[0]!, words[1]!, row, (values as Float64Array)[at]!);
      } else if (!wide && id !== ArrowTypeId.Decimal)
        words[0]![row] = unsigned
          ? (values as Uint32Array)[at]!
          : (values as Int32Array)[at]! ^ 0x80000000;
    }
    if (wide || id === ArrowTypeId.Decimal)
      yield* copyWords(words, start, data.length, values as BigInt64Array, unsigned);
    if (data.nullCount === 0) continue;
    // The memory of missing values may contain anything; they must stay in their order.
    for (let row = start; row < start + data.length; row++)
      if (groups[row] === SortGroup.missing) for (const word of words) word[row] = 0;
  }
  return words;
}

/**
 * Copies little-endian multi-word integers; flips the sign bit so that unsigned comparison orders
 * them correctly.
 */
function* copyWords(
  words: readonly Uint32Array[],
  start: number,
  length: number,
  values: BigInt64Array | Uint32Array,
  unsigned: boolean,
): Generator<void> {
  const width = words.length;
  const from = new Uint32Array(values.buffer, values.byteOffset, length * width);
  for (let word = 0; word < width; word++) {
    const to = words[width - 1 - word]!;
    const flip = word === width - 1 && !unsigned ? 0x80000000 : 0;
    for (let at = 0; at < length; at++) {
      if (at % 65536 === 0) yield;
      to[start + at] = from[at * width + word]! ^ flip;
    }
  }
}
