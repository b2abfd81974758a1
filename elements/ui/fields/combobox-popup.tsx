import { Combobox } from '@base-ui/react/combobox';
import { type ReactNode, useEffect } from 'react';
import { useOverlayContainer } from '../../runtime/hooks.ts';
import { principalTexts } from './texts.ts';

/**
 * Selector of the library's close buttons, visible only to screen readers, by their default English
 * name.
 */
const DISMISS_BUTTON = '[aria-label="Dismiss"]';

/** Sets the translated name on those buttons below `root` while it is rendered. */
function DismissLabel({ root }: { root: ParentNode | undefined }) {
  useEffect(() => {
    if (!root) return undefined;
    const name = (): void => {
      for (const button of root.querySelectorAll(DISMISS_BUTTON))
        button.setAttribute('aria-label', principalTexts.dismiss);
    };
    name();
    const observer = new MutationObserver(name);
    observer.observe(root, { subtree: true, childList: true });
    return () => observer.disconnect();
  }, [root]);
  return null;
}

/** The popup of a combobox, with its list in `children`. */
export function ComboboxPopup({ children }: { children: ReactNode }) {
  const container = useOverlayContainer();
  return (
    <Combobox.Portal container={container}>
      <Combobox.Positioner className="menu-positioner" sideOffset={4}>
        <Combobox.Popup className="menu combobox">{children}</Combobox.Popup>
      </Combobox.Positioner>
      <DismissLabel root={container} />
    </Combobox.Portal>
  );
}
