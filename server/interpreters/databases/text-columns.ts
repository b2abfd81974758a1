/** Converts values that a database sends as text to Arrow columns. */
import {
  Binary,
  Bool,
  type Data,
  type DataType,
  DateDay,
  Decimal,
  Field,
  Float32,
  Float64,
  Int8,
  Int16,
  Int32,
  Int64,
  makeData,
  RecordBatch,
  Schema,
  Struct,
  TimeMicrosecond,
  TimestampMicrosecond,
  Uint8,
  Uint16,
  Uint32,
  Uint64,
  Utf8,
} from 'apache-arrow';
import { distinctTexts, enumMetadata } from '../table-text.ts';
import { daysOf, timeOf, timestampOf } from './text-times.ts';

/** A row: the text of each value; `null` is a missing value. */
export type TextRow = readonly (string | null)[];

export interface TextColumn {
  readonly name: string;
  readonly kind: ColumnKind;
  /** Values of an enumeration, in the order in which it is sorted. */
  readonly order?: readonly string[] | undefined;
}

/** Maximum precision of 128-bit decimals. */
const MAX_PRECISION = 38;

interface Converter {
  readonly type: DataType;
  /** Returns the values of a column. `lost` is called for each value that doesn't fit the type. */
  data(rows: readonly TextRow[], column: number, lost: () => void): Data;
}

/** Bitmap of the rows that have a value. */
class Validity {
  readonly #bits: Uint8Array<ArrayBuffer>;
  #missing = 0;

  constructor(count: number) {
    this.#bits = new Uint8Array((count + 7) >> 3).fill(255);
  }

  clear(row: number): void {
    this.#bits[row >> 3]! &= ~(1 << (row & 7));
    this.#missing += 1;
  }

