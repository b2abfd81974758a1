/** Types in Parquet files for pandas that the SQL engine does not read or write by itself. */
import type { DuckDBConnection } from '@duckdb/node-api';
import { DataType, Field, RecordBatchReader, type Schema, Timestamp } from 'apache-arrow';
import { quoteName, quoteText } from '../../script.ts';

/** Returns the columns of a file as its writer knew them; undefined if it did not use Arrow. */
export async function arrowSchemaOf(
  connection: DuckDBConnection,
  file: string,
): Promise<Schema | undefined> {
  const found = await connection.runAndReadAll(
    `SELECT decode(value) FROM parquet_kv_metadata(${quoteText(file)}) ` +
      "WHERE decode(key) = 'ARROW:schema'",
  );
  const encoded = found.getRows()[0]?.[0];
  if (typeof encoded !== 'string') return undefined;
  return RecordBatchReader.from(Buffer.from(encoded, 'base64')).open().schema;
}

/** Returns the SELECT that reads a Parquet file, with its durations as intervals. */
export async function selectOf(connection: DuckDBConnection, file: string): Promise<string> {
  const durations = (await arrowSchemaOf(connection, file))?.fields
    .filter(({ type }) => DataType.isDuration(type))
    .map((field) => quoteName(field.name))
    .map((column) => `to_microseconds(${column}) AS ${column}`);
  const columns = durations?.length ? `* REPLACE (${durations.join(', ')})` : '*';
  return `SELECT ${columns} FROM read_parquet(${quoteText(file)})`;
}

/** Replaces the intervals of a SELECT, of which Parquet drops the microseconds, by structures. */
export async function withIntervals(connection: DuckDBConnection, select: string): Promise<string> {
  // It describes no PIVOT and no wrong query, for example.
  const described = await connection.runAndReadAll(`DESCRIBE ${select}`).catch(() => undefined);
  const intervals = (described?.getRows() ?? [])
    .filter(([, type]) => type === 'INTERVAL')
    .map(([name]) => quoteName(String(name)))
    .map((column) => {
      const months = `datepart('year', ${column}) * 12 + datepart('month', ${column})`;
      const clock = `datepart('hour', ${column}) * 60 + datepart('minute', ${column})`;
      const micros = `(${clock}) * 60000000 + datepart('microsecond', ${column})`;
      const parts = `interval_months: ${months}, interval_days: datepart('day', ${column})`;
      const value = `{${parts}, interval_micros: ${micros}}`;
      return `CASE WHEN ${column} IS NOT NULL THEN ${value} END AS ${column}`;
    });
  return intervals.length === 0
    ? select
    : `SELECT * REPLACE (${intervals.join(', ')}) FROM (${select}\n)`;
}

/** Returns a field with the time zone and the metadata of another field. */
export function withZone(field: Field, known: Field | undefined): Field {
  if (!known) return field;
  const isZoned = DataType.isTimestamp(field.type) && DataType.isTimestamp(known.type);
  const type =
    isZoned && field.type.timezone && known.type.timezone
      ? new Timestamp(field.type.unit, known.type.timezone)
      : field.type;
  return new Field(field.name, type, field.nullable, known.metadata);
}
