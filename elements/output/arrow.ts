/** Bytes of an Arrow IPC stream or file as rows. */
import { readArrowRows } from '@tiding/client/model';
import { tableFromIPC } from 'apache-arrow';
import type { RowSource } from '../result/rows/row-source.ts';
import { refused } from './plain-rows.ts';
import { outputTexts } from './texts.ts';

export async function readArrow(bytes: Uint8Array | ArrayBuffer): Promise<RowSource> {
  const given = bytes instanceof ArrayBuffer ? new Uint8Array(bytes) : bytes;
  const read = async () => readArrowRows(tableFromIPC(given));
  const rows = await read().catch((error: Error) => {
    throw refused(outputTexts.notArrow(`${error.message}.`));
  });
  // The library reads other bytes as an empty stream.
  if (rows.columns.length === 0) throw refused(outputTexts.notArrow(''));
  return rows;
}
