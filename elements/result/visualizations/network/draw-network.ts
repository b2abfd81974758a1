import { nodeText } from '@tiding/client/model';
import type { NetworkColours } from './colours.ts';
import {
  arrowAt,
  type Camera,
  type Curve,
  curveOf,
  drawnRadius,
  pointOn,
  type Size,
  screenOf,
} from './geometry.ts';
import type { IndexedNetwork } from './indexed-network.ts';

/** Everything needed to draw a network. */
export interface NetworkPicture {
  readonly shape: IndexedNetwork;
  readonly positions: Float32Array;
  readonly camera: Camera;
  readonly size: Size;
  readonly colours: NetworkColours;
  /** Whether the labels of all nodes and edges are shown. */
  readonly labelled: boolean;
  /** Data field written at the nodes, by node label. */
  readonly fields: Readonly<Record<string, string>>;
  /** Indices of nodes and edges; -1 for none. */
  readonly chosenNode: number;
  readonly chosenEdge: number;
  readonly hovered: number;
  readonly focused: number;
}

/** Up to this number, labels are drawn even if they overlap. */
const fewLabels = 60;
const fontSize = 12;

/** Returns the text written at a node. */
export const nodeLabelText = (
  { shape, fields }: Pick<NetworkPicture, 'shape' | 'fields'>,
  number: number,
): string => {
  const node = shape.nodes[number]!;
  return nodeText(
    node,
    node.label !== undefined && Object.hasOwn(fields, node.label) ? fields[node.label] : 'label',
  );
};

/** Draws a network; the context must be scaled to CSS px. */
export function drawNetwork(context: CanvasRenderingContext2D, picture: NetworkPicture): void {
  const { size, camera, colours } = picture;
  context.clearRect(0, 0, size.width, size.height);
  const curves = picture.shape.edges.map((edge) => curveOf(edge, picture.positions, camera));
  edges(context, picture, curves);
  nodes(context, picture);
  context.font = `${fontSize}px ${colours.font}`;
  context.textAlign = 'center';
  context.lineJoin = 'round';
  if (picture.labelled) edgeLabels(context, picture, curves);
  nodeLabels(context, picture);
}

function trace(context: CanvasRenderingContext2D, { a, b, over, and }: Curve): void {
  context.moveTo(a[0], a[1]);
  if (and) context.bezierCurveTo(over[0], over[1], and[0], and[1], b[0], b[1]);
  else context.quadraticCurveTo(over[0], over[1], b[0], b[1]);
}

function arrow(context: CanvasRenderingContext2D, curve: Curve, gap: number, length: number): void {
  const {
    tip: [x, y],
    direction: [dx, dy],
  } = arrowAt(curve, gap);
  const half = length * 0.45;
  context.moveTo(x, y);
  context.lineTo(x - dx * length - dy * half, y - dy * length + dx * half);
  context.lineTo(x - dx * length + dy * half, y - dy * length - dx * half);
  context.closePath();
}

function edges(
  context: CanvasRenderingContext2D,
  { shape, camera, colours, chosenEdge, chosenNode }: NetworkPicture,
  curves: readonly Curve[],
): void {
  const stressed = (number: number): boolean =>
    number === chosenEdge ||
    (chosenNode >= 0 &&
      (shape.edges[number]!.from === chosenNode || shape.edges[number]!.to === chosenNode));
  const gap = drawnRadius(camera) + 1;
  const length = Math.min(12, Math.max(4, 8 * camera.scale));
  for (const stress of [false, true]) {
    const of = curves.filter((_, number) => stressed(number) === stress);
    context.strokeStyle = context.fillStyle = stress ? colours.accent : colours.line;
    context.lineWidth = stress ? 2 : 1;
    context.beginPath();
    for (const curve of of) trace(context, curve);
    context.stroke();
    if (!shape.directed) continue;
    context.beginPath();
    for (const curve of of) arrow(context, curve, gap, length);
    context.fill();
  }
}

