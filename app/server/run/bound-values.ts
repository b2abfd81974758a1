/** Values that templates and pages have bound to a note, in the place of forms (upstream). */
import type { Bag } from 'tiding/protocol';
import type { StoredNote } from '../notes/note.ts';

interface Bound {
  readonly name?: unknown;
  readonly object?: unknown;
  readonly paragraphId?: string | null;
}

/** Those of `names` that are bound: to the paragraph, else to the whole note. */
export function boundValues(note: StoredNote, paragraphId: string, names: readonly string[]): Bag {
  const all = Object.values(note.angularObjects).flatMap((group) => (Array.isArray(group) ? group as (Bound | null)[] : []));
  const find = (name: string, id: string) => all.findLast((entry) => entry?.name === name && (entry.paragraphId ?? '') === id);
  return Object.fromEntries(names.flatMap((name) => {
    const entry = find(name, paragraphId) ?? find(name, '');
    return entry ? [[name, entry.object]] : [];
  }));
}
