import type { Data, Vector } from 'apache-arrow';
import type { RowColumn, Value } from './row-source.ts';
import { decimalText, durationText, intervalText, plainText } from './value-text.ts';

/** A piece of a column, as it stands in memory. */
export interface Chunk {
  /** Number of its first row. */
  readonly start: number;
  readonly data: Data;
}

/** Kinds of types by the numbers the format gives them; the library itself is not needed to read. */
export const TypeId = {
  Dictionary: -1,
  Null: 1,
  Int: 2,
  Float: 3,
  Binary: 4,
  Utf8: 5,
  Bool: 6,
  Decimal: 7,
  Date: 8,
  Time: 9,
  Timestamp: 10,
  Interval: 11,
  List: 12,
  Struct: 13,
  Union: 14,
  FixedSizeBinary: 15,
  FixedSizeList: 16,
  Map: 17,
  Duration: 18,
  LargeBinary: 19,
  LargeUtf8: 20,
} as const;

type ArrowType = Data['type'];

/** The parts of types that matter here, whichever type it is. */
interface TypeParts {
  readonly unit: number;
  readonly scale: number;
  readonly bitWidth: number;
  readonly isSigned: boolean;
  readonly timezone?: string | null;
  readonly mode: number;
  readonly typeIdToChildIndex: Record<number, number>;
  readonly dictionary: ArrowType;
  readonly children: readonly { readonly name: string }[];
}
export const partsOf = (type: ArrowType): TypeParts => type as unknown as TypeParts;

const digitsOf = (unit: number): number => unit * 3;

/** What a column of a type is; the index is given by the caller. */
export function describeType(type: ArrowType): Omit<RowColumn, 'name' | 'index'> {
  const parts = partsOf(type);
  switch (type.typeId as number) {
    case TypeId.Dictionary:
      return describeType(parts.dictionary);
    case TypeId.Bool:
      return { kind: 'boolean' };
    case TypeId.Int:
      return { kind: 'integer' };
    case TypeId.Float:
      return { kind: 'float' };
    case TypeId.Decimal:
      return { kind: 'decimal', scale: parts.scale };
    case TypeId.Date:
      return { kind: 'date' };
    case TypeId.Time:
      return { kind: 'time', digits: digitsOf(parts.unit) };
    case TypeId.Timestamp:
      return { kind: 'timestamp', digits: digitsOf(parts.unit), zoned: Boolean(parts.timezone) };
    case TypeId.Interval:
    case TypeId.Duration:
      return { kind: 'interval' };
    case TypeId.Binary:
    case TypeId.LargeBinary:
    case TypeId.FixedSizeBinary:
      return { kind: 'binary' };
    case TypeId.List:
    case TypeId.FixedSizeList:
      return { kind: 'list' };
    case TypeId.Struct:
    case TypeId.Map:
    case TypeId.Union:
      return { kind: 'struct' };
    default:
      return { kind: 'text' };
  }
}

const utf8 = new TextDecoder();
const day = 86_400_000;
/** Nanoseconds in a unit of time: second, milli-, micro-, nanosecond. */
export const nanos = [1_000_000_000, 1_000_000, 1000, 1] as const;

/** The bytes of a text or binary value. */
export function bytesAt({ values, valueOffsets }: Data, at: number): Uint8Array {
  return (values as Uint8Array).subarray(Number(valueOffsets[at]), Number(valueOffsets[at + 1]));
}

/** A decimal's digits, its point left out. */
export function decimalAt(data: Data, at: number): bigint {
  const words = data.values as Uint32Array;
  const width = data.stride;
  let value = BigInt(words[at * width + width - 1]! | 0);
  for (let word = width - 2; word >= 0; word--)
    value = (value << 32n) | BigInt(words[at * width + word]!);
  return value;
}

/** The piece of a dictionary that has an entry, and where in it. */
export function entryAt(data: Data, at: number): { data: Data; at: number } | null {
  let key = Number((data.values as Int32Array)[at]);
  for (const piece of (data.dictionary as Vector | undefined)?.data ?? []) {
    if (key < piece.length) return { data: piece, at: key };
    key -= piece.length;
  }
  return null;
}

