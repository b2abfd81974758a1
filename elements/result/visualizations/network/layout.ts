import { createWorkerTasks, type WorkerTasks } from '../../../runtime/workers/worker-tasks.ts';
import type { ForceTasks } from './forces.ts';
import type { IndexedNetwork } from './indexed-network.ts';

/** Layout steps per frame: smooth movement that settles in about three seconds. */
const ticksPerFrame = 2;
/** Time budgets of a call in ms. Without a worker, this time is taken from the page's frame. */
const frameBudget = 8;
const stillBudget = 30;

let background: WorkerTasks<ForceTasks> | undefined;
let users = 0;
let ids = 0;

/** A layout that runs until it settles or its time is up. */
export interface NetworkLayout {
  /** X and y of every node. */
  positions: Float32Array;
  /** Whether there are positions to draw. */
  readonly ready: boolean;
  /** Whether the layout has settled or its time was up. */
  readonly rested: boolean;
  /** Nodes fixed by the user. */
  readonly fixed: ReadonlySet<number>;
  /** Fixes a node at a position; with `warm`, the others make room. */
  hold(node: number, x: number, y: number, warm: boolean): void;
  end(): void;
}

interface LayoutOptions {
  readonly charge: number;
  readonly linkDistance: number;
  /** Maximum duration in ms. */
  readonly timeout: number;
  /** Whether to show only the final positions, for users who prefer reduced motion. */
  readonly still: boolean;
  /** Positions and fixed nodes of an earlier scene of the same network. */
  readonly positions?: Float32Array | undefined;
  readonly fixed?: ReadonlySet<number> | undefined;
  /** Whether these positions are final. */
  readonly rested: boolean;
  /** Called when nodes have moved. */
  readonly onMove: () => void;
}

/** Lays out a network, in a worker if the page allows it. */
export function createLayout(
  shape: IndexedNetwork,
  { charge, linkDistance, timeout, still, positions, fixed, rested, onMove }: LayoutOptions,
): NetworkLayout {
  const id = (ids += 1);
  users += 1;
  background ??= createWorkerTasks<ForceTasks>(
    () => new Worker(new URL('./forces.worker.ts', import.meta.url), { type: 'module' }),
    async () => (await import('./forces.ts')).forceTasks,
  );
  const work = background;
  const kept = new Set(fixed);
  const held = new Map<number, readonly [number, number]>();
  let live = true;
  let going = false;
  let warm = false;
  let frame = 0;
  let until = performance.now() + timeout;
  const layout = {
    positions: positions ?? new Float32Array(2 * shape.nodes.length),
    ready: positions !== undefined,
    rested,
    fixed: kept,
    hold,
    end,
  };

  async function go(): Promise<void> {
    if (going || !live) return;
    going = true;
    try {
      for (;;) {
        const news = [...held].map(([node, [x, y]]) => [node, x, y] as const);
        held.clear();
        const over = performance.now() >= until;
        const result = await work.call('step', {
          id,
          ticks: still ? 1000 : over ? 1 : ticksPerFrame,
          budget: still ? stillBudget : frameBudget,
          held: news,
          warm,
        });
        if (!live) return;
        const finished = !warm && (result.done || performance.now() >= until);
        // A dragged node stays under the pointer, even if an older result arrives.
        for (const [node, [x, y]] of held) result.positions.set([x, y], 2 * node);
        if (!still || finished || layout.ready) {
          layout.positions = result.positions;
          layout.ready = true;
          onMove();
        }
        if (finished && held.size === 0) {
          layout.rested = true;
          return;
        }
        if (!still)
          await new Promise<void>((next) => (frame = requestAnimationFrame(() => next())));
        if (!live) return;
      }
    } finally {
      going = false;
    }
  }
  function hold(node: number, x: number, y: number, moving: boolean): void {
    kept.add(node);
    layout.rested = still && layout.rested;
    layout.positions.set([x, y], 2 * node);
    onMove();
    held.set(node, [x, y]);
    warm = moving && !still;
    until = performance.now() + timeout;
    if (!still) void go().catch(failed);
  }
  function end(): void {
    live = false;
    cancelAnimationFrame(frame);
    users -= 1;
    if (users > 0) return void work.call('end', { id }).catch(failed);
    work.close();
    background = undefined;
  }
  const links = new Uint32Array(shape.edges.flatMap(({ from, to }) => [from, to]));
  const start = {
    id,
    count: shape.nodes.length,
    links,
    charge,
    linkDistance,
    positions,
    fixed: [...kept],
  };
  void work
    .call('start', start)
    .then(() => (rested ? onMove() : go()))
    .catch(failed);
  return layout;
}

/** Calls pending at the end of the view are rejected; that is expected and not logged. */
function failed(error: unknown): void {
  if (!(error instanceof Error && error.message === 'The background worker was closed.'))
    console.error(error);
}
