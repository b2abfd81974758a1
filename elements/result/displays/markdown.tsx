import { useLayoutEffect, useRef, useState, type ReactNode } from 'react';
import type { ResultWidth } from '../contract.ts';
import { ResizeHandle } from '../resize-handle.tsx';
import { sanitise } from './sanitise.ts';

/** Markdown as prose of the page. `fallback` where the page cannot filter HTML. */
export default function Markdown({
  html,
  fallback,
  width,
}: {
  html: string;
  fallback: ReactNode;
  width?: ResultWidth | undefined;
}) {
  const box = useRef<HTMLDivElement>(null);
  const [failed, setFailed] = useState(false);
  useLayoutEffect(() => {
    if (!box.current) return;
    try {
      // The page policy takes the filter's own type here and nothing else; the DOM typings know only strings.
      box.current.innerHTML = sanitise(html) as unknown as string;
    } catch {
      setFailed(true);
    }
  }, [html]);
  if (failed) return fallback;
  return (
    <div className="sized">
      <div ref={box} className="result-pad prose" />
      {width && <ResizeHandle width={width} />}
    </div>
  );
}
