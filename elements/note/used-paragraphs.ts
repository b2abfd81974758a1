/** Tracks which paragraphs of a page must stay as they are, because a user has touched them. */

const selector = '[data-paragraph]';
const events = ['pointerup', 'pointerdown', 'keydown', 'focusin', 'input', 'scroll'] as const;

/** Paragraphs that a user has clicked, focused, edited or scrolled. */
export class UsedParagraphs {
  readonly #used = new Set<string>();
  readonly #host: HTMLElement;

  constructor(host: HTMLElement) {
    this.#host = host;
  }

  /** Records use from now on. Returns a function that stops. */
  observe(): () => void {
    const root = this.#host.shadowRoot;
    if (!root) return () => {};
    const onEvent = (event: Event): void => {
      // A touch that scrolls the page is no use of the paragraph under the finger. It ends without
      // `pointerup`.
      if (event.type === 'pointerdown' && (event as PointerEvent).pointerType === 'touch') return;
      const { target } = event;
      const id =
        target instanceof Element && target.closest<HTMLElement>(selector)?.dataset['paragraph'];
      if (id) this.#used.add(id);
    };
    // Scroll events do not bubble and do not leave a shadow root.
    const stop = new AbortController();
    const options = { capture: true, passive: true, signal: stop.signal };
    for (const type of events) root.addEventListener(type, onEvent, options);
    return () => stop.abort();
  }

  /** Returns a function that tells whether a paragraph, shown by an element, is in use. */
  check(): (id: string, element: Element) => boolean {
    const isSelected = selectionIn(this.#host);
    return (id, element) => this.#used.has(id) || isSelected(element);
  }
}

/** Returns a function that tells whether an element of the host is selected, at least in part. */
function selectionIn(host: HTMLElement): (element: Element) => boolean {
  const selection = document.getSelection();
  const root = host.shadowRoot;
  if (!selection || !root) return () => false;
  // Older browsers report a selection in a shadow root only there.
  const own = (root as unknown as { getSelection?(): Selection | null }).getSelection?.();
  const ranges: AbstractRange[] = selection.getComposedRanges
    ? selection.getComposedRanges({ shadowRoots: [root] })
    : [own, selection].flatMap((each) => (each?.rangeCount ? [each.getRangeAt(0)] : []));
  const live = ranges
    .filter(({ collapsed }) => !collapsed)
    .map(({ startContainer, startOffset, endContainer, endOffset }) => {
      const range = document.createRange();
      range.setStart(startContainer, startOffset);
      // An end in another tree would move the start there.
      if (endContainer.getRootNode() === startContainer.getRootNode())
        range.setEnd(endContainer, endOffset);
      else range.selectNodeContents(document.documentElement);
      return range;
    });
  return (element) =>
    live.some((range) => range.intersectsNode(element) || range.intersectsNode(host));
}
