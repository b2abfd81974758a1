import { type RefObject, useEffect, useState } from 'react';

/**
 * Expands an element to the whole window using the browser's top layer. The element stays where it
 * is in the DOM, so it is not remounted and no ancestor clips it. Escape leaves full screen; the
 * focus stays inside.
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
      // Escape closes an open menu first.
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
