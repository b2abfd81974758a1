/**
 * Whether rendered content is near the window. Far content is rendered as plain text, for the
 * browser's find and print.
 */
import { createContext, useContext, useEffect, useState } from 'react';

/** False in parts of a paragraph far from the window. The default is true. */
export const RenderInFullContext = createContext(true);

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
    const settle = (): void => setSettled(true);
    for (const name of userInputEvents)
      window.addEventListener(name, settle, { once: true, passive: true });
    return () => userInputEvents.forEach((name) => window.removeEventListener(name, settle));
  }, [near, settled]);
  return settled;
}
