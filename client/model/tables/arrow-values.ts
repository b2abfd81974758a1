/** Reads Apache Arrow values from their buffers. */

/** An Arrow data type; every `DataType` of the Arrow library is one. */
export interface ArrowDataType {
  /** Number of the type, one of {@link ArrowTypeId}. */
  readonly typeId: number;
}

/** The buffers of one chunk of a column; every `Data` of the Arrow library is one. */
export interface ArrowData {
  /** Type of the values. */
  readonly type: ArrowDataType;
  /** Number of values. */
  readonly length: number;
  /** Position of the first value in bitmaps. */
  readonly offset: number;
  /** Elements of the value buffer per value. */
  readonly stride: number;
  /** Fixed-width values, keys of a dictionary, or the bytes of texts and binary values. */
  readonly values: unknown;
  /** Where each value begins in `values` or in the child, for types of variable length. */
  readonly valueOffsets: unknown;
  /** Type id of each value of a union. */
  readonly typeIds: unknown;
  /** Data of nested types. */
  readonly children: readonly ArrowData[];
  /** Values of a dictionary, in chunks. */
  readonly dictionary?: { readonly data: readonly ArrowData[] } | undefined;
  /** Whether a value is not null. */
  getValid(index: number): boolean;
}

/**
 * Type ids of the Arrow format. Values are read by id, so that this module needs no part of the
 * Arrow library at run time: the library is large, and pages load it only on demand.
 */
export const ArrowTypeId = {
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

/** A field of a nested Arrow type. */
export interface ArrowField {
  /** Name of the field. */
  readonly name: string;
  /** Names and values of its metadata, such as an extension type. */
  readonly metadata?: ReadonlyMap<string, string>;
}

/** Properties of Arrow types, whichever type it is; each is set only for the types that have it. */
export interface ArrowTypeDetails {
  /** Unit of a date, time, timestamp, interval or duration, as numbered by the Arrow format. */
  readonly unit: number;
  /** Digits after the decimal point of a decimal. */
  readonly scale: number;
  /** Precision of a float: 0 is half, 1 single, 2 double. */
  readonly precision: number;
  /** Width of an integer or decimal, in bits. */
  readonly bitWidth: number;
  /** Whether an integer is signed. */
  readonly isSigned: boolean;
  /** Time zone of a timestamp; without one it is a local wall-clock time. */
  readonly timezone?: string | null;
  /** Layout of a union: 0 is sparse, 1 dense. */
  readonly mode: number;
  /** Index of a union's child, by type id. */
  readonly typeIdToChildIndex: Readonly<Record<number, number>>;
  /** Type of a dictionary's values. */
  readonly dictionary: ArrowDataType;
  /** Fields of a nested type. */
  readonly children: readonly ArrowField[];
}

/** Returns the properties of an Arrow type without narrowing it to one type first. */
export const arrowTypeDetails = (type: ArrowDataType): ArrowTypeDetails =>
  type as unknown as ArrowTypeDetails;

type Row<T> = { readonly [index: number]: T };
/** The values of a chunk, as numbers or bigints. @internal */
export const arrowNumbers = <T>(data: ArrowData): Row<T> => data.values as unknown as Row<T>;
/** The type id of a type. @internal */
export const arrowTypeId = (type: ArrowDataType): number => type.typeId as number;

/** The bytes of a text or binary value of any offset width. */
export function arrowBytes({ values, valueOffsets, stride }: ArrowData, index: number): Uint8Array {
  const bytes = values as Uint8Array;
  const offsets = valueOffsets as Int32Array | BigInt64Array | undefined;
  return offsets?.length
    ? bytes.subarray(Number(offsets[index]), Number(offsets[index + 1]))
    : bytes.subarray(index * stride, (index + 1) * stride);
}

/** The unscaled integer of a decimal of any width. */
export function arrowDecimal(data: ArrowData, index: number): bigint {
  const words = arrowNumbers<number>(data);
  const count = data.stride;
  if (count === 4) {
    // Fast path: most decimals are small and positive.
    const [high, low] = [words[index * 4 + 1]!, words[index * 4]!];
    if (words[index * 4 + 3] === 0 && words[index * 4 + 2] === 0 && high < 2 ** 21)
      return BigInt(high * 2 ** 32 + low);
  }
  let value = 0n;
  for (let at = count - 1; at >= 0; at -= 1)
    value = (value << 32n) | BigInt(words[index * count + at]!);
  return BigInt.asIntN(32 * count, value);
}

/** The chunk of a dictionary that contains a value, and the value's index in it. */
export function arrowDictionaryEntry(
  data: ArrowData,
  index: number,
): { readonly data: ArrowData; readonly index: number } | null {
  let key = Number(arrowNumbers<number | bigint>(data)[index]);
  for (const chunk of data.dictionary?.data ?? []) {
    if (key < chunk.length) return { data: chunk, index: key };
    key -= chunk.length;
  }
  return null;
}

/** The child of a union that contains a value, and the value's index in it. */
export function arrowUnionEntry(
  data: ArrowData,
  index: number,
): { data: ArrowData; index: number } {
  const { typeIdToChildIndex, mode } = arrowTypeDetails(data.type);
  return {
    data: data.children[typeIdToChildIndex[(data.typeIds as Int8Array)[index]!]!]!,
    index: mode === 1 ? Number((data.valueOffsets as Int32Array)[index]) : index,
  };
}

/** Whether a value is present, that is, not null. */
export function hasArrowValue(data: ArrowData, index: number): boolean {
  const id = arrowTypeId(data.type);
  if (id === ArrowTypeId.Null) return false;
  if (id === ArrowTypeId.Union) {
    const entry = arrowUnionEntry(data, index);
    return hasArrowValue(entry.data, entry.index);
  }
  if (!data.getValid(index)) return false;
  if (id !== ArrowTypeId.Dictionary) return true;
  const entry = arrowDictionaryEntry(data, index);
  return entry !== null && hasArrowValue(entry.data, entry.index);
}

/** Reads a boolean. */
export const arrowBoolean = (data: ArrowData, index: number): boolean =>
  (((data.values as Uint8Array)[(data.offset + index) >> 3]! >> ((data.offset + index) & 7)) &
    1) ===
  1;

/** Converts an IEEE half-precision number, given by its bits. */
export function halfFloat(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 31;
  const fraction = bits & 1023;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  if (exponent === 31) return fraction ? Number.NaN : sign * Infinity;
  return sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}
