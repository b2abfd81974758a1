import type { Output } from '@tiding/client';
import { cellText } from '@tiding/client/model';
import { tableFromArrays, tableToIPC } from 'apache-arrow';
import { describe, expect, it } from 'vitest';
import type { RowSource } from '../result/rows/row-source.ts';
import { readData } from './data.ts';
import { configOfRows, viewIds } from './view-config.ts';

async function rowsOf(data: unknown): Promise<RowSource> {
  const content = await readData(data);
  if (!('rows' in content)) throw new Error('no rows');
  return content.rows;
}
/** Kind and texts of each column. */
async function columnsOf(data: unknown): Promise<Record<string, unknown[]>> {
  const rows = await rowsOf(data);
  return Object.fromEntries(
    rows.columns.map(({ name, kind, index }) => [
      name,
      [kind, ...Array.from({ length: rows.length }, (_, row) => cellText(rows, row, index))],
    ]),
  );
}
const outputsOf = async (data: unknown): Promise<(Pick<Output, 'type'> & { text: string })[][]> => {
  const content = await readData(data);
  if (!('blocks' in content)) throw new Error('no blocks');
  return content.blocks.map(({ outputs }) =>
    outputs.map(({ type, chunks }) => ({ type, text: chunks.join('') })),
  );
};
const refusal = (data: unknown) =>
  readData(data).then(
    () => 'accepted',
    (error: Error & { code: string }) => `${error.code}: ${error.message}`,
  );
const code = (...outputs: object[]) => ({
  cell_type: 'code',
  metadata: {},
  source: ['x'],
  execution_count: 1,
  outputs,
});
const stream = (text: string) => ({ output_type: 'stream', name: 'stdout', text });

describe('rows of a page', () => {
  it('have the type that all values of a column have', async () => {
    const day = new Date('2026-01-31T10:00:00Z');
    const data = {
      id: [1, null, -3],
      long: [9007199254740993n, 1, undefined],
      part: [0.1, Number.NaN, -0],
      large: [2 ** 60, 1, 2],
      flag: [true, null, false],
      code: ['007', '1.10', 'null'],
      day: [day, null, new Date(Number.NaN)],
      moment: [day, new Date(1), new Date(-1)],
      bytes: [Uint8Array.of(1, 255), null, new Uint8Array()],
      nested: [{ a: [1n, Number.NaN, day] }, [], null],
      price: [{ toJSON: () => '1.20' }, null, null],
      mixed: [1, '1', { b: null }],
      none: [null, undefined, null],
    };
    const expected = {
      id: ['integer', '1', '', '-3'],
      long: ['integer', '9007199254740993', '1', ''],
      part: ['float', '0.1', 'NaN', '-0'],
      large: ['float', '1152921504606847000', '1', '2'],
      flag: ['boolean', 'true', '', 'false'],
      code: ['text', '007', '1.10', 'null'],
      day: ['timestamp', '2026-01-31 10:00:00Z', '', ''],
      moment: [
        'timestamp',
        '2026-01-31 10:00:00Z',
        '1970-01-01 00:00:00.001Z',
        '1969-12-31 23:59:59.999Z',
      ],
      bytes: ['binary', '\\x01\\xFF', '', ''],
      nested: ['text', '{"a":[1,"NaN","2026-01-31T10:00:00.000Z"]}', '[]', ''],
      price: ['text', '1.20', '', ''],
      mixed: ['text', '1', '1', '{"b":null}'],
      none: ['text', '', '', ''],
    };
    expect(await columnsOf(data)).toEqual(expected);
    const names = Object.keys(data) as (keyof typeof data)[];
    const objects = [0, 1, 2].map((row) =>
      Object.fromEntries(names.map((name) => [name, data[name][row]])),
    );
    expect(await columnsOf(objects)).toEqual(expected);
  });

  it('have the keys of all objects as columns, and no inherited ones', async () => {
    expect(await columnsOf([{ b: 1 }, { a: 'x', b: 2 }, { constructor: 1 }])).toEqual({
      b: ['integer', '1', '2', ''],
      a: ['text', '', 'x', ''],
      constructor: ['integer', '', '', '1'],
    });
    expect((await rowsOf([])).columns).toEqual([]);
    expect(await columnsOf({ n: Float64Array.of(1, 2.5), big: BigInt64Array.of(1n, -1n) })).toEqual(
      { n: ['float', '1', '2.5'], big: ['integer', '1', '-1'] },
    );
  });

  it('are read from Arrow bytes and from JSON text', async () => {
    const bytes = tableToIPC(tableFromArrays({ n: Int32Array.of(1, 2), city: ['Oslo', 'Rome'] }));
    const expected = { n: ['integer', '1', '2'], city: ['text', 'Oslo', 'Rome'] };
    expect(await columnsOf(bytes)).toEqual(expected);
    expect(await columnsOf(bytes.slice().buffer)).toEqual(expected);
    expect(await columnsOf('[{"n": 1, "city": "Oslo"}, {"n": 2, "city": "Rome"}]')).toEqual(
      expected,
    );
  });
});

