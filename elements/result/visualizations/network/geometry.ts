import type { IndexedEdge, IndexedNetwork } from './indexed-network.ts';

/** Radius of a node in px at scale 1. */
const NODE_RADIUS_PX = 10;
/** Distance in px at scale 1 between the middles of neighbouring arcs. */
const arcGap = 24;
/**
 * Margins in px around a network that is fitted into its box; larger at the top because of the
 * buttons.
 */
const margin = 24;
const topMargin = 40;

/** Maps layout coordinates to pixels: `screen = position * scale + offset`. */
export interface Camera {
  readonly scale: number;
  readonly x: number;
  readonly y: number;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

type Point = readonly [x: number, y: number];

/** Returns the position of a node on the canvas, in px. */
export const screenOf = (
  node: number,
  positions: Float32Array,
  { scale, x, y }: Camera,
): [x: number, y: number] => [
  positions[2 * node]! * scale + x,
  positions[2 * node + 1]! * scale + y,
];

/** Returns a camera that shows all nodes, at scale 1 or smaller. */
export function fitCamera(positions: Float32Array, { width, height }: Size): Camera {
  let [left, right, top, bottom] = [Infinity, -Infinity, Infinity, -Infinity];
  for (let at = 0; at < positions.length; at += 2) {
    const [x, y] = [positions[at]!, positions[at + 1]!];
    left = Math.min(left, x);
    right = Math.max(right, x);
    top = Math.min(top, y);
    bottom = Math.max(bottom, y);
  }
  if (left > right) return { scale: 1, x: width / 2, y: height / 2 };
  const [across, down] = [
    Math.max(1, width - 2 * margin),
    Math.max(1, height - topMargin - margin),
  ];
  const scale = Math.min(1, across / Math.max(1, right - left), down / Math.max(1, bottom - top));
  return {
    scale,
    x: width / 2 - (scale * (left + right)) / 2,
    y: topMargin + down / 2 - (scale * (top + bottom)) / 2,
  };
}

/** Radius of a node in px; bounded below so that nodes of large networks stay visible. */
export const drawnRadius = ({ scale }: Camera): number => Math.max(2.5, NODE_RADIUS_PX * scale);

/**
 * A drawn edge: a quadratic Bézier curve from a to b with one control point, or a cubic one with
 * two for loops.
 */
export interface Curve {
  readonly a: Point;
  readonly b: Point;
  readonly over: Point;
  readonly and?: Point;
}

/** Computes the curve of an edge, in px. */
export function curveOf(
  { from, to, bend }: IndexedEdge,
  positions: Float32Array,
  camera: Camera,
): Curve {
  const { scale } = camera;
  const a = screenOf(from, positions, camera);
  if (from === to) {
    const out = (NODE_RADIUS_PX * 3 + arcGap * bend) * scale;
    return { a, b: a, over: [a[0] - out, a[1] - out], and: [a[0] + out, a[1] - out] };
  }
  const b = screenOf(to, positions, camera);
  const [dx, dy] = [b[0] - a[0], b[1] - a[1]];
  const out = (2 * arcGap * bend * scale) / (Math.hypot(dx, dy) || 1);
  return { a, b, over: [(a[0] + b[0]) / 2 - dy * out, (a[1] + b[1]) / 2 + dx * out] };
}

/** Returns a point of a curve; `at` runs from 0 to 1. */
export function pointOn({ a, b, over, and }: Curve, at: number): Point {
  const left = 1 - at;
  const of = (axis: 0 | 1): number =>
    and
      ? left ** 3 * a[axis] +
        3 * left * left * at * over[axis] +
        3 * left * at * at * and[axis] +
        at ** 3 * b[axis]
      : left * left * a[axis] + 2 * left * at * over[axis] + at * at * b[axis];
  return [of(0), of(1)];
}

/** Returns the tip and direction of the arrowhead, just outside the target node. */
export function arrowAt(
  curve: Curve,
  gap: number,
): { readonly tip: Point; readonly direction: Point } {
  const [fromX, fromY] = curve.and ?? curve.over;
  const [dx, dy] = [curve.b[0] - fromX, curve.b[1] - fromY];
  const length = Math.hypot(dx, dy) || 1;
  const direction: Point = [dx / length, dy / length];
  return { tip: [curve.b[0] - direction[0] * gap, curve.b[1] - direction[1] * gap], direction };
}

/** Returns the index of the node at a pixel: the nearest one within reach, or -1. */
export function nodeAt([px, py]: Point, positions: Float32Array, camera: Camera): number {
  let best = -1;
  let distance = (drawnRadius(camera) + 4) ** 2;
  for (let node = 0; node < positions.length / 2; node += 1) {
    const [x, y] = screenOf(node, positions, camera);
    const [dx, dy] = [x - px, y - py];
    if (dx * dx + dy * dy < distance) {
      distance = dx * dx + dy * dy;
      best = node;
    }
  }
  return best;
}

/** Returns the index of the edge at a pixel, or -1. */
export function edgeAt(
  [px, py]: Point,
  { edges }: IndexedNetwork,
  positions: Float32Array,
  camera: Camera,
): number {
  const pieces = 12;
  let best = -1;
  let distance = 6 ** 2;
  edges.forEach((edge, number) => {
    const curve = curveOf(edge, positions, camera);
    let [x, y] = curve.a;
    for (let piece = 1; piece <= pieces; piece += 1) {
      const [nextX, nextY] = pointOn(curve, piece / pieces);
      const [dx, dy] = [nextX - x, nextY - y];
      const along = Math.max(
        0,
        Math.min(1, ((px - x) * dx + (py - y) * dy) / (dx * dx + dy * dy || 1)),
      );
      const found = (x + along * dx - px) ** 2 + (y + along * dy - py) ** 2;
      if (found < distance) {
        distance = found;
        best = number;
      }
      [x, y] = [nextX, nextY];
    }
  });
  return best;
}

/**
 * Returns the node an arrow key leads to: the neighbour that lies closest to that direction,
 * otherwise the nearest node that way.
 */
export function nextNode(
  { neighbours, nodes }: IndexedNetwork,
  from: number,
  [wayX, wayY]: Point,
  positions: Float32Array,
): number {
  const choose = (
    numbers: Iterable<number>,
    cost: (along: number, aside: number) => number,
  ): number => {
    let best = -1;
    let least = Infinity;
    for (const number of numbers) {
      if (number === from) continue;
      const [dx, dy] = [
        positions[2 * number]! - positions[2 * from]!,
        positions[2 * number + 1]! - positions[2 * from + 1]!,
      ];
      const along = dx * wayX + dy * wayY;
      const aside = Math.abs(dx * wayY - dy * wayX);
      // Within 45 degrees to each side, so that every node lies in exactly one direction.
      if (along <= 0 || aside > along) continue;
      const found = cost(along, aside);
      if (found < least) [least, best] = [found, number];
    }
    return best;
  };
  const beside = choose(neighbours[from] ?? [], (along, aside) => aside / along);
  return beside >= 0 ? beside : choose(nodes.keys(), (along, aside) => along + 2 * aside);
}
