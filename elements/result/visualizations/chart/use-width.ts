import { type RefObject, useLayoutEffect, useState } from 'react';
import { usePrinting } from '../../parts/use-printing.ts';

/**
 * Returns the current width of an element, in CSS px.
 *
 * @param there whether the element is in the page
 */
export function useWidth(ref: RefObject<HTMLElement | null>, there: boolean): number {
  const [width, setWidth] = useState(0);
  const printing = usePrinting();
  // biome-ignore lint/correctness/useExhaustiveDependencies: paper has another width
  useLayoutEffect(() => {
    const element = there ? ref.current : null;
    if (!element) return;
    setWidth(element.clientWidth);
    const sizes = new ResizeObserver(() => setWidth(element.clientWidth));
    sizes.observe(element);
    return () => sizes.disconnect();
  }, [ref, there, printing]);
  return width;
}
