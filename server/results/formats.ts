/**
 * Export formats of tables, and the choice of one for a request. Output is generated batch by
 * batch, as fast as it is read.
 */

import { type TableData, toCsv } from '@tiding/client/model';
import {
  Field,
  Float64,
  Int32,
  makeData,
  RecordBatch,
  Schema,
  Struct,
  Utf8,
  vectorFromArray,
} from 'apache-arrow';
import { Refusal } from '../base/errors.ts';
import { END, piecesOf } from './arrow-stream.ts';
import { checkParquet, toParquet, typedParquet } from './parquet.ts';
import {
  cellValueOf,
  columnKinds,
  distinctNames,
  type TableSource,
  yieldToEventLoop,
} from './rows.ts';
import type { RowRange, StoredTable } from './stored-table.ts';
import { typedCsv, typedJson } from './typed-formats.ts';

export interface ResultFormat {
  /** Short name, as in `?format=`. */
  readonly name: string;
  readonly type: string;
  readonly extension: string;
  /** Encodes a table in pieces. Each piece is generated on demand. */
  write(table: TableSource): AsyncGenerator<Uint8Array>;
  /** Throws if the table cannot be represented in this format. */
  check?(table: TableSource): void;
  /** Returns the total length in bytes. Absent: it is unknown until everything is written. */
  length?(table: TableSource): Promise<number>;
  /** Encodes rows of a completely stored table, with its types. */
  writeTyped(table: StoredTable, range: RowRange): AsyncGenerator<Uint8Array>;
}

const encoder = new TextEncoder();

/** RFC 4180, without a byte-order mark because programs read this. */
async function* csv(table: TableSource): AsyncGenerator<Uint8Array> {
  const header = csvHeader(table);
  if (header !== '') yield encoder.encode(header);
  for (const batch of table.batches()) {
    yield encoder.encode(csvRecords(batch, header));
    await yieldToEventLoop();
  }
}
const csvHeader = ({ columns }: TableSource) =>
  toCsv({ columns, rows: [], comment: '' }, { bom: false });
/** `toCsv` repeats the header for each batch. It is removed here. */
const csvRecords = (batch: TableData, header: string) =>
  toCsv(batch, { bom: false }).slice(header.length);

/** Counts batch by batch, so that only one batch is in memory. */
async function csvLength(table: TableSource): Promise<number> {
  const header = csvHeader(table);
  let length = Buffer.byteLength(header);
  for (const batch of table.batches()) {
    length += Buffer.byteLength(csvRecords(batch, header));
    await yieldToEventLoop();
  }
  return length;
}

/** A list of objects. Values and column names are those of the Arrow table. */
async function* json(table: TableSource): AsyncGenerator<Uint8Array> {
  const kinds = await columnKinds(table);
  const names = distinctNames(table.columns).map((name) => JSON.stringify(name));
  let before = '[\n';
  for (const { rows } of table.batches()) {
    // Text is concatenated, because an object would put columns like `2020` first.
    const records = rows.map((row) => {
      const members = table.columns.map(
        ({ index }, place) =>
          `${names[place]}:${JSON.stringify(cellValueOf(row[index], kinds[place]!))}`,
      );
      return `{${members.join(',')}}`;
    });
    yield encoder.encode(before + records.join(',\n'));
    before = ',\n';
    await yieldToEventLoop();
  }
  yield encoder.encode(before === '[\n' ? '[\n]\n' : '\n]\n');
}

async function* arrow(table: TableSource): AsyncGenerator<Uint8Array> {
  const kinds = await columnKinds(table);
  const types = kinds.map((kind) =>
    kind === 'int32' ? new Int32() : kind === 'float64' ? new Float64() : new Utf8(),
  );
  const fields = distinctNames(table.columns).map(
    (name, place) => new Field(name, types[place]!, true),
  );
  const schema = new Schema(fields);
  const { head, batch: piece } = piecesOf(schema);
  yield head;
  for (const { rows } of table.batches()) {
    const children = table.columns.map(({ index }, place) => {
      const values = rows.map((row) => cellValueOf(row[index], kinds[place]!));
      return vectorFromArray(values, types[place]!).data[0]!;
    });
    const batch = new RecordBatch(
      schema,
      makeData({ type: new Struct(fields), length: rows.length, nullCount: 0, children }),
    );
    yield piece(batch);
    await yieldToEventLoop();
  }
  yield END;
}

async function* typedArrow(table: StoredTable, range: RowRange): AsyncGenerator<Uint8Array> {
  yield* (await table.arrow(range)).pieces();
}

/** All formats. The first one is the default. */
export const formats: readonly ResultFormat[] = [
  {
    name: 'csv',
    type: 'text/csv',
    extension: 'csv',
    write: csv,
    length: csvLength,
    writeTyped: typedCsv,
  },
  { name: 'json', type: 'application/json', extension: 'json', write: json, writeTyped: typedJson },
  {
    name: 'arrow',
    type: 'application/vnd.apache.arrow.stream',
    extension: 'arrows',
    write: arrow,
    writeTyped: typedArrow,
  },
  {
    name: 'parquet',
    type: 'application/vnd.apache.parquet',
    extension: 'parquet',
    write: toParquet,
    check: checkParquet,
    writeTyped: typedParquet,
  },
];

/**
 * Specificity of a match between a range of an Accept header and a type: 3 for the type itself, 2
 * for its family, 1 for any, 0 for no match.
 */
const fit = (range: string, type: string) =>
  range === type ? 3 : range === `${type.split('/')[0]}/*` ? 2 : range === '*/*' ? 1 : 0;

/**
 * Chooses the format by `?format=` (a name or a type), else by the Accept header, else CSV. Throws
 * 400 for an unknown name, and 406 if nothing matches the header.
 */
export function chooseFormat(wanted: string | null, accept: string | undefined): ResultFormat {
  if (wanted !== null) {
    const format = formats.find(
      ({ name, type }) => wanted.toLowerCase() === name || wanted.toLowerCase() === type,
    );
    if (!format)
      throw new Refusal(400, `format must be one of ${formats.map(({ name }) => name).join(', ')}`);
    return format;
  }
  if (!accept?.trim()) return formats[0]!;
  const ranges = accept
    .toLowerCase()
    .split(',')
    .map((part) => {
      const [range = '', ...parameters] = part.split(';').map((each) => each.trim());
      const quality = Number(parameters.find((each) => each.startsWith('q='))?.slice(2) ?? 1);
      return { range, quality: Number.isFinite(quality) ? quality : 0 };
    });
  let best: { format: ResultFormat; quality: number } | undefined;
  for (const format of formats) {
    // The most specific range determines the quality.
    const [range] = ranges
      .filter((each) => fit(each.range, format.type) > 0)
      .sort((a, b) => fit(b.range, format.type) - fit(a.range, format.type));
    if (range && range.quality > (best?.quality ?? 0)) best = { format, quality: range.quality };
  }
  if (!best)
    throw new Refusal(
      406,
      `Results are available as ${formats.map(({ type }) => type).join(', ')}.`,
    );
  return best.format;
}
