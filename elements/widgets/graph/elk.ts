/**
 * ELK layout for graphs of hundreds of nodes: fewer crossings than the layers of
 * `@tiding/client/widgets`, but slower. Runs in a worker.
 */

import {
  LAYER_DISTANCE,
  type Links,
  NODE_HEIGHT,
  NODE_PITCH,
  NODE_WIDTH,
} from '@tiding/client/widgets';
import ElkApi, { type ElkNode } from 'elkjs/lib/elk-api.js';
import * as elkWorker from 'elkjs/lib/elk-worker.min.js';

/** Bundlers disagree about the default export of a CommonJS module. */
function defaultOf<Value>(module: unknown): Value {
  let value = module;
  while (typeof value === 'object' && value !== null && 'default' in value) value = value.default;
  return value as Value;
}

const options = {
  'elk.algorithm': 'layered',
  'elk.direction': 'RIGHT',
  'elk.separateConnectedComponents': 'false',
  'elk.edgeRouting': 'POLYLINE',
  'elk.spacing.nodeNode': String(NODE_PITCH - NODE_HEIGHT),
  'elk.layered.spacing.nodeNodeBetweenLayers': String(LAYER_DISTANCE - NODE_WIDTH),
  'elk.layered.spacing.edgeNodeBetweenLayers': '8',
  'elk.layered.spacing.edgeEdgeBetweenLayers': '4',
};
/**
 * Up to this many nodes, the payload's order is kept and positions are searched more thoroughly,
 * which takes seconds for hundreds of nodes.
 */
const THOROUGH_LAYOUT_NODES = 60;
const careful = {
  'elk.layered.considerModelOrder.strategy': 'NODES_AND_EDGES',
  'elk.layered.nodePlacement.strategy': 'NETWORK_SIMPLEX',
};
const quick = {
  'elk.layered.nodePlacement.strategy': 'BRANDES_KOEPF',
  'elk.layered.thoroughness': '3',
};
let elk: { layout(graph: ElkNode): Promise<ElkNode> } | undefined;

/** Returns x and y of every node. Layers are always {@link LAYER_DISTANCE} apart. */
async function layout({ count, links }: Links): Promise<Float32Array> {
  elk ??= new (defaultOf<typeof ElkApi>(ElkApi))({
    workerFactory: () => new (defaultOf<new () => Worker>(elkWorker))(),
  });
  const edges = [];
  for (let at = 0; at + 1 < links.length; at += 2)
    if (links[at] !== links[at + 1])
      edges.push({ id: `e${at}`, sources: [`n${links[at]!}`], targets: [`n${links[at + 1]!}`] });
  const children = Array.from({ length: count }, (_, node) => ({
    id: `n${node}`,
    width: NODE_WIDTH,
    height: NODE_HEIGHT,
  }));
  const placed = await elk.layout({
    id: 'root',
    layoutOptions: { ...options, ...(count <= THOROUGH_LAYOUT_NODES ? careful : quick) },
    children,
    edges,
  });
  const left = [...new Set((placed.children ?? []).map(({ x = 0 }) => Math.round(x)))].sort(
    (a, b) => a - b,
  );
  const points = new Float32Array(2 * count);
  for (const { id, x = 0, y = 0 } of placed.children ?? [])
    points.set([left.indexOf(Math.round(x)) * LAYER_DISTANCE, y], 2 * Number(id.slice(1)));
  return points;
}

export const elkTasks = { layout };
/** Type of the layout worker's tasks. */
export type ElkTasks = typeof elkTasks;
