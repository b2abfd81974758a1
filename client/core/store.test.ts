import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createStateStore } from './store.ts';

interface State {
  readonly count: number;
  readonly other: { readonly name: string };
}
type Event = { add: number } | { name: string };

const initial: State = { count: 0, other: { name: 'a' } };
function reduce(state: State, event: Event): State {
  if ('add' in event) return event.add === 0 ? state : { ...state, count: state.count + event.add };
  return event.name === state.other.name ? state : { ...state, other: { name: event.name } };
}

/** A scheduler whose turns the test runs by hand. */
function turns() {
  const waiting: (() => void)[] = [];
  return {
    schedule: (flush: () => void) => void waiting.push(flush),
    waiting,
    take: () => waiting.shift()!(),
  };
}

describe('a store', () => {
  test('is current immediately and notifies its subscribers later', () => {
    const { schedule, take } = turns();
    const store = createStateStore(initial, reduce, schedule);
    const seen: number[] = [];
    store.subscribe(() => seen.push(store.get().count));
    store.dispatch({ add: 1 });
    expect(store.get().count).toBe(1);
    expect(seen).toEqual([]);
    take();
    expect(seen).toEqual([1]);
  });

  test('notifies once per turn, however many events it had', () => {
    const { schedule, waiting, take } = turns();
    const store = createStateStore(initial, reduce, schedule);
    let told = 0;
    store.subscribe(() => (told += 1));
    for (let n = 0; n < 100; n += 1) store.dispatch({ add: 1 });
    expect(waiting).toHaveLength(1);
    take();
    expect([told, store.get().count]).toEqual([1, 100]);
    store.dispatch({ add: 1 });
    expect(waiting).toHaveLength(1);
    take();
    expect(told).toBe(2);
  });

  test('notifies nobody of an event that changed nothing', () => {
    const { schedule, waiting } = turns();
    const store = createStateStore(initial, reduce, schedule);
    store.subscribe(() => {});
    store.dispatch({ add: 0 });
    store.dispatch({ name: 'a' });
    expect(waiting).toEqual([]);
    expect(store.get()).toBe(initial);
  });

  test('keeps the identity of parts that an event did not change', () => {
    const store = createStateStore(initial, reduce, turns().schedule);
    store.dispatch({ add: 1 });
    expect(store.get().other).toBe(initial.other);
    expect(store.get()).not.toBe(initial);
  });

  test('schedules no turn without subscribers; the first subscriber misses nothing', () => {
    const { schedule, waiting, take } = turns();
    const store = createStateStore(initial, reduce, schedule);
    store.dispatch({ add: 1 });
    expect(waiting).toEqual([]);
    let told = 0;
    store.subscribe(() => (told += 1));
    store.dispatch({ add: 1 });
    take();
    expect(told).toBe(1);
  });

  test('accepts events from its subscribers and notifies about them in a separate turn', () => {
    const { schedule, waiting, take } = turns();
    const store = createStateStore(initial, reduce, schedule);
    const seen: number[] = [];
    store.subscribe(() => {
      seen.push(store.get().count);
      if (store.get().count < 3) store.dispatch({ add: 1 });
    });
    store.dispatch({ add: 1 });
    while (waiting.length > 0) take();
    expect(seen).toEqual([1, 2, 3]);
  });

  test('forgets a subscriber that unsubscribes, even during a turn', () => {
    const { schedule, take } = turns();
    const store = createStateStore(initial, reduce, schedule);
    const told: string[] = [];
    const undo = store.subscribe(() => {
      told.push('first');
      undo();
    });
    store.subscribe(() => told.push('second'));
    store.dispatch({ add: 1 });
    take();
    store.dispatch({ add: 1 });
    take();
    expect(told).toEqual(['first', 'second', 'second']);
  });
});

describe('a listener of one entry of a record', () => {
  interface Notes {
    readonly [note: string]: Readonly<Record<string, number>>;
  }
  const reduceNotes = (
    state: Notes,
    { note, ...change }: { note: string } & Record<string, number | string>,
  ): Notes => ({ ...state, [note]: { ...state[note], ...(change as Record<string, number>) } });
  const made = (initialNotes: Notes = { n: { a: 1, b: 1 } }) => {
    const { schedule, waiting, take } = turns();
    const store = createStateStore<Notes, Parameters<typeof reduceNotes>[1]>(
      initialNotes,
      reduceNotes,
      schedule,
      (state, note) => state[note],
    );
    const told: string[] = [];
    return {
      store,
      waiting,
      take,
      told,
      listen: (note: string, key: string) =>
        store.subscribeEntry(note, key, () => told.push(`${note}.${key}`)),
    };
  };

  test('is called only for this entry, once per turn', () => {
    const { store, take, told, listen } = made();
    listen('n', 'a');
    listen('n', 'b');
    for (let at = 2; at < 50; at += 1) store.dispatch({ note: 'n', a: at });
    expect(told).toEqual([]);
    take();
    expect(told).toEqual(['n.a']);
    store.dispatch({ note: 'n', b: 2 });
    take();
    expect(told).toEqual(['n.a', 'n.b']);
  });

  test('is not called for another record or for the same value', () => {
    const { store, take, told, listen } = made({ n: { a: 1 }, other: { a: 1 } });
    listen('n', 'a');
    store.dispatch({ note: 'other', a: 2 });
    take();
    store.dispatch({ note: 'n', a: 1 });
    take();
    expect(told).toEqual([]);
  });

  test('is called when the entry is added, even if its name is a property of Object', () => {
    const { store, take, told, listen } = made({});
    listen('n', 'constructor');
    listen('n', 'late');
    store.dispatch({ note: 'n', late: 1 });
    take();
    expect(told).toEqual(['n.late']);
  });

  test('is called before listeners of the whole state, and not after unsubscribing', () => {
    const { store, waiting, take, told, listen } = made();
    const undoWhole = store.subscribe(() => told.push('whole'));
    const undo = [listen('n', 'a'), listen('n', 'a')];
    store.dispatch({ note: 'n', a: 2 });
    take();
    expect(told).toEqual(['n.a', 'n.a', 'whole']);
    undo.forEach((each) => each());
    undoWhole();
    store.dispatch({ note: 'n', a: 3 });
    expect(waiting).toEqual([]);
    // Subscribing again later gets changes from then on.
    listen('n', 'a');
    store.dispatch({ note: 'n', b: 9 });
    take();
    expect(told).toHaveLength(3);
  });
});

describe('the default scheduler of a store', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  test('is the next macrotask, so that a burst is one notification', async () => {
    const store = createStateStore(initial, reduce);
    let told = 0;
    store.subscribe(() => (told += 1));
    store.dispatch({ add: 1 });
    await Promise.resolve();
    store.dispatch({ add: 1 });
    expect(told).toBe(0);
    vi.runAllTimers();
    expect(told).toBe(1);
  });
});
