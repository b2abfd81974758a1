import { useEffect, useState, type RefObject } from 'react';

/** Elements that wait for the window to come near, and what is then done. One observer for all. */
const waiting = new Map<Element, () => void>();
let observer: IntersectionObserver | undefined;

/** Does something once when an element first comes near the window. Returns its undo. */
export function whenNear(element: Element, act: () => void): () => void {
  observer ??= new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) {
        if (!isIntersecting) continue;
        const due = waiting.get(target);
        forget(target);
        due?.();
      }
    },
    { rootMargin: '600px' },
  );
  waiting.set(element, act);
  observer.observe(element);
  return () => forget(element);
}

function forget(element: Element): void {
  observer?.unobserve(element);
  waiting.delete(element);
}

/** True from the moment an element first comes near the window; stays true. */
export function useNear(ref: RefObject<Element | null>): boolean {
  const [near, setNear] = useState(false);
  useEffect(
    () => (near || !ref.current ? undefined : whenNear(ref.current, () => setNear(true))),
    [near, ref],
  );
  return near;
}
