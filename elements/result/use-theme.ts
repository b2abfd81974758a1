import { useEffect, useState, type RefObject } from 'react';

/** Where themes are set: by our attributes on an element, by whatever a page uses on its root. */
const themeAttributes = ['theme', 'contrast', 'density', 'class', 'style', 'data-theme'];

/**
 * Counts the changes of the look around an element: the system's scheme or contrast, or attributes and classes on any
 * ancestor across shadow roots. Whoever resolved tokens does it again.
 */
export function useThemeChange(ref: RefObject<Element | null>): number {
  const [version, setVersion] = useState(0);
  useEffect(() => {
    const element = ref.current;
    if (!element) return;
    let frame = 0;
    // After the change has been applied to styles, and once for several.
    const changed = (): void => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(() => setVersion((count) => count + 1));
    };
    const queries = [
      '(prefers-color-scheme: dark)',
      '(prefers-contrast: more)',
      '(forced-colors: active)',
    ].map((query) => matchMedia(query));
    for (const query of queries) query.addEventListener('change', changed);
    const observer = new MutationObserver(changed);
    for (const host of hostsOf(element))
      observer.observe(host, { attributes: true, attributeFilter: themeAttributes });
    return () => {
      cancelAnimationFrame(frame);
      for (const query of queries) query.removeEventListener('change', changed);
      observer.disconnect();
    };
  }, [ref]);
  return version;
}

/** Hosts of the shadow roots around an element, and the document's root and body, on which themes are set. */
function hostsOf(element: Element): Element[] {
  const hosts: Element[] = [];
  for (let root = element.getRootNode(); root instanceof ShadowRoot; root = root.host.getRootNode())
    hosts.push(root.host);
  const { documentElement, body } = element.ownerDocument;
  return [...hosts, documentElement, body];
}