/** A value where it stands. Nothing is made but the value itself; a nested one is written only when it is asked to be. */
export function readValue(data: Data, at: number, limit = Infinity): Value {
  if ((data.type.typeId as number) !== TypeId.Union && !data.getValid(at)) return null;
  const parts = partsOf(data.type);
  const numbers = data.values as Int32Array;
  switch (data.type.typeId as number) {
    case TypeId.Dictionary: {
      const entry = entryAt(data, at);
      return entry && readValue(entry.data, entry.at, limit);
    }
    case TypeId.Bool:
      return (
        ((data.values as Uint8Array)[(data.offset + at) >> 3]! &
          (1 << ((data.offset + at) % 8))) !==
        0
      );
    case TypeId.Int:
      return numbers[at] ?? null;
    case TypeId.Float:
      return parts.bitWidth === 16 || data.values instanceof Uint16Array
        ? halfFloat((data.values as Uint16Array)[at]!)
        : (numbers[at] ?? null);
    case TypeId.Decimal:
      return decimalAt(data, at);
    case TypeId.Utf8:
    case TypeId.LargeUtf8: {
      const bytes = bytesAt(data, at);
      // A character has at most four bytes; what is cut in the middle is behind the limit.
      return bytes.length > limit * 4
        ? utf8.decode(bytes.subarray(0, limit * 4 + 4))
        : utf8.decode(bytes);
    }
    case TypeId.Binary:
    case TypeId.LargeBinary:
      return bytesAt(data, at);
    case TypeId.FixedSizeBinary:
      return (data.values as Uint8Array).subarray(data.stride * at, data.stride * (at + 1));
    case TypeId.Date:
      return parts.unit === 0 ? numbers[at]! * day : Number(numbers[at]);
    case TypeId.Time:
      return Number(numbers[at]) * nanos[parts.unit as 0]!;
    case TypeId.Timestamp:
      return (data.values as BigInt64Array)[at]! * BigInt(nanos[parts.unit as 0]!);
    case TypeId.Interval:
      return intervalText(data.values as Int32Array, parts.unit, at);
    case TypeId.Duration:
      return durationText((data.values as BigInt64Array)[at]! * BigInt(nanos[parts.unit as 0]!));
    case TypeId.List:
    case TypeId.FixedSizeList:
    case TypeId.Struct:
    case TypeId.Map:
    case TypeId.Union:
      return new NestedCell(data, at);
    default:
      return null;
  }
}

/** IEEE half precision. */
function halfFloat(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 31;
  const fraction = bits & 1023;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  if (exponent === 31) return fraction ? Number.NaN : sign * Infinity;
  return sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}

/** A list, struct, map or union: where it stands. */
export class NestedCell {
  readonly #data: Data;
  readonly #at: number;
  constructor(data: Data, at: number) {
    this.#data = data;
    this.#at = at;
  }
  /** As compact JSON: numbers exact, bytes as hex. With a limit about so many characters, cut anywhere. */
  text(limit = Infinity): string {
    const parts: string[] = [];
    writeJson(this.#data, this.#at, { parts, left: limit });
    return parts.join('');
  }
  toString(): string {
    return this.text();
  }
}

interface JsonSink {
  readonly parts: string[];
  left: number;
}

function put(sink: JsonSink, text: string): void {
  sink.parts.push(text);
  sink.left -= text.length;
}

function writeJson(data: Data, at: number, sink: JsonSink): void {
  if (sink.left <= 0) return;
  const type = data.type.typeId as number;
  const parts = partsOf(data.type);
  if (type === TypeId.Union) {
    const child = data.children[parts.typeIdToChildIndex[data.typeIds[at]!]!]!;
    return writeJson(child, parts.mode === 1 ? Number(data.valueOffsets[at]) : at, sink);
  }
  if (!data.getValid(at)) return put(sink, 'null');
  if (type === TypeId.Dictionary) {
    const entry = entryAt(data, at);
    return entry ? writeJson(entry.data, entry.at, sink) : put(sink, 'null');
  }
  if (type === TypeId.List || type === TypeId.FixedSizeList) {
    const [from, to] =
      type === TypeId.List
        ? [Number(data.valueOffsets[at]), Number(data.valueOffsets[at + 1])]
        : [at * data.stride, (at + 1) * data.stride];
    put(sink, '[');
    for (let item = from; item < to && sink.left > 0; item++) {
      if (item > from) put(sink, ',');
      writeJson(data.children[0]!, item, sink);
    }
    return put(sink, ']');
  }
  if (type === TypeId.Struct) {
    put(sink, '{');
    for (let field = 0; field < data.children.length && sink.left > 0; field++) {
      put(sink, `${field > 0 ? ',' : ''}${JSON.stringify(parts.children[field]!.name)}:`);
      writeJson(data.children[field]!, at, sink);
    }
    return put(sink, '}');
  }
  if (type === TypeId.Map) {
    const [keys, values] = data.children[0]!.children as [Data, Data];
    const [from, to] = [Number(data.valueOffsets[at]), Number(data.valueOffsets[at + 1])];
    put(sink, '{');
    for (let item = from; item < to && sink.left > 0; item++) {
      put(sink, `${item > from ? ',' : ''}${JSON.stringify(scalarText(keys, item))}:`);
      writeJson(values, item, sink);
    }
    return put(sink, '}');
  }
  const value = readValue(data, at, sink.left);
  if (
    typeof value === 'boolean' ||
    (typeof value === 'bigint' && type !== TypeId.Decimal && type !== TypeId.Timestamp)
  )
    return put(sink, String(value));
  if (type === TypeId.Decimal) return put(sink, decimalText(value as bigint, parts.scale));
  if (
    typeof value === 'number' &&
    (type === TypeId.Int || type === TypeId.Float) &&
    Number.isFinite(value)
  )
    return put(sink, String(value));
  put(sink, JSON.stringify(scalarText(data, at, value)));
}

/** A value that is not nested, in words of the data: without grouped digits. */
function scalarText(data: Data, at: number, value = readValue(data, at)): string {
  return plainText(value, { name: '', index: 0, ...describeType(data.type) });
}
