/** Arrow key navigation in a graph, and its initial view. Pure. */
import { type FlowGraph, NODE_HEIGHT, NODE_WIDTH } from '@tiding/client/widgets';

/** Returns the node a key leads to from a node, or `undefined`. */
type Walk = (from: number, key: string) => number | undefined;

/**
 * Prepares a graph for key navigation: right and left follow connections, up and down move within a
 * layer.
 */
export function walker({ nodes, edges }: FlowGraph, points: Float32Array): Walk {
  const numbers = new Map(nodes.map(({ id }, at) => [id, at]));
  const x = (node: number): number => points[2 * node]!;
  const y = (node: number): number => points[2 * node + 1]!;
  const from: number[][] = nodes.map(() => []);
  const into: number[][] = nodes.map(() => []);
  for (const { source, target } of edges) {
    const [a, b] = [numbers.get(source)!, numbers.get(target)!];
    if (a === b) continue;
    from[a]!.push(b);
    into[b]!.push(a);
  }
  const order = nodes.map((_, node) => node).sort((a, b) => x(a) - x(b) || y(a) - y(b));
  const place = new Map(order.map((node, at) => [node, at]));
  const nearest = (all: readonly number[], node: number): number | undefined =>
    [...all].sort((a, b) => Math.abs(y(a) - y(node)) - Math.abs(y(b) - y(node)))[0];
  return (node, key) => {
    if (key === 'ArrowRight') return nearest(from[node]!, node);
    if (key === 'ArrowLeft') return nearest(into[node]!, node);
    if (key === 'Home') return order[0];
    if (key === 'End') return order.at(-1);
    const step = key === 'ArrowDown' ? 1 : key === 'ArrowUp' ? -1 : 0;
    const other = step === 0 ? undefined : order[place.get(node)! + step];
    return other !== undefined && x(other) === x(node) ? other : undefined;
  };
}

/** Which part of a graph stays in the foreground: what leads to a node, or what follows it. */
export type Direction = 'upstream' | 'downstream';

/** Returns a node and all nodes that lead to it or follow it, directly or through others. */
export function reachedFrom(
  { edges }: FlowGraph,
  start: string,
  direction: Direction,
): ReadonlySet<string> {
  const next = new Map<string, string[]>();
  for (const { source, target } of edges) {
    const [from, to] = direction === 'downstream' ? [source, target] : [target, source];
    const known = next.get(from);
    if (known) known.push(to);
    else next.set(from, [to]);
  }
  const reached = new Set([start]);
  for (const id of reached) for (const other of next.get(id) ?? []) reached.add(other);
  return reached;
}

/** Returns the indices of the nodes whose label or second line contains a text; case is ignored. */
export function matchingNodes({ nodes }: FlowGraph, text: string): number[] {
  const wanted = text.trim().toLowerCase();
  if (wanted === '') return [];
  return nodes.flatMap(({ label, about }, at) =>
    `${label}\n${about ?? ''}`.toLowerCase().includes(wanted) ? [at] : [],
  );
}

/** Space around a fitted graph, in px. */
const MARGIN = 32;

/** The view that shows a whole graph, centred; with a scale of at least `least`, its start. */
export function fitted(
  points: Float32Array,
  width: number,
  height: number,
  least = 0,
): { x: number; y: number; zoom: number } {
  if (points.length === 0) return { x: 0, y: 0, zoom: 1 };
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let at = 0; at < points.length; at += 2) {
    left = Math.min(left, points[at]!);
    right = Math.max(right, points[at]! + NODE_WIDTH);
    top = Math.min(top, points[at + 1]!);
    bottom = Math.max(bottom, points[at + 1]! + NODE_HEIGHT);
  }
  const margin = Math.min(MARGIN, width / 16);
  const zoom = Math.max(
    least,
    Math.min(1, (width - 2 * margin) / (right - left), (height - 2 * MARGIN) / (bottom - top)),
  );
  const spare = width - (right - left) * zoom;
  return {
    x: (spare < 0 ? margin : spare / 2) - left * zoom,
    y: (height - (bottom - top) * zoom) / 2 - top * zoom,
    zoom,
  };
}
