import { useSyncExternalStore } from 'react';
import { flushSync } from 'react-dom';

/** Maximum number of rows printed. A line below the table says how many were omitted. */
export const PRINTED_ROWS = 500;

/** Whether the page is being printed: from `beforeprint` to `afterprint`. */
let printing = false;
const listeners = new Set<() => void>();

function change({ type }: Event): void {
  printing = type === 'beforeprint';
  flushSync(() => listeners.forEach((listener) => listener()));
}

function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) {
    window.addEventListener('beforeprint', change);
    window.addEventListener('afterprint', change);
  }
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    window.removeEventListener('beforeprint', change);
    window.removeEventListener('afterprint', change);
    printing = false;
  };
}

/**
 * Whether the page is being printed. Components that render only the visible part must then render
 * everything, before the browser takes its snapshot. That includes components that mount meanwhile.
 */
export const usePrinting = (): boolean =>
  useSyncExternalStore(
    subscribe,
    () => printing,
    () => false,
  );
