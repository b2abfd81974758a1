import { type RefObject, useEffect } from 'react';

/** Scroll distance in one direction that is ignored, in px. */
const IGNORED_SCROLL_PX = 8;

/**
 * Hides the bar while the reader scrolls down and shows it when they scroll up (specification). The
 * bar stays while it has the focus, one of its menus is open, or the find box is open. Sets
 * `data-bar="away"` on the parent element for the style sheets.
 */
export function useAutoHide(bar: RefObject<HTMLElement | null>, host: HTMLElement): void {
  useEffect(() => {
    const around = bar.current?.parentElement;
    if (!around) return undefined;
    // Panels and long outputs scroll too; only scrolling that moves the note counts.
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
      if (Math.abs(top - before) < IGNORED_SCROLL_PX && top > 0) return;
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
