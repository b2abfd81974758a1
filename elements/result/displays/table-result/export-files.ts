import type { ArrowSource, TextRows } from '@tiding/client/model';
import {
  EXCEL_TYPE,
  exactText,
  excelBytes,
  excelCells,
  excelLimits,
  toArrow,
  toColumns,
  writeMissingBooleans,
} from '@tiding/client/model';
import type { Data, Table } from 'apache-arrow';
import type { DownloadFile } from '../../contract.ts';
import { formatInteger } from '../../parts/numbers.ts';
import { gatherRows } from '../../rows/gather-rows.ts';
import type { RowSource } from '../../rows/row-source.ts';
import { runGenerator } from '../../rows/run-generator.ts';
import type { Arranged } from '../../visualizations/contract.ts';
import { gridTexts } from '../../visualizations/table/texts.ts';

const mediaTypes = {
  csv: 'text/csv',
  tsv: 'text/tab-separated-values',
  xlsx: EXCEL_TYPE,
  arrow: 'application/vnd.apache.arrow.file',
} as const;
/** File formats a table can be exported to. */
export type FileFormat = keyof typeof mediaTypes;

/** Rows written between two yields. */
const step = 256;
/** Approximate number of characters converted to bytes at a time. */
const piece = 1 << 20;

/** Selects all rows and columns of a source, in their original order. */
export const allRows = (source: RowSource): Arranged => ({
  source,
  order: null,
  columns: source.columns.map(({ index }) => index),
});

/** Maximum number of rows that are read from the server for a file: about 1 GB of memory. */
const MAX_LOADED_ROWS = 2_000_000;

/** Reads rows that are on the server only. */
export async function loadedRows(arranged: Arranged): Promise<Arranged> {
  const { remote } = arranged.source;
  if (!remote) return arranged;
  if (remote.total > MAX_LOADED_ROWS)
    throw new Error(gridTexts.tooManyToSave(formatInteger(MAX_LOADED_ROWS)));
  const { signal } = new AbortController();
  return { ...arranged, source: await remote.read(0, remote.total, signal) };
}

/**
 * Writes a table to a file in slices between frames. The notices say what the format can't hold.
 */
export async function writeFile(
  format: FileFormat,
  arranged: Arranged,
  name: string,
  sheet: string,
): Promise<DownloadFile & { readonly notices?: readonly string[] }> {
  const type = mediaTypes[format];
  if (format === 'xlsx') return { name, type, ...(await excelFile(arranged, sheet)) };
  if (format === 'arrow') return { name, type, data: await arrowFile(arranged) };
  return {
    name,
    type,
    data: await inPieces(delimitedText(arranged, format === 'csv' ? ',' : '\t')),
  };
}

const inPieces = <T>(work: Generator<unknown, T>): Promise<T> =>
  new Promise((resolve, reject) => runGenerator(work, resolve, reject));

/**
 * Formats a table as delimited text: RFC 4180 quoting, CRLF line ends, a leading byte-order mark.
 * Cells beyond the last column of a text table are included if the whole table is written. Large
 * tables are returned as bytes because they may exceed the browser's maximum string length.
 */
