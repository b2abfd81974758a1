import { useCallback, useEffect, useRef, useState } from 'react';
import { useEvent } from '../runtime/hooks.ts';

/** Returns the focused element, through every shadow root; `null` if the page has the focus. */
function focusedElement(): HTMLElement | null {
  let element = document.activeElement;
  for (let inner = element; inner; inner = element?.shadowRoot?.activeElement ?? null)
    element = inner;
  return element instanceof HTMLElement && element !== document.body ? element : null;
}

/**
 * Returns where the focus goes when a dialog closes, for its `finalFocus`: to the element that had
 * it before, unless it has moved on meanwhile. Base UI looks for that element only after a field of
 * the dialog took the focus with `autoFocus`.
 */
export function useReturnFocus(): () => HTMLElement | boolean {
  const [opener] = useState(focusedElement);
  return useCallback(() => {
    const focused = focusedElement();
    if (focused && !focused.closest('[role=dialog], [role=alertdialog]')) return false;
    if (!opener?.isConnected) return true;
    // Instead of an element that Tab skips, Base UI focuses the first control in it.
    if (opener.tabIndex >= 0) return opener;
    opener.focus({ preventScroll: true });
    return false;
  }, [opener]);
}

/** Moves the focus to the element that `find` returns when a form that was opened is closed. */
export function useFocusAfterForm(
  isOpen: boolean,
  find: () => HTMLElement | null | undefined,
): void {
  const wasOpen = useRef(false);
  const target = useEvent(find);
  useEffect(() => {
    if (wasOpen.current && !isOpen) target()?.focus();
    wasOpen.current = isOpen;
  }, [isOpen, target]);
}
