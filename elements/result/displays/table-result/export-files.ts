import type { ArrowSource, RowColumn, TextRows } from '@tiding/client/model';
import {
  columnNumber,
  exactText,
  fitsDouble,
  isUtc,
  plainText,
  toArrow,
  toColumns,
  writeMissingBooleans,
} from '@tiding/client/model';
import type { Data } from 'apache-arrow';
import type { DownloadFile } from '../../contract.ts';
import { formatInteger } from '../../parts/numbers.ts';
import { gatherRows } from '../../rows/gather-rows.ts';
import type { RowSource } from '../../rows/row-source.ts';
import { runGenerator } from '../../rows/run-generator.ts';
import type { Arranged } from '../../visualizations/contract.ts';
import { gridTexts } from '../../visualizations/table/texts.ts';

/** File formats a table can be exported to. */
export const fileFormats = ['csv', 'tsv', 'xlsx', 'arrow'] as const;
export type FileFormat = (typeof fileFormats)[number];

const mediaTypes: Record<FileFormat, string> = {
  csv: 'text/csv',
  tsv: 'text/tab-separated-values',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  arrow: 'application/vnd.apache.arrow.file',
};
/** What an Excel sheet holds: rows with the header, columns, and characters of a cell. */
const EXCEL = { rows: 1_048_576, columns: 16_384, characters: 32_767 };
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

type ExcelCell = {
  value: string | number | boolean | Date;
  type: typeof String | typeof Number | typeof Boolean | typeof Date;
  format?: string;
  fontWeight?: 'bold';
} | null;

/** Excel counts a 29 February 1900, so that its days before March 1900 are others. */
const [FIRST_EXCEL_MS, LAST_EXCEL_MS] = [Date.UTC(1900, 2, 1), Date.UTC(9999, 11, 31, 23, 59, 59)];
const hasExcelDate = (ms: number): boolean => ms >= FIRST_EXCEL_MS && ms <= LAST_EXCEL_MS;

/** Converts a value to an Excel cell. Numbers Excel cannot represent exactly become text. */
function excelValue(source: RowSource, row: number, column: RowColumn): ExcelCell {
  const read = source.value(row, column.index);
  const value =
    typeof read === 'string' && source.isText && fitsDouble(read) ? columnNumber(read) : read;
  if (value === null || value === undefined || value === '') return null;
  if (typeof value === 'boolean') return { value, type: Boolean };
  if (typeof value === 'number' && column.kind === 'date')
    return hasExcelDate(value)
      ? { value: new Date(value), type: Date, format: 'yyyy-mm-dd' }
      : { value: plainText(value, column), type: String };
  if (typeof value === 'number' && column.kind !== 'time' && Number.isFinite(value))
    return { value: column.single ? Number(plainText(value, column)) : value, type: Number };
  if (typeof value === 'bigint') {
    if (column.kind === 'timestamp')
      // Excel has no time zones: elsewhere than in UTC, the text keeps the day and the offset.
      return (column.timezone === undefined || isUtc(column.timezone)) &&
        value % 1_000_000n === 0n &&
        hasExcelDate(Number(value / 1_000_000n))
        ? { value: new Date(Number(value / 1_000_000n)), type: Date, format: 'yyyy-mm-dd hh:mm:ss' }
        : { value: plainText(value, column), type: String };
    const text = plainText(value, column);
    // Excel keeps only fifteen significant digits.
    if (text.replace(/\D/g, '').replace(/^0+/, '').length <= 15)
      return { value: Number(text), type: Number };
    return { value: text, type: String };
  }
  return { value: exactText(value, column), type: String };
}

/** Characters that XML can't hold, and texts that Excel would read as one of them. */
const NOT_IN_XML = /_(?=x[\da-f]{4}_)|[\x00-\x08\x0b-\x1f\x7f\ufffe\uffff]|\p{Surrogate}/giu;
const excelSpelling = (unit: string): string =>
  `_x${unit.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`;

async function excelFile(
  { source, order, columns }: Arranged,
  sheet: string,
): Promise<{ data: Uint8Array<ArrayBuffer>; notices: string[] }> {
  if (columns.length > EXCEL.columns)
    throw new Error(gridTexts.tooWideForExcel(formatInteger(EXCEL.columns)));
  const { default: writeXlsxFile } = await import('write-excel-file/browser');
  const all = order ? order.length : source.length;
  const count = Math.min(EXCEL.rows - 1, all);
  const cut = new Set<string>();
  /** A cell as Excel spells it. */
  const spelled = (cell: ExcelCell, name: string): ExcelCell => {
    if (typeof cell?.value !== 'string') return cell;
    if (cell.value.length > EXCEL.characters) cut.add(name);
    const kept = cell.value.slice(0, EXCEL.characters);
    return { ...cell, value: kept.replace(NOT_IN_XML, excelSpelling) };
  };
  const rows = await inPieces(
    (function* () {
      const shown = columns.map((column) => source.columns[column]!);
      const found = [
        shown.map(({ name }) => spelled({ value: name, type: String, fontWeight: 'bold' }, name)),
      ];
      for (let at = 0; at < count; at++) {
        if (at % step === 0) yield;
        const row = order ? order[at]! : at;
        found.push(shown.map((column) => spelled(excelValue(source, row, column), column.name)));
      }
      return found;
    })(),
  );
  const blob = await writeXlsxFile(rows, { sheet, stickyRowsCount: 1 }).toBlob();
  return {
    data: new Uint8Array(await blob.arrayBuffer()),
    notices: [
      ...(all > count ? [gridTexts.tooManyForExcel] : []),
      ...(cut.size > 0
        ? [gridTexts.tooLongForExcel(formatInteger(EXCEL.characters), [...cut].join(', '))]
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
