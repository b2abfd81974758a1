/**
 * View state that is not part of the client: focus, open panels, searches. Components render only
 * when what they select changes.
 */
import { useRef, useSyncExternalStore } from 'react';

/** A value with change notifications. */
export interface ViewStore<T> {
  /** Returns the current value. */
  get(): T;
  /** Changes some of its properties. Subscribers are not called if nothing differs. */
  set(change: Partial<T>): void;
  /** Calls `listener` after each change. Returns an unsubscribe function. */
  subscribe(listener: () => void): () => void;
}

export function createViewStore<T extends object>(initial: T): ViewStore<T> {
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

/** Selects part of a store; renders again only when the selected part changes. */
export function useViewStore<T, Part>(store: ViewStore<T>, select: (value: T) => Part): Part {
  const newest = useRef(select);
  newest.current = select;
  const read = (): Part => newest.current(store.get());
  return useSyncExternalStore(store.subscribe, read, read);
}
