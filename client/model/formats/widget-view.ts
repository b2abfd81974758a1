/**
 * Views of Jupyter widgets as HTML outputs. Pages that reach the kernel draw them; others show the
 * fallback in the output.
 */
import { jsonObjectOf, parseJson } from '../json-object.ts';
import { scriptJson } from '../text/script-json.ts';

/** MIME type of a view of a widget. */
export const WIDGET_VIEW_TYPE = 'application/vnd.jupyter.widget-view+json';
const carrier = /^\s*<tiding-jupyter-widget><script type="[\w./+-]+">([\s\S]*?)<\/script>/;

/** A view of a Jupyter widget. */
export interface WidgetView {
  /** Id of the kernel that has the widget, as `paragraph.comms` takes it. */
  readonly kernel: string;
  /** Id of the widget's model, which is also the id of its comm. */
  readonly model: string;
}

/** Returns the HTML of a view. `fallback`: text for pages that can't draw it. */
export function widgetViewHtml({ kernel, model }: WidgetView, fallback: string): string {
  const json = scriptJson({ model_id: model, version_major: 2, version_minor: 0, kernel });
  const text = fallback.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  return (
    `<tiding-jupyter-widget><script type="${WIDGET_VIEW_TYPE}">${json}</script>` +
    `<pre>${text}</pre></tiding-jupyter-widget>`
  );
}

/**
 * Returns the view of a Jupyter widget in the text of an HTML output, if it is one.
 *
 * @example
 * const view = widgetViewInHtml(outputText(output));
 * if (view) console.log(await (await paragraph.comms(view.kernel)).load(view.model));
 */
export function widgetViewInHtml(html: string): WidgetView | undefined {
  const view = parseJson(carrier.exec(html)?.[1] ?? '');
  const { kernel, model_id: model } = jsonObjectOf(view);
  return typeof kernel === 'string' && typeof model === 'string' ? { kernel, model } : undefined;
}

/** Returns the view in the bundle of an output of Jupyter. */
export const widgetViewBundle = ({ model }: WidgetView): Record<string, unknown> => ({
  [WIDGET_VIEW_TYPE]: { model_id: model, version_major: 2, version_minor: 0 },
});

/** Returns the text that pages show that can't draw a view. */
export function widgetFallback(html: string): string {
  const text = /<pre>([\s\S]*)<\/pre><\/tiding-jupyter-widget>\s*$/.exec(html)?.[1] ?? '';
  return text.replaceAll('&lt;', '<').replaceAll('&amp;', '&');
}
