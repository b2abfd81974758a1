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
}

/** Makes a store. A reducer that changes nothing must return the same state; then nobody is notified. */
export function createStore<State, Event>(
  initial: State,
  reduce: (state: State, event: Event) => State,
  schedule: Scheduler = timerScheduler,
): Store<State, Event> {
  let state = initial;
  let scheduled = false;
  const listeners = new Set<() => void>();

  const flush = () => {
    scheduled = false;
    for (const listener of [...listeners]) listener();
  };

  return {
    get: () => state,
    dispatch(event) {
      const next = reduce(state, event);
      if (next === state) return;
      state = next;
      if (scheduled || listeners.size === 0) return;
      scheduled = true;
      schedule(flush);
    },
    subscribe(listener) {
      const heard = guarded(listener);
      listeners.add(heard);
      return () => listeners.delete(heard);
    },
  };
}
