/** Observes which elements are in or near the viewport. */
import { type RefObject, useEffect, useState } from 'react';

/**
 * Called when observation starts and whenever the element comes near or leaves. It may be called
 * again without a change.
 */
type ViewportListener = (isNear: boolean, entry: IntersectionObserverEntry) => void;

interface SharedObserver {
  readonly observer: IntersectionObserver;
  readonly listeners: Map<Element, Set<ViewportListener>>;
}

const observersByMargin = new Map<string, SharedObserver>();

function observerFor(margin: string): SharedObserver {
  let entry = observersByMargin.get(margin);
  if (!entry) {
    const listeners: SharedObserver['listeners'] = new Map();
    const observer = new IntersectionObserver(
      (entries) => {
        for (const entry of entries)
          for (const listener of [...(listeners.get(entry.target) ?? [])])
            listener(entry.isIntersecting, entry);
      },
      // `scrollMargin` applies the margin to nested scroll containers. TypeScript's types lack it.
      { rootMargin: margin, scrollMargin: margin } as IntersectionObserverInit,
    );
    observersByMargin.set(margin, (entry = { observer, listeners }));
  }
  return entry;
}

/**
 * Observes an element. Elements with the same margin share an observer, which exists while at least
 * one of them is observed. Returns a function that stops observing.
 *
 * @param margin distance from the viewport that counts as near, in the format of `rootMargin`
 */
export function observeViewport(
  element: Element,
  margin: string,
  listener: ViewportListener,
): () => void {
  const { observer, listeners } = observerFor(margin);
  const elementListeners = listeners.get(element) ?? new Set();
  // An observer reports an element when observation starts. Restart it for the new listener.
  if (elementListeners.size > 0) observer.unobserve(element);
  listeners.set(element, elementListeners.add(listener));
  observer.observe(element);
  return () => {
    elementListeners.delete(listener);
    if (elementListeners.size > 0 || listeners.get(element) !== elementListeners) return;
    listeners.delete(element);
    observer.unobserve(element);
    if (listeners.size > 0) return;
    observer.disconnect();
    if (observersByMargin.get(margin)?.observer === observer) observersByMargin.delete(margin);
  };
}

/** Distance from the viewport at which content starts to load. */
const LOAD_MARGIN = '600px';

/** Calls `act` once, when an element first comes near the viewport. Returns a cancel function. */
export function onceNearViewport(element: Element, act: () => void): () => void {
  const stop = observeViewport(element, LOAD_MARGIN, (isNear) => {
    if (!isNear) return;
    stop();
    act();
  });
  return stop;
}

/** Returns true once an element has come near the viewport, and stays true. */
export function useNearViewport(ref: RefObject<Element | null>): boolean {
  const [near, setNear] = useState(false);
  useEffect(() => {
    if (near || !ref.current) return undefined;
    return onceNearViewport(ref.current, () => setNear(true));
  }, [near, ref]);
  return near;
}
