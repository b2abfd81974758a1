import { scrollerOf } from '../../editor/scroll.ts';
import type { NoteUi } from '../ui/note-ui.ts';

/**
 * Distance from an edge within which the page scrolls, in px; scrolling is faster closer to the
 * edge.
 */
const scrollZone = 70;
/** Maximum speed, in px per second. */
const maxSpeed = 1_400;

/**
 * Scrolls the note's scroll container while something is dragged near one of its edges. Calls
 * `moved` after each step.
 */
export function autoscroll(ui: NoteUi, moved: () => void): { at(y: number): void; stop(): void } {
  // From inside the element, which a page may make a scroll container.
  const note = ui.host.shadowRoot?.querySelector('.notebook') ?? ui.host;
  const box = scrollerOf(note) ?? document.scrollingElement ?? document.documentElement;
  let frame = 0;
  let speed = 0;
  let last = 0;
  const step = (now: number): void => {
    frame = 0;
    if (speed === 0) return;
    const before = box.scrollTop;
    box.scrollTop += speed * Math.min(0.05, (now - last) / 1000);
    last = now;
    if (box.scrollTop !== before) moved();
    frame = requestAnimationFrame(step);
  };
  return {
    at(y) {
      const isPage = box === document.scrollingElement;
      const outer = isPage ? { top: 0, bottom: window.innerHeight } : box.getBoundingClientRect();
      const top = Math.max(
        outer.top,
        ui.host.shadowRoot?.querySelector('.note-bar')?.getBoundingClientRect().bottom ?? outer.top,
      );
      const near =
        y < top + scrollZone
          ? (y - top - scrollZone) / scrollZone
          : y > outer.bottom - scrollZone
            ? (y - outer.bottom + scrollZone) / scrollZone
            : 0;
      speed = Math.max(-1, Math.min(1, near)) * maxSpeed;
      if (speed === 0 || frame !== 0) return;
      last = performance.now();
      frame = requestAnimationFrame(step);
    },
    stop() {
      cancelAnimationFrame(frame);
      frame = 0;
      speed = 0;
    },
  };
}
