/** The other users of a note. */
import type { NoteState } from '@tiding/client';

/** A user who has the note open. */
export interface Person {
  readonly name: string;
  readonly color: number;
  readonly paragraphId?: string | undefined;
}

/** Maximum number of avatars shown. */
export const MAX_AVATARS = 4;

/**
 * Other users, each once. Uses presence data if the server sends it, or the list of user names
 * otherwise.
 */
export function peopleOf(note: NoteState | undefined, self: string | undefined): Person[] {
  const known = new Map<string, Person>();
  for (const { name, color, paragraphId } of Object.values(note?.presence ?? {})) {
    if (!known.get(name)?.paragraphId)
      known.set(name, { name, color, ...(paragraphId === undefined ? {} : { paragraphId }) });
  }
  if (known.size === 0)
    for (const name of note?.collaborators ?? [])
      if (name !== self) known.set(name, { name, color: known.size % 8 });
  return [...known.values()];
}

/** Parses a list that a selector returned as text, so that an equal list is the same value. */
export const parsed = <Value>(key: string): Value[] =>
  key === '' ? [] : (JSON.parse(key) as Value[]);

/** Text of a list for {@link parsed}. */
export const keyOf = (list: readonly unknown[]): string =>
  list.length === 0 ? '' : JSON.stringify(list);
