/** The answer of an export, whoever has the table. */
import { fileHeaders } from './download.ts';
import type { ResultFormat } from './formats.ts';
import { resultFileName, type ResultInfo } from './index.ts';
import type { TableSource } from './rows.ts';
import { streamed } from './stream.ts';

/** The export's headers, and what makes its body. Refuses a table that cannot be had in the format. */
export async function exported(info: ResultInfo, table: TableSource, format: ResultFormat): Promise<{ headers: Record<string, string>; body: () => Promise<ReadableStream<Uint8Array>> }> {
  format.check?.(table);
  const length = await format.length?.(table);
  return {
    headers: {
      ...fileHeaders(resultFileName(info, format), format.type), Vary: 'Origin, Accept',
      // Where it is not known, the last piece says that it was the last: an export that breaks off is seen to.
      ...(length === undefined ? {} : { 'Content-Length': String(length) }),
    },
    body: () => streamed(format.write(table)),
  };
}