describe('outputs', () => {
  it('are read from a bundle, an output, a cell, and Zeppelin', async () => {
    expect(await outputsOf({ 'text/plain': ['a\n', 'b'], 'text/html': ['<b>', 'x</b>'] })).toEqual([
      [{ type: 'HTML', text: '<b>x</b>' }],
    ]);
    expect(await outputsOf({ 'application/json': { n: 1 } })).toEqual([
      [{ type: 'TEXT', text: '{\n  "n": 1\n}\n' }],
    ]);
    expect(await outputsOf(stream('one\n'))).toEqual([[{ type: 'TEXT', text: 'one\n' }]]);
    const shown = { output_type: 'execute_result', data: { 'text/plain': '2' }, metadata: {} };
    expect(await outputsOf(code(stream('one\n'), shown))).toEqual([
      [
        { type: 'TEXT', text: 'one\n' },
        { type: 'TEXT', text: '2\n' },
      ],
    ]);
    expect(await outputsOf({ type: 'HTML', data: '<b>x</b>' })).toEqual([
      [{ type: 'HTML', text: '<b>x</b>' }],
    ]);
    const failed = await readData({ code: 'ERROR', msg: [{ type: 'TEXT', data: 'Error: x' }] });
    expect('blocks' in failed && failed.blocks[0]!.status).toBe('ERROR');
  });

  it('of a notebook are in order, with its Markdown and the images in it', async () => {
    const error = { output_type: 'error', ename: 'E', evalue: 'x', traceback: ['E: x'] };
    const notebook = {
      nbformat: 4,
      nbformat_minor: 5,
      metadata: {},
      cells: [
        {
          cell_type: 'markdown',
          metadata: {},
          source: ['# Title\n', '\n', '![a](attachment:a.png) ${x=1}'],
          attachments: { 'a.png': { 'image/png': 'iVBORw0KGgo=' } },
        },
        code(stream('one\n')),
        { cell_type: 'raw', metadata: {}, source: 'raw' },
        code({ output_type: 'display_data', data: { 'text/markdown': '*x*' }, metadata: {} }),
        code(error),
      ],
    };
    const [title, one, raw, marked, failed] = await outputsOf(notebook);
    expect(title![0]!.text).toMatch(
      /^<div class="markdown-body">\n<h1>Title<\/h1>\n<p><img src="data:image\/png;base64,iVBO/,
    );
    expect(title![0]!.text).toContain('${x=1}');
    expect([one, raw]).toEqual([[{ type: 'TEXT', text: 'one\n' }], []]);
    expect(marked![0]).toEqual({
      type: 'HTML',
      text: '<div class="markdown-body">\n<p><em>x</em></p>\n</div>',
    });
    expect(failed).toEqual([{ type: 'TEXT', text: 'E: x' }]);
    const content = await readData(notebook);
    expect('blocks' in content && content.blocks.map(({ status }) => status).at(-1)).toBe('ERROR');
  });

  it('of LaTeX are formulas, beside text', async () => {
    const latex = 'a < b: $\\displaystyle \\frac{1}{2}$ and \\begin{align*}a &= 1\\end{align*}';
    const [[output] = []] = await outputsOf({ 'text/latex': latex, 'text/plain': '1/2' });
    expect(output!.text).toMatch(/<p>a &lt; b: <span[^>]*><math [\s\S]*<mfrac>[\s\S]*<mtable/);
  });

  it('of Markdown have formulas and task lists, as in a note', async () => {
    const source = '$\\frac{1}{2}$ costs $5 or $6: $$\\frac{1}$$\n\n- [x] done';
    const [[output] = []] = await outputsOf({ cell_type: 'markdown', metadata: {}, source });
    expect(output!.text).toMatch(/<math [\s\S]*<mfrac>[\s\S]*<\/math><\/span> costs \$5 or \$6: /);
    expect(output!.text).toMatch(/<code>\\frac\{1\}<\/code> \(Unexpected end of input/);
    expect(output!.text).toContain('aria-label="done">☑</span> done');
  });
});

it.each([
  [{ a: 1, b: 2 }, /unknown form: an object with the keys a, b\. Use a list of row objects, colu/],
  [{}, /unknown form: an empty object\./],
  [42, /unknown form: a number\./],
  ['{"a": ', /not valid JSON: .+ Correct the text/],
  [[{ a: 1 }, [2]], /Row 2 is a list\. Each row must be an object/],
  [{ a: [1], b: [1, 2] }, /different lengths: a 1, b 2\./],
  [Uint8Array.of(1, 2, 3), /can't be read as Arrow: .*Pass an uncompressed/],
  [{ 'application/pdf': 'JVBE' }, /type application\/pdf can't be shown\. Add text\/html/],
  [{ output_type: 'other' }, /unknown form: output_type other/],
  [{ nbformat: 5, cells: [] }, /version 5 can't be read: save it as version 4/],
])('refuses %j and says what to use', async (data, message) => {
  expect(await refusal(data)).toMatch(/^protocol: /);
  expect(await refusal(data)).toMatch(message);
});

describe('view settings', () => {
  const columns = ['city', 'year', 'avg(n)', 'n'].map((name) => ({ name }));
  const graphOf = (config: object, views?: string[]) =>
    configOfRows(config, { columns } as never, views).results[0];
  const column = (name: string, index: number, aggr = 'sum') => ({ name, index, aggr });

  it('name columns in a text or a list, with aggregations', () => {
    const graph = {
      mode: 'lineChart',
      keys: [column('city', 0), column('year', 1)],
      groups: [column('avg(n)', 2)],
      values: [column('n', 3, 'max')],
    };
    const config = { mode: 'lineChart', keys: 'city, year', groups: 'avg(n)' };
    expect(graphOf({ ...config, values: 'max(n)' })).toMatchObject({ graph });
    expect(
      graphOf({
        ...config,
        keys: ['city', { name: 'year' }],
        values: [{ name: 'n', aggr: 'max' }],
      }),
    ).toMatchObject({ graph });
    expect(graphOf({ mode: 'scatterChart', keys: 'year', values: 'n' })).toMatchObject({
      graph: { setting: { scatterChart: { xAxis: column('year', 1), yAxis: column('n', 3) } } },
    });
  });

  it('are refused with the known names', () => {
    expect(() => graphOf({ keys: 'town' })).toThrow(
      "There is no column 'town' for keys. Use city, year, avg(n), n.",
    );
    expect(() => graphOf({ values: 'median2(n)' })).toThrow("There is no aggregation 'median2'.");
    expect(() => graphOf({ mode: 'table' }, viewIds(false))).toThrow(
      "There is no view 'table'. Use multiBarChart, pieChart, ",
    );
  });
});
