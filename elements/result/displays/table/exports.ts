import type { Data } from 'apache-arrow';
import type { DownloadFile } from '../../contract.ts';
import type { Arranged } from '../../visualizations/contract.ts';
import type { ArrowSource } from '../../visualizations/table/arrow-rows.ts';
import { cellText } from '../../visualizations/table/copy-cells.ts';
import { runInSlices } from '../../visualizations/table/order.ts';
import type { RowColumn, RowSource, TextRows } from '../../visualizations/table/row-source.ts';
import { plainText, timestampText } from '../../visualizations/table/value-text.ts';
import { gatherRows } from './gather.ts';

/** Files a table can be had as. */
export const fileFormats = ['csv', 'tsv', 'xlsx', 'arrow'] as const;
export type FileFormat = (typeof fileFormats)[number];

const mediaTypes: Record<FileFormat, string> = {
  csv: 'text/csv',
  tsv: 'text/tab-separated-values',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  arrow: 'application/vnd.apache.arrow.file',
};
/** Rows of an Excel sheet, its header among them. */
export const excelRows = 1_048_576;
/** Characters of an Excel cell. */
const excelCell = 32_767;
/** Rows written between two pauses. */
const step = 256;
/** Text is put into the file in pieces of about so many characters. */
const piece = 1 << 20;

/** All rows and columns of a source, as they came. */
export const everything = (source: RowSource): Arranged => ({
  source,
  order: null,
  columns: source.columns.map(({ index }) => index),
});

/** A file of what is shown, or of all; written between frames. */
export async function writeFile(
  format: FileFormat,
  arranged: Arranged,
  name: string,
  sheet: string,
): Promise<DownloadFile> {
  const type = mediaTypes[format];
  if (format === 'xlsx') return { name, type, data: await excelFile(arranged, sheet) };
  if (format === 'arrow') return { name, type, data: await arrowFile(arranged) };
  return {
    name,
    type,
    data: await inPieces(delimitedText(arranged, format === 'csv' ? ',' : '\t')),
  };
}

const inPieces = <T>(work: Generator<unknown, T>): Promise<T> =>
  new Promise((resolve, reject) => runInSlices(work, resolve, reject));

/**
 * Header and rows, quoted as RFC 4180 says, lines ended by CRLF, a byte-order mark first. Cells behind the columns of a table of
 * text are kept where all of it is written. Text that would not fit into one string of the browser comes as bytes.
 */
export function* delimitedText(
  { source, order, columns }: Arranged,
  delimiter: string,
): Generator<void, string | Uint8Array<ArrayBuffer>> {
  const special = new RegExp(`["\\r\\n${delimiter}]`);
  const field = (value: string): string =>
    special.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
  // A record of one empty field would be an empty line, which readers skip.
  const record = (fields: readonly string[]): string =>
    `${fields.length === 1 && fields[0] === '' ? '""' : fields.map(field).join(delimiter)}\r\n`;
  const extra =
    order === null && 'row' in source && columns.length === source.columns.length
      ? (source as TextRows)
      : undefined;
  const encoder = new TextEncoder();
  const pieces: Uint8Array[] = [];
  let text = '\uFEFF';
  if (columns.length > 0) text += record(columns.map((column) => source.columns[column]!.name));
  const count = order ? order.length : source.length;
  for (let at = 0; at < count; at++) {
    if (at % step === 0) yield;
    const row = order ? order[at]! : at;
    const fields = columns.map((column) => cellText(source, row, column));
    if (extra) for (const cell of extra.row(row).slice(columns.length)) fields.push(String(cell));
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

type ExcelCell = {
  value: string | number | boolean | Date;
  type: typeof String | typeof Number | typeof Boolean | typeof Date;
  format?: string;
  fontWeight?: 'bold';
} | null;

/** A value as a cell of a sheet; what its numbers cannot hold exactly is text. */
function excelValue(source: RowSource, row: number, column: RowColumn): ExcelCell {
  const value = source.value(row, column.index);
  if (value === null || value === undefined || value === '') return null;
  if (typeof value === 'boolean') return { value, type: Boolean };
  if (typeof value === 'number' && column.kind === 'date')
    return { value: new Date(value), type: Date, format: 'yyyy-mm-dd' };
  if (typeof value === 'number' && column.kind !== 'time' && Number.isFinite(value))
    return { value, type: Number };
  if (typeof value === 'bigint') {
    if (column.kind === 'timestamp')
      return value % 1_000_000n === 0n && value >= 0n && timestampText(value, column).length < 30
        ? { value: new Date(Number(value / 1_000_000n)), type: Date, format: 'yyyy-mm-dd hh:mm:ss' }
        : { value: plainText(value, column), type: String };
    const text = plainText(value, column);
    // Fifteen digits is all that a sheet keeps.
    if (text.replace(/\D/g, '').replace(/^0+/, '').length <= 15)
      return { value: Number(text), type: Number };
    return { value: text, type: String };
  }
  return { value: plainText(value, column).slice(0, excelCell), type: String };
}

async function excelFile(
  { source, order, columns }: Arranged,
  sheet: string,
): Promise<Uint8Array<ArrayBuffer>> {
  const { default: writeXlsxFile } = await import('write-excel-file/browser');
  const rows = await inPieces(
    (function* () {
      const found: ExcelCell[][] = [
        columns.map((column) => ({
          value: source.columns[column]!.name,
          type: String,
          fontWeight: 'bold',
        })),
      ];
      const count = Math.min(excelRows - 1, order ? order.length : source.length);
      for (let at = 0; at < count; at++) {
        if (at % step === 0) yield;
        const row = order ? order[at]! : at;
        found.push(columns.map((column) => excelValue(source, row, source.columns[column]!)));
      }
      return found;
    })(),
  );
  const blob = await writeXlsxFile(rows, { sheet, stickyRowsCount: 1 }).toBlob();
  return new Uint8Array(await blob.arrayBuffer());
}

/** An Arrow file: the batches as they came; rows in another order, or fewer columns, are taken out of them. */
async function arrowFile({ source, order, columns }: Arranged): Promise<Uint8Array<ArrayBuffer>> {
  const arrow = await import('apache-arrow');
  const whole =
    order === null &&
    columns.length === source.columns.length &&
    columns.every((column, at) => column === at);
  if ('batches' in source) {
    const { batches, schema = new arrow.Schema([]) } = source as ArrowSource;
    if (whole || batches.length === 0)
      return new Uint8Array(
        arrow.tableToIPC(
          batches.length > 0 ? new arrow.Table([...batches]) : new arrow.Table(schema),
          'file',
        ),
      );
    if (!order)
      return new Uint8Array(
        arrow.tableToIPC(new arrow.Table([...batches]).selectAt([...columns]), 'file'),
      );
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
    return new Uint8Array(
      arrow.tableToIPC(
        new arrow.Table([new arrow.RecordBatch(new arrow.Schema(fields), data as never)]),
        'file',
      ),
    );
  }
  const { toArrow, toColumns } = await import('tiding/model');
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
  return new Uint8Array(arrow.tableToIPC(await toArrow(table), 'file'));
}
