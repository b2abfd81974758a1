import { observeViewport } from '../../runtime/viewport.ts';

/** Distance beyond the window within which paragraphs get marks. */
const MARK_MARGIN = '400px 0px';

/** Tracks the paragraphs near the window while the find box is open. */
export class NearParagraphs {
  readonly #host: HTMLElement;
  readonly #onChange: (id: string) => void;
  readonly #near = new Set<string>();
  readonly #observed = new Map<Element, () => void>();

  /** `onChange` is called when a paragraph comes near or leaves. */
  constructor(host: HTMLElement, onChange: (id: string) => void) {
    this.#host = host;
    this.#onChange = onChange;
  }

  get ids(): Iterable<string> {
    return this.#near;
  }

  /** Whether a paragraph is near the window. */
  has(id: string): boolean {
    return this.#near.has(id);
  }

  /** Starts observing paragraphs that were added since the last call. */
  observe(): void {
    for (const [element, stop] of this.#observed)
      if (!element.isConnected) {
        stop();
        this.#observed.delete(element);
      }
    for (const element of this.#host.shadowRoot?.querySelectorAll<HTMLElement>(
      '[data-paragraph]',
    ) ?? []) {
      const id = element.dataset['paragraph'];
      if (id === undefined || this.#observed.has(element)) continue;
      this.#observed.set(
        element,
        observeViewport(element, MARK_MARGIN, (isNear) => {
          if (isNear) this.#near.add(id);
          else this.#near.delete(id);
          this.#onChange(id);
        }),
      );
    }
  }

  stop(): void {
    for (const stop of this.#observed.values()) stop();
    this.#observed.clear();
  }
}
