import { normalizePath, notePath } from '../model/notes/note-path.ts';
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
