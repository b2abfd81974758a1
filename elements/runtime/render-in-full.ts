/**
 * Whether rendered content is near the window. Far content is rendered as plain text, for the
 * browser's find and print.
 */
import { createContext, useContext } from 'react';

/** False in parts of a paragraph far from the window. The default is true. */
export const RenderInFullContext = createContext(true);

/** True in a paragraph whose text was shown before it is rendered in full. */
export const ShownAsTextContext = createContext(false);

/** Returns whether the surrounding content should be rendered in full. */
export function useRenderInFull(): boolean {
  return useContext(RenderInFullContext);
}
