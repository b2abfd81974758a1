/** Returns a set without a value. */
export const without = <Value>(all: ReadonlySet<Value>, value: Value): ReadonlySet<Value> =>
  new Set([...all].filter((each) => each !== value));

/** Returns a set without a value that it has, or with one that it lacks. */
export const toggled = <Value>(all: ReadonlySet<Value>, value: Value): ReadonlySet<Value> =>
  all.has(value) ? without(all, value) : new Set([...all, value]);
