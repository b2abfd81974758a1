import { useSyncExternalStore } from 'react';
import { flushSync } from 'react-dom';

/** Maximum number of rows printed. A line below the table says how many were omitted. */
export const PRINTED_ROWS = 500;

/** Whether the page is being printed: from `beforeprint` to `afterprint`. */
let printing = false;
const listeners = new Set<() => void>();

/** Renders for the paper or for the screen, before it returns. */
export function setPrinting(next: boolean): void {
  if (printing === next) return;
  printing = next;
  flushSync(() => listeners.forEach((listener) => listener()));
}

const change = ({ type }: Event): void => setPrinting(type === 'beforeprint');

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
