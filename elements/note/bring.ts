/** Bringing an element to the top of the window, where what lies between has not got its real height yet. */

/** As far as this one sees where it goes, in heights of the window; further is a jump. */
const SMOOTH = 3;
/** Frames for which it must stand still to count as arrived, and to be left alone. */
const ARRIVED = 3;
const SETTLED = 30;
/** It is left alone after this long in any case, ms. */
const LIMIT_MS = 5_000;
/** What a person does who wants to be somewhere else. */
const deeds = ['wheel', 'pointerdown', 'keydown', 'touchstart'] as const;

let stop: (() => void) | undefined;

/**
 * Scrolls an element to the top, and puts it right as long as what is above it changes its height: paragraphs have a
 * guessed one until they first come near the window. Ends when nothing moves any more, or when somebody scrolls or types.
 */
export function bringToTop(element: HTMLElement): void {
  stop?.();
  const still = matchMedia('(prefers-reduced-motion: reduce)').matches;
  const far = Math.abs(element.getBoundingClientRect().top) > SMOOTH * window.innerHeight;
  element.scrollIntoView({ block: 'start', behavior: still || far ? 'instant' : 'smooth' });
  const end = performance.now() + LIMIT_MS;
  let frame = 0;
  let before = Number.NaN;
  let same = 0;
  const look = (): void => {
    const { top } = element.getBoundingClientRect();
    same = Math.abs(top - before) < 1 ? same + 1 : 0;
    before = top;
    if (same === ARRIVED) {
      element.scrollIntoView({ block: 'start', behavior: 'instant' });
      const now = element.getBoundingClientRect().top;
      if (Math.abs(now - top) >= 1) same = 0;
      before = now;
    }
    if (same >= SETTLED || performance.now() > end || !element.isConnected) stop?.();
    else frame = requestAnimationFrame(look);
  };
  const undo = (): void => {
    cancelAnimationFrame(frame);
    for (const deed of deeds) window.removeEventListener(deed, undo, { capture: true });
    if (stop === undo) stop = undefined;
  };
  stop = undo;
  for (const deed of deeds) window.addEventListener(deed, undo, { capture: true, passive: true });
  frame = requestAnimationFrame(look);
}
