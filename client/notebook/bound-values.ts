/** Named values stored in a note, for the whole note or for one paragraph. */
import type { JsonObject } from '../protocol/index.ts';
import type { StoredNote } from './types.ts';

/** A value as it is stored and sent; `noteId` absent: global to all notes of its group. */
export interface SharedObject {
  /** Name of the variable. */
  name: string;
  /** The value. */
  object?: unknown;
  /** Id of the note; absent: all notes of the group. */
  noteId?: string;
  /** Id of the paragraph; absent: the whole note. */
  paragraphId?: string;
}

/** Returns the values of a group in a note. An imported note may contain anything there. */
export const valuesIn = (list: unknown): SharedObject[] =>
  Array.isArray(list) ? (list as (SharedObject | null)[]).filter((entry) => entry !== null) : [];

/**
 * Returns whether a value has this name and belongs to the paragraph, or to the whole note if
 * `paragraphId` is undefined.
 */
export const isValueOf = (
  entry: SharedObject,
  name: string,
  paragraphId: string | undefined,
): boolean => entry.name === name && (entry.paragraphId || undefined) === paragraphId;

/** A value and the group it is stored in. */
export interface GroupedValue {
  /** Id of the interpreter group. */
  readonly group: string;
  /** The value. */
  readonly entry: SharedObject;
}

const grouped = (note: StoredNote): GroupedValue[] =>
  Object.entries(note.angularObjects).flatMap(([group, list]) =>
    valuesIn(list).map((entry) => ({ group, entry })),
  );

/** Finds a value by name with its group; if several groups have it, the last one wins. */
export const findValue = (
  note: StoredNote,
  name: string,
  paragraphId?: string,
): GroupedValue | undefined =>
  grouped(note).findLast(({ entry }) => isValueOf(entry, name, paragraphId));

/** Returns the values of a paragraph. */
export const paragraphValues = (note: StoredNote, paragraphId: string): GroupedValue[] =>
  grouped(note).filter(({ entry }) => entry.paragraphId === paragraphId);

/**
 * Returns a note's values, each replaced by the result of `change`, or removed if that is
 * `undefined`.
 */
export const changeValues = (
  all: JsonObject,
  change: (entry: SharedObject) => SharedObject | undefined,
): JsonObject =>
  Object.fromEntries(
    Object.entries(all).map(([group, list]) => [
      group,
      valuesIn(list)
        .map(change)
        .filter((entry) => entry !== undefined),
    ]),
  );

/** Adds a value to a note's values. */
export const addValue = (all: JsonObject, { group, entry }: GroupedValue): JsonObject => ({
  ...all,
  [group]: [...valuesIn(Object.hasOwn(all, group) ? all[group] : []), entry],
});

/**
 * Values of recently removed paragraphs, for undoing the removal. Limited to `count` paragraphs and
 * `length` characters of JSON.
 */
export class RemovedValues {
  readonly #count: number;
  readonly #length: number;
  readonly #kept = new Map<string, string>();

  /** Creates an empty store with these limits. */
  constructor(count: number, length: number) {
    this.#count = count;
    this.#length = length;
  }

  /** Keeps the values of a removed paragraph. */
  keep(noteId: string, paragraphId: string, values: readonly GroupedValue[]): void {
    const key = `${noteId} ${paragraphId}`;
    this.#kept.delete(key);
    if (values.length === 0) return;
    this.#kept.set(key, JSON.stringify(values));
    let length = 0;
    // Newest first; drop what exceeds the total limit.
    for (const [at, [each, text]] of [...this.#kept].reverse().entries()) {
      length += text.length;
      if (at >= this.#count || length > this.#length) this.#kept.delete(each);
    }
  }

  /** Returns the values that a paragraph had when it was removed. */
  of(noteId: string, paragraphId: string): GroupedValue[] {
    return JSON.parse(this.#kept.get(`${noteId} ${paragraphId}`) ?? '[]') as GroupedValue[];
  }
}

/**
 * Returns those of `names` that templates and pages have bound and that replace form values, as in
 * Zeppelin: bound to the paragraph, else to the whole note.
 */
export function boundValues(
  note: StoredNote,
  paragraphId: string,
  names: readonly string[],
): JsonObject {
  return Object.fromEntries(
    names.flatMap((name) => {
      const bound = findValue(note, name, paragraphId) ?? findValue(note, name);
      return bound ? [[name, bound.entry.object]] : [];
    }),
  );
}
