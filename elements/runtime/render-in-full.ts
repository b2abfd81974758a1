/**
 * Whether rendered content is near the window. Far content is rendered as plain text, for the
 * browser's find and print.
 */
import { createContext, useContext, useEffect, useState } from 'react';

/** False in parts of a paragraph far from the window. The default is true. */
export const RenderInFullContext = createContext(true);

/** True in a paragraph whose text was shown before it is rendered in full. */
export const ShownAsTextContext = createContext(false);

/** Returns whether the surrounding content should be rendered in full. */
export function useRenderInFull(): boolean {
  return useContext(RenderInFullContext);
}

/** User input, including input to a page without focus. */
const userInputEvents = [
  'focus',
  'pointermove',
  'pointerdown',
  'wheel',
  'keydown',
  'touchstart',
] as const;

/** Calls `listener` at the user's next input. Returns a function that stops waiting for it. */
export function onUserInput(listener: () => void): () => void {
  const waiting = new AbortController();
  const act = (): void => {
    waiting.abort();
    listener();
  };
  for (const name of userInputEvents)
    window.addEventListener(name, act, { passive: true, signal: waiting.signal });
  return () => waiting.abort();
}

/**
 * Like `near`, but delayed while the page does not have the focus: the browser's find dialog has it
 * then, and would lose its highlight if the text nodes were replaced. Use it for cosmetic changes.
 */
export function useSettledRenderInFull(near: boolean): boolean {
  const [settled, setSettled] = useState(near);
  useEffect(() => {
    if (!near) {
      setSettled(false);
      return undefined;
    }
    if (settled) return undefined;
    if (document.hasFocus()) {
      setSettled(true);
      return undefined;
    }
    return onUserInput(() => setSettled(true));
  }, [near, settled]);
  return settled;
}
