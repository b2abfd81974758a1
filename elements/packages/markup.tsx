import { type ReactNode, useLayoutEffect, useRef, useState } from 'react';
import { sanitizeHtml } from '../result/displays/sanitize-html.ts';

interface MarkupProps {
  html: string | null | undefined;
  className: string;
  fallback?: ReactNode;
}

/**
 * A package's HTML description, sanitised. Renders `fallback` if nothing of it is visible or it
 * can't be sanitised here.
 */
export function Markup({ html, className, fallback = null }: MarkupProps) {
  const box = useRef<HTMLDivElement>(null);
  const [bare, setBare] = useState(false);
  useLayoutEffect(() => {
    if (!box.current) return;
    try {
      // Trusted Types accept only the sanitiser's result here; the DOM typings know only strings.
      box.current.innerHTML = sanitizeHtml(html ?? '') as unknown as string;
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
