import { type ReactNode, useLayoutEffect, useRef, useState } from 'react';
import { useSheets } from '../../runtime/use-sheets.ts';
import type { ResultWidth } from '../contract.ts';
import { ResizeHandle } from '../parts/resize-handle.tsx';
import proseSheet from '../styles/prose.css';
import { sanitizeHtml } from './sanitize-html.ts';

const sheets = [proseSheet];
const noSheets: readonly string[] = [];

/** Markdown shown inline. Renders `fallback` if the page cannot sanitize HTML. */
export default function Markdown({
  html,
  fallback,
  width,
}: {
  html: string;
  fallback: ReactNode;
  width?: ResultWidth | undefined;
}) {
  const [codeSheets, setCodeSheets] = useState(noSheets);
  useSheets(sheets);
  useSheets(codeSheets);
  const box = useRef<HTMLDivElement>(null);
  const [failed, setFailed] = useState(false);
  useLayoutEffect(() => {
    if (!box.current) return;
    try {
      // Under a Trusted Types policy only the sanitizer's own type is accepted here; the DOM
      // typings allow only strings.
      box.current.innerHTML = sanitizeHtml(html) as unknown as string;
    } catch {
      setFailed(true);
      return;
    }
    const code = box.current.querySelectorAll<HTMLElement>('pre > code[class^="language-"]');
    if (code.length > 0)
      void import('../../editor/marks/highlight-code.ts').then((module) => {
        setCodeSheets(module.codeSheets);
        for (const block of code) void module.highlightCode(block);
      });
  }, [html]);
  if (failed) return fallback;
  return (
    <div className="sized">
      <div ref={box} className="result-pad prose" />
      {width && <ResizeHandle width={width} />}
    </div>
  );
}
