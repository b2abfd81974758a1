import { useEffect, useLayoutEffect, useRef, useState } from 'react';

/** So near to the end counts as at the end. */
const nearEnd = 4;

/**
 * Keeps a scroll box at its end while output comes. Scrolling up ends that, coming back to the end begins it again.
 *
 * @param running follow from the start; a text that was complete when it came is read from its beginning
 * @param grown changes when the content may have grown
 * @param near whether anybody can see it; nothing is measured before
 */
export function useFollow(running: boolean, grown: readonly unknown[], near: boolean) {
  const box = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const [following, setFollowing] = useState(running);
  const [overflows, setOverflows] = useState(false);
  /** Where this hook has put the box; a scroll to somewhere else is the reader's. */
  const expected = useRef(0);

  useLayoutEffect(() => {
    if (near && following && box.current) {
      box.current.scrollTop = box.current.scrollHeight;
      expected.current = box.current.scrollTop;
    }
    // eslint-disable-next-line react-hooks/exhaustive-deps -- the list is the caller's
  }, [near, following, overflows, ...grown]);
  useEffect(() => {
    if (running) setFollowing(true);
  }, [running]);
  useEffect(() => {
    const element = box.current;
    if (!near || !element || !content.current) return;
    const measure = new ResizeObserver(() => setOverflows(element.scrollHeight > element.clientHeight + 1));
    measure.observe(element);
    measure.observe(content.current);
    const onScroll = (): void => {
      const top = element.scrollTop;
      if (top < expected.current - 1) setFollowing(false);
      else if (top + element.clientHeight >= element.scrollHeight - nearEnd && top > 0) setFollowing(true);
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
    toTop: () => {
      setFollowing(false);
      const still = matchMedia('(prefers-reduced-motion: reduce)').matches;
      box.current?.scrollTo({ top: 0, behavior: still ? 'auto' : 'smooth' });
    },
  };
}
