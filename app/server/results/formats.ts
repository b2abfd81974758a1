/** The formats in which a table can be had, and which one a request asks for. */
import { RecordBatchStreamWriter } from 'apache-arrow';
import { toArrow, toCsv, type TableData } from 'tiding/model';
import { Refusal } from '../errors.ts';
import { toParquet } from './parquet.ts';

/** A format of an export. */
export interface ResultFormat {
  /** Short name, as in `?format=`. */
  readonly name: string;
  readonly type: string;
  readonly extension: string;
  /** The table, piece by piece. */
  write(table: TableData): AsyncIterable<Uint8Array>;
}

/** Rows that are written at once. */
const ROWS = 1_000;
const encoder = new TextEncoder();

/** The rows of a table in groups, the first one also where there are none. */
function* groups(table: TableData): Iterable<TableData> {
  for (let at = 0; at === 0 || at < table.rows.length; at += ROWS) {
    yield { ...table, rows: table.rows.slice(at, at + ROWS) };
  }
}

/** RFC 4180, without a byte-order mark: a program reads this. */
async function* csv(table: TableData): AsyncIterable<Uint8Array> {
  let header = 0;
  for (const group of groups(table)) {
    const text = toCsv(group, { bom: false });
    yield encoder.encode(text.slice(header));
    // Each group has the header again; the others' is left out.
    header ||= toCsv({ ...table, rows: [] }, { bom: false }).length;
  }
}

/** A list of objects; values and the names of columns are those of the Arrow table. */
async function* json(table: TableData): AsyncIterable<Uint8Array> {
  const arrow = await toArrow(table);
  const names = arrow.schema.fields.map(({ name }) => JSON.stringify(name));
  const columns = arrow.schema.fields.map((_, index) => arrow.getChildAt(index));
  let text = '[';
  for (let row = 0; row < arrow.numRows; row += 1) {
    // By hand: an object would put columns like `2020` first.
    text += `${row === 0 ? '\n' : ',\n'}{${names.map((name, index) => `${name}:${JSON.stringify(columns[index]?.get(row) ?? null)}`).join(',')}}`;
    if (row % ROWS !== ROWS - 1) continue;
    yield encoder.encode(text);
    text = '';
  }
  yield encoder.encode(`${text}\n]\n`);
}

async function* arrow(table: TableData): AsyncIterable<Uint8Array> {
  yield* RecordBatchStreamWriter.writeAll(await toArrow(table));
}

async function* parquet(table: TableData): AsyncIterable<Uint8Array> {
  yield await toParquet(table);
}

/** Every format; the first one is sent where nothing is asked for. */
export const formats: readonly ResultFormat[] = [
  { name: 'csv', type: 'text/csv', extension: 'csv', write: csv },
  { name: 'json', type: 'application/json', extension: 'json', write: json },
  { name: 'arrow', type: 'application/vnd.apache.arrow.stream', extension: 'arrows', write: arrow },
  { name: 'parquet', type: 'application/vnd.apache.parquet', extension: 'parquet', write: parquet },
];

/** How well a range of an Accept header fits a type: 3 for the type itself, 2 for its family, 1 for any, 0 for not at all. */
const fit = (range: string, type: string) => (range === type ? 3 : range === `${type.split('/')[0]}/*` ? 2 : range === '*/*' ? 1 : 0);

/**
 * The format by `?format=` (a name or a type), else by the Accept header, else CSV. Refuses an unknown name with 400, and a
 * header that nothing fits with 406.
 */
export function chooseFormat(wanted: string | null, accept: string | undefined): ResultFormat {
  if (wanted !== null) {
    const format = formats.find(({ name, type }) => wanted.toLowerCase() === name || wanted.toLowerCase() === type);
    if (!format) throw new Refusal(400, `format is one of ${formats.map(({ name }) => name).join(', ')}`);
    return format;
  }
  if (!accept?.trim()) return formats[0]!;
  const ranges = accept.toLowerCase().split(',').map((part) => {
    const [range = '', ...parameters] = part.split(';').map((each) => each.trim());
    const quality = Number(parameters.find((each) => each.startsWith('q='))?.slice(2) ?? 1);
    return { range, quality: Number.isFinite(quality) ? quality : 0 };
  });
  let best: { format: ResultFormat; quality: number } | undefined;
  for (const format of formats) {
    // The closest range says how much a type is wanted.
    const [range] = ranges.filter((each) => fit(each.range, format.type) > 0).sort((a, b) => fit(b.range, format.type) - fit(a.range, format.type));
    if (range && range.quality > (best?.quality ?? 0)) best = { format, quality: range.quality };
  }
  if (!best) throw new Refusal(406, `A result can be had as ${formats.map(({ type }) => type).join(', ')}.`);
  return best.format;
}
