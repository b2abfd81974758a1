import { type D3DragEvent, drag } from 'd3-drag';
import { pointer, select } from 'd3-selection';
import { type D3ZoomEvent, zoom, zoomIdentity, zoomTransform } from 'd3-zoom';
import type { NetworkColours } from './colours.ts';
import { drawNetwork, type NetworkPicture } from './draw-network.ts';
import { type Camera, edgeAt, fitCamera, nextNode, nodeAt } from './geometry.ts';
import type { IndexedNetwork } from './indexed-network.ts';
import { createLayout, type NetworkLayout } from './layout.ts';
import { type NetworkSettings, zoomRange } from './settings.ts';

/** A node or edge, by index. */
export type Entity = { readonly node: number } | { readonly edge: number };

/** A network drawn on a canvas, with panning, zooming, dragging and keyboard navigation. */
export interface Scene {
  /** Sets the colours and texts. */
  setAppearance(colours: NetworkColours, settings: NetworkSettings): void;
  choose(entity: Entity | null): void;
  zoomBy(factor: number): void;
  /** Fits all nodes into the view. */
  fit(): void;
  /** Moves the keyboard focus in a direction; returns the index of the focused node. */
  walk(x: number, y: number): number;
  /** Index of the node with keyboard focus; -1 if none. */
  readonly focused: number;
  mark(on: boolean): void;
  /** Renders the whole network as an image on the theme's background. */
  picture(): Promise<Blob | null>;
  /** State to pass to the next scene of the same network. */
  readonly memory: SceneMemory;
  end(): void;
}

export interface SceneMemory {
  readonly positions: Float32Array;
  readonly fixed: ReadonlySet<number>;
  readonly rested: boolean;
}

