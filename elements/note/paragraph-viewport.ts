/**
 * Tracks which paragraphs of a page are near the window, and renders them in full, in slices, when
 * they come near.
 */
import { useCallback, useSyncExternalStore } from 'react';
import { flushSync } from 'react-dom';
import { KeyedListeners } from '../runtime/keyed-listeners.ts';
import { runInSlices } from '../runtime/slices.ts';
import { observeViewport } from '../runtime/viewport.ts';

/** Distance beyond the window that counts as near: one window height on each side. */
const MARGIN = '100% 0px';

/** Tracks paragraphs near the window. */
export class ParagraphViewport {
  /** Paragraphs rendered in full, since they first came near. */
  readonly #full = new Set<string>();
  /** Paragraphs that are near now. */
  readonly #here = new Set<string>();
  readonly #listeners = new KeyedListeners();
  /**
   * Paragraphs that came near and wait for their slice, with their distance from the window in px.
   */
  readonly #waiting = new Map<string, number>();
  #slicing = false;
  readonly #host: HTMLElement;
  #renderAll: (() => void) | undefined;

  constructor(host: HTMLElement) {
    this.#host = host;
  }

  /** Whether a paragraph is rendered in full. */
  isRenderedInFull(id: string): boolean {
    return this.#full.has(id);
  }

  /**
   * Whether a paragraph is near the window now. A paragraph that the observer has not reported yet
   * counts as near.
   */
  isNear(id: string): boolean {
    return this.#here.has(id);
  }

  /**
   * Sets the function that renders all paragraphs of the list synchronously; `element` calls it for
   * a paragraph that is not on the page yet. Returns a function that removes it.
   */
  onRenderAll(renderAll: () => void): () => void {
    this.#renderAll = renderAll;
    return () => {
      if (this.#renderAll === renderAll) this.#renderAll = undefined;
    };
  }

  /**
   * Returns the element of a paragraph. Renders the remaining paragraphs first if necessary.
   */
  element(id: string): HTMLElement | null {
    const find = () =>
      this.#host.shadowRoot?.querySelector<HTMLElement>(`[data-paragraph="${CSS.escape(id)}"]`) ??
      null;
    const found = find();
    if (found || !this.#renderAll) return found;
    this.#renderAll();
    return find();
  }

  /** Renders paragraphs in full synchronously, wherever they are. */
  renderInFull(ids: readonly string[]): void {
    const fresh = ids.filter((id) => !this.#full.has(id));
    for (const id of fresh) this.#full.add(id);
    if (fresh.some((id) => this.#listeners.has(id)))
      flushSync(() => fresh.forEach((id) => this.#listeners.notify(id)));
  }

  /**
   * Calls `listener` when a paragraph is rendered in full or comes near again. Returns an
   * unsubscribe function.
   */
  subscribe(id: string, listener: () => void): () => void {
    return this.#listeners.add(id, listener);
  }

  /** Watches the element of a paragraph. Returns a function that stops watching. */
  watch(id: string, element: Element): () => void {
    this.#here.add(id);
    const stop = observeViewport(element, MARGIN, (isNear, { boundingClientRect }) => {
      if (isNear) this.#came(id, boundingClientRect);
      else {
        this.#waiting.delete(id);
        this.#here.delete(id);
      }
    });
    return () => {
      stop();
      this.#waiting.delete(id);
      this.#here.delete(id);
    };
  }

  #came(id: string, { top, bottom }: DOMRectReadOnly): void {
    const isBack = !this.#here.has(id);
    this.#here.add(id);
    if (this.#full.has(id)) {
      if (isBack) this.#listeners.notify(id);
      return;
    }
    this.#waiting.set(id, Math.max(0, top - window.innerHeight, -bottom));
    if (this.#slicing) return;
    this.#slicing = true;
    runInSlices(() => {
      const next = this.#next();
      if (next !== undefined) this.renderInFull([next]);
      this.#slicing = this.#waiting.size > 0;
      return this.#slicing;
    });
  }

  /** Takes the waiting paragraph that is closest to the window. */
  #next(): string | undefined {
    let best: string | undefined;
    for (const [id, distance] of this.#waiting) {
      if (best === undefined || distance < this.#waiting.get(best)!) best = id;
    }
    if (best !== undefined) this.#waiting.delete(best);
    return best;
  }
}

/** Returns whether a paragraph is rendered in full, and the ref callback for its element. */
export function useParagraphViewport(
  viewport: ParagraphViewport,
  id: string,
): [full: boolean, watch: (element: Element | null) => (() => void) | undefined] {
  const full = useSyncExternalStore(
    useCallback((listener) => viewport.subscribe(id, listener), [viewport, id]),
    () => viewport.isRenderedInFull(id),
  );
  const watch = useCallback(
    (element: Element | null) => (element ? viewport.watch(id, element) : undefined),
    [viewport, id],
  );
  return [full, watch];
}
