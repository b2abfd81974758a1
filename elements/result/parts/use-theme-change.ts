import { type RefObject, useEffect, useState } from 'react';
import { LOOK_EVENT } from '../../portal/look-event.ts';

/**
 * Attributes that may carry a theme: those of this library's elements, and those commonly used on a
 * page's root.
 */
const themeAttributes = ['theme', 'contrast', 'density', 'class', 'style', 'data-theme'];

/**
 * Counts theme changes around an element: the system's colour scheme or contrast, a portal's theme,
 * or attributes and classes of any ancestor across shadow roots. Components that resolved theme
 * tokens use it to resolve them again.
 */
export function useThemeChange(ref: RefObject<Element | null>): number {
  const [version, setVersion] = useState(0);
  useEffect(() => {
    const element = ref.current;
    if (!element) return;
    let frame = 0;
    // Wait until styles are updated, and handle several changes at once.
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
    document.addEventListener(LOOK_EVENT, changed);
    const observer = new MutationObserver(changed);
    for (const host of hostsOf(element))
      observer.observe(host, { attributes: true, attributeFilter: themeAttributes });
    return () => {
      cancelAnimationFrame(frame);
      for (const query of queries) query.removeEventListener('change', changed);
      document.removeEventListener(LOOK_EVENT, changed);
      observer.disconnect();
    };
  }, [ref]);
  return version;
}

/**
 * Returns the hosts of the surrounding shadow roots and the document's root and body, which may
 * carry theme attributes.
 */
function hostsOf(element: Element): Element[] {
  const hosts: Element[] = [];
  for (let root = element.getRootNode(); root instanceof ShadowRoot; root = root.host.getRootNode())
    hosts.push(root.host);
  const { documentElement, body } = element.ownerDocument;
  return [...hosts, documentElement, body];
}
