/** How many bytes of data files and complete tables notes and users may store. */
import { lstat, readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Refusal } from '../base/errors.ts';
import type { ServerContext } from './context.ts';

type Stores = Pick<ServerContext, 'files' | 'options' | 'permissions' | 'results'>;

/** What new files belong to. Neither: a user's own files. */
interface FileOwner {
  readonly noteId?: string | undefined;
  readonly shared?: boolean | undefined;
}

/** Returns the bytes of all files below a folder; 0 if there is none. */
export async function sizeOf(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  let bytes = 0;
  for (const entry of entries)
    if (entry.isFile())
      // The file may have been removed since it was listed.
      bytes += (await lstat(join(entry.parentPath, entry.name)).catch(() => undefined))?.size ?? 0;
  return bytes;
}

/** Returns the bytes of the files and tables of a note. */
export const noteBytes = async ({ files, results }: Stores, noteId: string): Promise<number> =>
  results.bytesOf(noteId) + (await sizeOf(files.ofNote(noteId)));

const owns = ({ permissions }: Pick<Stores, 'permissions'>, principal: string, noteId: string) =>
  permissions.get(noteId).owners.includes(principal);

/** Throws 507 if files of this size don't fit beside what the note or the user has stored. */
export async function requireRoom(
  context: Stores,
  { noteId, shared }: FileOwner,
  principal: string,
  added: number,
): Promise<void> {
  const { files, options, results } = context;
  const check = (used: number, limit: number, whose: string, advice: string): void => {
    if (used + added <= limit) return;
    throw new Refusal(
      507,
      `${whose} use ${inUnits(used)} of ${inUnits(limit)}, so ${inUnits(added)} more don't fit. ` +
        `${advice}, then try again.`,
    );
  };
  if (shared)
    return check(
      await sizeOf(files.shared),
      options.maxSharedBytes,
      'The shared data files',
      'Delete shared files that nobody needs',
    );
  if (noteId !== undefined) {
    check(
      await noteBytes(context, noteId),
      options.maxNoteBytes,
      'The data files and tables of this note',
      'Delete files of the note, or clear outputs with large tables',
    );
    if (!owns(context, principal, noteId)) return;
  }
  const folders = await readdir(dirname(files.ofNote('x'))).catch(() => []);
  let used = await sizeOf(files.ofUser(principal));
  for (const id of new Set([...folders, ...results.noteIds()]))
    if (owns(context, principal, id)) used += await noteBytes(context, id);
  check(
    used,
    options.maxUserBytes,
    'Your data files, and the files and tables of your notes,',
    'Delete files or notes that you no longer need',
  );
}

/** Returns how many bytes a new table of a note may have. Data files don't count here. */
export function roomForTable(context: Omit<Stores, 'files'>, noteId: string): number {
  const { options, permissions, results } = context;
  const rooms = permissions.get(noteId).owners.map((owner) => {
    const owned = results.noteIds().filter((id) => owns(context, owner, id));
    return options.maxUserBytes - owned.reduce((sum, id) => sum + results.bytesOf(id), 0);
  });
  return Math.min(options.maxNoteBytes - results.bytesOf(noteId), ...rooms);
}

function inUnits(bytes: number): string {
  const units = ['bytes', 'KB', 'MB', 'GB', 'TB'];
  const at = Math.min(units.length - 1, Math.floor(Math.log2(Math.max(1, bytes)) / 10));
  return `${Number((bytes / 1024 ** at).toFixed(1))} ${units[at]}`;
}
