/** Numbers of a measurement: series of values, and what is said of them. */

/** Least, middle and greatest of some values; `undefined` where there is none. */
export function summary(values) {
  if (values.length === 0) return undefined;
  return {
    n: values.length,
    min: Math.min(...values),
    median: quantile(values, 0.5),
    max: Math.max(...values),
  };
}

/** The value below which a share of the values lies, between two of them where it falls there. */
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
 * One line of the table: what the product took, and what the least possible took beside it.
 *
 * @param {string} name what was measured
 * @param {string} unit of both
 * @param {{ more?: boolean }} [options] `more`: a greater value is the better one
 */
export function series(name, unit, { more = false } = {}) {
  const ours = [];
  const floor = [];
  return {
    /** Adds what one repeat has measured; left out: not measured there. */
    add(our, least) {
      if (our !== undefined) ours.push(our);
      if (least !== undefined) floor.push(least);
    },
    /** The line as data. `ratio`: how many times worse than the floor, by the medians. */
    row() {
      const [our, least] = [summary(ours), summary(floor)];
      const [above, below] = more ? [least, our] : [our, least];
      const ratio = above && below && below.median > 0 ? above.median / below.median : undefined;
      return { name, unit, ours: our, floor: least, ratio };
    },
  };
}
