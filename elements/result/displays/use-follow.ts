import { useEffect, useLayoutEffect, useRef, useState } from 'react';

/** So near to the end counts as at the end. */
const nearEnd = 4;

function toEnd(element: HTMLElement, expected: { current: number }): void {
  element.scrollTop = element.scrollHeight;
  expected.current = element.scrollTop;
}

/**
 * Keeps a scroll box at its end while output comes. Scrolling up ends that, coming back to the end begins it again.
 *
 * @param running follow from the start; a text that was complete when it came is read from its beginning
 * @param near whether anybody can see it; nothing is measured before
 * @param cut its beginning is not in the box: then a complete one is read from its end too
 */
export function useFollow(running: boolean, near: boolean, cut: boolean) {
  const box = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const [following, setFollowing] = useState(running);
  const [overflows, setOverflows] = useState(false);
  /** Where this hook has put the box; a scroll to somewhere else is the reader's. */
  const expected = useRef(0);

  const follows = useRef(following);
  useLayoutEffect(() => {
    follows.current = following;
    if (near && following && box.current) toEnd(box.current, expected);
  }, [near, following, overflows]);
  useEffect(() => {
    if (running) setFollowing(true);
  }, [running]);
  useEffect(() => {
    // What is cut while it comes is followed, or its reader has gone elsewhere.
    if (cut && !running) setFollowing(true);
  }, [cut]);
  useEffect(() => {
    const element = box.current;
    if (!near || !element || !content.current) return;
    // What has grown is measured where the browser has just done that anyway: asking earlier would lay out the page once more.
    const measure = new ResizeObserver(() => {
      if (follows.current) toEnd(element, expected);
      setOverflows(element.scrollHeight > element.clientHeight + 1);
    });
    measure.observe(element);
    measure.observe(content.current);
    const onScroll = (): void => {
      const top = element.scrollTop;
      if (top < expected.current - 1) setFollowing(false);
      // Only on the way down: the first steps of the way up are near the end as well.
      else if (
        top > expected.current &&
        top + element.clientHeight >= element.scrollHeight - nearEnd
      )
        setFollowing(true);
      expected.current = top;
    };
    element.addEventListener('scroll', onScroll, { passive: true });
    return () => {
      measure.disconnect();
      element.removeEventListener('scroll', onScroll);
    };
  }, [near]);

  return {
    box,
    content,
    following,
    overflows,
    follow: () => setFollowing(true),
    leave: () => setFollowing(false),
    toTop: () => {
      setFollowing(false);
      const still = matchMedia('(prefers-reduced-motion: reduce)').matches;
      box.current?.scrollTo({ top: 0, behavior: still ? 'auto' : 'smooth' });
    },
  };
}
