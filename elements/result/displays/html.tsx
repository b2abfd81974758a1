import { lazy, Suspense } from 'react';
import { outputText } from 'tiding/client';
import type { DisplayProps } from '../contract.ts';
import { FrameView } from './frame-view.tsx';
import { useSettled } from './use-settled.ts';

const Markdown = lazy(() => import('./markdown.tsx'));
const markdown = /^\s*<div\b[^>]*\bclass\s*=\s*["']?[^"'>]*\bmarkdown-body\b/i;

/** Whether HTML is the output of the markdown interpreter, which is text of the page and no program. */
export function isMarkdown(html: string): boolean {
  return markdown.test(html);
}

/** HTML: markdown in the page, everything else alone in a frame of its own. */
export function HtmlDisplay(props: DisplayProps) {
  const { output, running, frameUrl, title } = props;
  const html = useSettled(outputText(output), running);
  if (html.trim() === '') return null;
  const frame = <FrameView html={html} url={frameUrl} title={title} output={output} />;
  if (!isMarkdown(html)) return frame;
  return (
    <Suspense fallback={null}>
      <Markdown html={html} fallback={frame} />
    </Suspense>
  );
}
