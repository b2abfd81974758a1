import { useContext, useInsertionEffect } from 'react';
import { HostContext } from './hooks.ts';
import { sheet } from './sheets.ts';

/**
 * Has an element's root wear the sheets of a part of it, as text, after its own and before anything of the part is drawn. `host`: the element, where the part stands
 * outside of {@link HostContext}.
 */
export function useSheets(sheets: readonly string[], host?: HTMLElement): void {
  const around = useContext(HostContext);
  const root = (host ?? around)?.shadowRoot;
  useInsertionEffect(() => {
    if (!root) return;
    const missing = sheets.map(sheet).filter((each) => !root.adoptedStyleSheets.includes(each));
    if (missing.length > 0) root.adoptedStyleSheets = [...root.adoptedStyleSheets, ...missing];
  }, [sheets, root]);
}