function nodes(
  context: CanvasRenderingContext2D,
  { shape, positions, camera, size, colours, chosenNode, focused }: NetworkPicture,
): void {
  const r = drawnRadius(camera);
  const byColour = new Map<string, number[]>();
  shape.nodes.forEach(({ label }, number) => {
    const [x, y] = screenOf(number, positions, camera);
    if (x < -r || y < -r || x > size.width + r || y > size.height + r) return;
    const colour = (label !== undefined && colours.labels.get(label)) || colours.text;
    const places = byColour.get(colour);
    if (places) places.push(x, y);
    else byColour.set(colour, [x, y]);
  });
  const circle = (x: number, y: number, size: number): void => {
    context.moveTo(x + size, y);
    context.arc(x, y, size, 0, 2 * Math.PI);
  };
  // An outline keeps nodes visible whose colour resembles the background.
  context.strokeStyle = colours.outline;
  context.lineWidth = 1;
  for (const [colour, places] of byColour) {
    context.fillStyle = colour;
    context.beginPath();
    for (let at = 0; at < places.length; at += 2) circle(places[at]!, places[at + 1]!, r);
    context.fill();
    context.stroke();
  }
  for (const [number, colour, gap] of [
    [chosenNode, colours.accent, 3],
    [focused, colours.focus, 6],
  ] as const) {
    if (number < 0) continue;
    context.strokeStyle = colour;
    context.lineWidth = 2;
    context.beginPath();
    circle(...screenOf(number, positions, camera), r + gap);
    context.stroke();
  }
}

function write(
  context: CanvasRenderingContext2D,
  colours: NetworkColours,
  text: string,
  x: number,
  y: number,
  colour: string,
): void {
  context.strokeStyle = colours.surface;
  context.lineWidth = 3;
  context.strokeText(text, x, y);
  context.fillStyle = colour;
  context.fillText(text, x, y);
}

const short = (text: string): string => (text.length > 40 ? `${text.slice(0, 39)}…` : text);

function edgeLabels(
  context: CanvasRenderingContext2D,
  { shape, size, colours }: NetworkPicture,
  curves: readonly Curve[],
): void {
  const taken = claims();
  shape.edges.forEach(({ edge }, number) => {
    if (edge.label === undefined || edge.label === '') return;
    // Off the middle for directed edges, because the labels of two opposite edges would overlap
    // there.
    const [x, y] = pointOn(curves[number]!, shape.directed ? 0.42 : 0.5);
    if (x < 0 || y < 0 || x > size.width || y > size.height) return;
    const text = short(edge.label);
    if (taken.claim(x, y, text.length)) write(context, colours, text, x, y - 3, colours.secondary);
  });
}

function nodeLabels(context: CanvasRenderingContext2D, picture: NetworkPicture): void {
  const { shape, positions, camera, size, colours, labelled, chosenNode, hovered, focused } =
    picture;
  const always = [...new Set([chosenNode, focused, hovered])].filter((number) => number >= 0);
  const all = labelled ? [...always, ...shape.nodes.keys()] : always;
  const taken = claims();
  const below = drawnRadius(camera) + fontSize + 2;
  const drawn = new Set<number>();
  for (const number of all) {
    if (drawn.has(number)) continue;
    drawn.add(number);
    const [x, middle] = screenOf(number, positions, camera);
    const y = middle + below;
    if (x < -100 || y < -20 || x > size.width + 100 || y > size.height + 40) continue;
    const text = short(nodeLabelText(picture, number));
    if (text !== '' && taken.claim(x, y, text.length))
      write(context, colours, text, x, y, colours.text);
  }
}

/** Prevents overlapping labels if there are many: the first label that claims a place gets it. */
function claims(): { claim(x: number, y: number, characters: number): boolean } {
  const cell = fontSize;
  const used = new Set<number>();
  let count = 0;
  return {
    claim(x, y, characters) {
      const half = Math.ceil((characters * fontSize * 0.28) / cell);
      const [column, row] = [Math.round(x / cell), Math.round(y / cell)];
      const cells = Array.from(
        { length: 2 * half + 1 },
        (_, at) => (row + 2000) * 10_000 + column - half + at + 2000,
      );
      if (count >= fewLabels && cells.some((one) => used.has(one))) return false;
      count += 1;
      for (const one of cells) used.add(one);
      return true;
    },
  };
}
