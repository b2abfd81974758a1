/** Values that are kept in a note, by name: those of the whole note, and those of a paragraph. */
import type { Bag } from 'tiding/protocol';
import type { StoredNote } from '../notes/note.ts';

/** A value as it is stored and told; `noteId` absent: of all notes of its group. */
export interface SharedObject {
  name: string;
  object?: unknown;
  noteId?: string;
  paragraphId?: string;
}

/** Values of a group as a note has them: a note that came from elsewhere may have anything there. */
export const valuesIn = (list: unknown): SharedObject[] => (Array.isArray(list) ? (list as (SharedObject | null)[]).filter((entry) => entry !== null) : []);

/** Whether a value has that name and is the paragraph's, or (`paragraphId` undefined) the whole note's. */
export const isValueOf = (entry: SharedObject, name: string, paragraphId: string | undefined): boolean => entry.name === name && (entry.paragraphId || undefined) === paragraphId;

/** The value of a name and where it is kept; of the groups that have it, the last. */
export function findValue(note: StoredNote, name: string, paragraphId?: string): { group: string; entry: SharedObject } | undefined {
  return Object.entries(note.angularObjects)
    .flatMap(([group, list]) => valuesIn(list).map((entry) => ({ group, entry })))
    .findLast(({ entry }) => isValueOf(entry, name, paragraphId));
}

/** Those of `names` that templates and pages have bound, in the place of forms (upstream): to the paragraph, else to the whole note. */
export function boundValues(note: StoredNote, paragraphId: string, names: readonly string[]): Bag {
  return Object.fromEntries(names.flatMap((name) => {
    const bound = findValue(note, name, paragraphId) ?? findValue(note, name);
    return bound ? [[name, bound.entry.object]] : [];
  }));
}
