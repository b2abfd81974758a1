/** Decides when a profile is ready and which of its rows are rendered. */
import { type RefObject, useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { observeViewport } from '../../runtime/viewport.ts';

/** Profiles with more tables or fields than this are ready a little later (specification). */
const MAX_IMMEDIATE_PARTS = 50;
/** The extra delay, in ms. */
const READY_DELAY_MS = 100;

/**
 * Whether a profile is ready: immediately, or after 100 ms if it has more than 50 parts
 * (specification). Starts again for another profile.
 */
export function useReady(of: unknown, parts: number): boolean {
  const [ready, setReady] = useState<unknown>(undefined);
  useEffect(() => {
    if (parts <= MAX_IMMEDIATE_PARTS) return undefined;
    const timer = setTimeout(() => setReady(of), READY_DELAY_MS);
    return () => clearTimeout(timer);
  }, [of, parts]);
  return parts <= MAX_IMMEDIATE_PARTS || ready === of;
}

/** Distance to the window at which a part of a table is rendered, in px. */
const NEAR_PX = 1200;

/**
 * Whether a part of a long table is rendered: immediately, or once it comes near the window or is
 * printed. It then stays rendered.
 */
export function useRenderNearViewport(
  atOnce: boolean,
): [drawn: boolean, place: RefObject<HTMLTableSectionElement | null>] {
  const [drawn, setDrawn] = useState(atOnce);
  const place = useRef<HTMLTableSectionElement>(null);
  useEffect(() => {
    if (drawn || !place.current) return undefined;
    const draw = (): void => setDrawn(true);
    const stop = observeViewport(place.current, `${NEAR_PX}px 0px`, (isNear) => isNear && draw());
    const print = (): void => flushSync(draw);
    window.addEventListener('beforeprint', print);
    return () => {
      stop();
      window.removeEventListener('beforeprint', print);
    };
  }, [drawn]);
  return [drawn, place];
}
