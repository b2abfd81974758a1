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

/** A network to lay out: nodes by number. */
export interface LayoutInput {
  /** Names the layout in later calls. */
  readonly id: number;
  readonly count: number;
  /** Two numbers an edge: where it starts, where it ends. */
  readonly links: Uint32Array;
  readonly charge: number;
  readonly linkDistance: number;
  /** x and y of every node so far; without it they start in a spiral. */
  readonly positions?: Float32Array | undefined;
  /** Numbers of nodes that stay where they are. */
  readonly fixed: readonly number[];
}

/** Asks for some more of a layout. */
export interface StepInput {
  readonly id: number;
  /** Steps at most. */
  readonly ticks: number;
  /** Time at most, ms; one step is always done. */
  readonly budget: number;
  /** Node by number → where it is held. */
  readonly held?: readonly (readonly [node: number, x: number, y: number])[];
  /** A node is being dragged: the others make room. */
  readonly warm?: boolean;
}

export interface StepResult {
  /** x and y of every node. */
  readonly positions: Float32Array;
  /** Nothing moves any more. */
  readonly done: boolean;
}

interface Body extends SimulationNodeDatum {
  x: number;
  y: number;
}

/** Pull towards the middle, so that parts without a common edge stay in sight. */
const gravity = 0.05;
const warmth = 0.3;

const layouts = new Map<number, Simulation<Body, SimulationLinkDatum<Body>>>();

/** The layout of networks, one step after another; where they run is not said here. */
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
