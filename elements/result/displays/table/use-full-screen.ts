import { useEffect, useState, type RefObject } from 'react';

/**
 * Lets an element cover the window where it stands in the tree, in the browser's top layer: nothing is moved or made
 * anew, and no ancestor can clip it. Escape ends it; the focus stays inside.
 */
export function useFullScreen(
  ref: RefObject<HTMLElement | null>,
): [boolean, (full: boolean) => void] {
  const [full, setFull] = useState(false);
  useEffect(() => {
    const element = ref.current;
    if (!full || !element) return;
    element.popover = 'manual';
    element.showPopover();
    const onKeyDown = (event: KeyboardEvent): void => {
      // A menu inside closes first.
      if (event.key !== 'Escape' || event.defaultPrevented) return;
      event.preventDefault();
      event.stopPropagation();
      setFull(false);
    };
    const onFocusOut = (event: FocusEvent): void => {
      const next = event.relatedTarget;
      if (next instanceof Node && !element.contains(next))
        element.querySelector<HTMLElement>('button, [tabindex="0"]')?.focus();
    };
    element.addEventListener('keydown', onKeyDown);
    element.addEventListener('focusout', onFocusOut);
    return () => {
      element.removeEventListener('keydown', onKeyDown);
      element.removeEventListener('focusout', onFocusOut);
      element.hidePopover();
      element.popover = null;
    };
  }, [full, ref]);
  return [full, setFull];
}
