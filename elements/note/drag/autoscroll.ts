import type { NoteView } from '../view.tsx';

/** Within this distance of an edge the page moves, in px; faster the nearer. */
const edge = 70;
/** Fastest, in px a second. */
const fastest = 1_400;

/** Scrolls what the note scrolls in while something is held near an edge of it; `moved` is told after each step. */
export function autoscroll(
  view: NoteView,
  moved: () => void,
): { at(y: number): void; stop(): void } {
  const box = scrollBox(view.host);
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
        view.host.shadowRoot?.querySelector('.note-bar')?.getBoundingClientRect().bottom ??
          outer.top,
      );
      const near =
        y < top + edge
          ? (y - top - edge) / edge
          : y > outer.bottom - edge
            ? (y - outer.bottom + edge) / edge
            : 0;
      speed = Math.max(-1, Math.min(1, near)) * fastest;
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

/** What scrolls when the note is scrolled: a box of the page around it, or the page. */
function scrollBox(host: Element): Element {
  for (
    let node: Node | null = host;
    node;
    node = node.parentNode ?? (node instanceof ShadowRoot ? node.host : null)
  ) {
    if (node instanceof ShadowRoot) node = node.host;
    if (!(node instanceof Element) || node === document.documentElement || node === document.body)
      continue;
    if (
      /(auto|scroll)/.test(getComputedStyle(node).overflowY) &&
      node.scrollHeight > node.clientHeight
    )
      return node;
  }
  return document.scrollingElement ?? document.documentElement;
}
