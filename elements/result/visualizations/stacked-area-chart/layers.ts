/** How areas are stacked. */
export type AreaStyle = 'stack' | 'stream' | 'expand';

/** Geometry of stacked areas: their order, the baseline and the heights. */
export interface Layers {
  /** Series indices from bottom to top. */
  readonly order: readonly number[];
  /** Baseline of the lowest area at each point. */
  readonly floor: readonly number[];
  /** Heights of each series at each point, in the given series order. */
  readonly heights: readonly (readonly number[])[];
}

/**
 * Stacks series: as they are (`stack`), normalized to their sum (`expand`), or as a streamgraph
 * with a "wiggle" baseline and "inside-out" order (`stream`), as in Zeppelin's chart library.
 */
export function layersOf(values: readonly (readonly number[])[], style: AreaStyle): Layers {
  const count = values[0]?.length ?? 0;
  const all = values.map((_, at) => at);
  const floor = Array.from({ length: count }, () => 0);
  if (style === 'expand') {
    const sums = floor.map((_, point) => values.reduce((sum, one) => sum + one[point]!, 0));
    return {
      order: all,
      floor,
      heights: values.map((one) =>
        one.map((value, point) => (sums[point] ? value / sums[point] : 0)),
      ),
    };
  }
  if (style === 'stack') return { order: all, floor, heights: values };
  const order = insideOut(values);
  return {
    order,
    floor: wiggle(
      order.map((at) => values[at]!),
      count,
    ),
    heights: values,
  };
}

/**
 * Orders series for a streamgraph: early peaks in the middle, later ones outside, with both sides
 * about equally heavy.
 */
function insideOut(values: readonly (readonly number[])[]): number[] {
  const peak = values.map((one) => one.indexOf(Math.max(...one)));
  const weight = values.map((one) => one.reduce((sum, value) => sum + value, 0));
  const [tops, bottoms]: [number[], number[]] = [[], []];
  let [top, bottom] = [0, 0];
  for (const at of values.map((_, place) => place).sort((a, b) => peak[a]! - peak[b]!)) {
    if (top < bottom) {
      top += weight[at]!;
      tops.push(at);
    } else {
      bottom += weight[at]!;
      bottoms.push(at);
    }
  }
  return [...bottoms.reverse(), ...tops];
}

/**
 * Computes the baseline that minimizes the weighted change of slopes, shifted so that nothing is
 * below 0.
 */
function wiggle(layers: readonly (readonly number[])[], count: number): number[] {
  const floor = [0];
  let now = 0;
  for (let point = 1; point < count; point++) {
    let sum = 0;
    let change = 0;
    let below = 0;
    for (const layer of layers) {
      const step = layer[point]! - layer[point - 1]!;
      sum += layer[point]!;
      change += (below + step / 2) * layer[point]!;
      below += step;
    }
    now -= sum ? change / sum : 0;
    floor.push(now);
  }
  const least = floor.reduce((low, value) => Math.min(low, value), 0);
  return floor.slice(0, count).map((value) => value - least);
}
