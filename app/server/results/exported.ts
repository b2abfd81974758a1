/** The answer of an export, whoever has the table. */
import { Refusal } from '../errors.ts';
import { fileHeaders } from './download.ts';
import type { ResultFormat } from './formats.ts';
import { resultFileName, type ResultInfo } from './index.ts';
import { rangeOf, type TableSource } from './rows.ts';
import { ALL, StoredTable, type RowRange } from './stored-table.ts';
import { streamed } from './stream.ts';

/** An answer: its headers, and what makes its body. */
export interface Exported {
  readonly headers: Record<string, string>;
  body(): Promise<ReadableStream<Uint8Array>>;
}

/** `?offset=` and `?limit=`, in rows; without them all. Refuses with 400 what is no whole number, and a limit of none. */
export function chooseRange(query: URLSearchParams): RowRange {
  const read = (name: string, least: number): number | undefined => {
    const text = query.get(name);
    if (text === null) return undefined;
    const value = Number(text);
    if (!/^\d{1,15}$/.test(text) || value < least)
      throw new Refusal(400, `${name} is a whole number from ${least}`);
    return value;
  };
  return { offset: read('offset', 0) ?? ALL.offset, limit: read('limit', 1) ?? ALL.limit };
}

/** The export in a format. Refuses a table that cannot be had in it. */
export async function exported(
  info: ResultInfo,
  table: TableSource | StoredTable,
  format: ResultFormat,
  range: RowRange,
): Promise<Exported> {
  const answer = (
    length: number | undefined,
    write: () => AsyncGenerator<Uint8Array>,
  ): Exported => ({
    headers: {
      ...fileHeaders(resultFileName(info, format), format.type),
      Vary: 'Origin, Accept',
      // Where it is not known, the last piece says that it was the last: an export that breaks off is seen to.
      ...(length === undefined ? {} : { 'Content-Length': String(length) }),
    },
    body: () => streamed(write()),
  });
  if (!(table instanceof StoredTable)) {
    const rows = rangeOf(table, range);
    format.check?.(rows);
    return answer(await format.length?.(rows), () => format.write(rows));
  }
  if (format.name !== 'arrow') return answer(undefined, () => format.writeTyped(table, range));
  const { length, pieces } = await table.arrow(range);
  return answer(length, pieces);
}
