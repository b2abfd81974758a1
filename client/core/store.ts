/**
 * A store: state changes only by dispatching events to a reducer, and subscribers are notified at
 * most once per scheduled turn.
 */
import { guardListener } from './guard-listener.ts';

/**
 * Runs `flush` later; a store requests it at most once between two runs. Elements pass the
 * animation frame.
 */
export type Scheduler = (flush: () => void) => void;

/** Notifies in the next macrotask, so that a burst of messages causes one notification. */
const timerScheduler: Scheduler = (flush) => {
  setTimeout(flush, 0);
};

/** A store. `get` is always current; subscribers are notified once per turn. */
export interface StateStore<State, Event> {
  get(): State;
  dispatch(event: Event): void;
  /** Calls `listener` once per turn after a change. Returns an unsubscribe function. */
  subscribe(listener: () => void): () => void;
  /**
   * Calls `listener` once per turn in which one entry of a record was replaced, added or removed. A
   * thousand of these listeners cost one comparison each per turn, whereas those of `subscribe`
   * cost a call and a selection each. Returns an unsubscribe function.
   */
  subscribeEntry(record: string, key: string, listener: () => void): () => void;
}

/** Finds a record whose entries can be subscribed to, by name. */
type RecordSelector<State> = (
  state: State,
  record: string,
) => Readonly<Record<string, unknown>> | undefined;

/**
 * Creates a store. The reducer must return the same object if nothing changed; then nobody is
 * notified.
 */
export function createStateStore<State, Event>(
  initial: State,
  reduce: (state: State, event: Event) => State,
  schedule: Scheduler = timerScheduler,
  records: RecordSelector<State> = () => undefined,
): StateStore<State, Event> {
  let state = initial;
  let scheduled = false;
  const listeners = new Set<() => void>();
  const watched = new Map<string, Watched>();

  const flush = () => {
    scheduled = false;
    // Entry listeners first, so that listeners of the whole state see them up to date.
    for (const [name, watch] of [...watched]) tellEntries(watch, records(state, name));
    for (const listener of [...listeners]) listener();
  };

  return {
    get: () => state,
    dispatch(event) {
      const next = reduce(state, event);
      if (next === state) return;
      state = next;
      if (scheduled || (listeners.size === 0 && watched.size === 0)) return;
      scheduled = true;
      schedule(flush);
    },
    subscribe(listener) {
      const heard = guardListener(listener);
      listeners.add(heard);
      return () => listeners.delete(heard);
    },
    subscribeEntry(record, key, listener) {
      const heard = guardListener(listener);
      const watch = watched.get(record) ?? { told: records(state, record), listeners: new Map() };
      watched.set(record, watch);
      const all = watch.listeners.get(key) ?? new Set();
      watch.listeners.set(key, all.add(heard));
      return () => {
        all.delete(heard);
        if (all.size === 0 && watch.listeners.get(key) === all) watch.listeners.delete(key);
        if (watch.listeners.size === 0 && watched.get(record) === watch) watched.delete(record);
      };
    },
  };
}

/** Listeners of the entries of one record, and the record as of their last notification. */
interface Watched {
  told: Readonly<Record<string, unknown>> | undefined;
  readonly listeners: Map<string, Set<() => void>>;
}

const entryOf = (record: Watched['told'], key: string): unknown =>
  record !== undefined && Object.hasOwn(record, key) ? record[key] : undefined;

function tellEntries(watch: Watched, now: Watched['told']): void {
  const before = watch.told;
  if (before === now) return;
  watch.told = now;
  const concerned: (() => void)[] = [];
  for (const [key, listeners] of watch.listeners) {
    // Most are equal, and that is found faster without looking where they come from.
    if (before?.[key] !== now?.[key] && entryOf(before, key) !== entryOf(now, key))
      concerned.push(...listeners);
  }
  for (const listener of concerned) listener();
}
