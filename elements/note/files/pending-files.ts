/** Data files given to a new note before it is open, by its id. */
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
