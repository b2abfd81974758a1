/** The tables of texts, by area. Each registers itself when the code that shows it is loaded. */
import { useSyncExternalStore } from 'react';

type Branch = Record<string, unknown>;

const root: Branch = {};
const listeners = new Set<() => void>();

/** The texts of all areas that are loaded. */
export const allTexts: object = root;

/** The table at a path such as `widgets.jobs`; the empty path is the root. */
export const textBranch = (path: string): Branch | undefined =>
  path === ''
    ? root
    : (path.split('.').reduce<unknown>((at, key) => (at as Branch | undefined)?.[key], root) as
        | Branch
        | undefined);

/** Adds an area to the table, in `path`, and returns it. */
export function textArea<T extends object>(path: string, texts: T): T {
  let area = root;
  for (const key of path.split('.').filter(Boolean)) area = (area[key] ??= {}) as Branch;
  Object.assign(area, texts);
  for (const listener of listeners) listener();
  return area as T;
}

/** Calls `listener` after an area was added. */
export function onTextArea(listener: () => void): void {
  listeners.add(listener);
}

const readers = new Set<() => void>();
let version = 0;

/** Called after texts were replaced. */
export function textsChanged(): void {
  version += 1;
  for (const listener of [...readers]) listener();
}

/** Calls `listener` after texts were replaced. Returns an unsubscribe function. */
export function onTexts(listener: () => void): () => void {
  readers.add(listener);
  return () => void readers.delete(listener);
}

/** Returns a number that changes with each replacement. */
export function useTextVersion(): number {
  return useSyncExternalStore(
    onTexts,
    () => version,
    () => version,
  );
}

/**
 * A list built from texts, such as a table of commands. It is rebuilt in place when texts are
 * replaced.
 */
export function withTexts<T>(make: () => readonly T[]): readonly T[] {
  const list = [...make()];
  onTexts(() => list.splice(0, Infinity, ...make()));
  return list;
}
