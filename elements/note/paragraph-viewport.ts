/**
 * Tracks which paragraphs of a page are near the window. Renders them in full, in slices, when they
 * come near, and as plain text again when they are far away, so that a page does not grow by what a
 * reader scrolls past.
 */

import { isRunning } from '@tiding/client/model';
import { useCallback, useSyncExternalStore } from 'react';
import { flushSync } from 'react-dom';
import { KeyedListeners } from '../runtime/keyed-listeners.ts';
import { runInSlices } from '../runtime/slices.ts';
import { observeViewport } from '../runtime/viewport.ts';
import { UsedParagraphs } from './used-paragraphs.ts';

/** Distance beyond the window that counts as near: one window height on each side. */
const MARGIN = '100% 0px';
/** Distance at which paragraphs return to plain text, in window heights. */
const FAR_WINDOWS = 3;
/** Time from a paragraph that left until far ones are searched, in milliseconds. */
const RELEASE_DELAY_MS = 500;
/** Time that lazily rendered parts have to reach their height, in milliseconds. */
const SETTLE_MS = 1_000;
/** Maximum time that a text with a mark of the browser's find is kept, in milliseconds. */
const FIND_MS = 30_000;
/** Parts whose state is in the page only: an open editor, a document in a frame, an open menu. */
const KEPT_PARTS = '.cm-editor, iframe, video, audio, [aria-haspopup][aria-expanded=true]';

/** Tracks paragraphs near the window. */
export class ParagraphViewport {
  readonly #full = new Set<string>();
  /** Paragraphs that stay as they are. */
  readonly #used: UsedParagraphs;
  #stopObservingUse: (() => void) | undefined;
  /** Whether all paragraphs stay in full until the page is printed. */
  #isPrinting = false;
  /** Heights of paragraphs that have returned to plain text, in px. */
  readonly #heights = new Map<string, number>();
  /** Paragraphs that are near now. */
  readonly #here = new Set<string>();
  readonly #elements = new Map<string, Element>();
  #releaseTimer: ReturnType<typeof setTimeout> | undefined;
  readonly #listeners = new KeyedListeners();
  /**
   * Paragraphs that came near and wait for their slice, with their distance from the window in px.
   */
  readonly #waiting = new Map<string, number>();
  #slicing = false;
  /** Paragraphs that have been far. */
  readonly #far = new Set<string>();
  /** Whether the page had the focus before: a page in a frame may never get it. */
  #hadFocus = false;
  readonly #host: HTMLElement;
  #renderAll: (() => void) | undefined;

  constructor(host: HTMLElement) {
    this.#host = host;
    this.#used = new UsedParagraphs(host);
  }

  isRenderedInFull(id: string): boolean {
    return this.#full.has(id);
  }

