/** Places for the nodes of a graph: off this thread, and where no worker may run or the graph is large, here in slices. */
import { layoutSteps, NODE_HEIGHT, PITCH, LEVEL, type FlowGraph, type Links } from 'tiding/widgets';
import { createBackground, type Background } from '../../runtime/background.ts';
import { inSlices } from '../../runtime/slices.ts';
import { workerUrl } from '../../runtime/worker-url.ts';
import type { ElkTasks } from './elk.ts';

/** Beyond these the better layout takes longer than a reader waits. */
const MOST_NODES = 600;
const MOST_EDGES = 1_500;
/** A graph of more nodes than these is not waited for longer than so many ms. */
const PATIENT_NODES = 100;
const PATIENCE_MS = 800;
/** Nodes without connections stand below the others, so many in a row. */
const ROW = 6;
/** The worker ends so long after its last call, ms: it holds megabytes. */
const REST_MS = 20_000;

let background: Background<ElkTasks> | undefined;
let resting: ReturnType<typeof setTimeout> | undefined;

/** x and y of every node, in the order of the graph. `fixed`: at once by layers alone. */
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
  const top = own.length === 0 ? 0 : bottom + PITCH - NODE_HEIGHT;
  // As wide as high, about, where there are many.
  const row = Math.max(ROW, Math.ceil(Math.sqrt((nodes.length - own.length) / 2)));
  let alone = 0;
  for (let node = 0; node < nodes.length; node += 1) {
    if (joined.has(node)) continue;
    points.set([(alone % row) * LEVEL, top + Math.floor(alone / row) * PITCH], 2 * node);
    alone += 1;
  }
  return points;
}

async function places(graph: Links, fixed: boolean): Promise<Float32Array> {
  if (fixed || graph.count > MOST_NODES || graph.links.length > 2 * MOST_EDGES)
    return sliced(graph);
  clearTimeout(resting);
  const work = (background ??= createBackground<ElkTasks>(
    () => new Worker(workerUrl(new URL('./layout.worker.ts', import.meta.url)), { type: 'module' }),
    async () => ({ layout: sliced as ElkTasks['layout'] }),
  ));
  try {
    const found = work.call('layout', graph);
    if (graph.count <= PATIENT_NODES) return await found;
    found.catch(() => {});
    return (await Promise.race([found, after(PATIENCE_MS)])) ?? (await sliced(graph));
  } catch {
    return sliced(graph);
  } finally {
    clearTimeout(resting);
    resting = setTimeout(() => {
      background?.close();
      background = undefined;
    }, REST_MS);
  }
}

const after = (ms: number): Promise<undefined> =>
  new Promise((resolve) => setTimeout(() => resolve(undefined), ms));

function sliced(graph: Links): Promise<Float32Array> {
  return new Promise((resolve) => {
    const steps = layoutSteps(graph);
    inSlices(() => {
      const { done, value } = steps.next();
      if (done) resolve(value);
      return !done;
    });
  });
}
