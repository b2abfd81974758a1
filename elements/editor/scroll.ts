/** Height of the fixed bars at the top of the page, in px (as in Zeppelin). */
const HEADER = 103;
/** Distance from an edge at which the page scrolls, in px (as in Zeppelin). */
const EDGE = 50;

/** Returns the nearest scrolling ancestor, across shadow roots; null if it is the page. */
export function scrollerOf(element: Element): Element | null {
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
 * If the range from `top` to `bottom` (relative to the window) is within 50 px of an edge, scrolls
 * so that it is one third away from that edge. The scroll container may be an element of the host
 * page. Returns false if the visible area is too small for this rule.
 */
export function keepInView(element: Element, top: number, bottom: number): boolean {
  const scroller = scrollerOf(element);
  const box = scroller?.getBoundingClientRect();
  const upper = box ? Math.max(0, box.top) : HEADER;
  const lower = box ? Math.min(window.innerHeight, box.bottom) : window.innerHeight;
  const third = (lower - upper) / 3;
  if (third < EDGE) return false;
  const by =
    top < upper + EDGE ? top - upper - third : bottom > lower - EDGE ? bottom - lower + third : 0;
  if (by !== 0) (scroller ?? window).scrollBy({ top: by, behavior: 'instant' });
  return true;
}

/** Scrolls a range of static code into view. */
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

/** Returns the position of the character at a column of a line. */
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
