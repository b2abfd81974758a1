import { runNow } from '@tiding/client/model';
import * as arrow from 'apache-arrow';
import { allRows, type FileFormat, writeFile } from '../displays/table-result/export-files.ts';
import { check, same } from '../test-support.tsx';
import { readColumns } from '../visualizations/table/layout/columns.ts';
import { sourceOf } from './arrow-test-tables.ts';
import { copyText } from './copy-cells.ts';

/** A column of one value, made from its buffers: Arrow's builders generate code from text. */
function column(type: arrow.DataType, data: ArrayBufferView, more: object = {}): arrow.Data {
  return arrow.makeData({ type, length: 1, nullCount: 0, data, ...more } as never);
}
function text(value: string): arrow.Data {
  const data = new TextEncoder().encode(value);
  return column(new arrow.Utf8(), data, { valueOffsets: Int32Array.of(0, data.length) });
}
const TOKYO_MS = Date.UTC(2023, 11, 31, 15, 30);
const moment = (zone: string | null, more = 0n) =>
  column(new arrow.TimestampMicrosecond(zone), BigInt64Array.of(BigInt(TOKYO_MS) * 1000n + more));
const missing = column(new arrow.Utf8(), new Uint8Array(), {
  nullCount: 1,
  nullBitmap: Uint8Array.of(0),
  valueOffsets: Int32Array.of(0, 0),
});

interface Surfaces {
  readonly data: arrow.Data;
  readonly meaning?: string;
  /** Text of the cell, of the field in CSV, and of a copied cell; by default the same. */
  readonly grid: string;
  readonly csv?: string;
  readonly copied?: string;
  /** XML of the cell in Excel: a value, or a text. */
  readonly excel: string;
}
const word = (value: string) => `<t>${value}</t>`;
const serial = (value: number) => `<v>${value}</v>`;
/** Days since 1899-12-30, as Excel counts them. */
const days = (ms: number) => ms / 86_400_000 + 25_569;

const values: Readonly<Record<string, Surfaces>> = {
  'no value': { data: missing, grid: '', csv: '""', copied: '', excel: '' },
  'the word null': { data: text('null'), grid: 'null', excel: word('null') },
  'two lines': {
    data: text('two\nlines'),
    grid: 'two\nlines',
    csv: '"two\nlines"',
    copied: '"two\nlines"',
    excel: word('two\nlines'),
  },
  'a tab': { data: text('a\tb'), grid: 'a\tb', copied: '"a\tb"', excel: word('a\tb') },
  'a text of digits': { data: text('007'), grid: '007', excel: word('007') },
  'a long integer': {
    data: column(new arrow.Int64(), BigInt64Array.of(9007199254740993n)),
    grid: '9,007,199,254,740,993',
    csv: '9007199254740993',
    excel: word('9007199254740993'),
  },
  'a decimal': {
    data: column(new arrow.Decimal(2, 38, 128), Uint32Array.of(150, 0, 0, 0)),
    grid: '1.50',
    excel: serial(1.5),
  },
  'not a number': {
    data: column(new arrow.Float64(), Float64Array.of(Number.NaN)),
    grid: 'NaN',
    excel: word('NaN'),
  },
  'a boolean': {
    data: column(new arrow.Bool(), Uint8Array.of(1)),
    grid: 'true',
    excel: serial(1),
  },
  'a date': {
    data: column(new arrow.DateDay(), Int32Array.of(19_844)),
    grid: '2024-05-01',
    excel: serial(days(19_844 * 86_400_000)),
  },
  'a local time': {
    data: moment(null),
    grid: '2023-12-31 15:30:00',
    excel: serial(days(TOKYO_MS)),
  },
  'a time in UTC': {
    data: moment('UTC', 1n),
    grid: '2023-12-31 15:30:00.000001Z',
    excel: word('2023-12-31 15:30:00.000001Z'),
  },
  'a time in Tokyo': {
    data: moment('Asia/Tokyo'),
    grid: '2024-01-01 00:30:00+09:00',
    excel: word('2024-01-01 00:30:00+09:00'),
  },
  'a time with an offset': {
    data: moment('-03:30'),
    grid: '2023-12-31 12:00:00-03:30',
    excel: word('2023-12-31 12:00:00-03:30'),
  },
  'a period': { data: text('2024-01'), meaning: 'period', grid: '2024-01', excel: word('2024-01') },
  'a text with control characters': {
    data: text('a\u0001b _x0041_\r'),
    grid: 'a\u0001b _x0041_\r',
    csv: '"a\u0001b _x0041_\r"',
    excel: word('a_x0001_b _x005F_x0041__x000D_'),
  },
  JSON: {
    data: text('{"a":[9007199254740993,null]}'),
    meaning: 'json',
    grid: '{"a":[9007199254740993,null]}',
    csv: '"{""a"":[9007199254740993,null]}"',
    copied: '{"a":[9007199254740993,null]}',
    excel: word('{"a":[9007199254740993,null]}'),
  },
};

describe('a value is the same everywhere:', () => {
  for (const [name, { data, meaning, grid, csv = grid, copied = csv, excel }] of Object.entries(
    values,
  ))
    it(name, async () => {
      const metadata = new Map(meaning === undefined ? [] : [['tiding.meaning', meaning]]);
      const schema = new arrow.Schema([new arrow.Field('v', data.type, true, metadata)]);
      const struct = new arrow.Struct(schema.fields);
      const batch = new arrow.RecordBatch(
        schema,
        new arrow.Data<arrow.Struct>(struct, 0, 1, 0, undefined, [data]),
      );
      const source = sourceOf(new arrow.Table([batch]));
      const saved = async (format: FileFormat) =>
        (await writeFile(format, allRows(source), 'v', 'Data')).data;
      const [read] = readColumns(source);
      same(read!.format(source.value(0, 0)), grid, 'grid');
      const cells = { top: 0, bottom: 0, left: 0, right: 0 };
      const same0 = () => 0;
      same(
        runNow(copyText({ source, range: cells, rowAt: same0, columnAt: same0 })),
        copied,
        'copy',
      );
      same(await saved('csv'), `\uFEFFv\r\n${csv}\r\n`, 'CSV');
      same(await saved('tsv'), `\uFEFFv\r\n${grid === 'a\tb' ? '"a\tb"' : csv}\r\n`, 'TSV');
      const again = arrow.tableFromIPC(await saved('arrow'));
      same([String(again.schema), again.numRows], [String(schema), 1], 'Arrow');
      const { unzipSync, strFromU8 } = await import('fflate');
      const files = unzipSync((await saved('xlsx')) as Uint8Array);
      const xml = Object.entries(files)
        .filter(([path]) => /sheet1\.xml$|sharedStrings\.xml$/.test(path))
        .map(([, bytes]) => strFromU8(bytes).replaceAll('&quot;', '"'))
        .join('');
      check(xml.includes(excel), `Excel: ${excel} is not in ${xml}`);
    });
});
