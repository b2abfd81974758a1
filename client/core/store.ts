/** State with one way in (dispatch through a reducer) and one way out (subscribe, at most once a scheduled turn). */
import { guarded } from './guarded.ts';

/** Runs a notification later; called at most once between two runs. Elements pass the animation frame. */
export type Scheduler = (flush: () => void) => void;

/** Notifies in the next macrotask: several messages of one burst are one notification. */
export const timerScheduler: Scheduler = (flush) => {
  setTimeout(flush, 0);
};

/** A store: `get` is always current, subscribers hear of it once a turn. */
export interface Store<State, Event> {
  get(): State;
  dispatch(event: Event): void;
  /** Returns its undo. */
  subscribe(listener: () => void): () => void;
  /**
   * Told once a turn in which one entry of a record became another, came or went. A thousand listeners of this kind cost a
   * turn one comparison each, where those of `subscribe` cost a call and a selection each. Returns its undo.
   */
  subscribeEntry(record: string, key: string, listener: () => void): () => void;
}

/** Records of a state whose entries can be listened to, by name. */
export type Records<State> = (
  state: State,
  record: string,
) => Readonly<Record<string, unknown>> | undefined;

/** Makes a store. A reducer that changes nothing must return the same state; then nobody is notified. */
export function createStore<State, Event>(
  initial: State,
  reduce: (state: State, event: Event) => State,
  schedule: Scheduler = timerScheduler,
  records: Records<State> = () => undefined,
): Store<State, Event> {
  let state = initial;
  let scheduled = false;
  const listeners = new Set<() => void>();
  const watched = new Map<string, Watched>();

  const flush = () => {
    scheduled = false;
    // First those of entries: whoever listens to the whole finds them up to date.
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
      const heard = guarded(listener);
      listeners.add(heard);
      return () => listeners.delete(heard);
    },
    subscribeEntry(record, key, listener) {
      const heard = guarded(listener);
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

/** Listeners to the entries of one record, and the record as they were told last. */
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
    if (entryOf(before, key) !== entryOf(now, key)) concerned.push(...listeners);
  }
  for (const listener of concerned) listener();
}