export interface SceneOptions {
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

/** Creates a scene on a canvas, which takes the size of its container. */
export function createScene(
  canvas: HTMLCanvasElement,
  { shape, force, still, memory, onChoose, onReady }: SceneOptions,
): Scene {
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
  /**
   * Whether the user has moved the view. Until then, zoom level 1 is refitted to show all nodes.
   */
  let touched = false;
  let base: Camera = { scale: 1, x: 0, y: 0 };

  const draws = (): void => {
    frame ||= requestAnimationFrame(() => {
      frame = 0;
      paint(context, size, camera());
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
      draws();
    },
  });

  function camera(): Camera {
    if (!touched) base = fitCamera(layout.positions, size);
    const { k, x, y } = zoomTransform(canvas);
    return { scale: k * base.scale, x: k * base.x + x, y: k * base.y + y };
  }
  function paint(onto: CanvasRenderingContext2D, box: typeof size, view: Camera): void {
    if (!colours || !settings || !layout.ready) return;
    const picture: NetworkPicture = {
      shape,
      positions: layout.positions,
      camera: view,
      size: box,
      colours,
      fields: settings.fields,
      labelled: zoomTransform(canvas).k >= settings.minScale,
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
    paint(context, size, camera());
  }
  const sizes = new ResizeObserver(resize);
  sizes.observe(canvas);
  resize();

  const hasFocus = (): boolean =>
    (canvas.getRootNode() as Document | ShadowRoot).activeElement === canvas.parentElement;
  const place = (event: unknown): [number, number] => pointer(event, canvas);
  const toWorld = ([x, y]: readonly [number, number]): [number, number] => {
    const view = camera();
    return [(x - view.x) / view.scale, (y - view.y) / view.scale];
  };

  type Subject = { readonly node: number; readonly x: number; readonly y: number };
  const dragging = drag<HTMLCanvasElement, unknown, Subject | undefined>()
    .container(canvas)
    .clickDistance(3)
    .subject((event: { sourceEvent: Event; x: number; y: number }) => {
      const node = nodeAt([event.x, event.y], layout.positions, camera());
      if (node < 0) return undefined;
      const view = camera();
      return {
        node,
        x: layout.positions[2 * node]! * view.scale + view.x,
        y: layout.positions[2 * node + 1]! * view.scale + view.y,
      };
    })
    .on('drag', (event: D3DragEvent<HTMLCanvasElement, unknown, Subject>) => {
      freeze();
      layout.hold(event.subject.node, ...toWorld([event.x, event.y]), true);
    })
    .on('end', ({ subject: { node } }: D3DragEvent<HTMLCanvasElement, unknown, Subject>) => {
      if (layout.fixed.has(node))
        layout.hold(node, layout.positions[2 * node]!, layout.positions[2 * node + 1]!, false);
    });
  const zooming = zoom<HTMLCanvasElement, unknown>()
    .scaleExtent(zoomRange)
    .clickDistance(3)
    .filter((event: WheelEvent & MouseEvent & TouchEvent) => {
      // Let the page scroll over the drawing until the user focuses it, or pinches, or holds
      // Control or Meta.
      if (event.type === 'wheel') return event.ctrlKey || event.metaKey || hasFocus();
      if (event.type.startsWith('touch')) return event.touches.length > 1 || hasFocus();
      return !event.ctrlKey && !event.button;
    })
    .wheelDelta(
      ({ deltaY, deltaMode, ctrlKey }) =>
        -deltaY *
        (deltaMode === 1 ? 0.05 : deltaMode ? 1 : ctrlKey && Math.abs(deltaY) < 50 ? 0.01 : 0.002),
    )
    .on('zoom', ({ sourceEvent }: D3ZoomEvent<HTMLCanvasElement, unknown>) => {
      if (sourceEvent) freeze();
      draws();
    });
  function freeze(): void {
    if (!touched) base = fitCamera(layout.positions, size);
    touched = true;
  }
  selection.call(dragging).call(zooming).on('dblclick.zoom', null);
  // d3 sets touch-action to none, which would block page scrolling; the style sheet decides
  // instead.
  canvas.style.touchAction = '';
  selection
    .on('pointermove.hover', (event: PointerEvent) => {
      const next = layout.ready ? nodeAt(place(event), layout.positions, camera()) : -1;
      if (next === hovered) return;
      hovered = next;
      canvas.classList.toggle('over-node', next >= 0);
      draws();
    })
    .on('pointerleave.hover', () => {
      hovered = -1;
      draws();
    })
    .on('click.choose', (event: MouseEvent) => {
      const at = place(event);
      const node = nodeAt(at, layout.positions, camera());
      const edge = node < 0 ? edgeAt(at, shape, layout.positions, camera()) : -1;
      if (node >= 0) focused = node;
      onChoose(node >= 0 ? { node } : edge >= 0 ? { edge } : null);
    });

  /** Scrolls a node into view. */
  function bring(node: number): void {
    const view = camera();
    const [x, y] = [
      layout.positions[2 * node]! * view.scale + view.x,
      layout.positions[2 * node + 1]! * view.scale + view.y,
    ];
    const off = (at: number, length: number): number =>
      at < 20 ? 20 - at : at > length - 34 ? length - 34 - at : 0;
    const [dx, dy] = [off(x, size.width), off(y, size.height)];
    if (dx === 0 && dy === 0) return;
    freeze();
    const { k } = zoomTransform(canvas);
    selection.call(zooming.translateBy, dx / k, dy / k);
  }
  return {
    setAppearance(nextColours, nextSettings) {
      colours = nextColours;
      settings = nextSettings;
      draws();
    },
    choose(entity) {
      chosen = entity;
      draws();
    },
    zoomBy(factor) {
      freeze();
      if (marked && focused >= 0) {
        const view = camera();
        selection.call(zooming.scaleBy, factor, [
          layout.positions[2 * focused]! * view.scale + view.x,
          layout.positions[2 * focused + 1]! * view.scale + view.y,
        ]);
      } else selection.call(zooming.scaleBy, factor);
    },
    fit() {
      touched = false;
      selection.call(zooming.transform, zoomIdentity);
    },
    walk(x, y) {
      if (!layout.ready || shape.nodes.length === 0) return -1;
      if (focused < 0) focused = busiest(shape);
      else if (x !== 0 || y !== 0) {
        const next = nextNode(shape, focused, [x, y], layout.positions);
        if (next >= 0) focused = next;
      }
      bring(focused);
      draws();
      return focused;
    },
    get focused() {
      return focused;
    },
    mark(on) {
      marked = on;
      draws();
    },
    async picture() {
      const sheet = canvas.ownerDocument.createElement('canvas');
      const ratio = Math.max(2, devicePixelRatio || 1);
      sheet.width = size.width * ratio;
      sheet.height = size.height * ratio;
      const onto = sheet.getContext('2d')!;
      onto.scale(ratio, ratio);
      paint(onto, size, camera());
      onto.globalCompositeOperation = 'destination-over';
      onto.fillStyle = colours?.surface ?? 'white';
      onto.fillRect(0, 0, size.width, size.height);
      return new Promise((done) => sheet.toBlob(done, 'image/png'));
    },
    get memory() {
      return { positions: layout.positions, fixed: layout.fixed, rested: layout.rested };
    },
    end() {
      cancelAnimationFrame(frame);
      sizes.disconnect();
      layout.end();
      selection.on('.zoom', null).on('.drag', null).on('.hover', null).on('.choose', null);
    },
  };
}

/** Returns the node where keyboard navigation starts: the one with the most neighbours. */
function busiest({ neighbours }: IndexedNetwork): number {
  let best = 0;
  neighbours.forEach((found, number) => {
    if (found.length > neighbours[best]!.length) best = number;
  });
  return best;
}
