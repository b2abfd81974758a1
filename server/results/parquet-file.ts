/**
 * Writes Parquet files sequentially: a row group whenever enough values have arrived, and the
 * footer with all offsets last. Columns are optional, values plain, with one gzip-compressed page
 * per column and group.
 */
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { SERVER_VERSION } from '../version.ts';
import { type Field, list, number, struct, text } from './thrift.ts';

const pack = promisify(gzip);
const MAGIC = Buffer.from('PAR1');
/** Bytes of values after which a row group is written. */
const GROUP_BYTES = 4 * 2 ** 20;
/** Compression level. It is low because a client is waiting. */
const LEVEL = 3;
/** Constants of the format: repetition, encodings, compression and page type. */
const OPTIONAL = 1;
const PLAIN = 0;
const RLE = 3;
const GZIP = 2;
const DATA_PAGE = 0;

/** Constants of the format: physical types. */
export const PHYSICAL = {
  boolean: 0,
  int32: 1,
  int64: 2,
  float: 4,
  double: 5,
  bytes: 6,
  fixed: 7,
} as const;
/** Constants of the format: converted types, which give the meaning of stored values. */
export const MEANING = {
  utf8: 0,
  decimal: 5,
  date: 6,
  uint8: 11,
  uint16: 12,
  uint32: 13,
  uint64: 14,
  int8: 15,
  int16: 16,
  json: 19,
} as const;

/** Column type: how values are encoded and what they mean. */
export interface ParquetKind<Value> {
  readonly physical: number;
  /**
   * Further fields of its schema element, in order of their ids: 2 is the length of each value, 6
   * the converted type, 7 and 8 scale and precision of a decimal, 10 the logical type.
   */
  readonly about: readonly Field[];
  /** Encodes values. */
  plain(values: readonly Value[]): Buffer;
  /** Returns the approximate size of a value in bytes. */
  size(value: Value): number;
}

/** Values of a column in the current row group. */
interface Column {
  readonly name: string;
  readonly kind: ParquetKind<unknown>;
  /** Whether each row has a value. */
  present: boolean[];
  values: unknown[];
}

function varint(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  for (; rest > 127; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | 128);
  return [...bytes, rest];
}

/** Encodes which rows have a value: run lengths, after their length in bytes. */
function levels(present: readonly boolean[]): Buffer {
  const bytes: number[] = [];
  for (let at = 0; at < present.length; ) {
    let end = at;
    while (end < present.length && present[end] === present[at]) end += 1;
    bytes.push(...varint((end - at) * 2), present[at] ? 1 : 0);
    at = end;
  }
  const size = Buffer.alloc(4);
  size.writeUInt32LE(bytes.length);
  return Buffer.concat([size, Buffer.from(bytes)]);
}

/** Returns an encoder for values of `width` bytes, each written by `put`. */
export const fixedWidth =
  <Value>(width: number, put: (buffer: Buffer, value: Value, at: number) => void) =>
  (values: readonly Value[]): Buffer => {
    const buffer = Buffer.alloc(values.length * width);
    for (const [place, value] of values.entries()) put(buffer, value, place * width);
    return buffer;
  };

/** Encodes values of variable length, each after its length. */
export function withLength(values: readonly (string | Uint8Array)[]): Buffer {
  const length = (value: string | Uint8Array) =>
    typeof value === 'string' ? Buffer.byteLength(value) : value.length;
  const buffer = Buffer.allocUnsafe(values.reduce((sum, value) => sum + 4 + length(value), 0));
  let at = 0;
  for (const value of values) {
    const size = length(value);
    buffer.writeUInt32LE(size, at);
    if (typeof value === 'string') buffer.write(value, at + 4);
    else buffer.set(value, at + 4);
    at += 4 + size;
  }
  return buffer;
}

/** Encodes a column of a group. Returns its page and its metadata for the footer. */
async function chunk(
  { name, kind, present, values }: Column,
  offset: number,
): Promise<{ bytes: Buffer; meta: Field[]; raw: number }> {
  const content = Buffer.concat([levels(present), kind.plain(values)]);
  const packed = await pack(content, { level: LEVEL });
  const head = struct([
    [1, number(DATA_PAGE)],
    [2, number(content.length)],
    [3, number(packed.length)],
    [
      5,
      struct([
        [1, number(present.length)],
        [2, number(PLAIN)],
        [3, number(RLE)],
        [4, number(RLE)],
      ]),
    ],
  ]).bytes;
  const bytes = Buffer.concat([head, packed]);
  const raw = head.length + content.length;
  const meta: Field[] = [
    [1, number(kind.physical)],
    [2, list([number(PLAIN), number(RLE)])],
    [3, list([text(name)])],
    [4, number(GZIP)],
    [5, number(present.length, 'i64')],
    [6, number(raw, 'i64')],
    [7, number(bytes.length, 'i64')],
    [9, number(offset, 'i64')],
  ];
  return { bytes, meta, raw };
}

/**
 * Generates a file with these columns. A batch has the values of each column, with null for missing
 * ones.
 */
export async function* parquetFile(
  given: readonly { readonly name: string; readonly kind: ParquetKind<never> }[],
  batches: AsyncIterable<readonly (readonly unknown[])[]>,
): AsyncGenerator<Uint8Array> {
  const columns = given.map(
    ({ name, kind }): Column => ({
      name,
      kind: kind as unknown as ParquetKind<unknown>,
      present: [],
      values: [],
    }),
  );
  const groups: ReturnType<typeof struct>[] = [];
  let offset = MAGIC.length;
  let rows = 0;
  let size = 0;
  yield MAGIC;

  async function* group(): AsyncGenerator<Uint8Array> {
    const count = columns[0]!.present.length;
    if (count === 0) return;
    const chunks: ReturnType<typeof struct>[] = [];
    let total = 0;
    for (const column of columns) {
      const { bytes, meta, raw } = await chunk(column, offset);
      chunks.push(
        struct([
          [2, number(offset, 'i64')],
          [3, struct(meta)],
        ]),
      );
      total += raw;
      offset += bytes.length;
      column.present = [];
      column.values = [];
      yield bytes;
    }
    groups.push(
      struct([
        [1, list(chunks)],
        [2, number(total, 'i64')],
        [3, number(count, 'i64')],
      ]),
    );
    rows += count;
    size = 0;
  }

  for await (const batch of batches) {
    for (const [place, column] of columns.entries()) {
      for (const value of batch[place]!) {
        column.present.push(value !== null);
        if (value === null) continue;
        column.values.push(value);
        size += column.kind.size(value);
      }
    }
    if (size >= GROUP_BYTES) yield* group();
  }
  yield* group();

  const schema = [
    struct([
      [4, text('schema')],
      [5, number(columns.length)],
    ]),
    ...columns.map(({ name, kind: { physical, about } }) =>
      struct([
        [1, number(physical)],
        ...about.filter(([id]) => id < 3),
        [3, number(OPTIONAL)],
        [4, text(name)],
        ...about.filter(([id]) => id > 4),
      ]),
    ),
  ];
  const footer = struct([
    [1, number(1)],
    [2, list(schema)],
    [3, number(rows, 'i64')],
    [4, list(groups)],
    [6, text(`tiding ${SERVER_VERSION}`)],
  ]).bytes;
  const length = Buffer.alloc(4);
  length.writeUInt32LE(footer.length);
  yield Buffer.concat([footer, length, MAGIC]);
}