export function* delimitedText(
  { source, order, columns }: Arranged,
  delimiter: string,
): Generator<void, string | Uint8Array<ArrayBuffer>> {
  const special = new RegExp(`["\\r\\n${delimiter}]`);
  const field = (value: string): string =>
    special.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
  // A record with one empty field would be an empty line, which readers skip; they read `""` as a
  // missing value.
  const record = (fields: readonly string[]): string =>
    `${fields.length === 1 && fields[0] === '' ? '""' : fields.join(delimiter)}\r\n`;
  // In typed tables an empty field is a missing value and `""` an empty text, as in files exported
  // by the server. Text tables have no such difference.
  const typed = !source.isText;
  const cell = (row: number, column: number): string => {
    const value = source.value(row, column);
    if (value === null) return source.nullText;
    const text = exactText(value, source.columns[column]!);
    return typed && text === '' ? '""' : field(text);
  };
  const extra =
    order === null && 'row' in source && columns.length === source.columns.length
      ? (source as TextRows)
      : undefined;
  const encoder = new TextEncoder();
  const pieces: Uint8Array[] = [];
  let text = '\uFEFF';
  if (columns.length > 0)
    text += record(columns.map((column) => field(source.columns[column]!.name)));
  const count = order ? order.length : source.length;
  for (let at = 0; at < count; at++) {
    if (at % step === 0) yield;
    const row = order ? order[at]! : at;
    const fields = columns.map((column) => cell(row, column));
    if (extra)
      for (const more of extra.row(row).slice(columns.length)) fields.push(field(String(more)));
    text += record(fields);
    if (text.length < piece) continue;
    pieces.push(encoder.encode(text));
    text = '';
  }
  if (pieces.length === 0) return text;
  pieces.push(encoder.encode(text));
  const bytes = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const each of pieces) {
    bytes.set(each, at);
    at += each.length;
  }
  return bytes;
}

async function excelFile(
  arranged: Arranged,
  sheet: string,
): Promise<{ data: Uint8Array<ArrayBuffer>; notices: string[] }> {
  const { columns, rows, characters } = excelLimits;
  if (arranged.columns.length > columns)
    throw new Error(gridTexts.tooWideForExcel(formatInteger(columns)));
  const all = arranged.order ? arranged.order.length : arranged.source.length;
  const { cells, cut } = await inPieces(excelCells(arranged.source, arranged));
  return {
    data: await excelBytes(cells, sheet),
    notices: [
      ...(all > rows ? [gridTexts.tooManyForExcel] : []),
      ...(cut.length > 0
        ? [gridTexts.tooLongForExcel(formatInteger(characters), cut.join(', '))]
        : []),
    ],
  };
}

let writer: Promise<typeof import('apache-arrow')> | undefined;
const arrowWriter = () =>
  (writer ??= (async () => {
    const { VectorAssembler } = await import('apache-arrow/visitor/vectorassembler');
    writeMissingBooleans(VectorAssembler);
    return import('apache-arrow');
  })());

/**
 * Writes an Arrow file. The batches are written unchanged if possible; rows are gathered only for
 * another order or a subset.
 */
async function arrowFile({ source, order, columns }: Arranged): Promise<Uint8Array<ArrayBuffer>> {
  const arrow = await arrowWriter();
  const bytesOf = (table: Table) => new Uint8Array(arrow.tableToIPC(table, 'file'));
  const whole =
    order === null &&
    columns.length === source.columns.length &&
    columns.every((column, at) => column === at);
  if ('batches' in source) {
    const { batches, schema = new arrow.Schema([]) } = source as ArrowSource;
    if (whole || batches.length === 0)
      return bytesOf(batches.length > 0 ? new arrow.Table([...batches]) : new arrow.Table(schema));
    if (!order) return bytesOf(new arrow.Table([...batches]).selectAt([...columns]));
    const fields = columns.map((column) => schema.fields[column]!);
    const children: Data[] = [];
    for (const column of columns) {
      const chunks = source.chunks!(column);
      children.push(
        await inPieces(
          gatherRows(
            arrow,
            chunks.map(({ data }) => data),
            chunks.map(({ start }) => start),
            order,
          ),
        ),
      );
    }
    const data = arrow.makeData({
      type: new arrow.Struct(fields),
      length: order.length,
      nullCount: 0,
      children,
    } as never);
    return bytesOf(
      new arrow.Table([new arrow.RecordBatch(new arrow.Schema(fields), data as never)]),
    );
  }
  const text = source as TextRows;
  const rows = order
    ? Array.from(order, (row) => text.row(row))
    : Array.from({ length: source.length }, (_, row) => text.row(row));
  const chosen = whole ? text.table.columns : columns.map((column) => text.table.columns[column]!);
  const table = {
    columns: toColumns(chosen.map(({ name }) => name)),
    rows: rows.map((row) => chosen.map(({ index }) => row[index] ?? 'null')),
    comment: '',
  };
  return bytesOf(await toArrow(table));
}
