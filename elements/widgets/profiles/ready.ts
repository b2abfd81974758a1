/** When a profile is ready, and which of its rows are drawn. */
import { useEffect, useRef, useState, type RefObject } from 'react';
import { flushSync } from 'react-dom';

/** A profile of more tables or fields than these is ready a little later (specification). */
const MANY = 50;
/** How much later, ms. */
const READY_DELAY_MS = 100;

/** Whether a profile is ready: at once, or 100 ms later where it has more than 50 parts (specification). Another profile begins anew. */
export function useReady(of: unknown, parts: number): boolean {
  const [ready, setReady] = useState<unknown>(undefined);
  useEffect(() => {
    if (parts <= MANY) return undefined;
    const timer = setTimeout(() => setReady(of), READY_DELAY_MS);
    return () => clearTimeout(timer);
  }, [of, parts]);
  return parts <= MANY || ready === of;
}

/** How far from the window a part of a table is drawn, px. */
const NEAR_PX = 1200;

/** Whether a part of a long table is drawn: those that are to be at once, others when they come near the window or are printed; then for good. */
export function useDrawn(
  atOnce: boolean,
): [drawn: boolean, place: RefObject<HTMLTableSectionElement | null>] {
  const [drawn, setDrawn] = useState(atOnce);
  const place = useRef<HTMLTableSectionElement>(null);
  useEffect(() => {
    if (drawn || !place.current) return undefined;
    const draw = (): void => setDrawn(true);
    const observer = new IntersectionObserver(
      (entries) => entries.some(({ isIntersecting }) => isIntersecting) && draw(),
      { rootMargin: `${NEAR_PX}px 0px` },
    );
    observer.observe(place.current);
    const print = (): void => flushSync(draw);
    window.addEventListener('beforeprint', print);
    return () => {
      observer.disconnect();
      window.removeEventListener('beforeprint', print);
    };
  }, [drawn]);
  return [drawn, place];
}
