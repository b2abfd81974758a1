import {
  forceLink,
  forceManyBody,
  forceSimulation,
  forceX,
  forceY,
  type Simulation,
  type SimulationLinkDatum,
  type SimulationNodeDatum,
} from 'd3-force';

/** A network to lay out, with nodes identified by index. */
export interface LayoutInput {
  /** Identifies the layout in later calls. */
  readonly id: number;
  readonly count: number;
  /** Two node indices per edge: source and target. */
  readonly links: Uint32Array;
  readonly charge: number;
  readonly linkDistance: number;
  /** Initial x and y of every node; by default nodes start on a spiral. */
  readonly positions?: Float32Array | undefined;
  /** Indices of nodes that must not move. */
  readonly fixed: readonly number[];
}

/** Requests further steps of a layout. */
export interface StepInput {
  readonly id: number;
  readonly ticks: number;
  /** Maximum duration in ms; at least one step is always run. */
  readonly budget: number;
  /** Nodes to hold at a position. */
  readonly held?: readonly (readonly [node: number, x: number, y: number])[];
  /** Whether a node is being dragged, so that the others make room. */
  readonly warm?: boolean;
}

export interface StepResult {
  /** X and y of every node. */
  readonly positions: Float32Array;
  /** Whether the layout has settled. */
  readonly done: boolean;
}

interface Body extends SimulationNodeDatum {
  x: number;
  y: number;
}

/** Attraction to the centre, which keeps unconnected parts in view. */
const gravity = 0.05;
const warmth = 0.3;

const layouts = new Map<number, Simulation<Body, SimulationLinkDatum<Body>>>();

/** Force-directed layout in steps. Runs in a worker or in the page. */
export const forceTasks = {
  start({ id, count, links, charge, linkDistance, positions, fixed }: LayoutInput): void {
    const bodies = Array.from(
      { length: count },
      (_, at) => (positions ? { x: positions[2 * at], y: positions[2 * at + 1] } : {}) as Body,
    );
    const edges: SimulationLinkDatum<Body>[] = [];
    for (let at = 0; at < links.length; at += 2)
      if (links[at] !== links[at + 1]) edges.push({ source: links[at]!, target: links[at + 1]! });
    const simulation = forceSimulation(bodies)
      .force('charge', forceManyBody<Body>().strength(charge))
      .force('link', forceLink<Body, SimulationLinkDatum<Body>>(edges).distance(linkDistance))
      .force('x', forceX<Body>(0).strength(gravity))
      .force('y', forceY<Body>(0).strength(gravity))
      .stop();
    for (const node of fixed)
      Object.assign(bodies[node]!, { fx: bodies[node]!.x, fy: bodies[node]!.y });
    layouts.set(id, simulation);
  },

  step({ id, ticks, budget, held = [], warm = false }: StepInput): StepResult {
    const simulation = layouts.get(id);
    if (!simulation) return { positions: new Float32Array(), done: true };
    const bodies = simulation.nodes();
    for (const [node, x, y] of held) Object.assign(bodies[node]!, { fx: x, fy: y });
    simulation.alphaTarget(warm ? warmth : 0);
    if (warm && simulation.alpha() < warmth) simulation.alpha(warmth);
    const until = performance.now() + budget;
    for (let done = 0; done < ticks && simulation.alpha() >= simulation.alphaMin(); done += 1) {
      simulation.tick();
      if (performance.now() >= until) break;
    }
    const positions = new Float32Array(2 * bodies.length);
    bodies.forEach(({ x, y }, at) => positions.set([x, y], 2 * at));
    return { positions, done: simulation.alpha() < simulation.alphaMin() };
  },

  end({ id }: { readonly id: number }): void {
    layouts.delete(id);
  },
};

export type ForceTasks = typeof forceTasks;
