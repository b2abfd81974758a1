/** Exported results that statements made, as answers of the call for results. */
import { open } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { formatDate } from 'tiding/model';
import type { Person } from '../auth/permissions.ts';
import type { ServerContext } from '../context.ts';
import { Refusal } from '../errors.ts';
import { fileHeaders } from './download.ts';
import type { Exported } from './exported.ts';

const types = {
  DelimitedText: ['text/csv; charset=utf-8', 'csv'],
  JSON: ['application/json', 'json'],
} as const;

/**
 * An export that a statement made: for who made it, and for who may read the note that shows it. Undefined where the id is none of
 * these; refuses with 403 and, where its file is gone, with 410.
 */
export async function findExport(
  resultId: string,
  person: Person,
  { magpie, notes, permissions }: Pick<ServerContext, 'magpie' | 'notes' | 'permissions'>,
): Promise<Exported | undefined> {
  if (!magpie.exports.owns(resultId)) return undefined;
  const found = await magpie.exports.find(resultId);
  if (!found) return undefined;
  const { info, file } = found;
  if (info.userName !== person.principal || person.embed) {
    if (!notes.find(info.noteId)) throw new Refusal(403, 'This result is for who exported it.');
    permissions.require(person, info.noteId, 'reader');
  }
  const [type, ending] = types[info.format];
  const name = `magpie_export_${formatDate(new Date(info.createTimestamp), 'YYYYMMDD_HHmmss', { utc: true })}.${ending}`;
  return {
    headers: {
      ...fileHeaders(name, type),
      'Content-Length': String(info.sizeBytes),
      Vary: 'Origin, Accept',
    },
    body: async () => {
      const handle = await open(file).catch(() => {
        throw new Refusal(410, 'This result is gone: export it again.');
      });
      if (info.sizeBytes > 0)
        return Readable.toWeb(
          handle.createReadStream({ start: 0, end: info.sizeBytes - 1 }),
        ) as ReadableStream<Uint8Array>;
      await handle.close();
      return new ReadableStream({ start: (controller) => controller.close() });
    },
  };
}
