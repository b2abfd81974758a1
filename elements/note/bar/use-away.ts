import { useEffect, type RefObject } from 'react';

/** Scrolling less than this in one direction is no decision, in px. */
const slack = 8;

/**
 * The bar goes away while the reader scrolls down and is back when he scrolls up (specification); never while the focus, a menu
 * of it or the search is in use. Sets `data-bar="away"` on the element around it, where the sheets read it.
 */
export function useAway(bar: RefObject<HTMLElement | null>, host: HTMLElement): void {
  useEffect(() => {
    const around = bar.current?.parentElement;
    if (!around) return undefined;
    // A panel or a long output inside scrolls too: only what moves the note counts.
    const tops = new WeakMap<EventTarget, number>();
    const show = (): void => void delete around.dataset['bar'];
    const inUse = (): boolean =>
      bar.current?.matches(':focus-within') === true ||
      bar.current?.querySelector('[aria-expanded="true"]') != null ||
      around.querySelector(':scope > .find-slot') !== null;
    const onScroll = (event: Event): void => {
      const target =
        event.target instanceof Document
          ? event.target.scrollingElement
          : (event.target as Element | null);
      if (!target?.contains(host)) return;
      const top = Math.max(0, target.scrollTop);
      const before = tops.get(target) ?? 0;
      if (Math.abs(top - before) < slack && top > 0) return;
      tops.set(target, top);
      if (top <= before || inUse()) show();
      else if (top > (bar.current?.offsetHeight ?? 0)) around.dataset['bar'] = 'away';
    };
    bar.current?.addEventListener('focusin', show);
    const element = bar.current;
    document.addEventListener('scroll', onScroll, { capture: true, passive: true });
    return () => {
      element?.removeEventListener('focusin', show);
      document.removeEventListener('scroll', onScroll, { capture: true });
      show();
    };
  }, [bar, host]);
}
