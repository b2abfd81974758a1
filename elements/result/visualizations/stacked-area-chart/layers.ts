/** How areas lie upon each other. */
export type AreaStyle = 'stack' | 'stream' | 'expand';

/** Areas as they are drawn: who lies above whom, where each begins, how high it is. */
export interface Layers {
  /** Places in the given list, from the bottom. */
  readonly order: readonly number[];
  /** Where the lowest begins, for each point. */
  readonly floor: readonly number[];
  /** For each of the given list, a height for each point. */
  readonly heights: readonly (readonly number[])[];
}

/**
 * Lays series upon each other: as they are (stack), as parts of their sum (expand), or around a middle that moves as
 * little as it can (stream: wiggle with the order inside out, as upstream's chart library has it).
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

/** Early peaks in the middle, later ones outside, both sides about as heavy. */
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

/** The floor that keeps the weighted change of slopes smallest, moved up so that nothing is below 0. */
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
