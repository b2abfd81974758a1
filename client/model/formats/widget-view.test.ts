import { expect, it } from 'vitest';
import { fromNotebook, toNotebook } from './jupyter.ts';
import { widgetFallback, widgetViewHtml, widgetViewInHtml } from './widget-view.ts';

const view = { kernel: 'k</script>', model: 'm' };
const html = widgetViewHtml(view, 'IntSlider(description="<b> & c")');

it('is found in the HTML of an output, with its fallback', () => {
  expect(widgetViewInHtml(html)).toEqual(view);
  expect(html.match(/<\/script>/g)).toHaveLength(1);
  expect(widgetFallback(html)).toBe('IntSlider(description="<b> & c")');
});

it('is absent from other and from damaged outputs', () => {
  for (const text of ['', '<b>x</b>', html.replace('{', ''), html.replace('model_id', 'x')])
    expect(widgetViewInHtml(text)).toBeUndefined();
});

it('is a view of a widget in a Jupyter notebook, which shows the text without its kernel', () => {
  const results = { code: 'SUCCESS', msg: [{ type: 'HTML', data: html }] };
  const notebook = toNotebook({
    name: 'n',
    paragraphs: [{ id: 'p', text: '%python\nx', results, status: 'FINISHED' }],
  } as never);
  expect(JSON.stringify(notebook)).toContain('application/vnd.jupyter.widget-view+json');
  const [paragraph] = fromNotebook(notebook).paragraphs;
  expect(JSON.stringify(paragraph!.results)).toContain('IntSlider');
});
