/** Series of measured values and their statistics. */

/** Minimum, median and maximum of some values, or `undefined` for none. */
export function summary(values) {
  if (values.length === 0) return undefined;
  return {
    n: values.length,
    min: Math.min(...values),
    median: quantile(values, 0.5),
    max: Math.max(...values),
  };
}

/** The quantile `share` of some values, interpolated linearly. */
export function quantile(values, share) {
  const sorted = [...values].sort((a, b) => a - b);
  const place = (sorted.length - 1) * share;
  const below = Math.floor(place);
  return (
    sorted[below] +
    (sorted[Math.min(below + 1, sorted.length - 1)] - sorted[below]) * (place - below)
  );
}

/**
 * One row of the table: values of the product and of the floor.
 *
 * @param {string} name description of the measurement
 * @param {string} unit unit of both
 * @param {{ more?: boolean, goal?: number, times?: number, beyond?: number }} [options] `more`:
 * greater values are better; `goal`: the value to reach; `times`: the goal as a multiple of the
 * floor's median; `beyond`: the goal as the floor's median plus this value
 */
export function series(name, unit, { more = false, goal, times, beyond } = {}) {
  const ours = [];
  const floor = [];
  const skipped = [];
  const goalBeside = (least) => (times === undefined ? beyond && least + beyond : times * least);
  return {
    /** Adds the values of one repeat; `undefined` values are skipped. */
    add(our, least) {
      if (our !== undefined) ours.push(our);
      if (least !== undefined) floor.push(least);
    },
    /** Says why values are missing, for example because a program is not installed. */
    skip(reason) {
      if (!skipped.includes(reason)) skipped.push(reason);
    },
    /** The row as data. `ratio` compares the medians; above 1 is worse than the floor. */
    row() {
      const [our, least] = [summary(ours), summary(floor)];
      const [above, below] = more ? [least, our] : [our, least];
      const ratio = above && below && below.median > 0 ? above.median / below.median : undefined;
      return {
        name,
        unit,
        ours: our,
        floor: least,
        ratio,
        goal: goal ?? (least && goalBeside(least.median)),
        ...(skipped.length > 0 ? { skipped: skipped.join('; ') } : {}),
      };
    },
  };
}
