import { type D3DragEvent, drag } from 'd3-drag';
import { pointer, select } from 'd3-selection';
import type { NetworkColours } from './colours.ts';
import { drawNetwork, type NetworkPicture } from './draw-network.ts';
import { type Camera, edgeAt, nextNode, nodeAt } from './geometry.ts';
import type { IndexedNetwork } from './indexed-network.ts';
import { createLayout, type NetworkLayout } from './layout.ts';
import type { NetworkSettings } from './settings.ts';
import { createViewport } from './viewport.ts';

/** A node or edge, by index. */
export type Entity = { readonly node: number } | { readonly edge: number };

/** State to pass to the next scene of the same network. */
export interface SceneMemory {
  readonly positions: Float32Array;
  readonly fixed: ReadonlySet<number>;
  readonly rested: boolean;
}

interface SceneOptions {
  readonly shape: IndexedNetwork;
  readonly force: Pick<NetworkSettings, 'timeout' | 'charge' | 'linkDistance'>;
  readonly still: boolean;
  readonly memory: SceneMemory | undefined;
  readonly onChoose: (entity: Entity | null) => void;
  /** Called when the first layout is ready to be drawn. */
  readonly onReady: () => void;
}

/** Zoom factor of one key press or click. */
export const zoomStep = 1.3;

/**
 * Draws a network on a canvas, which takes the size of its container, with panning, zooming,
 * dragging and keyboard navigation.
 */
