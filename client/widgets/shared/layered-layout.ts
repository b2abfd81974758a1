/**
 * Layered layout of a directed graph, from left to right. Takes milliseconds for thousands of
 * nodes. Pure functions.
 */
import { runNow } from '../../model/rows/run-now.ts';

/** Width of a node, in px. */
export const NODE_WIDTH = 176;
/** Height of a node, in px. */
export const NODE_HEIGHT = 48;
/** Distance between the left edges of adjacent layers, in px (specification). */
export const LAYER_DISTANCE = 230;
/** Distance between the tops of vertically adjacent nodes, in px. */
export const NODE_PITCH = 96;
const SWEEPS = 6;

/** A directed graph. Nodes are numbers from 0. */
export interface Links {
  /** Number of nodes. */
  readonly count: number;
  /** Edges as a flat list: source, target, source, target, … */
  readonly links: ArrayLike<number>;
}

interface Neighbours {
  readonly into: readonly number[][];
  readonly from: readonly number[][];
}

/**
 * Makes the graph acyclic: reverses edges that close a cycle and drops self-references. Iterative,
 * so that a chain of thousands of nodes does not overflow the stack.
 */
function acyclic({ count, links }: Links): Neighbours {
  const to: number[][] = Array.from({ length: count }, () => []);
  for (let at = 0; at + 1 < links.length; at += 2)
    if (links[at] !== links[at + 1]) to[links[at]!]!.push(links[at + 1]!);
  const into: number[][] = Array.from({ length: count }, () => []);
  const from: number[][] = Array.from({ length: count }, () => []);
  const state = new Uint8Array(count);
  const next = new Uint32Array(count);
  const lead = (a: number, b: number): void => {
    from[a]!.push(b);
    into[b]!.push(a);
  };
  for (let root = 0; root < count; root += 1) {
    if (state[root] !== 0) continue;
    const path = [root];
    state[root] = 1;
    while (path.length > 0) {
      const node = path.at(-1)!;
      const other = to[node]![next[node]!];
      if (other === undefined) {
        state[node] = 2;
        path.pop();
        continue;
      }
      next[node]! += 1;
      if (state[other] === 1) lead(other, node);
      else lead(node, other);
      if (state[other] === 0) {
        state[other] = 1;
        path.push(other);
      }
    }
  }
  return { into, from };
}

/** The layer of each node: one more than the highest layer of its predecessors. */
function layersOf({ into, from }: Neighbours): Uint32Array {
  const layer = new Uint32Array(into.length);
  const open = Uint32Array.from(into, (each) => each.length);
  const ready: number[] = [];
  open.forEach((each, node) => each === 0 && ready.push(node));
  for (let at = 0; at < ready.length; at += 1) {
    const node = ready[at]!;
    for (const other of from[node]!) {
      layer[other] = Math.max(layer[other]!, layer[node]! + 1);
      open[other]! -= 1;
      if (open[other] === 0) ready.push(other);
    }
  }
  return layer;
}

/** The preferred position of a node: the mean position of its neighbours. */
function middle(node: number, near: readonly number[], place: Float32Array): number {
  if (near.length === 0) return place[node]!;
  let sum = 0;
  for (const other of near) sum += place[other]!;
  return sum / near.length;
}

/**
 * Computes a layout in steps of a few milliseconds. The result contains x and y of every node, in
 * px.
 */
export function* layoutSteps(graph: Links): Generator<undefined, Float32Array, undefined> {
  const near = acyclic(graph);
  const layer = layersOf(near);
  yield;
  const columns: number[][] = [];
  for (let node = 0; node < graph.count; node += 1) (columns[layer[node]!] ??= []).push(node);
  const place = new Float32Array(graph.count);
  const settle = (column: number[]): void =>
    column.forEach((node, at) => (place[node] = at - (column.length - 1) / 2));
  columns.forEach(settle);
  for (let sweep = 0; sweep < SWEEPS; sweep += 1) {
    const beside = sweep % 2 === 0 ? near.into : near.from;
    for (const column of sweep % 2 === 0 ? columns : [...columns].reverse()) {
      const wish = new Map(column.map((node) => [node, middle(node, beside[node]!, place)]));
      column.sort((a, b) => wish.get(a)! - wish.get(b)!);
      settle(column);
    }
    yield;
  }
  const points = new Float32Array(2 * graph.count);
  for (let node = 0; node < graph.count; node += 1)
    points.set([layer[node]! * LAYER_DISTANCE, place[node]! * NODE_PITCH], 2 * node);
  return points;
}

/** Computes a layout in one go. The result contains x and y of every node, in px. */
export const layout = (graph: Links): Float32Array => runNow(layoutSteps(graph));
