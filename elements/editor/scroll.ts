import type { Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';

/** Height of what stands fixed at the top of the page, px (specification's client). */
export const HEADER = 103;
/** So near to an edge the page moves, px (specification's client). */
const EDGE = 50;

/** The nearest ancestor that scrolls by itself, also across shadow roots; null for the page. */
function scrollerOf(element: Element): Element | null {
  for (
    let at: Element | null = above(element);
    at && at !== document.documentElement && at !== document.body;
    at = above(at)
  ) {
    if (at.scrollHeight > at.clientHeight && /auto|scroll/.test(getComputedStyle(at).overflowY))
      return at;
  }
  return null;
}

function above(element: Element): Element | null {
  const root = element.getRootNode();
  return (
    element.assignedSlot ?? element.parentElement ?? (root instanceof ShadowRoot ? root.host : null)
  );
}

/**
 * Where something at `top`…`bottom` (of the window) is within 50 px of the edge, the page moves so that it is one third
 * from that edge. What scrolls may be a box of the host's page.
 */
export function keepInView(element: Element, top: number, bottom: number): void {
  const scroller = scrollerOf(element);
  const box = scroller?.getBoundingClientRect();
  const upper = box ? Math.max(0, box.top) : HEADER;
  const lower = box ? Math.min(window.innerHeight, box.bottom) : window.innerHeight;
  const third = (lower - upper) / 3;
  // A place too small for the rule is left to the browser.
  if (third < EDGE) return;
  const by =
    top < upper + EDGE ? top - upper - third : bottom > lower - EDGE ? bottom - lower + third : 0;
  if (by !== 0) (scroller ?? window).scrollBy({ top: by, behavior: 'instant' });
}

/** The same for whatever an open editor brings into view: the cursor while typing, a place that was found. */
export const pageFollows: Extension = EditorView.scrollHandler.of((view, range) => {
  // Lines are not wrapped, and a line that is not drawn yet has a place too.
  const { top, height } = view.lineBlockAt(range.head);
  keepInView(view.dom, view.documentTop + top, view.documentTop + top + height);
  // The editor goes on to do what is left, sideways.
  return false;
});

/** Brings a stretch of the static code into view. */
export function revealStatic(root: Element, text: string, from: number): void {
  const before = text.slice(0, from);
  const line = root.querySelectorAll('.static-line')[before.split('\n').length - 1];
  if (!line) return;
  const { top, bottom } = line.getBoundingClientRect();
  keepInView(root, top, bottom);
  const scroller = root.querySelector('.code-closed');
  const mark = pointIn(line, before.length - (before.lastIndexOf('\n') + 1));
  if (!scroller || !mark) return;
  const { left, right } = scroller.getBoundingClientRect();
  if (mark.left < left + EDGE || mark.right > right - EDGE)
    scroller.scrollBy({ left: mark.left - left - (right - left) / 3, behavior: 'instant' });
}

/** Where the character at a column of a line stands. */
function pointIn(line: Element, column: number): DOMRect | null {
  const walker = document.createTreeWalker(line, NodeFilter.SHOW_TEXT);
  for (
    let node = walker.nextNode() as Text | null, left = column;
    node;
    node = walker.nextNode() as Text | null
  ) {
    if (left <= node.data.length) {
      const range = document.createRange();
      range.setStart(node, left);
      range.setEnd(node, Math.min(node.data.length, left + 1));
      return range.getBoundingClientRect();
    }
    left -= node.data.length;
  }
  return null;
}
