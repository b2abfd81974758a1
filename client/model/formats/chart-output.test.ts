import { describe, expect, it } from 'vitest';
import { chartHtml, chartInBundle, chartInHtml } from './chart-output.ts';
import { fromNotebook, toNotebook } from './jupyter.ts';

const bundle = {
  'text/plain': 'chart',
  'text/html': '<div>needs a CDN</div>',
  'application/vnd.vegalite.v6+json': { title: '</script><b>', data: { values: [] } },
};
const chart = {
  type: 'application/vnd.vegalite.v6+json',
  description: bundle['application/vnd.vegalite.v6+json'],
};

describe('a chart of a library', () => {
  it('is found in a bundle of any version', () => {
    expect(chartInBundle(bundle)).toEqual(chart);
    expect(chartInBundle({ 'application/vnd.plotly.v1+json': {} })?.type).toBe(
      'application/vnd.plotly.v1+json',
    );
    expect(chartInBundle({ 'application/vnd.vegalite.v6.json': {} })?.type).toBe(
      'application/vnd.vegalite.v6.json',
    );
    expect(chartInBundle({ 'text/html': '', 'application/json': {} })).toBeUndefined();
  });

  it('becomes HTML that nothing in it can leave, and is read back', () => {
    const html = chartHtml(chart);
    expect(html.match(/<\/script>/g)).toHaveLength(1);
    expect(html).not.toContain('<b>');
    expect(chartInHtml(html)).toEqual(chart);
    expect(chartInHtml(html.replace('{', '{,'))).toBeUndefined();
    expect(chartInHtml('<tiding-chart><script type="text/x">{}</script>')).toBeUndefined();
    expect(chartHtml(chart, 'QQ==')).toContain('src="data:image/png;base64,QQ=="');
  });

  it('keeps its type in a Jupyter notebook', () => {
    const note = {
      id: 'n',
      paragraphs: [
        {
          id: 'p',
          text: '%python\nx',
          results: { code: 'SUCCESS', msg: [{ type: 'HTML', data: chartHtml(chart) }] },
        },
      ],
    };
    const notebook = toNotebook(note);
    expect(JSON.stringify(notebook)).toContain('"application/vnd.vegalite.v6+json":{');
    expect(fromNotebook(notebook).paragraphs[0]!.results).toEqual(note.paragraphs[0]!.results);
  });
});
