/**
 * Makes an element's `innerHTML` setter only empty the element. ECharts clears elements through
 * `innerHTML`, which a strict Trusted Types policy blocks even for an empty string.
 */
export function replaceInnerHtmlSetter(element: Element): void {
  Object.defineProperty(element, 'innerHTML', {
    configurable: true,
    set: () => element.replaceChildren(),
  });
}
