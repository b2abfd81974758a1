import { useEffect } from 'react';
import { text } from '../text/en.ts';

/** What the library's buttons that close a list, which only screen readers reach, are called without us. */
const THEIRS = '[aria-label="Dismiss"]';

/** Gives those buttons below `root` their name in the reader's language, for as long as `isOpen`. */
export function useDismissWords(root: ParentNode | undefined, isOpen: boolean): void {
  useEffect(() => {
    if (!root || !isOpen) return undefined;
    const name = (): void => {
      for (const button of root.querySelectorAll(THEIRS))
        button.setAttribute('aria-label', text.principals.dismiss);
    };
    name();
    const observer = new MutationObserver(name);
    observer.observe(root, { subtree: true, childList: true });
    return () => observer.disconnect();
  }, [root, isOpen]);
}
