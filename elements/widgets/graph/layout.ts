/**
 * Computes node positions: in a worker, or in slices on this thread if workers are not available or
 * the graph is large.
 */
import {
  type FlowGraph,
  LAYER_DISTANCE,
  type Links,
  layoutSteps,
  NODE_HEIGHT,
  NODE_PITCH,
} from '@tiding/client/widgets';
import { runInSlices } from '../../runtime/slices.ts';
import { createWorkerTasks, type WorkerTasks } from '../../runtime/workers/worker-tasks.ts';
import type { ElkTasks } from './elk.ts';

/** For more nodes than this, the better layout takes too long. */
const MAX_ELK_NODES = 600;
const MAX_ELK_EDGES = 1_500;
/** For graphs with more nodes than this, the wait for the better layout is limited, in ms. */
const WAIT_LIMIT_NODES = 100;
const WAIT_LIMIT_MS = 800;
/** Nodes without connections are placed below the others, this many per row. */
const NODES_PER_ROW = 6;
/**
 * The worker is terminated this long after its last call, in ms, because it uses megabytes of
 * memory.
 */
const WORKER_IDLE_MS = 20_000;

let background: WorkerTasks<ElkTasks> | undefined;
let resting: ReturnType<typeof setTimeout> | undefined;

/**
 * Returns x and y of every node, in the graph's order. `fixed` uses only the simple layered layout.
 */
export async function arrange({ nodes, edges }: FlowGraph, fixed: boolean): Promise<Float32Array> {
  const numbers = new Map(nodes.map(({ id }, at) => [id, at]));
  const joined = new Set(
    edges.flatMap(({ source, target }) =>
      source === target ? [] : [numbers.get(source)!, numbers.get(target)!],
    ),
  );
  const own = [...joined].sort((a, b) => a - b);
  const place = new Map(own.map((node, at) => [node, at]));
  const links = edges.flatMap(({ source, target }) =>
    source === target ? [] : [place.get(numbers.get(source)!)!, place.get(numbers.get(target)!)!],
  );
  const found =
    own.length === 0 ? new Float32Array() : await places({ count: own.length, links }, fixed);
  const points = new Float32Array(2 * nodes.length);
  let bottom = Number.NEGATIVE_INFINITY;
  own.forEach((node, at) => {
    points.set([found[2 * at]!, found[2 * at + 1]!], 2 * node);
    bottom = Math.max(bottom, found[2 * at + 1]! + NODE_HEIGHT);
  });
  const top = own.length === 0 ? 0 : bottom + NODE_PITCH - NODE_HEIGHT;
  // About as wide as high if there are many.
  const row = Math.max(NODES_PER_ROW, Math.ceil(Math.sqrt((nodes.length - own.length) / 2)));
  let alone = 0;
  for (let node = 0; node < nodes.length; node += 1) {
    if (joined.has(node)) continue;
    points.set(
      [(alone % row) * LAYER_DISTANCE, top + Math.floor(alone / row) * NODE_PITCH],
      2 * node,
    );
    alone += 1;
  }
  return points;
}

async function places(graph: Links, fixed: boolean): Promise<Float32Array> {
  if (fixed || graph.count > MAX_ELK_NODES || graph.links.length > 2 * MAX_ELK_EDGES)
    return sliced(graph);
  clearTimeout(resting);
  const work = (background ??= createWorkerTasks<ElkTasks>(
    () => new Worker(new URL('./layout.worker.ts', import.meta.url), { type: 'module' }),
    async () => ({ layout: sliced as ElkTasks['layout'] }),
  ));
  try {
    const found = work.call('layout', graph);
    if (graph.count <= WAIT_LIMIT_NODES) return await found;
    found.catch(() => {});
    return (await Promise.race([found, after(WAIT_LIMIT_MS)])) ?? (await sliced(graph));
  } catch {
    return sliced(graph);
  } finally {
    clearTimeout(resting);
    resting = setTimeout(() => {
      background?.close();
      background = undefined;
    }, WORKER_IDLE_MS);
  }
}

const after = (ms: number): Promise<undefined> =>
  new Promise((resolve) => setTimeout(() => resolve(undefined), ms));

function sliced(graph: Links): Promise<Float32Array> {
  return new Promise((resolve) => {
    const steps = layoutSteps(graph);
    runInSlices(() => {
      const { done, value } = steps.next();
      if (done) resolve(value);
      return !done;
    });
  });
}