export function createScene(
  canvas: HTMLCanvasElement,
  { shape, force, still, memory, onChoose, onReady }: SceneOptions,
) {
  const context = canvas.getContext('2d')!;
  const selection = select(canvas);
  let size = { width: canvas.clientWidth, height: canvas.clientHeight };
  let colours: NetworkColours | undefined;
  let settings: NetworkSettings | undefined;
  let chosen: Entity | null = null;
  let hovered = -1;
  let focused = -1;
  let marked = false;
  let frame = 0;
  let ready = false;

  const scheduleDraw = (): void => {
    frame ||= requestAnimationFrame(() => {
      frame = 0;
      paint(context, size, viewport.camera());
    });
  };
  const layout: NetworkLayout = createLayout(shape, {
    ...force,
    still,
    positions: memory?.positions,
    fixed: memory?.fixed,
    rested: memory?.rested ?? false,
    onMove: () => {
      if (!ready && layout.ready) {
        ready = true;
        onReady();
      }
      scheduleDraw();
    },
  });

  const viewport = createViewport({
    canvas,
    positions: () => layout.positions,
    size: () => size,
    onChange: scheduleDraw,
  });
  function paint(onto: CanvasRenderingContext2D, box: typeof size, view: Camera): void {
    if (!colours || !settings || !layout.ready) return;
    const picture: NetworkPicture = {
      shape,
      positions: layout.positions,
      camera: view,
      size: box,
      colours,
      fields: settings.fields,
      labelled: viewport.zoomLevel >= settings.minScale,
      chosenNode: chosen && 'node' in chosen ? chosen.node : -1,
      chosenEdge: chosen && 'edge' in chosen ? chosen.edge : -1,
      hovered,
      focused: marked ? focused : -1,
    };
    drawNetwork(onto, picture);
  }
  function resize(): void {
    const { clientWidth: width, clientHeight: height } = canvas;
    if (width === 0 || height === 0) return;
    size = { width, height };
    const ratio = devicePixelRatio || 1;
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    // Repaint immediately, because setting the size cleared the canvas.
    paint(context, size, viewport.camera());
  }
  const sizes = new ResizeObserver(resize);
  sizes.observe(canvas);
  resize();

  const pointOf = (event: unknown): [number, number] => pointer(event, canvas);
  type Subject = { readonly node: number; readonly x: number; readonly y: number };
  const dragging = drag<HTMLCanvasElement, unknown, Subject | undefined>()
    .container(canvas)
    .clickDistance(3)
    .subject((event: { sourceEvent: Event; x: number; y: number }) => {
      const node = nodeAt([event.x, event.y], layout.positions, viewport.camera());
      if (node < 0) return undefined;
      const [x, y] = viewport.toScreen(node);
      return { node, x, y };
    })
    .on('drag', (event: D3DragEvent<HTMLCanvasElement, unknown, Subject>) => {
      viewport.freeze();
      layout.hold(event.subject.node, ...viewport.toNetwork([event.x, event.y]), true);
    })
    .on('end', ({ subject: { node } }: D3DragEvent<HTMLCanvasElement, unknown, Subject>) => {
      if (layout.fixed.has(node))
        layout.hold(node, layout.positions[2 * node]!, layout.positions[2 * node + 1]!, false);
    });
  // Dragging a node takes precedence over panning, so its listeners must come first.
  selection.call(dragging);
  viewport.attach();
  // d3 sets touch-action to none, which would block page scrolling; the style sheet decides
  // instead.
  canvas.style.touchAction = '';
  selection
    .on('pointermove.hover', (event: PointerEvent) => {
      const next = layout.ready ? nodeAt(pointOf(event), layout.positions, viewport.camera()) : -1;
      if (next === hovered) return;
      hovered = next;
      canvas.classList.toggle('over-node', next >= 0);
      scheduleDraw();
    })
    .on('pointerleave.hover', () => {
      hovered = -1;
      scheduleDraw();
    })
    .on('click.choose', (event: MouseEvent) => {
      const at = pointOf(event);
      const node = nodeAt(at, layout.positions, viewport.camera());
      const edge = node < 0 ? edgeAt(at, shape, layout.positions, viewport.camera()) : -1;
      if (node >= 0) focused = node;
      onChoose(node >= 0 ? { node } : edge >= 0 ? { edge } : null);
    });

  return {
    setAppearance(nextColours: NetworkColours, nextSettings: NetworkSettings) {
      colours = nextColours;
      settings = nextSettings;
      scheduleDraw();
    },
    choose(entity: Entity | null) {
      chosen = entity;
      scheduleDraw();
    },
    zoomBy(factor: number) {
      viewport.zoomBy(factor, marked && focused >= 0 ? focused : undefined);
    },
    fit: () => viewport.fit(),
    /** Moves the keyboard focus in a direction; returns the index of the focused node. */
    walk(x: number, y: number) {
      if (!layout.ready || shape.nodes.length === 0) return -1;
      if (focused < 0) focused = busiest(shape);
      else if (x !== 0 || y !== 0) {
        const next = nextNode(shape, focused, [x, y], layout.positions);
        if (next >= 0) focused = next;
      }
      viewport.reveal(focused);
      scheduleDraw();
      return focused;
    },
    /** Index of the node with keyboard focus; -1 if none. */
    get focused() {
      return focused;
    },
    mark(on: boolean) {
      marked = on;
      scheduleDraw();
    },
    /** Renders the whole network as an image on the theme's background. */
    async picture() {
      const sheet = canvas.ownerDocument.createElement('canvas');
      const ratio = Math.max(2, devicePixelRatio || 1);
      sheet.width = size.width * ratio;
      sheet.height = size.height * ratio;
      const onto = sheet.getContext('2d')!;
      onto.scale(ratio, ratio);
      paint(onto, size, viewport.camera());
      onto.globalCompositeOperation = 'destination-over';
      onto.fillStyle = colours?.surface ?? 'white';
      onto.fillRect(0, 0, size.width, size.height);
      return new Promise<Blob | null>((done) => sheet.toBlob(done, 'image/png'));
    },
    get memory(): SceneMemory {
      return { positions: layout.positions, fixed: layout.fixed, rested: layout.rested };
    },
    end() {
      cancelAnimationFrame(frame);
      sizes.disconnect();
      layout.end();
      viewport.detach();
      selection.on('.drag', null).on('.hover', null).on('.choose', null);
    },
  };
}

/** A network drawn on a canvas. */
export type Scene = ReturnType<typeof createScene>;

/** Returns the node where keyboard navigation starts: the one with the most neighbours. */
function busiest({ neighbours }: IndexedNetwork): number {
  let best = 0;
  neighbours.forEach((found, number) => {
    if (found.length > neighbours[best]!.length) best = number;
  });
  return best;
}
