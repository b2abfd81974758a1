/** Values that are kept in a note, by name: those of the whole note, and those of a paragraph. */
import type { Bag } from 'tiding/protocol';
import type { StoredNote } from './note.ts';

/** A value as it is stored and told; `noteId` absent: of all notes of its group. */
export interface SharedObject {
  name: string;
  object?: unknown;
  noteId?: string;
  paragraphId?: string;
}

/** Values of a group as a note has them: a note that came from elsewhere may have anything there. */
export const valuesIn = (list: unknown): SharedObject[] =>
  Array.isArray(list) ? (list as (SharedObject | null)[]).filter((entry) => entry !== null) : [];

/** Whether a value has that name and is the paragraph's, or (`paragraphId` undefined) the whole note's. */
export const isValueOf = (
  entry: SharedObject,
  name: string,
  paragraphId: string | undefined,
): boolean => entry.name === name && (entry.paragraphId || undefined) === paragraphId;

/** A value and where it is kept. */
export interface GroupedValue {
  readonly group: string;
  readonly entry: SharedObject;
}

const grouped = (note: StoredNote): GroupedValue[] =>
  Object.entries(note.angularObjects).flatMap(([group, list]) =>
    valuesIn(list).map((entry) => ({ group, entry })),
  );

/** The value of a name and where it is kept; of the groups that have it, the last. */
export const findValue = (
  note: StoredNote,
  name: string,
  paragraphId?: string,
): GroupedValue | undefined =>
  grouped(note).findLast(({ entry }) => isValueOf(entry, name, paragraphId));

/** The values of a paragraph. */
export const valuesOf = (note: StoredNote, paragraphId: string): GroupedValue[] =>
  grouped(note).filter(({ entry }) => entry.paragraphId === paragraphId);

/** The values of a note, each as `change` answers it; without those for which it answers none. */
export const changeValues = (
  all: Bag,
  change: (entry: SharedObject) => SharedObject | undefined,
): Bag =>
  Object.fromEntries(
    Object.entries(all).map(([group, list]) => [
      group,
      valuesIn(list)
        .map(change)
        .filter((entry) => entry !== undefined),
    ]),
  );

/** The values of a note and one more. */
export const addValue = (all: Bag, { group, entry }: GroupedValue): Bag => ({
  ...all,
  [group]: [...valuesIn(Object.hasOwn(all, group) ? all[group] : []), entry],
});

/** Values of the paragraphs that were removed last, for who takes a removal back: of at most `count` paragraphs, and `length` characters of JSON. */
export class RemovedValues {
  readonly #count: number;
  readonly #length: number;
  readonly #kept = new Map<string, string>();

  constructor(count: number, length: number) {
    this.#count = count;
    this.#length = length;
  }

  /** Keeps the values of a paragraph. */
  keep(noteId: string, paragraphId: string, values: readonly GroupedValue[]): void {
    const key = `${noteId} ${paragraphId}`;
    this.#kept.delete(key);
    if (values.length === 0) return;
    this.#kept.set(key, JSON.stringify(values));
    let length = 0;
    // The newest first: what is too much for them all goes.
    for (const [at, [each, text]] of [...this.#kept].reverse().entries()) {
      length += text.length;
      if (at >= this.#count || length > this.#length) this.#kept.delete(each);
    }
  }

  /** The values that a paragraph had when it was removed. */
  of(noteId: string, paragraphId: string): GroupedValue[] {
    return JSON.parse(this.#kept.get(`${noteId} ${paragraphId}`) ?? '[]') as GroupedValue[];
  }
}

/** Those of `names` that templates and pages have bound, in the place of forms (upstream): to the paragraph, else to the whole note. */
export function boundValues(note: StoredNote, paragraphId: string, names: readonly string[]): Bag {
  return Object.fromEntries(
    names.flatMap((name) => {
      const bound = findValue(note, name, paragraphId) ?? findValue(note, name);
      return bound ? [[name, bound.entry.object]] : [];
    }),
  );
}
