import { useLayoutEffect, useRef, useState, type ReactNode } from 'react';
import { sanitise } from '../result/displays/sanitise.ts';

/** What a package says of itself, as HTML: filtered. Where nothing of it can be seen, or it cannot be filtered here, `fallback` stands. */
export function Markup({
  html,
  className,
  fallback = null,
}: {
  html: string | null | undefined;
  className: string;
  fallback?: ReactNode;
}) {
  const box = useRef<HTMLDivElement>(null);
  const [bare, setBare] = useState(false);
  useLayoutEffect(() => {
    if (!box.current) return;
    try {
      // The page policy takes the filter's own type here and nothing else; the DOM typings know only strings.
      box.current.innerHTML = sanitise(html ?? '') as unknown as string;
      setBare(box.current.textContent.trim() === '' && box.current.querySelector('img') === null);
    } catch {
      setBare(true);
    }
  }, [html]);
  return (
    <>
      <div ref={box} className={className} hidden={bare} />
      {bare ? fallback : null}
    </>
  );
}
