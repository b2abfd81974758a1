/** Which paragraphs of a page are near the window: one observer for all, and a few of them a slice. */
import { useCallback, useSyncExternalStore } from 'react';
import { flushSync } from 'react-dom';
import { KeyedListeners } from '../runtime/keyed-listeners.ts';
import { inSlices } from '../runtime/slices.ts';

/** How far beyond the window counts as near: its own height. */
const MARGIN = '100% 0px';

/** Keeps count of what is near. Holds an observer as long as somebody is watched. */
export class Nearness {
  /** Drawn in full, from the time they first came near. */
  readonly #full = new Set<string>();
  /** Near now. */
  readonly #here = new Set<string>();
  readonly #watched = new Map<Element, string>();
  readonly #listeners = new KeyedListeners();
  /** Came near, and wait for their slice; with their distance from the window, px. */
  readonly #waiting = new Map<string, number>();
  #observer: IntersectionObserver | undefined;
  #slicing = false;

  /** Whether a paragraph is drawn in full. */
  isFull(id: string): boolean {
    return this.#full.has(id);
  }

  /** Whether a paragraph is near the window now; one that is on the page and has not been looked at yet counts as near. */
  isHere(id: string): boolean {
    return this.#here.has(id);
  }

  /** Draws paragraphs in full, wherever they are, before this returns. */
  fill(ids: readonly string[]): void {
    const fresh = ids.filter((id) => !this.#full.has(id));
    for (const id of fresh) this.#full.add(id);
    if (fresh.some((id) => this.#listeners.has(id)))
      flushSync(() => fresh.forEach((id) => this.#listeners.tell(id)));
  }

  /** Told when a paragraph is drawn in full, comes near or goes. Returns its undo. */
  subscribe(id: string, listener: () => void): () => void {
    return this.#listeners.add(id, listener);
  }

  /** Watches the element of a paragraph. Returns its undo. */
  watch(id: string, element: Element): () => void {
    this.#observer ??= new IntersectionObserver((entries) => this.#look(entries), {
      rootMargin: MARGIN,
      scrollMargin: MARGIN,
    } as IntersectionObserverInit);
    this.#watched.set(element, id);
    this.#here.add(id);
    this.#observer.observe(element);
    return () => {
      this.#observer?.unobserve(element);
      this.#watched.delete(element);
      this.#waiting.delete(id);
      this.#here.delete(id);
      if (this.#watched.size > 0) return;
      this.#observer?.disconnect();
      this.#observer = undefined;
    };
  }

  #look(entries: readonly IntersectionObserverEntry[]): void {
    for (const {
      target,
      isIntersecting,
      boundingClientRect: { top, bottom },
    } of entries) {
      const id = this.#watched.get(target);
      if (id === undefined) continue;
      if (!isIntersecting) {
        this.#waiting.delete(id);
        this.#here.delete(id);
        continue;
      }
      const came = !this.#here.has(id);
      this.#here.add(id);
      if (!this.#full.has(id))
        this.#waiting.set(id, Math.max(0, top - window.innerHeight, -bottom));
      else if (came) this.#listeners.tell(id);
    }
    if (this.#waiting.size === 0 || this.#slicing) return;
    this.#slicing = true;
    inSlices(() => {
      const next = this.#next();
      if (next !== undefined) this.fill([next]);
      this.#slicing = this.#waiting.size > 0;
      return this.#slicing;
    });
  }

  /** Takes the next to be drawn: what is in the window first. */
  #next(): string | undefined {
    let best: string | undefined;
    for (const [id, distance] of this.#waiting) {
      if (best === undefined || distance < this.#waiting.get(best)!) best = id;
    }
    if (best !== undefined) this.#waiting.delete(best);
    return best;
  }
}

/** Whether a paragraph is drawn in full, and what its element is given to. */
export function useNearness(
  nearness: Nearness,
  id: string,
): [full: boolean, watch: (element: Element | null) => (() => void) | undefined] {
  const full = useSyncExternalStore(
    useCallback((listener) => nearness.subscribe(id, listener), [nearness, id]),
    () => nearness.isFull(id),
  );
  const watch = useCallback(
    (element: Element | null) => (element ? nearness.watch(id, element) : undefined),
    [nearness, id],
  );
  return [full, watch];
}
