/** Encodes tables as Parquet files. Lists, structures and maps become JSON, intervals text. */
import {
  arrowBoolean,
  arrowBytes,
  arrowDecimal,
  arrowFormat,
  halfFloat,
  hasArrowValue,
} from '@tiding/client/model';
import {
  type Data,
  DataType,
  DateUnit,
  Field,
  Precision,
  Schema,
  Timestamp,
  TimeUnit,
  Utf8,
} from 'apache-arrow';
import { ByteWriter, ParquetWriter, type SchemaElement } from 'hyparquet-writer';
import { Refusal } from '../base/errors.ts';
import { SERVER_VERSION } from '../base/version.ts';
import { distinctTexts } from '../interpreters/table-text.ts';
import { piecesOf } from './arrow-stream.ts';
import type { RowRange, StoredTable } from './stored-table.ts';
import { yieldToEventLoop } from './stream.ts';

/** Approximate bytes of values of a row group. Nothing else runs while one is encoded. */
const GROUP_BYTES = 2 ** 20;

/** Type of a column in the file. */
type ParquetType = Omit<SchemaElement, 'name'>;

const utf8: ParquetType = { type: 'BYTE_ARRAY', converted_type: 'UTF8' };

/**
 * Returns the time zones of columns as programs that use Arrow read them, because a timestamp of
 * Parquet has none. These programs take nothing else from it.
 */
function zonesOf(names: readonly string[], zones: readonly (string | undefined)[]) {
  const fields = names.map((name, at) => {
    const zone = zones[at];
    const type = zone ? new Timestamp(TimeUnit.MICROSECOND, zone) : new Utf8();
    return new Field(name, type, true);
  });
  const message = piecesOf(new Schema(fields)).head;
  return { key: 'ARROW:schema', value: Buffer.from(message).toString('base64') };
}

/** Writes a row group whenever enough values have arrived, and the footer last. */
async function* encoded(
  names: readonly string[],
  types: readonly ParquetType[],
  batches: AsyncIterable<readonly (readonly unknown[])[]>,
  zones: readonly (string | undefined)[] = [],
): AsyncGenerator<Uint8Array> {
  const writer = new ByteWriter();
  const columns = names.map((name, at) => ({
    ...types[at]!,
    name,
    repetition_type: 'OPTIONAL' as const,
  }));
  const file = new ParquetWriter({
    writer,
    schema: [{ name: 'schema', num_children: columns.length }, ...columns],
    createdBy: `tiding ${SERVER_VERSION}`,
    statistics: false,
    kvMetadata: zones.some(Boolean) ? [zonesOf(names, zones)] : [],
  });
  let values = columns.map((): unknown[] => []);
  let size = 0;
  const take = () => {
    const bytes = writer.getBytes().slice();
    writer.index = 0;
    return bytes;
  };
  const writeGroup = () => {
    const columnData = columns.map(({ name }, at) => ({
      name,
      data: values[at]!,
      // Dictionaries cost time, and take -0 for 0.
      encoding: 'PLAIN' as const,
    }));
    void file.write({ columnData, rowGroupSize: Number.POSITIVE_INFINITY });
    values = columns.map(() => []);
    size = 0;
    return take();
  };
  for await (const batch of batches) {
    for (const [at, column] of values.entries())
      for (const value of batch[at]!) {
        column.push(value);
        size += typeof value === 'string' || value instanceof Uint8Array ? value.length + 4 : 8;
      }
    if (size >= GROUP_BYTES) yield writeGroup();
    await yieldToEventLoop();
  }
  if (size > 0) yield writeGroup();
  // Only now, because the library would encode the texts of such a column as JSON once more.
  for (const column of columns)
    if (column.logical_type?.type === 'JSON') column.converted_type = 'JSON';
  void file.finish();
  yield take();
}

/** Throws 406 for a table without columns. */
export async function checkParquet(table: StoredTable): Promise<void> {
  if ((await table.schema()).fields.length === 0)
    throw new Refusal(406, 'A table without columns cannot be exported as Parquet.');
}

const valueAt = (data: Data, row: number) =>
  (data.values as unknown as ArrayLike<number | bigint>)[row]!;
