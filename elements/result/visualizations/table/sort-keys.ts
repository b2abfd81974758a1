import { parseDate, toNumber, columnNumber } from 'tiding/model';
import { partsOf, TypeId, type Chunk } from './arrow-values.ts';
import { isAbsent, type RowSource, type Value } from './row-source.ts';
import { textKeys, type TextKeys } from './text-keys.ts';
import { plainText } from './value-text.ts';

/** How a column is read by the grid, whatever its values are. */
export type ReadAs = 'string' | 'number' | 'date';

/** Where a value stands, before its key is looked at: with a value, of another type than the column is read as, none at all. */
export const Group = { value: 0, other: 1, none: 2 } as const;

/** Keys of some rows, by their place in the list of rows: unsigned words, the first one counts most. */
export interface SortKeys {
  readonly words: readonly Uint32Array[];
  readonly groups: Uint8Array;
  /** Parts rows whose words are equal. */
  readonly finer?: TextKeys | undefined;
}

/** Rows looked at between two pauses. */
const step = 8192;
const float = new Float64Array(1);
const bits = new Uint32Array(float.buffer);

/** Makes the keys of all rows of a column; pauses every few thousand rows. */
export function* sortKeys(
  source: RowSource,
  column: number,
  as: ReadAs,
): Generator<void, SortKeys> {
  const groups = new Uint8Array(source.length);
  const chunks = source.chunks?.(column);
  const { kind } = source.columns[column]!;
  if (chunks && as !== 'string' && kind !== 'text') {
    const typed = yield* typedKeys(source.length, chunks, groups);
    if (typed) return { words: typed, groups };
  }
  const numeric = as === 'string' ? undefined : numberOf(source, column, as);
  if (
    !numeric ||
    kind === 'list' ||
    kind === 'struct' ||
    kind === 'binary' ||
    kind === 'interval'
  ) {
    const finer = yield* textKeys(source, column, groups);
    return { words: finer.words, groups, finer };
  }
  const [high, low] = [new Uint32Array(source.length), new Uint32Array(source.length)];
  let others = 0;
  for (let row = 0; row < source.length; row++) {
    if (row % step === 0) yield;
    const value = source.value(row, column);
    if (isAbsent(source, value)) {
      groups[row] = Group.none;
      continue;
    }
    const number = numeric(value);
    if (number === undefined) {
      groups[row] = Group.other;
      others += 1;
    } else putFloat(high, low, row, Number(number));
  }
  if (others === 0) return { words: [high, low], groups };
  // Texts in a column of numbers stand behind them, in their own order.
  const finer = yield* textKeys(
    source,
    column,
    new Uint8Array(groups),
    (row) => groups[row] === Group.other,
  );
  const words = finer.words.map((word, at) => {
    const own = at === 0 ? high : at === 1 ? low : new Uint32Array(source.length);
    for (let row = 0; row < own.length; row++)
      if (groups[row] === Group.other) own[row] = word[row]!;
    return own;
  });
  return { words, groups, finer };
}

/** Reads values of a column as numbers (of dates: milliseconds); `undefined` for what is none. */
export function numberOf(
  source: RowSource,
  column: number,
  as: 'number' | 'date',
): (value: Value) => number | bigint | undefined {
  const { kind, scale = 0 } = source.columns[column]!;
  if (as === 'date') {
    return (value) =>
      typeof value === 'string'
        ? parseDate(value, { utc: true })?.getTime()
        : typeof value === 'bigint'
          ? Number(value) / (kind === 'timestamp' ? 1e6 : 1)
          : typeof value === 'number'
            ? value
            : undefined;
  }
  return (value) => {
    if (typeof value === 'number') return value;
    if (typeof value === 'bigint')
      return kind === 'decimal' && scale > 0 ? Number(value) / 10 ** scale : value;
    if (typeof value === 'boolean') return value ? 1 : 0;
    return typeof value === 'string'
      ? source.chunks
        ? toNumber(value)
        : columnNumber(value)
      : undefined;
  };
}

function putFloat(high: Uint32Array, low: Uint32Array, row: number, value: number): void {
  float[0] = value === 0 ? 0 : value;
  const negative = bits[1]! >>> 31;
  high[row] = negative ? ~bits[1]! : bits[1]! ^ 0x80000000;
  low[row] = negative ? ~bits[0]! : bits[0]!;
}

/** Keys straight from a column's memory; null for types whose memory is no number. */
function* typedKeys(
  length: number,
  chunks: readonly Chunk[],
  groups: Uint8Array,
): Generator<void, Uint32Array[] | null> {
  const type = chunks[0]?.data.type;
  if (!type) return [];
  const id = type.typeId as number;
  const parts = partsOf(type);
  const wide =
    chunks[0]!.data.values instanceof BigInt64Array ||
    chunks[0]!.data.values instanceof BigUint64Array;
  const plain =
    id === TypeId.Int ||
    id === TypeId.Float ||
    id === TypeId.Date ||
    id === TypeId.Time ||
    id === TypeId.Timestamp ||
    id === TypeId.Duration;
  const half = id === TypeId.Float && chunks[0]!.data.values instanceof Uint16Array;
  const width =
    id === TypeId.Decimal
      ? chunks[0]!.data.stride
      : id === TypeId.Bool
        ? 1
        : plain && !half
          ? wide
            ? 2
            : id === TypeId.Float
              ? 2
              : 1
          : 0;
  if (width === 0) return null;
  const words = Array.from({ length: width }, () => new Uint32Array(length));
  const unsigned = id === TypeId.Int && !parts.isSigned;
  for (const { start, data } of chunks) {
    const { values } = data;
    for (let at = 0; at < data.length; at++) {
      if (at % step === 0) yield;
      const row = start + at;
      if (data.nullCount > 0 && !data.getValid(at)) groups[row] = Group.none;
      else if (id === TypeId.Bool)
        words[0]![row] =
          ((values as Uint8Array)[(data.offset + at) >> 3]! >> ((data.offset + at) % 8)) & 1;
      else if (id === TypeId.Float) {
        if (Number.isNaN((values as Float64Array)[at]!)) groups[row] = Group.other;
        else putFloat(words[0]!, words[1]!, row, (values as Float64Array)[at]!);
      } else if (!wide && id !== TypeId.Decimal)
        words[0]![row] = unsigned
          ? (values as Uint32Array)[at]!
          : (values as Int32Array)[at]! ^ 0x80000000;
    }
    if (wide || id === TypeId.Decimal)
      yield* copyWords(words, start, data.length, values as BigInt64Array, unsigned);
  }
  return words;
}

/** Little-endian integers of several words, the sign made part of their order. */
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

/** The text by which a value is ordered and searched. */
export function orderText(source: RowSource, column: number, value: Value): string {
  return plainText(value, source.columns[column]!);
}
