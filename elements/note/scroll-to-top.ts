/**
 * Scrolls an element to the top of the window while elements above it still change their height.
 */

/** Smooth scrolling up to this distance, in window heights; larger distances jump. */
const SMOOTH_LIMIT_WINDOWS = 3;
/**
 * Frames without movement after which the element counts as arrived (`ARRIVED`) and tracking stops
 * (`SETTLED`).
 */
const ARRIVED_FRAMES = 3;
const SETTLED_FRAMES = 30;
/** Tracking stops after this time in any case, in ms. */
const LIMIT_MS = 5_000;
/** User input that cancels tracking. */
const userInputEvents = ['wheel', 'pointerdown', 'keydown', 'touchstart'] as const;

let stop: (() => void) | undefined;

/**
 * Scrolls an element to the top of the window and corrects the position while the elements above it
 * change their height: paragraphs have an estimated height until they first come near the window.
 * Stops when nothing moves any more, or when the user scrolls or types.
 */
export function scrollToTop(element: HTMLElement): void {
  stop?.();
  const still = matchMedia('(prefers-reduced-motion: reduce)').matches;
  const far =
    Math.abs(element.getBoundingClientRect().top) > SMOOTH_LIMIT_WINDOWS * window.innerHeight;
  element.scrollIntoView({ block: 'start', behavior: still || far ? 'instant' : 'smooth' });
  const end = performance.now() + LIMIT_MS;
  let frame = 0;
  let before = Number.NaN;
  let same = 0;
  const look = (): void => {
    const { top } = element.getBoundingClientRect();
    same = Math.abs(top - before) < 1 ? same + 1 : 0;
    before = top;
    if (same === ARRIVED_FRAMES) {
      element.scrollIntoView({ block: 'start', behavior: 'instant' });
      const now = element.getBoundingClientRect().top;
      if (Math.abs(now - top) >= 1) same = 0;
      before = now;
    }
    if (same >= SETTLED_FRAMES || performance.now() > end || !element.isConnected) stop?.();
    else frame = requestAnimationFrame(look);
  };
  const undo = (): void => {
    cancelAnimationFrame(frame);
    for (const name of userInputEvents) window.removeEventListener(name, undo, { capture: true });
    if (stop === undo) stop = undefined;
  };
  stop = undo;
  for (const name of userInputEvents)
    window.addEventListener(name, undo, { capture: true, passive: true });
  frame = requestAnimationFrame(look);
}
