import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';

/** A box this close to its end, in px, counts as being at its end. */
const endTolerance = 4;
/**
 * A scroll this long after the last input, in ms, still counts as the reader's. Covers the
 * animation of one key or wheel step.
 */
const inputWindow = 500;
/** Keys that scroll a focused box up, and those that scroll it at all. */
const upKeys = new Set(['ArrowUp', 'PageUp', 'Home']);
const scrollKeys = new Set([...upKeys, 'ArrowDown', 'PageDown', 'End', ' ', 'Tab']);
/**
 * Dispatch this event at a box before scrolling it to a place that the reader asked for, such as a
 * search hit: the box then stays there.
 */
export const REVEAL_EVENT = 'tiding-reveal';

const endOf = (element: HTMLElement): number => element.scrollHeight - element.clientHeight;

/**
 * Keeps a scroll box at its end while output streams in. Only the reader's own input (wheel, keys,
 * touch, scrollbar, a jump to a search hit) ends that, during a run and after it. A position that
 * moved for another reason, such as removed blocks or a change of the box's height, is corrected at
 * the next growth. Returning to the end starts following again.
 *
 * @param running follow from the start; a text that was complete when it was first shown is read
 * from its beginning
 * @param near whether the box is on or close to the screen; nothing is measured before
 * @param cut only the end of the text is in the box: then a complete text starts at its end too
 */
export function useFollow(running: boolean, near: boolean, cut: boolean) {
  const box = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const [following, setFollowing] = useState(running);
  const [overflows, setOverflows] = useState(false);
  /**
   * Ahead of the state: a growth in the same frame as the reader's input must not undo their
   * scroll.
   */
  const follows = useRef(following);
  const isRunning = useRef(running);
  const hasLeft = useRef(false);
  /** Position at the last scroll or correction. */
  const lastTop = useRef(0);
  /**
   * Largest position at the last layout that was shown. Fast output moves the end before a reader
   * can reach it.
   */
  const shownEnd = useRef(0);

  const toEnd = useCallback((element: HTMLElement): void => {
    element.scrollTop = element.scrollHeight;
    lastTop.current = element.scrollTop;
  }, []);
  const follow = useCallback((): void => {
    follows.current = true;
    hasLeft.current = false;
    setFollowing(true);
  }, []);
  const leave = useCallback((): void => {
    follows.current = false;
    hasLeft.current = true;
    setFollowing(false);
  }, []);

  useLayoutEffect(() => {
    isRunning.current = running;
  }, [running]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a text that overflows has a new end
  useLayoutEffect(() => {
    if (near && following && box.current) toEnd(box.current);
  }, [near, following, overflows, toEnd]);
  useEffect(() => {
    if (running) follow();
  }, [running, follow]);
  useEffect(() => {
    // A long text may become complete after its run is over; that must not move a reader who has
    // scrolled up.
    if (cut && !isRunning.current && !hasLeft.current) follow();
  }, [cut, follow]);
  useEffect(() => {
    const element = box.current;
    if (!near || !element || !content.current) return;
    let lastInput = -Infinity;
    let isHeld = false;
    const onInput = (): void => {
      lastInput = performance.now();
    };
    // Reading sizes here costs nothing, because the browser has just laid the page out.
    const measure = new ResizeObserver(() => {
      if (follows.current) toEnd(element);
      shownEnd.current = endOf(element);
      setOverflows(shownEnd.current > 1);
    });
    measure.observe(element);
    measure.observe(content.current);

    const onScroll = (): void => {
      const top = element.scrollTop;
      const end = endOf(element);
      const before = lastTop.current;
      lastTop.current = top;
      const isReader = isHeld || performance.now() - lastInput < inputWindow;
      if (top < before - 1) {
        if (follows.current && top < end - endTolerance && isReader) leave();
      } else if (
        top > before &&
        top >= (isReader ? Math.min(end, shownEnd.current) : end) - endTolerance
      )
        follow();
    };
    // Leaving at the input rather than at the scroll it causes: output that grows every frame would
    // cancel that scroll.
    const onWheel = ({ deltaY, ctrlKey, shiftKey }: WheelEvent): void => {
      onInput();
      if (ctrlKey || shiftKey) return;
      if (deltaY < 0 && element.scrollTop > 0) leave();
      if (deltaY > 0 && element.scrollTop >= endOf(element) - endTolerance) follow();
    };
    const onKey = ({ key, shiftKey, altKey }: KeyboardEvent): void => {
      if (scrollKeys.has(key)) onInput();
      if (altKey) return;
      if (element.scrollTop > 0 && (upKeys.has(key) || (key === ' ' && shiftKey))) leave();
      if (key === 'End') follow();
    };
    const onPointerDown = (): void => {
      onInput();
      isHeld = true;
    };
    const onRelease = (event: PointerEvent | TouchEvent): void => {
      // Some browsers send no `pointerup` for a scrollbar, but the next move says that no button is
      // down.
      if (!isHeld || (event.type === 'pointermove' && (event as PointerEvent).buttons !== 0))
        return;
      isHeld = false;
      onInput();
    };
    const listening = new AbortController();
    const { signal } = listening;
    const passive = { passive: true, signal } as const;
    element.addEventListener('scroll', onScroll, passive);
    element.addEventListener('wheel', onWheel, passive);
    element.addEventListener('keydown', onKey, { signal });
    element.addEventListener('focusin', onInput, { signal });
    element.addEventListener(REVEAL_EVENT, leave, { signal });
    element.addEventListener('touchmove', onInput, passive);
    element.addEventListener('pointerdown', onPointerDown, { signal });
    for (const type of ['pointerup', 'pointermove', 'touchend', 'touchcancel'] as const)
      window.addEventListener(type, onRelease, passive);
    return () => {
      measure.disconnect();
      listening.abort();
    };
  }, [near, follow, leave, toEnd]);

  return {
    box,
    content,
    following,
    overflows,
    follow,
    leave,
    /** Scrolls the box without it counting as the reader's return to the end. */
    moveTo: (top: number) => {
      if (!box.current) return;
      box.current.scrollTop = top;
      lastTop.current = box.current.scrollTop;
    },
    toTop: () => {
      leave();
      const still = matchMedia('(prefers-reduced-motion: reduce)').matches;
      box.current?.scrollTo({ top: 0, behavior: still ? 'auto' : 'smooth' });
    },
  };
}
