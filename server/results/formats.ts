/**
 * Export formats of tables, and the choice of one for a request. Output is generated batch by
 * batch, as fast as it is read.
 */

import { Refusal } from '../base/errors.ts';
import { checkParquet, typedParquet } from './parquet.ts';
import type { RowRange, StoredTable } from './stored-table.ts';
import { TextTable } from './text-table.ts';
import { typedCsv, typedJson } from './typed-formats.ts';

export interface ResultFormat {
  /** Short name, as in `?format=`. */
  readonly name: string;
  readonly type: string;
  readonly extension: string;
  /** Encodes rows of a table in pieces. Each piece is generated on demand. */
  write(table: StoredTable, range: RowRange): AsyncGenerator<Uint8Array>;
  /** Throws if the table cannot be represented in this format. */
  check?(table: StoredTable): Promise<void>;
}

async function* arrow(table: StoredTable, range: RowRange): AsyncGenerator<Uint8Array> {
  yield* (await table.arrow(range)).pieces();
}

async function* csv(table: StoredTable, range: RowRange): AsyncGenerator<Uint8Array> {
  if (table instanceof TextTable) yield table.csv(range);
  else yield* typedCsv(table, range);
}

/** All formats. The first one is the default. */
export const formats: readonly ResultFormat[] = [
  {
    name: 'csv',
    type: 'text/csv',
    extension: 'csv',
    write: csv,
  },
  { name: 'json', type: 'application/json', extension: 'json', write: typedJson },
  {
    name: 'arrow',
    type: 'application/vnd.apache.arrow.stream',
    extension: 'arrows',
    write: arrow,
  },
  {
    name: 'parquet',
    type: 'application/vnd.apache.parquet',
    extension: 'parquet',
    write: typedParquet,
    check: checkParquet,
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
