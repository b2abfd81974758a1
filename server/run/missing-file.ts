/** Tells a user which of their other notes has a file that a run did not find. */
import type { NotePermissions } from '../auth/permissions.ts';
import type { DataFiles } from '../files/data-files.ts';
import type { Hub } from '../hub/hub.ts';
import type { StoredNote } from '../notes/note.ts';
import type { NoteRepository } from '../notes/repository.ts';
import type { RunInitiator } from './run-origin.ts';

/** What Python, JavaScript, R, shells and the SQL engine say about a missing file. */
const MISSING = [
  /No such file or directory: '([^'\n]+)'/,
  /no such file or directory, \w+ '([^'\n]+)'/,
  /cannot open file '([^'\n]+)': No such file/,
  /([^\s:'"]+): No such file or directory/,
  /No files found that match the pattern "([^"\n]+)"/,
];

interface MissingFileOptions {
  readonly files: DataFiles;
  readonly notes: NoteRepository;
  readonly permissions: NotePermissions;
  readonly hub: Hub;
}

/** Looks for the file of a failed run, and tells the user alone: others may not read that note. */
export async function tellMissingFile(
  { files, notes, permissions, hub }: MissingFileOptions,
  message: string,
  note: StoredNote,
  by: RunInitiator,
): Promise<void> {
  const path = MISSING.map((pattern) => pattern.exec(message)?.[1]).find(Boolean);
  const name = path?.slice(path.lastIndexOf('/') + 1);
  if (!name || by.embed || /^\.|\\/.test(name)) return;
  const person = { roles: [], ...by };
  const found = await files.notesWith(
    name,
    (id) => id !== note.id && notes.find(id) !== undefined && permissions.has(person, id, 'reader'),
  );
  if (found.length === 0) return;
  const names = found.map((id) => `"${notes.get(id).name}"`).join(', ');
  const notice =
    `${name} is a file of the note ${names}. To read it here, share it in the Files panel of ` +
    'that note, or drop it on this one.';
  hub.sendToUser(by.principal, 'NOTICE', { notice }, note.id);
}
