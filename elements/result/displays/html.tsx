import { type Output, outputText } from '@tiding/client';
import { isMarkdownHtml } from '@tiding/client/model';
import { CodeBoundary, lazyCode, preloadable } from '../../runtime/lazy-code.tsx';
import type { DisplayProps } from '../contract.ts';
import { Pending } from '../parts/skeleton.tsx';
import { mayBeWidget } from './html/html-kinds.ts';
import { useDebounced } from './use-debounced.ts';

const FrameView = lazyCode(async () => (await import('./frame-view.tsx')).FrameView);
const { View: Markdown, preload: preloadMarkdown } = preloadable(
  () => import('./markdown/markdown.tsx'),
);
const { View: WidgetDisplay, preload: preloadWidget } = preloadable(
  () => import('../../widgets/widget-output.tsx'),
);
const JupyterWidgetDisplay = lazyCode(() => import('./jupyter/jupyter-widget.tsx'));

/** Loads the code that shows an HTML output in the page. */
export async function preloadHtml(output: Output): Promise<void> {
  const html = outputText(output);
  if (mayBeWidget(html)) await preloadWidget();
  else if (isMarkdownHtml(html)) await preloadMarkdown();
}

/** Start of an output that describes a chart for a library; see `chartHtml` of the model. */
const chart = /^\s*<tiding-chart><script type="application\/vnd\.(plotly|vega)/;

/** Start of an output that is the view of a Jupyter widget; see `widgetViewHtml` of the model. */
const jupyterWidget = /^\s*<tiding-jupyter-widget>/;

/**
 * URL of the frame page for an output, with the library of a chart. With scripts disabled
 * (`/still`), a chart shows its fallback.
 */
function pageFor(html: string, url: string): string {
  const library = url === '' || url.endsWith('/still') ? undefined : chart.exec(html)?.[1];
  return library === undefined ? url : `${url}/${library}`;
}

/**
 * HTML output: Markdown and widgets are shown in the page, everything else in a sandboxed frame.
 */
export function HtmlDisplay(props: DisplayProps) {
  const { output, running, frameUrl, title, width } = props;
  const html = useDebounced(outputText(output), running);
  if (html.trim() === '') return null;
  const frame = (
    <FrameView
      html={html}
      url={pageFor(html, frameUrl)}
      title={title}
      output={output}
      width={width}
    />
  );
  const View = mayBeWidget(html)
    ? WidgetDisplay
    : jupyterWidget.test(html)
      ? JupyterWidgetDisplay
      : isMarkdownHtml(html)
        ? Markdown
        : undefined;
  if (!View) return frame;
  return (
    <CodeBoundary fallback={<Pending />}>
      <View {...props} html={html} fallback={frame} />
    </CodeBoundary>
  );
}
