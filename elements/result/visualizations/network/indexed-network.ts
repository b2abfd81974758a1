import type { NetworkEdge, NetworkGraph, NetworkNode } from '@tiding/client/model';

/** An edge with the indices of its nodes. */
export interface IndexedEdge {
  readonly edge: NetworkEdge;
  readonly from: number;
  readonly to: number;
  /** Curvature in steps; 0 is straight, loops start at 1. */
  readonly bend: number;
}

/** A network with nodes identified by index, used for layout and drawing. */
export interface IndexedNetwork {
  readonly nodes: readonly NetworkNode[];
  readonly edges: readonly IndexedEdge[];
  readonly directed: boolean;
  /** Indices of each node's neighbours, without duplicates. */
  readonly neighbours: readonly (readonly number[])[];
}

/** Indexes the nodes, and assigns curvatures so that parallel edges don't overlap. */
export function indexNetwork({ nodes, edges, directed }: NetworkGraph): IndexedNetwork {
  const numbers = new Map<string, number>();
  nodes.forEach(({ id }, at) => numbers.has(id) || numbers.set(id, at));
  const pairs = new Set(edges.map(({ source, target }) => JSON.stringify([source, target])));
  const near = nodes.map(() => new Set<number>());
  const drawn = edges.flatMap((edge): IndexedEdge[] => {
    const from = numbers.get(edge.source);
    const to = numbers.get(edge.target);
    if (from === undefined || to === undefined) return [];
    if (from === to) return [{ edge, from, to, bend: edge.count }];
    near[from]!.add(to);
    near[to]!.add(from);
    if (edge.totalCount === 1) return [{ edge, from, to, bend: 0 }];
    // If edges run in both directions, each direction gets its own side.
    const both = pairs.has(JSON.stringify([edge.target, edge.source]));
    return [
      { edge, from, to, bend: both ? edge.count - 0.5 : edge.count - (edge.totalCount + 1) / 2 },
    ];
  });
  return { nodes, edges: drawn, directed, neighbours: near.map((found) => [...found]) };
}
