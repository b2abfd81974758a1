/**
 * Charts that a library describes as JSON, as HTML outputs. Pages that know the library draw them;
 * others show the fallback in the output.
 */
import type { JsonObject } from '../../protocol/define.ts';
import { jsonObjectOf, parseJson } from '../json-object.ts';
import { scriptJson } from '../text/script-json.ts';

/** A chart of Plotly, Vega-Lite or Vega, of any version. Altair 6 writes `.json`. */
const mimeType = /^application\/vnd\.(?:plotly|vegalite|vega)\.v\d+[.+]json$/;
const carrier = /^\s*<tiding-chart><script type="([\w./+-]+)">([\s\S]*?)<\/script>/;

/** A chart and the MIME type of its description. */
export interface ChartOutput {
  /** MIME type, for example `application/vnd.plotly.v1+json`. */
  readonly type: string;
  /** The JSON that the library draws. */
  readonly description: JsonObject;
}

/** Returns the chart in a MIME bundle, if there is one. */
export function chartInBundle(bundle: JsonObject): ChartOutput | undefined {
  const type = Object.keys(bundle).find((key) => mimeType.test(key));
  return type === undefined ? undefined : { type, description: jsonObjectOf(bundle[type]) };
}

/** Returns the HTML of a chart. `image`: base64 PNG for pages that can't draw it. */
export function chartHtml({ type, description }: ChartOutput, image?: string): string {
  const fallback = image
    ? `<img alt="" src="data:image/png;base64,${image}">`
    : '<p>This chart is drawn by a script, which does not run here.</p>';
  const json = scriptJson(description);
  return `<tiding-chart><script type="${type}">${json}</script>${fallback}</tiding-chart>`;
}

/** Returns the chart in an HTML output, if it has one. */
export function chartInHtml(html: string): ChartOutput | undefined {
  const [, type = '', json = ''] = carrier.exec(html) ?? [];
  const description = mimeType.test(type) ? parseJson(json) : undefined;
  return description === undefined ? undefined : { type, description: jsonObjectOf(description) };
}
