import { select } from 'd3-selection';
import { type D3ZoomEvent, zoom, zoomIdentity, zoomTransform } from 'd3-zoom';
import { type Camera, fitCamera, type Size, screenOf } from './geometry.ts';
import { zoomRange } from './settings.ts';

type Point = readonly [x: number, y: number];

interface ViewportOptions {
  readonly canvas: HTMLCanvasElement;
  readonly positions: () => Float32Array;
  /** Size of the canvas, in px. */
  readonly size: () => Size;
  readonly onChange: () => void;
}

/**
 * Creates the visible part of a network: all of it, until the user pans or zooms, which needs it to
 * be attached.
 */
export function createViewport({ canvas, positions, size, onChange }: ViewportOptions) {
  const selection = select(canvas);
  /**
   * Whether the user has moved the view. Until then, zoom level 1 is refitted to show all nodes.
   */
  let touched = false;
  let base: Camera = { scale: 1, x: 0, y: 0 };

  const hasFocus = (): boolean =>
    (canvas.getRootNode() as Document | ShadowRoot).activeElement === canvas.parentElement;
  const refit = (): void => {
    if (!touched) base = fitCamera(positions(), size());
  };
  /** Stops refitting the view, because the user has started to change it. */
  const freeze = (): void => {
    refit();
    touched = true;
  };
  /** Maps positions of nodes to the canvas. */
  const camera = (): Camera => {
    refit();
    const { k, x, y } = zoomTransform(canvas);
    return { scale: k * base.scale, x: k * base.x + x, y: k * base.y + y };
  };
  /** Returns the position of a node on the canvas, in px. */
  const toScreen = (node: number) => screenOf(node, positions(), camera());

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
      onChange();
    });

  return {
    camera,
    toScreen,
    freeze,
    /** Zoom level chosen by the user; 1 shows all nodes. */
    get zoomLevel() {
      return zoomTransform(canvas).k;
    },
    /** Returns the position in the network of a point on the canvas. */
    toNetwork([x, y]: Point): [x: number, y: number] {
      const view = camera();
      return [(x - view.x) / view.scale, (y - view.y) / view.scale];
    },
    /** Fits all nodes into the view. */
    fit() {
      touched = false;
      selection.call(zooming.transform, zoomIdentity);
    },
    /** Zooms around a node, or around the center. */
    zoomBy(factor: number, node: number | undefined) {
      freeze();
      if (node === undefined) selection.call(zooming.scaleBy, factor);
      else selection.call(zooming.scaleBy, factor, toScreen(node));
    },
    /** Scrolls a node into view. */
    reveal(node: number) {
      const [x, y] = toScreen(node);
      const { width, height } = size();
      const overflow = (at: number, length: number): number =>
        at < 20 ? 20 - at : at > length - 34 ? length - 34 - at : 0;
      const [dx, dy] = [overflow(x, width), overflow(y, height)];
      if (dx === 0 && dy === 0) return;
      freeze();
      const { k } = zoomTransform(canvas);
      selection.call(zooming.translateBy, dx / k, dy / k);
    },
    attach() {
      selection.call(zooming).on('dblclick.zoom', null);
    },
    detach() {
      selection.on('.zoom', null);
    },
  };
}
