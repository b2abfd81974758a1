import { useContext, useInsertionEffect } from 'react';
import { HostContext } from './hooks.ts';
import { constructedSheet } from './sheets.ts';

/**
 * Adopts the style sheets of a part into its element's shadow root, after the element's own and
 * before the part renders. Pass `host`, the element, if the part is outside of {@link HostContext}.
 */
export function useSheets(sheets: readonly string[], host?: HTMLElement): void {
  const around = useContext(HostContext);
  const root = (host ?? around)?.shadowRoot;
  useInsertionEffect(() => {
    if (!root) return;
    const missing = sheets
      .map((text) => constructedSheet(text, root))
      .filter((each) => !root.adoptedStyleSheets.includes(each));
    if (missing.length > 0) root.adoptedStyleSheets = [...root.adoptedStyleSheets, ...missing];
  }, [sheets, root]);
}
