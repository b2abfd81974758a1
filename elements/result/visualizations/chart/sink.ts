/**
 * The library empties its elements through `innerHTML`, which a strict page policy guards, even for nothing: of such an
 * element the property empties it, whatever it is given.
 */
export function withoutSink(element: Element): void {
  Object.defineProperty(element, 'innerHTML', {
    configurable: true,
    set: () => element.replaceChildren(),
  });
}
