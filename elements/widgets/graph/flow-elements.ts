import { type FlowGraph, NODE_HEIGHT, NODE_WIDTH } from '@tiding/client/widgets';
import { Position } from '@xyflow/react';
import { useEffect, useMemo, useState } from 'react';
import type { DrawnEdge, DrawnNode } from './flow-parts.tsx';
import { arrange } from './layout.ts';

const size = { width: NODE_WIDTH, height: NODE_HEIGHT };
const handles = [
  {
    type: 'target' as const,
    position: Position.Left,
    x: 0,
    y: NODE_HEIGHT / 2,
    width: 0,
    height: 0,
  },
  {
    type: 'source' as const,
    position: Position.Right,
    x: NODE_WIDTH,
    y: NODE_HEIGHT / 2,
    width: 0,
    height: 0,
  },
];

/** A graph and the positions of its nodes, as x and y in turn. */
interface ArrangedGraph {
  readonly graph: FlowGraph;
  readonly points: Float32Array;
}

/** Arranges a graph in the background; `fixed`: by layers only. */
export function useArrangedGraph(
  graph: FlowGraph,
  fixed: boolean,
): { arranged: ArrangedGraph | undefined; failed: boolean } {
  const [arranged, setArranged] = useState<ArrangedGraph>();
  const [failed, setFailed] = useState(false);
  useEffect(() => {
    let cancelled = false;
    arrange(graph, fixed).then(
      (points) => !cancelled && setArranged({ graph, points }),
      () => !cancelled && setFailed(true),
    );
    return () => void (cancelled = true);
  }, [graph, fixed]);
  return { arranged, failed };
}

/**
 * Returns the nodes and edges to draw. `chosen` is the selected node, and `stop` the node that Tab
 * reaches. Nodes that are not in `kept` are in the background.
 */
export function useFlowElements(
  arranged: ArrangedGraph | undefined,
  {
    chosen,
    stop,
    straight,
    kept,
  }: {
    chosen: string | undefined;
    stop: string | undefined;
    straight: boolean;
    kept: ReadonlySet<string> | undefined;
  },
): { nodes: DrawnNode[] | undefined; edges: DrawnEdge[] | undefined } {
  const plainNodes = useMemo(
    () =>
      arranged?.graph.nodes.map(
        (node, number): DrawnNode => ({
          id: node.id,
          type: 'flow',
          position: { x: arranged.points[2 * number]!, y: arranged.points[2 * number + 1]! },
          data: { node, chosen: false, stop: false },
          ...(kept && !kept.has(node.id) ? { className: 'behind' } : {}),
          ...size,
          measured: size,
          handles,
          draggable: false,
          selectable: false,
          focusable: false,
          connectable: false,
        }),
      ),
    [arranged, kept],
  );
  // Only the two affected nodes get new objects, so that a key press does not re-render thousands.
  const nodes = useMemo(
    () =>
      plainNodes?.map((each) =>
        each.id === chosen || each.id === stop
          ? { ...each, data: { ...each.data, chosen: each.id === chosen, stop: each.id === stop } }
          : each,
      ),
    [plainNodes, chosen, stop],
  );
  const plainEdges = useMemo(
    () =>
      arranged?.graph.edges.map(
        ({ source, target }, number): DrawnEdge => ({
          id: String(number),
          type: 'flow',
          source,
          target,
          data: { straight },
          ...(kept && !(kept.has(source) && kept.has(target)) ? { className: 'behind' } : {}),
          focusable: false,
          selectable: false,
        }),
      ),
    [arranged, straight, kept],
  );
  const edges = useMemo(
    () =>
      plainEdges?.map((each) =>
        each.source === chosen || each.target === chosen
          ? { ...each, className: each.className ?? 'on', zIndex: 1 }
          : each,
      ),
    [plainEdges, chosen],
  );
  return { nodes, edges };
}
