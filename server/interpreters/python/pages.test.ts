/**
 * Tests that chart libraries produce outputs that need no network. The tests do not install the
 * libraries.
 * A test runs if the environment of %python (`TIDING_PYTHON_ENV`) has its library, and prints that
 * it is skipped otherwise.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { chartInHtml } from '@tiding/client/model';
import { describe, expect, it } from 'vitest';
import { untilEnd } from '../../../test/support/until-end.ts';
import { runCode, testHost } from '../test-support.ts';
import { python } from './python.ts';

const run = (code: string) => runCode(kernel, code);
const has = async (library: string): Promise<boolean> =>
  (await run(`import importlib.util\nprint(importlib.util.find_spec('${library}') is not None)`))
    .outputs[0]?.data === 'True\n';
/** Stores a page for inspection in a browser. */
const keep = (name: string, html: string): void => {
  const folder = process.env['TIDING_PAGES'];
  if (!folder) return;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${name}.html`), html);
};

const host = testHost();
const kernel = untilEnd(python.create(host));
await run('1');

describe('a chart', () => {
  it.each([
    [
      'plotly',
      'as last value',
      'import plotly.graph_objects as go\n' +
        "figure = go.Figure(go.Bar(x=['a', 'b'], y=[1, 3]))\nfigure",
      'application/vnd.plotly.v1+json',
    ],
    [
      'plotly',
      'with show()',
      "import plotly.graph_objects as go\ngo.Figure(go.Bar(x=['a', 'b'], y=[1, 3])).show()",
      'application/vnd.plotly.v1+json',
    ],
    [
      'altair',
      'as last value',
      'import altair as alt, pandas as pd\n' +
        "alt.Chart(pd.DataFrame({'a': ['x', 'y'], 'b': [1, 2]})).mark_bar().encode(x='a', " +
        "y='b')",
      /^application\/vnd\.vegalite\.v\d[.+]json$/,
    ],
  ] as const)('of %s %s is described without its library', async (library, _how, code, type) => {
    if (!(await has(library))) return console.log(`skipped: %python has no ${library}`);
    const { end, outputs } = await run(code);
    expect(end).toEqual({ code: 'SUCCESS' });
    expect(outputs.map((output) => output.type)).toEqual(['HTML']);
    const chart = chartInHtml(outputs[0]!.data);
    expect(chart?.type).toMatch(type);
    expect(outputs[0]!.data.length).toBeLessThan(20_000);
  });
});

describe('a self-contained page', () => {
  it('is produced by bokeh with show(), as one output that includes the library', async () => {
    if (!(await has('bokeh'))) return console.log('skipped: %python has no bokeh');
    const { end, outputs } = await run(
      'from bokeh.io import output_notebook, show\nfrom bokeh.plotting import figure\n' +
        'output_notebook()\np = figure(width=300, height=200)\np.line([1, 2, 3], [3, 1, 2])\n' +
        'show(p)',
    );
    expect(end).toEqual({ code: 'SUCCESS' });
    expect(outputs.map(({ type }) => type)).toEqual(['HTML']);
    const { data } = outputs[0]!;
    expect(data).toMatch(/Bokeh\.safely|embed_document/);
    expect(data.length).toBeGreaterThan(300_000);
    expect(data).not.toMatch(/<script[^>]*\ssrc=/);
    keep('bokeh', data);
  });

  it('is not produced if the user configured another renderer', async () => {
    if (!(await has('plotly'))) return console.log('skipped: %python has no plotly');
    const { outputs } = await run(
      "import plotly.io as pio, plotly.graph_objects as go\npio.renderers.default = 'json'\n" +
        "go.Figure().show()\npio.renderers.default = 'plotly_mimetype'",
    );
    expect(outputs.map(({ type }) => type)).not.toContain('HTML');
  });

  it('is produced by folium, with its library from a CDN', async () => {
    if (!(await has('folium'))) return console.log('skipped: %python has no folium');
    const { outputs } = await run('import folium\nfolium.Map([52.5, 13.4], zoom_start=11)');
    expect(outputs).toHaveLength(1);
    expect(outputs[0]!.data).toMatch(/srcdoc=[\s\S]*cdn\.jsdelivr\.net/);
    keep('folium', outputs[0]!.data);
  });

  it('does not affect other imports', async () => {
    expect(
      (await run('import json, sqlite3, xml.dom.minidom\nprint(json.dumps([1]))')).outputs,
    ).toEqual([{ type: 'TEXT', data: '[1]\n' }]);
  });
});
