/** The HTTP response of an export, for every kind of table. */
import { Refusal } from '../base/errors.ts';
import { fileHeaders } from './download.ts';
import type { ResultFormat } from './formats.ts';
import { resultFileName } from './index.ts';
import { ALL, type RowRange, type StoredTable } from './stored-table.ts';
import { streamed } from './stream.ts';
import { TextTable } from './text-table.ts';

/** A response: its headers and a function that creates its body. */
export interface Exported {
  readonly headers: Record<string, string>;
  body(): Promise<ReadableStream<Uint8Array>>;
}

/**
 * Parses `?offset=` and `?limit=`, in rows; the default is all rows. Throws 400 for values that are
 * not whole numbers, and for a limit of 0.
 */
export function chooseRange(query: URLSearchParams): RowRange {
  const read = (name: string, least: number): number | undefined => {
    const text = query.get(name);
    if (text === null) return undefined;
    const value = Number(text);
    if (!/^\d{1,15}$/.test(text) || value < least)
      throw new Refusal(400, `${name} must be a whole number from ${least}`);
    return value;
  };
  return { offset: read('offset', 0) ?? ALL.offset, limit: read('limit', 1) ?? ALL.limit };
}

/** Exports a table of this time in a format. Throws if the table cannot be represented in it. */
export async function exported(
  made: Date,
  table: StoredTable,
  format: ResultFormat,
  range: RowRange,
): Promise<Exported> {
  const answer = (
    length: number | undefined,
    write: () => AsyncGenerator<Uint8Array>,
  ): Exported => ({
    headers: {
      ...fileHeaders(resultFileName(made, format), format.type),
      Vary: 'Origin, Accept',
      // If the length is unknown, the last chunk marks the end, so clients notice an export that
      // breaks off.
      ...(length === undefined ? {} : { 'Content-Length': String(length) }),
    },
    body: () => streamed(write()),
  });
  await format.check?.(table);
  if (format.name !== 'arrow') {
    const text = table instanceof TextTable && format.name === 'csv' ? table.csv(range) : undefined;
    return answer(text?.length, async function* () {
      if (text) yield text;
      else yield* format.write(table, range);
    });
  }
  const { length, pieces } = await table.arrow(range);
  return answer(length, pieces);
}
