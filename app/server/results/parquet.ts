/**
 * Tables as Parquet files, written front to back: a row group whenever enough rows have come, the footer with all their
 * places last. Columns are optional INT32, DOUBLE or UTF-8, plain values, one page a column and group, packed with gzip.
 */
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { Refusal } from '../errors.ts';
import { SERVER_VERSION } from '../version.ts';
import { list, number, struct, text, type Field } from './thrift.ts';
import { columnKinds, distinctNames, turn, valueOf, type ColumnKind, type TableSource } from './rows.ts';

const pack = promisify(gzip);
const MAGIC = Buffer.from('PAR1');
/** Bytes of values after which a row group is written. */
const GROUP_BYTES = 4 * 2 ** 20;
/** Numbers of the format: types, and how things are written. */
const TYPES: Readonly<Record<ColumnKind, number>> = { int32: 1, float64: 5, utf8: 6 };
const OPTIONAL = 1;
const UTF8 = 0;
const PLAIN = 0;
const RLE = 3;
const GZIP = 2;
const DATA_PAGE = 0;

/** The values of a column in the group that is being filled. */
interface Column {
  readonly name: string;
  readonly kind: ColumnKind;
  /** Whether each row has a value. */
  present: boolean[];
  values: (number | string)[];
}

function varint(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  for (; rest > 127; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | 128);
  return [...bytes, rest];
}

/** Which rows have a value: runs of the same, after their length in bytes. */
function levels(present: readonly boolean[]): Buffer {
  const bytes: number[] = [];
  for (let at = 0; at < present.length;) {
    let end = at;
    while (end < present.length && present[end] === present[at]) end += 1;
    bytes.push(...varint((end - at) * 2), present[at] ? 1 : 0);
    at = end;
  }
  const size = Buffer.alloc(4);
  size.writeUInt32LE(bytes.length);
  return Buffer.concat([size, Buffer.from(bytes)]);
}

function plain({ kind, values }: Column): Buffer {
  if (kind === 'utf8') {
    return Buffer.concat((values as string[]).flatMap((value) => {
      const content = Buffer.from(value);
      const size = Buffer.alloc(4);
      size.writeUInt32LE(content.length);
      return [size, content];
    }));
  }
  const buffer = Buffer.alloc(values.length * (kind === 'int32' ? 4 : 8));
  for (const [place, value] of (values as number[]).entries()) {
    if (kind === 'int32') buffer.writeInt32LE(value, place * 4);
    else buffer.writeDoubleLE(value, place * 8);
  }
  return buffer;
}

/** A column of a group: its page, and what the footer says of it. */
async function chunk(column: Column, offset: number): Promise<{ bytes: Buffer; meta: Field[]; raw: number }> {
  const content = Buffer.concat([levels(column.present), plain(column)]);
  const packed = await pack(content);
  const head = struct([
    [1, number(DATA_PAGE)], [2, number(content.length)], [3, number(packed.length)],
    [5, struct([[1, number(column.present.length)], [2, number(PLAIN)], [3, number(RLE)], [4, number(RLE)]])],
  ]).bytes;
  const bytes = Buffer.concat([head, packed]);
  const raw = head.length + content.length;
  const meta: Field[] = [
    [1, number(TYPES[column.kind])], [2, list([number(PLAIN), number(RLE)])], [3, list([text(column.name)])], [4, number(GZIP)], [5, number(column.present.length, 'i64')],
    [6, number(raw, 'i64')], [7, number(bytes.length, 'i64')], [9, number(offset, 'i64')],
  ];
  return { bytes, meta, raw };
}

/** Refuses a table without columns with 406. */
export function checkParquet({ columns }: TableSource): void {
  if (columns.length === 0) throw new Refusal(406, 'A table without columns cannot be had as Parquet.');
}

/** The table as a Parquet file, piece by piece. Refuses a table without columns with 406. */
export async function* toParquet(table: TableSource): AsyncGenerator<Uint8Array> {
  checkParquet(table);
  const kinds = await columnKinds(table);
  const columns = distinctNames(table.columns, { fold: true }).map((name, place): Column => ({ name, kind: kinds[place]!, present: [], values: [] }));
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
      chunks.push(struct([[2, number(offset, 'i64')], [3, struct(meta)]]));
      total += raw;
      offset += bytes.length;
      column.present = [];
      column.values = [];
      yield bytes;
    }
    groups.push(struct([[1, list(chunks)], [2, number(total, 'i64')], [3, number(count, 'i64')]]));
    rows += count;
    size = 0;
  }

  for (const batch of table.batches()) {
    for (const [place, column] of columns.entries()) {
      const { index } = table.columns[place]!;
      for (const row of batch.rows) {
        const value = valueOf(row[index], column.kind);
        column.present.push(value !== null);
        if (value === null) continue;
        column.values.push(value);
        size += typeof value === 'string' ? value.length + 4 : 8;
      }
    }
    if (size >= GROUP_BYTES) yield* group();
    await turn();
  }
  yield* group();

  const schema = [
    struct([[4, text('schema')], [5, number(columns.length)]]),
    ...columns.map(({ name, kind }) => struct([[1, number(TYPES[kind])], [3, number(OPTIONAL)], [4, text(name)], ...(kind === 'utf8' ? [[6, number(UTF8)] as Field] : [])])),
  ];
  const footer = struct([[1, number(1)], [2, list(schema)], [3, number(rows, 'i64')], [4, list(groups)], [6, text(`tiding ${SERVER_VERSION}`)]]).bytes;
  const length = Buffer.alloc(4);
  length.writeUInt32LE(footer.length);
  yield Buffer.concat([footer, length, MAGIC]);
}
