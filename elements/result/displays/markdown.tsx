import { type ReactNode, useLayoutEffect, useRef, useState } from 'react';
import { useSheets } from '../../runtime/use-sheets.ts';
import type { ResultContext, ResultWidth } from '../contract.ts';
import { ResizeHandle } from '../parts/resize-handle.tsx';
import proseSheet from '../styles/prose.css';
import { showNoteImages } from './note-images.ts';
import { sanitizeHtml } from './sanitize-html.ts';

const sheets = [proseSheet];
const noSheets: readonly string[] = [];

/** Markdown shown inline. Renders `fallback` if the page cannot sanitize HTML. */
export default function Markdown({
  html,
  fallback,
  width,
  context,
}: {
  html: string;
  fallback: ReactNode;
  width?: ResultWidth | undefined;
  /** Note of the Markdown, for its images. */
  context?: ResultContext | undefined;
}) {
  const { client, note } = context ?? {};
  const [codeSheets, setCodeSheets] = useState(noSheets);
  useSheets(sheets);
  useSheets(codeSheets);
  const box = useRef<HTMLDivElement>(null);
  const [failed, setFailed] = useState(false);
  useLayoutEffect(() => {
    if (!box.current) return undefined;
    // Images of a template are not loaded, so that those of the note get their address first.
    const template = document.createElement('template');
    try {
      // Under a Trusted Types policy only the sanitizer's own type is accepted here; the DOM
      // typings allow only strings.
      template.innerHTML = sanitizeHtml(html) as unknown as string;
    } catch {
      setFailed(true);
      return undefined;
    }
    const stop = client && note && showNoteImages(template.content, { client, note });
    box.current.replaceChildren(template.content);
    const code = box.current.querySelectorAll<HTMLElement>('pre > code[class^="language-"]');
    if (code.length > 0)
      void import('../../editor/marks/highlight-code.ts').then((module) => {
        setCodeSheets(module.codeSheets);
        for (const block of code) void module.highlightCode(block);
      });
    return stop;
  }, [html, client, note]);
  if (failed) return fallback;
  return (
    <div className="sized">
      <div ref={box} className="result-pad prose" />
      {width && <ResizeHandle width={width} />}
    </div>
  );
}