const UNITS = {
  [TimeUnit.SECOND]: 'MILLIS',
  [TimeUnit.MILLISECOND]: 'MILLIS',
  [TimeUnit.MICROSECOND]: 'MICROS',
  [TimeUnit.NANOSECOND]: 'NANOS',
} as const;

/** Returns the Parquet type for an Arrow type, and what reads its values. */
function typedOf(type: DataType): [ParquetType, read: (data: Data, row: number) => unknown] {
  if (DataType.isBool(type)) return [{ type: 'BOOLEAN' }, arrowBoolean];
  if (DataType.isInt(type)) {
    const converted_type = `${type.isSigned ? 'INT' : 'UINT'}_${type.bitWidth}` as const;
    return [{ type: type.bitWidth === 64 ? 'INT64' : 'INT32', converted_type }, valueAt];
  }
  if (DataType.isFloat(type))
    return type.precision === Precision.HALF
      ? [{ type: 'FLOAT' }, (data, row) => halfFloat(Number(valueAt(data, row)))]
      : [{ type: type.precision === Precision.DOUBLE ? 'DOUBLE' : 'FLOAT' }, valueAt];
  if (DataType.isDecimal(type) && type.scale >= 0 && type.bitWidth <= 128) {
    const { scale, precision } = type;
    const fixed = { type: 'FIXED_LEN_BYTE_ARRAY', type_length: 16 } as const;
    return [{ ...fixed, converted_type: 'DECIMAL', scale, precision }, arrowDecimal];
  }
  if (DataType.isBinary(type) || DataType.isLargeBinary(type))
    return [{ type: 'BYTE_ARRAY' }, arrowBytes];
  if (DataType.isUtf8(type) || DataType.isLargeUtf8(type)) return [utf8, arrowBytes];
  if (DataType.isDate(type)) {
    const unit = type.unit === DateUnit.DAY ? 1 : 86_400_000;
    return [
      { type: 'INT32', converted_type: 'DATE' },
      (data, row) => Math.floor(Number(valueAt(data, row)) / unit),
    ];
  }
  if (DataType.isTime(type) || DataType.isTimestamp(type)) {
    const unit = UNITS[type.unit];
    const isAdjustedToUTC = DataType.isTimestamp(type) && Boolean(type.timezone);
    const factor = type.unit === TimeUnit.SECOND ? 1_000 : 1;
    if (DataType.isTime(type) && unit === 'MILLIS')
      return [
        { type: 'INT32', logical_type: { type: 'TIME', isAdjustedToUTC, unit } },
        (data, row) => Number(valueAt(data, row)) * factor,
      ];
    const logical = DataType.isTime(type) ? 'TIME' : 'TIMESTAMP';
    return [
      { type: 'INT64', logical_type: { type: logical, isAdjustedToUTC, unit } },
      (data, row) => BigInt(valueAt(data, row)) * BigInt(factor),
    ];
  }
  const format = arrowFormat(type);
  if (
    DataType.isList(type) ||
    DataType.isFixedSizeList(type) ||
    DataType.isStruct(type) ||
    DataType.isMap(type)
  )
    return [
      { type: 'BYTE_ARRAY', logical_type: { type: 'JSON' } },
      (data, row) => format.json(data)(row),
    ];
  return [utf8, (data, row) => format.text(data)(row)];
}

/** Encodes rows of a complete table as a Parquet file in pieces. */
export async function* typedParquet(
  table: StoredTable,
  range: RowRange,
): AsyncGenerator<Uint8Array> {
  const { fields } = await table.schema();
  const columns = fields.map(({ type }) => typedOf(type));
  const names = distinctTexts(
    fields.map(({ name }, place) => (name === '' ? `column_${place + 1}` : name)),
    (name) => name.toLowerCase(),
  );
  async function* batches() {
    for await (const { data, numRows } of table.batches(range))
      yield columns.map(([, read], place) => {
        const column = data.children[place]!;
        return Array.from({ length: numRows }, (_, row) =>
          hasArrowValue(column, row) ? read(column, row) : null,
        );
      });
  }
  const types = columns.map(([type]) => type);
  const zones = fields.map(({ type }) =>
    DataType.isTimestamp(type) ? (type.timezone ?? undefined) : undefined,
  );
  yield* encoded(names, types, batches(), zones);
}
