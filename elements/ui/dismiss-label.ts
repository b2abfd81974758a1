import { useEffect } from 'react';
import { principalTexts } from './fields/texts.ts';

/**
 * Selector of the library's close buttons, visible only to screen readers, by their default English
 * name.
 */
const DISMISS_BUTTON = '[aria-label="Dismiss"]';

/** Sets the translated name on those buttons below `root` while `isOpen`. */
export function useDismissLabel(root: ParentNode | undefined, isOpen: boolean): void {
  useEffect(() => {
    if (!root || !isOpen) return undefined;
    const name = (): void => {
      for (const button of root.querySelectorAll(DISMISS_BUTTON))
        button.setAttribute('aria-label', principalTexts.dismiss);
    };
    name();
    const observer = new MutationObserver(name);
    observer.observe(root, { subtree: true, childList: true });
    return () => observer.disconnect();
  }, [root, isOpen]);
}
