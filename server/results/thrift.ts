/**
 * Encodes the compact protocol of Apache Thrift, which Parquet's metadata uses. Only the necessary
 * types are supported.
 */

/** An encoded value and its type id. */
export interface Value {
  readonly type: number;
  readonly bytes: Buffer;
}
/** A field of a structure: its id and value. */
export type Field = readonly [id: number, value: Value];

const TYPES = { i32: 5, i64: 6, binary: 8, list: 9, struct: 12 } as const;

function varint(value: bigint): number[] {
  const bytes: number[] = [];
  let rest = value;
  for (; rest > 127n; rest >>= 7n) bytes.push(Number(rest & 127n) | 128);
  return [...bytes, Number(rest)];
}
/** Zigzag encoding, in which small numbers of either sign are short. */
const zigzag = (value: number): number[] =>
  varint(BigInt(value) >= 0n ? BigInt(value) * 2n : BigInt(value) * -2n - 1n);

/** Encodes an integer or an enumeration value. */
export const number = (value: number, type: 'i32' | 'i64' = 'i32'): Value => ({
  type: TYPES[type],
  bytes: Buffer.from(zigzag(value)),
});

/** Encodes a Boolean field of a structure. */
export const boolean = (value: boolean): Value => ({
  type: value ? 1 : 2,
  bytes: Buffer.alloc(0),
});

/** Encodes text. */
export function text(value: string): Value {
  const content = Buffer.from(value);
  return {
    type: TYPES.binary,
    bytes: Buffer.concat([Buffer.from(varint(BigInt(content.length))), content]),
  };
}

/** Encodes a list of values of one type. An empty list has the element type structure. */
export function list(values: readonly Value[]): Value {
  const type = values[0]?.type ?? TYPES.struct;
  const head =
    values.length < 15
      ? [values.length * 16 + type]
      : [240 + type, ...varint(BigInt(values.length))];
  return {
    type: TYPES.list,
    bytes: Buffer.concat([Buffer.from(head), ...values.map(({ bytes }) => bytes)]),
  };
}

/** Encodes a structure. Fields must be in order of their ids. */
export function struct(fields: readonly Field[]): Value {
  let last = 0;
  const parts = fields.flatMap(([id, { type, bytes }]) => {
    const step = id - last;
    last = id;
    return [Buffer.from(step <= 15 ? [step * 16 + type] : [type, ...zigzag(id)]), bytes];
  });
  return { type: TYPES.struct, bytes: Buffer.concat([...parts, Buffer.from([0])]) };
}
