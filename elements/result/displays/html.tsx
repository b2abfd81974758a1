import { lazy, Suspense, useMemo } from 'react';
import { outputText } from 'tiding/client';
import { envelopeOf } from 'tiding/widgets';
import type { DisplayProps } from '../contract.ts';
import { FrameView } from './frame-view.tsx';
import { useSettled } from './use-settled.ts';

const Markdown = lazy(() => import('./markdown.tsx'));
const WidgetDisplay = lazy(() => import('./widget.tsx'));
/** What a carrier of a widget starts with; all else is not looked at any further. */
const carrier = /^\s*<tiding-widget\b/i;
const markdown = /^\s*<div\b[^>]*\bclass\s*=\s*["']?[^"'>]*\bmarkdown-body\b/i;

/** Whether HTML is the output of the markdown interpreter, which is text of the page and no program. */
export function isMarkdown(html: string): boolean {
  return markdown.test(html);
}

/** HTML: markdown and widgets in the page, everything else alone in a frame of its own. */
export function HtmlDisplay(props: DisplayProps) {
  const { output, running, frameUrl, title, width } = props;
  const html = useSettled(outputText(output), running);
  const envelope = useMemo(() => (carrier.test(html) ? envelopeOf(html) : undefined), [html]);
  if (html.trim() === '') return null;
  if (envelope) return <WidgetDisplay envelope={envelope} {...props} />;
  const frame = (
    <FrameView html={html} url={frameUrl} title={title} output={output} width={width} />
  );
  if (!isMarkdown(html)) return frame;
  return (
    <Suspense fallback={null}>
      <Markdown html={html} fallback={frame} width={width} />
    </Suspense>
  );
}
