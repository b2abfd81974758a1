/** Data of a page as static HTML, rendered in Node. */
import { renderOutput } from '@tiding/elements/snapshot';
import { describe, expect, it } from 'vitest';

const sales = [
  { city: 'Oslo <1>', id: 9007199254740993n, rain: 30.5, tags: ['a'] },
  { city: null, id: 1n, rain: Number.NaN },
];
const bodyOf = (html: string) => html.replace(/<style>[\s\S]*<\/style>/, '');
const cellsOf = (html: string) =>
  [...html.matchAll(/<td(?: class="right")?>(.*?)<\/td>/g)].map(([, cell]) =>
    cell!.replace(/<[^>]*>/g, ''),
  );

describe('renderOutput', () => {
  it('renders rows as <tiding-output> with a declarative shadow root', async () => {
    const html = await renderOutput(sales, { theme: 'dark', bare: true, rows: 1 });
    expect(html).toMatch(/^<tiding-output bare="" theme="dark"><template shadowrootmode="open">/);
    expect(html).toMatch(/<\/template><\/tiding-output>$/);
    expect(cellsOf(html)).toEqual([
      'Oslo &lt;1&gt;',
      '9007199254740993',
      '30.5',
      '[&quot;a&quot;]',
    ]);
    expect(html).toContain('The first 1 of 2 rows');
    expect(html).not.toMatch(/class="result-bar"| style=/);
    expect(cellsOf(await renderOutput(sales))).toHaveLength(8);
    expect(await renderOutput(sales)).toContain('class="result-bar"');
  });

  it('draws the configured chart', async () => {
    const config = { mode: 'multiBarChart', keys: 'city', values: 'rain' };
    const html = await renderOutput({ city: ['Oslo', 'Rome'], rain: [30, 12] }, { config });
    expect(html).toContain('<svg');
    expect(html).toContain('role="img"');
    await expect(renderOutput(sales, { config: { keys: 'town' } })).rejects.toMatchObject({
      code: 'protocol',
      message: "There is no column 'town' for keys. Use city, id, rain, tags.",
    });
  });

  it('renders notebooks without their scripts, and refuses other data', async () => {
    const cell = (type: string, more: object) => ({ cell_type: type, metadata: {}, ...more });
    const data = { 'text/html': '<b onclick="x()">bold</b><script>x()</script>' };
    const error = { output_type: 'error', ename: 'E', evalue: 'bad', traceback: ['E: bad'] };
    const html = await renderOutput({
      nbformat: 4,
      nbformat_minor: 5,
      metadata: {},
      cells: [
        cell('markdown', { source: '# Title\n<script>x()</script>' }),
        cell('code', {
          source: 'private',
          execution_count: 1,
          outputs: [{ output_type: 'display_data', metadata: {}, data }, error],
        }),
      ] as never,
    });
    const body = bodyOf(html);
    expect(body).toMatch(/<h1>Title<\/h1>[\s\S]*<b>bold<\/b>[\s\S]*class="error-title"/);
    expect(body).not.toMatch(/script|onclick|private/);
    await expect(renderOutput({ a: 1 } as never)).rejects.toMatchObject({
      code: 'protocol',
      message: expect.stringContaining('an object with the keys a. Use a list of row objects'),
    });
    await expect(renderOutput(sales, { rows: 0 })).rejects.toThrow("'rows' is 0");
  });
});
