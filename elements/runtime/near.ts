/** Whether what is drawn is near the window: what is not stands there as plain text, for the browser's find and print. */
import { createContext, useContext, useEffect, useState } from 'react';

/** False for the parts of a paragraph far from the window; true where nobody says. */
export const NearContext = createContext(true);

/** Whether these parts are to be drawn in full. */
export function useIsNear(): boolean {
  return useContext(NearContext);
}

/** What a person does to a page, also one that has not the focus. */
const deeds = ['focus', 'pointermove', 'pointerdown', 'wheel', 'keydown', 'touchstart'] as const;

/**
 * `near`, but put off while the page has not the focus: the browser's find has it then, and would lose the mark on what it
 * found as soon as the text's nodes are made anew. For what is only nicer when near.
 */
export function useSettledNear(near: boolean): boolean {
  const [settled, setSettled] = useState(near);
  useEffect(() => {
    if (!near || settled) return undefined;
    if (document.hasFocus()) {
      setSettled(true);
      return undefined;
    }
    const settle = (): void => setSettled(true);
    for (const deed of deeds) window.addEventListener(deed, settle, { once: true, passive: true });
    return () => deeds.forEach((deed) => window.removeEventListener(deed, settle));
  }, [near, settled]);
  return settled;
}
