import { createBackground, type Background } from '../../../runtime/background.ts';
import { workerUrl } from '../../../runtime/worker-url.ts';
import type { ForceTasks } from './forces.ts';
import type { Shape } from './shape.ts';

/** Steps of the layout a frame: about three seconds until a network rests, and no jumps. */
const ticksPerFrame = 2;
/** Time of a call, ms. Where no worker runs it is taken from the frame itself. */
const frameBudget = 8;
const stillBudget = 30;

let background: Background<ForceTasks> | undefined;
let users = 0;
let ids = 0;

/** A layout that goes on until it rests or its time is over. */
export interface Layout {
  /** x and y of every node. */
  positions: Float32Array;
  /** There are places to draw. */
  readonly ready: boolean;
  /** Nothing moves, or the time was over. */
  readonly rested: boolean;
  /** Nodes that stay where they were put. */
  readonly fixed: ReadonlySet<number>;
  /** Puts a node somewhere for good; `warm` lets the others make room. */
  hold(node: number, x: number, y: number, warm: boolean): void;
  end(): void;
}

export interface LayoutOptions {
  readonly charge: number;
  readonly linkDistance: number;
  /** Stops after so many ms. */
  readonly timeout: number;
  /** Shows only the end of it. */
  readonly still: boolean;
  /** From an earlier drawing of the same network. */
  readonly positions?: Float32Array | undefined;
  readonly fixed?: ReadonlySet<number> | undefined;
  /** Those positions need no further work. */
  readonly rested: boolean;
  /** Nodes have moved. */
  readonly onMove: () => void;
}

/** Lays a network out, off this thread where the page allows it. */
export function createLayout(
  shape: Shape,
  { charge, linkDistance, timeout, still, positions, fixed, rested, onMove }: LayoutOptions,
): Layout {
  const id = (ids += 1);
  users += 1;
  background ??= createBackground<ForceTasks>(
    () => new Worker(workerUrl(new URL('./forces.worker.ts', import.meta.url)), { type: 'module' }),
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
        // A node under the pointer is where the pointer is, whatever was on its way.
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

/** Work that was ended together with its view rejects; there is nobody left to tell. */
function failed(error: unknown): void {
  if (!(error instanceof Error && error.message === 'the work was ended')) console.error(error);
}
