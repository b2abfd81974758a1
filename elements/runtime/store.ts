/** State that belongs to a view and not to the client: what is focused, open, searched. Renders only who selects what changed. */
import { useRef, useSyncExternalStore } from 'react';

/** A value that is replaced as a whole, and whoever wants to know. */
export interface Store<T> {
  /** The value now. */
  get(): T;
  /** Changes some of it. Nobody is told when nothing is different. */
  set(change: Partial<T>): void;
  /** Told after each change. Returns its undo. */
  subscribe(listener: () => void): () => void;
}

/** Makes a store. */
export function createStore<T extends object>(initial: T): Store<T> {
  let value = initial;
  const listeners = new Set<() => void>();
  return {
    get: () => value,
    set: (change) => {
      if (Object.entries(change).every(([key, part]) => Object.is(value[key as keyof T], part)))
        return;
      value = { ...value, ...change };
      for (const listener of [...listeners]) listener();
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

/** What a selector picks from a store; renders again only when that is another. */
export function useStore<T, Part>(store: Store<T>, select: (value: T) => Part): Part {
  const newest = useRef(select);
  newest.current = select;
  const read = (): Part => newest.current(store.get());
  return useSyncExternalStore(store.subscribe, read, read);
}
