import type { NoteEntry } from '../core/state.ts';
import { freeNotePath, normalizePath, notePath } from '../model/notes/note-path.ts';
import type { NoteInfo } from '../protocol/index.ts';

/** Returns the full path of a note in the list. */
export function pathOf(notes: readonly NoteInfo[], id: string): string | undefined {
  const entry = notes.find((note) => note.id === id);
  return entry && notePath(entry);
}

/** Whether a note of the list is in a folder or below it. */
export function inFolder(notes: readonly NoteInfo[], folder: string): boolean {
  const prefix = `${normalizePath(folder)}/`;
  return notes.some((note) => notePath(note).startsWith(prefix));
}

/** Returns the note with a full path. */
export function atPath(notes: readonly NoteEntry[], path: string): NoteEntry | undefined {
  const wanted = normalizePath(path.normalize('NFC').trim());
  return notes.find((note) => note.path === wanted);
}

/** Returns the path, with a number appended if a note of the list other than `id` has it. */
export function freePathIn(
  notes: readonly NoteEntry[] | undefined,
  path: string,
  id?: string,
): string {
  const others = notes?.filter((note) => note.id !== id) ?? [];
  return freeNotePath(
    path,
    others.map((note) => note.path),
  );
}
