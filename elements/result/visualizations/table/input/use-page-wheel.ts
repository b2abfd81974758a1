import { type RefObject, useEffect } from 'react';

/** Height of a line in px, for wheels that report lines. */
const LINE_PX = 16;

/** The parent of an element, through shadow roots. */
function parentOf(element: Element): Element | null {
  const root = element.getRootNode();
  return (
    element.assignedSlot ?? element.parentElement ?? (root instanceof ShadowRoot ? root.host : null)
  );
}

/** The nearest element around another that scrolls vertically; the page, if there is none. */
function scrollerAround(element: Element): Element | null {
  for (let at = parentOf(element); at; at = parentOf(at)) {
    const isScroller = /auto|scroll/.test(getComputedStyle(at).overflowY);
    if (isScroller && at.scrollHeight > at.clientHeight) return at;
  }
  return document.scrollingElement;
}

/**
 * Lets the wheel scroll the page over a box that scrolls inside, until the box has the focus, as
 * after a click. Otherwise a reader who scrolls a page is caught in each table.
 */
export function usePageWheel(box: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const element = box.current;
    if (!element) return undefined;
    const onWheel = (event: WheelEvent): void => {
      const isSideways = event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY);
      if (event.ctrlKey || isSideways || element.matches(':focus-within')) return;
      const around = scrollerAround(element);
      if (!around) return;
      event.preventDefault();
      const unit = [1, LINE_PX, around.clientHeight][event.deltaMode] ?? 1;
      around.scrollBy({ top: event.deltaY * unit, behavior: 'instant' });
    };
    element.addEventListener('wheel', onWheel, { passive: false });
    return () => element.removeEventListener('wheel', onWheel);
  }, [box]);
}
