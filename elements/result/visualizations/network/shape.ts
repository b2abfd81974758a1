import type { NetworkEdge, NetworkGraph, NetworkNode } from 'tiding/model';

/** An edge by the numbers of its nodes. */
export interface ShapeEdge {
  readonly edge: NetworkEdge;
  readonly from: number;
  readonly to: number;
  /** How far it swings out, in steps: 0 is straight; loops count from 1. */
  readonly bend: number;
}

/** A network by number, which is what layout and drawing work on. */
export interface Shape {
  readonly nodes: readonly NetworkNode[];
  readonly edges: readonly ShapeEdge[];
  readonly directed: boolean;
  /** Numbers of the nodes beside each node, each once. */
  readonly neighbours: readonly (readonly number[])[];
}

/** Numbers the nodes, and parts edges that would lie upon each other. */
export function shapeOf({ nodes, edges, directed }: NetworkGraph): Shape {
  const numbers = new Map<string, number>();
  nodes.forEach(({ id }, at) => numbers.has(id) || numbers.set(id, at));
  const pairs = new Set(edges.map(({ source, target }) => JSON.stringify([source, target])));
  const near = nodes.map(() => new Set<number>());
  const drawn = edges.flatMap((edge): ShapeEdge[] => {
    const from = numbers.get(edge.source);
    const to = numbers.get(edge.target);
    if (from === undefined || to === undefined) return [];
    if (from === to) return [{ edge, from, to, bend: edge.count }];
    near[from]!.add(to);
    near[to]!.add(from);
    if (edge.totalCount === 1) return [{ edge, from, to, bend: 0 }];
    // One side each for two bundles that run against each other.
    const both = pairs.has(JSON.stringify([edge.target, edge.source]));
    return [
      { edge, from, to, bend: both ? edge.count - 0.5 : edge.count - (edge.totalCount + 1) / 2 },
    ];
  });
  return { nodes, edges: drawn, directed, neighbours: near.map((found) => [...found]) };
}
