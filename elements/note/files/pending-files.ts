/** What was dropped on home for a note that is about to be opened. */
import type { LeftOutFiles } from './folder-files.ts';

/** Data files by the id of the note. */
const pending = new Map<string, readonly File[]>();

/** Keeps data files for a note that is about to be opened. */
export const keepFiles = (noteId: string, files: readonly File[]): void =>
  void pending.set(noteId, files);

/** Returns the files kept for a note, once. */
export function takeFiles(noteId: string): readonly File[] {
  const files = pending.get(noteId) ?? [];
  pending.delete(noteId);
  return files;
}

const leftOutOf = new Map<string, LeftOutFiles>();

/** Keeps what was left out of a dropped folder for the note that is about to be opened. */
export const keepLeftOut = (noteId: string, leftOut: LeftOutFiles): void =>
  void leftOutOf.set(noteId, leftOut);

/** Returns what was left out of the folder that was dropped for a note, once. */
export function takeLeftOut(noteId: string): LeftOutFiles | undefined {
  const leftOut = leftOutOf.get(noteId);
  leftOutOf.delete(noteId);
  return leftOut;
}
