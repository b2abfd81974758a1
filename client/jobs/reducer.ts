import type { JobEntry } from '../protocol/index.ts';

/**
 * Merges an update into the job list: unknown notes are added, removed ones dropped, the fields of
 * others replaced. The order is kept.
 */
export function mergeJobs(
  before: readonly JobEntry[],
  update: readonly JobEntry[],
): readonly JobEntry[] {
  if (update.length === 0) return before;
  const changed = new Map(update.map((entry) => [entry.noteId, entry]));
  const known = new Set(before.map(({ noteId }) => noteId));
  return [
    ...before.flatMap((entry) => {
      const next = changed.get(entry.noteId);
      return next ? (next.isRemoved ? [] : [{ ...entry, ...next }]) : [entry];
    }),
    ...update.filter(({ noteId, isRemoved }) => !isRemoved && !known.has(noteId)),
  ];
}
