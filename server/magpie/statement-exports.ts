/** Serves results that were exported by statements of the command language. */
import { open } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { formatDate } from '@tiding/client/model';
import type { ActingUser, NotePermissions } from '../auth/permissions.ts';
import { Refusal } from '../base/errors.ts';
import type { NoteRepository } from '../notes/repository.ts';
import { fileHeaders } from '../results/download.ts';
import type { Exported } from '../results/exported.ts';
import type { MagpieService } from './index.ts';

const types = {
  DelimitedText: ['text/csv; charset=utf-8', 'csv'],
  JSON: ['application/json', 'json'],
  Parquet: ['application/vnd.apache.parquet', 'parquet'],
} as const;

interface Stores {
  readonly magpie: MagpieService;
  readonly notes: NoteRepository;
  readonly permissions: NotePermissions;
}

/**
 * Finds an export of a statement. The user who exported it may read it, and users who may read the
 * note that shows it. Returns undefined if the id is not of this kind. Throws 403, and 410 if the
 * file is gone.
 */
export async function findExport(
  resultId: string,
  person: ActingUser,
  { magpie, notes, permissions }: Stores,
): Promise<Exported | undefined> {
  if (!magpie.exports.owns(resultId)) return undefined;
  const found = await magpie.exports.find(resultId);
  if (!found) return undefined;
  const { info, file } = found;
  if (info.userName !== person.principal || person.embed) {
    if (!notes.find(info.noteId))
      throw new Refusal(403, 'Only the user who exported this result can read it.');
    permissions.require(person, info.noteId, 'reader');
  }
  const [type, ending] = types[info.format];
  const time = formatDate(new Date(info.createTimestamp), 'YYYYMMDD_HHmmss', { utc: true });
  const name = `magpie_export_${time}.${ending}`;
  return {
    headers: {
      ...fileHeaders(name, type),
      'Content-Length': String(info.sizeBytes),
      Vary: 'Origin, Accept',
    },
    body: async () => {
      const handle = await open(file).catch(() => {
        throw new Refusal(410, 'This result is no longer available. Export it again.');
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
