/**
 * Resolves styles at an element: what they are in a hidden element inside it. A custom property's
 * own value is unresolved text. Each call has an element of its own: while Chromium skips the
 * content of an element, one that changes keeps its first colour.
 */
export function styleInside(
  element: Element,
  style: Partial<CSSStyleDeclaration>,
): { color: string; fontFamily: string } {
  const probe = element.ownerDocument.createElement('span');
  Object.assign(probe.style, { display: 'none', ...style });
  element.append(probe);
  const { color, fontFamily } = getComputedStyle(probe);
  probe.remove();
  return { color, fontFamily };
}
