/** Clocks for replays: real time, or virtual time that a test controls. */

/** Tells the time and schedules callbacks. */
export interface Clock {
  /** ms since an arbitrary start. */
  now(): number;
  /** Calls `act` after `ms`. Returns a function that cancels it. */
  after(ms: number, act: () => void): () => void;
}

/** The platform's clock. */
export const realClock: Clock = {
  now: () => Date.now(),
  after(ms, act) {
    const timer = setTimeout(act, ms);
    return () => clearTimeout(timer);
  },
};

/**
 * A clock that only advances when told to. Between two callbacks, pending promises get a chance to
 * continue.
 */
export interface VirtualClock extends Clock {
  /** Advances by `ms` and runs the callbacks that are due, in order. */
  advance(ms: number): Promise<void>;
  /**
   * Runs callback after callback until none is left. With `until`, stops when it is settled and
   * returns its value.
   */
  run(): Promise<void>;
  run<T>(until: PromiseLike<T>): Promise<T>;
}

/** Lets all pending promise reactions run. */
const turn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0));

/** Creates a virtual clock; it starts at 0. */
export function virtualClock(): VirtualClock {
  let now = 0;
  let due: { at: number; act: () => void }[] = [];
  const next = () =>
    due.reduce<(typeof due)[number] | undefined>(
      (first, each) => (first === undefined || each.at < first.at ? each : first),
      undefined,
    );
  const step = (limit: number): boolean => {
    const first = next();
    if (!first || first.at > limit) return false;
    due = due.filter((each) => each !== first);
    now = Math.max(now, first.at);
    first.act();
    return true;
  };
  const all = async (): Promise<void> => {
    await turn();
    while (step(Infinity)) await turn();
  };
  return {
    now: () => now,
    after(ms, act) {
      const entry = { at: now + Math.max(0, ms), act };
      due.push(entry);
      return () => (due = due.filter((each) => each !== entry));
    },
    async advance(ms) {
      const limit = now + ms;
      await turn();
      while (step(limit)) await turn();
      now = limit;
    },
    async run<T>(until?: PromiseLike<T>): Promise<T> {
      if (until === undefined) return all() as Promise<T>;
      const state = { settled: false };
      const done = () => void (state.settled = true);
      until.then(done, done);
      for (;;) {
        await turn();
        if (state.settled) return until;
        step(Infinity);
      }
    },
  };
}
