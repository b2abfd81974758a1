/** Time as a replay needs it: the real one, or one that a test moves. */

/** When it is, and what happens later. */
export interface Clock {
  /** ms since some start. */
  now(): number;
  /** Calls `act` after `ms`; the answer undoes it. */
  after(ms: number, act: () => void): () => void;
}

/** The platform's own time. */
export const realClock: Clock = {
  now: () => Date.now(),
  after(ms, act) {
    const timer = setTimeout(act, ms);
    return () => clearTimeout(timer);
  },
};

/** A clock that stands still until it is moved. Between two things that happen, everybody who waits gets a turn. */
export interface VirtualClock extends Clock {
  /** Moves on by `ms`; what is due happens, in its order. */
  advance(ms: number): Promise<void>;
  /**
   * Moves on from one thing that is due to the next until none is left, or, where `until` is given, until that is
   * settled, and answers its value.
   */
  run(): Promise<void>;
  run<T>(until: PromiseLike<T>): Promise<T>;
}

/** Lets every promise go on that can. */
const turn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0));

/** Makes one; it starts at 0. */
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