  /**
   * Height that a paragraph had when it returned to plain text, in px. It keeps that height until
   * it is rendered in full again and its parts had time to load.
   */
  height(id: string): number | undefined {
    return this.#heights.get(id);
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
   * Returns the element of a paragraph, rendered in full. Renders the remaining paragraphs first if
   * necessary.
   */
  element(id: string): HTMLElement | null {
    this.renderInFull([id]);
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
    for (const id of fresh) {
      this.#full.add(id);
      if (this.#heights.has(id)) setTimeout(() => this.#forgetHeight(id), SETTLE_MS);
    }
    if (fresh.some((id) => this.#listeners.has(id)))
      flushSync(() => fresh.forEach((id) => this.#listeners.notify(id)));
  }

  /** Renders all paragraphs in full and keeps them so until the page is printed. */
  renderForPrint(ids: readonly string[]): void {
    this.#renderAll?.();
    if (!this.#isPrinting)
      window.addEventListener('afterprint', () => void (this.#isPrinting = false), { once: true });
    this.#isPrinting = true;
    this.renderInFull(ids);
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
    this.#stopObservingUse ??= this.#used.observe();
    this.#elements.set(id, element);
    this.#here.add(id);
    const stop = observeViewport(element, MARGIN, (isNear, { boundingClientRect }) => {
      if (isNear) this.#came(id, boundingClientRect);
      else {
        this.#far.add(id);
        this.#waiting.delete(id);
        this.#here.delete(id);
        // Not delayed by those that leave later: a reader may scroll for long.
        this.#releaseTimer ??= setTimeout(() => {
          this.#releaseTimer = undefined;
          this.#releaseFar();
        }, RELEASE_DELAY_MS);
      }
    });
    return () => {
      stop();
      if (this.#elements.get(id) === element) this.#elements.delete(id);
      if (this.#elements.size === 0) {
        clearTimeout(this.#releaseTimer);
        this.#releaseTimer = undefined;
        this.#stopObservingUse?.();
        this.#stopObservingUse = undefined;
      }
      this.#waiting.delete(id);
      this.#here.delete(id);
    };
  }

  /** Renders paragraphs that are far from the window as plain text of the same height. */
  #releaseFar(): void {
    // A page without the focus may show the browser's find dialog, which marks these nodes.
    if (this.#isPrinting || !document.hasFocus()) return;
    const isUsed = this.#used.check();
    const far = FAR_WINDOWS * window.innerHeight;
    const released = [...this.#full].flatMap((id) => {
      const element = this.#elements.get(id);
      if (!element || this.#here.has(id) || isUsed(id, element)) return [];
      const { top, bottom, height } = element.getBoundingClientRect();
      const isFar = bottom < -far || top > window.innerHeight + far;
      return isFar && this.#isIdle(element) ? [{ id, height }] : [];
    });
    // In slices, because the page may be scrolling.
    runInSlices(() => {
      if (this.#isPrinting) return false;
      const { id, height } = released.pop() ?? {};
      if (id !== undefined && !this.#here.has(id) && this.#full.delete(id)) {
        this.#heights.set(id, height!);
        flushSync(() => this.#listeners.notify(id));
      }
      return released.length > 0;
    });
  }

  /** Whether a paragraph's element has nothing that would be lost. */
  #isIdle(element: Element): boolean {
    const status = element.querySelector<HTMLElement>('[data-paragraph]')?.dataset['status'];
    return !(
      isRunning(status) ||
      element.matches(':focus-within') ||
      element.querySelector(KEPT_PARTS)
    );
  }

  #forgetHeight(id: string): void {
    if (!this.#full.has(id) || !this.#heights.delete(id)) return;
    this.#listeners.notify(id);
  }

  #came(id: string, { top, bottom }: DOMRectReadOnly): void {
    const isBack = !this.#here.has(id);
    this.#here.add(id);
    if (this.#full.has(id)) {
      if (isBack) this.#listeners.notify(id);
      return;
    }
    this.#waiting.set(id, Math.max(0, top - window.innerHeight, -bottom));
    const hasFocus = document.hasFocus();
    const isMarked = this.#far.delete(id) && this.#hadFocus && !hasFocus;
    this.#hadFocus ||= hasFocus;
    if (!isMarked) return this.#renderWaiting();
    // The browser's find dialog has taken the focus, and scrolled to a mark in the text.
    void import('../editor/user-input.ts').then(({ onUserInput }) =>
      onUserInput(() => this.#renderWaiting(), FIND_MS),
    );
  }

  #renderWaiting(): void {
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

/**
 * Returns whether a paragraph is rendered in full, its minimum height in px, and the ref callback
 * for its element.
 */
export function useParagraphViewport(
  viewport: ParagraphViewport,
  id: string,
): [
  full: boolean,
  minHeight: number | undefined,
  watch: (element: Element | null) => (() => void) | undefined,
] {
  const subscribe = useCallback(
    (listener: () => void) => viewport.subscribe(id, listener),
    [viewport, id],
  );
  const full = useSyncExternalStore(subscribe, () => viewport.isRenderedInFull(id));
  const minHeight = useSyncExternalStore(subscribe, () => viewport.height(id));
  const watch = useCallback(
    (element: Element | null) => (element ? viewport.watch(id, element) : undefined),
    [viewport, id],
  );
  return [full, minHeight, watch];
}
