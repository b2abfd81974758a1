import { type ReactNode, useLayoutEffect, useRef, useState } from 'react';
import { CodeBoundary, lazyCode } from '../../../runtime/lazy-code.tsx';
import { useSheets } from '../../../runtime/use-sheets.ts';
import type { ResultContext, ResultWidth } from '../../contract.ts';
import { ResizeHandle } from '../../parts/resize-handle.tsx';
import { Pending } from '../../parts/skeleton.tsx';
import proseSheet from '../../styles/prose.css';
import { sanitizeHtml } from '../sanitize-html.ts';
import { showNoteImages } from './note-images.ts';

const Diagrams = lazyCode(() => import('./diagrams.tsx'));
const sheets = [proseSheet];
const noSheets: readonly string[] = [];

interface MarkdownProps {
  html: string;
  fallback: ReactNode;
  width?: ResultWidth | undefined;
  /** Note of the Markdown, for its images. */
  context?: ResultContext | undefined;
  /** URL of the page for frames; without one, diagrams are shown as code. */
  frameUrl: string;
}

/** Markdown shown inline. Renders `fallback` if the page cannot sanitize HTML. */
export default function Markdown({ html, fallback, width, context, frameUrl }: MarkdownProps) {
  const { client, note } = context ?? {};
  const [codeSheets, setCodeSheets] = useState(noSheets);
  useSheets(sheets);
  useSheets(codeSheets);
  const box = useRef<HTMLDivElement>(null);
  /** The HTML whose diagrams are drawn. */
  const [drawn, setDrawn] = useState('');
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
    const hasDiagrams = template.content.querySelector('code.language-mermaid') !== null;
    box.current.replaceChildren(template.content);
    setDrawn(hasDiagrams && frameUrl !== '' ? html : '');
    const code = box.current.querySelectorAll<HTMLElement>(
      'pre > code[class^="language-"]:not(.language-mermaid)',
    );
    if (code.length > 0)
      void import('../../../editor/marks/highlight-code.ts').then((module) => {
        setCodeSheets(module.codeSheets);
        for (const block of code) void module.highlightCode(block);
      });
    return stop;
  }, [html, client, note, frameUrl]);
  if (failed) return fallback;
  return (
    <div className="sized">
      <div ref={box} className="result-pad prose" />
      {drawn !== '' && box.current && (
        <CodeBoundary fallback={<Pending />}>
          <Diagrams key={drawn} box={box.current} frameUrl={frameUrl} />
        </CodeBoundary>
      )}
      {width && <ResizeHandle width={width} />}
    </div>
  );
}