  get parts(): { nullBitmap?: Uint8Array; nullCount: number } {
    return this.#missing === 0
      ? { nullCount: 0 }
      : { nullBitmap: this.#bits, nullCount: this.#missing };
  }
}

/**
 * Creates a converter of values with a fixed width. `put` returns whether the value is valid, and
 * calls `lost` for one that it has rounded.
 */
function fixed<Values>(
  type: DataType,
  room: (count: number) => Values,
  put: (values: Values, row: number, text: string, lost: () => void) => boolean,
): Converter {
  return {
    type,
    data(rows, column, lost) {
      const data = room(rows.length);
      const validity = new Validity(rows.length);
      rows.forEach((row, at) => {
        const text = row[column] ?? null;
        if (text !== null && put(data, at, text, lost)) return;
        if (text !== null) lost();
        validity.clear(at);
      });
      return makeData({ type, length: rows.length, data, ...validity.parts } as never);
    },
  };
}

/** Creates a converter of numbers. `parse` returns undefined for texts that don't fit. */
const numbers = <Value extends number | bigint>(
  type: DataType,
  Values: new (count: number) => { [row: number]: Value },
  parse: (text: string) => Value | undefined,
): Converter =>
  fixed(
    type,
    (count) => new Values(count),
    (values, row, text) => {
      const value = parse(text);
      if (value !== undefined) values[row] = value;
      return value !== undefined;
    },
  );

/** An integer of up to 32 bits. */
const integer = (text: string): number | undefined =>
  Number.isInteger(Number(text)) ? Number(text) : undefined;
/** An integer of 64 bits. */
const wholeNumber = (text: string): bigint | undefined =>
  /^-?\d+$/.test(text) ? BigInt(text) : undefined;
/** A floating-point number. NaN is a value only if the text says so. */
const float = (text: string): number | undefined =>
  text === 'NaN' || !Number.isNaN(Number(text)) ? Number(text) : undefined;

/** Creates a converter of decimals. Digits after the scale are rounded and count as lost. */
function decimals(precision: number, scale: number): Converter {
  const limit = 10n ** BigInt(precision);
  return fixed(
    new Decimal(scale, precision),
    (count) => new BigInt64Array(count * 2),
    (values, row, text, lost) => {
      const parsed = unscaled(text, scale);
      if (!parsed || parsed.value >= limit || -parsed.value >= limit) return false;
      if (parsed.isRounded) lost();
      // The array keeps the lowest 64 bits.
      values[row * 2] = parsed.value;
      values[row * 2 + 1] = parsed.value >> 64n;
      return true;
    },
  );
}

const decimalPattern = /^(-?)(\d+)(?:\.(\d+))?$/;

/** The integer `text * 10^scale`, rounded half away from zero. */
function unscaled(text: string, scale: number): { value: bigint; isRounded: boolean } | undefined {
  const [, sign, whole, fraction = ''] = decimalPattern.exec(text) ?? [];
  if (whole === undefined) return undefined;
  let value = BigInt(whole + fraction.slice(0, scale).padEnd(scale, '0'));
  const isRounded = /[1-9]/.test(fraction.slice(scale));
  if (isRounded && fraction.charCodeAt(scale) >= 53) value += 1n;
  return { value: sign ? -value : value, isRounded };
}

const encoder = new TextEncoder();

/** Creates a converter of texts and bytes. */
function texts(type: DataType, encode: (text: string) => Uint8Array): Converter {
  return {
    type,
    data(rows, column) {
      const valueOffsets = new Int32Array(rows.length + 1);
      const validity = new Validity(rows.length);
      const pieces: Uint8Array[] = [];
      let end = 0;
      rows.forEach((row, at) => {
        const text = row[column] ?? null;
        if (text === null) validity.clear(at);
        else {
          const bytes = encode(text);
          pieces.push(bytes);
          end += bytes.length;
        }
        valueOffsets[at + 1] = end;
      });
      const data = Buffer.concat(pieces, end);
      return makeData({
        type,
        length: rows.length,
        valueOffsets,
        data,
        ...validity.parts,
      } as never);
    },
  };
}

const converters = {
  boolean: () =>
    fixed(
      new Bool(),
      (count) => new Uint8Array((count + 7) >> 3),
      (target, row, text) => {
        if (/^(?:t|true|1)$/.test(text)) target[row >> 3]! |= 1 << (row & 7);
        return /^(?:t|f|true|false|0|1)$/.test(text);
      },
    ),
  int8: () => numbers(new Int8(), Int8Array, integer),
  int16: () => numbers(new Int16(), Int16Array, integer),
  int32: () => numbers(new Int32(), Int32Array, integer),
  int64: () => numbers(new Int64(), BigInt64Array, wholeNumber),
  uint8: () => numbers(new Uint8(), Uint8Array, integer),
  uint16: () => numbers(new Uint16(), Uint16Array, integer),
  uint32: () => numbers(new Uint32(), Uint32Array, integer),
  uint64: () => numbers(new Uint64(), BigUint64Array, wholeNumber),
  float32: () => numbers(new Float32(), Float32Array, float),
  float64: () => numbers(new Float64(), Float64Array, float),
  date: () => numbers(new DateDay(), Int32Array, daysOf),
  time: () => numbers(new TimeMicrosecond(), BigInt64Array, timeOf),
  timestamp: () => numbers(new TimestampMicrosecond(), BigInt64Array, timestampOf),
  instant: () => numbers(new TimestampMicrosecond('UTC'), BigInt64Array, timestampOf),
  // PostgreSQL's format `\x00ff`.
  bytes: () => texts(new Binary(), (text) => Buffer.from(text.slice(2), 'hex')),
  text: () => texts(new Utf8(), (text) => encoder.encode(text)),
} as const satisfies Readonly<Record<string, () => Converter>>;

/** Type of a column. `decimal` without precision has an unknown one. */
export type ColumnKind =
  | keyof typeof converters
  | { readonly precision?: number; readonly scale?: number };

function converterOf(kind: ColumnKind, rows: readonly TextRow[], column: number): Converter {
  if (typeof kind === 'string') return converters[kind]();
  const { precision, scale = 0 } = kind;
  if (precision === undefined) {
    // The largest scale in the first rows.
    const scales = rows.map((row) => decimalPattern.exec(row[column] ?? '')?.[3]?.length ?? 0);
    return decimals(MAX_PRECISION, Math.min(MAX_PRECISION, Math.max(0, ...scales)));
  }
  return precision > MAX_PRECISION || scale < 0 ? converters.text() : decimals(precision, scale);
}

/** Whether a column has all of these values. */
function holds(converter: Converter, rows: readonly TextRow[], column: number): boolean {
  let isWhole = true;
  converter.data(rows, column, () => (isWhole = false));
  return isWhole;
}

/** Converts the rows of a result to Arrow batches. */
export class ArrowColumns {
  readonly schema: Schema;
  readonly #converters: readonly Converter[];
  readonly #names: readonly string[];
  readonly #lost = new Set<string>();
  /** Names of columns that are text, because the first rows have values that don't fit the type. */
  readonly texts: readonly string[];

  /** @param first the first rows, which decide the scale of decimals without one, and `texts` */
  constructor(columns: readonly TextColumn[], first: readonly TextRow[]) {
    this.#names = columns.map(({ name }) => name);
    const typed = columns.map(({ kind }, at) => converterOf(kind, first, at));
    const fits = typed.map((converter, at) => holds(converter, first, at));
    this.#converters = typed.map((converter, at) => (fits[at] ? converter : converters.text()));
    this.texts = this.#names.filter((_, at) => !fits[at]);
    this.schema = new Schema(
      distinctTexts(this.#names).map((name, at) => {
        const { order } = columns[at]!;
        return new Field(name, this.#converters[at]!.type, true, order && enumMetadata(order));
      }),
    );
  }

  /** Names of columns with values that don't fit the type and were rounded or left out. */
  get lost(): readonly string[] {
    return [...this.#lost];
  }

  batch(rows: readonly TextRow[]): RecordBatch {
    const children = this.#converters.map((converter, at) =>
      converter.data(rows, at, () => this.#lost.add(this.#names[at]!)),
    );
    const type = new Struct(this.schema.fields);
    return new RecordBatch(
      this.schema,
      makeData({ type, length: rows.length, nullCount: 0, children }),
    );
  }
}
