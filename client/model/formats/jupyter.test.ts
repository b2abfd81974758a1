import { describe, expect, test } from 'vitest';
import type { Note, Paragraph } from '../../protocol/objects.ts';
import { fromNotebook, isNotebook, toNotebook } from './jupyter.ts';

const note = (...paragraphs: Partial<Paragraph>[]): Note => ({
  id: '2A',
  name: 'team/report',
  paragraphs: paragraphs.map((each, at) => ({ id: `p${at}`, ...each })),
});
const cellOf = (paragraph: Partial<Paragraph>) => toNotebook(note(paragraph)).cells[0]!;
const importCells = (cells: unknown[], rest: object = {}) =>
  fromNotebook({ nbformat: 4, nbformat_minor: 5, metadata: {}, cells, ...rest });
const code = (source: unknown, outputs: unknown[] = []) => ({
  cell_type: 'code',
  metadata: {},
  source,
  outputs,
  execution_count: 1,
});

describe('a note as a notebook', () => {
  test('has the last segment of the path as name, and version 4', () => {
    expect(toNotebook(note())).toMatchObject({
      nbformat: 4,
      metadata: { name: 'report', language_info: { name: 'python' } },
      cells: [],
    });
  });

  test('has cells of the right type, each with its source in lines', () => {
    expect(cellOf({ text: '%md\n# x\ny' })).toMatchObject({
      cell_type: 'markdown',
      source: ['# x\n', 'y'],
    });
    expect(cellOf({ text: '%python\nprint(1)' })).toMatchObject({
      cell_type: 'code',
      source: ['print(1)'],
      outputs: [],
    });
    expect(cellOf({ text: '%sql\nselect 1' })).toMatchObject({
      cell_type: 'code',
      source: ['%%sql\n', 'select 1'],
    });
    expect(cellOf({ text: 'select 1' })).toMatchObject({ cell_type: 'code', source: ['select 1'] });
  });

  test.each([
    ['TEXT', 'a\nb', { output_type: 'stream', name: 'stdout', text: ['a\n', 'b'] }],
    ['HTML', '<b>x</b>', { output_type: 'display_data', data: { 'text/html': ['<b>x</b>'] } }],
    ['IMG', 'iVBORw0KGgo=', { output_type: 'display_data', data: { 'image/png': 'iVBORw0KGgo=' } }],
    ['IMG', '/9j/4AAQ', { data: { 'image/jpeg': '/9j/4AAQ' } }],
    ['SVG', '<svg/>', { data: { 'image/svg+xml': ['<svg/>'] } }],
    [
      'TABLE',
      'a\tb\n1\t<i>\n',
      {
        data: {
          'text/html': [
            '<table><thead><tr><th>a</th><th>b</th></tr></thead><tbody><tr><td>1</td>' +
              '<td>&lt;i&gt;</td></tr></tbody></table>',
          ],
        },
      },
    ],
    ['NETWORK', '{}', { data: { 'text/plain': ['{}'] } }],
  ])('has %s outputs', (type, data, output) => {
    expect(
      cellOf({ text: '%python\nx', results: { code: 'SUCCESS', msg: [{ type, data }] } }).outputs,
    ).toMatchObject([output]);
  });

  test('has failures as error outputs', () => {
    const cell = cellOf({
      text: '%python\nx',
      status: 'ERROR',
      results: { code: 'ERROR', msg: [{ type: 'TEXT', data: 'Traceback\nNameError: x' }] },
    });
    expect(cell.outputs).toEqual([
      {
        output_type: 'error',
        ename: 'Error',
        evalue: 'NameError: x',
        traceback: ['Traceback', 'NameError: x'],
      },
    ]);
  });
});

describe('a round trip', () => {
  const paragraphs: Partial<Paragraph>[] = [
    {
      title: 'Head',
      text: '%md\n# x',
      config: { enabled: true, colWidth: 6, editorHide: true },
      status: 'FINISHED',
      results: { code: 'SUCCESS', msg: [{ type: 'HTML', data: '<h1>x</h1>' }] },
    },
    {
      text: '%python\n\nprint(1)\n',
      config: { enabled: true },
      status: 'FINISHED',
      results: {
        code: 'SUCCESS',
        msg: [
          { type: 'TEXT', data: '1\n' },
          { type: 'IMG', data: 'iVBORw0KGgo=' },
        ],
      },
    },
    {
      text: '%sql(limit=5)\nselect 1',
      config: { enabled: true },
      status: 'FINISHED',
      results: {
        code: 'SUCCESS',
        msg: [
          { type: 'TABLE', data: 'a\tb\n0\t<i>\n' },
          { type: 'ANGULAR', data: '<b>{{x}}</b>' },
        ],
      },
    },
    {
      text: '%network.py\nx',
      config: { enabled: true },
      status: 'FINISHED',
      results: {
        code: 'SUCCESS',
        msg: [
          { type: 'NETWORK', data: '{"nodes":[]}' },
          { type: 'SVG', data: '<svg>\n</svg>' },
        ],
      },
    },
    {
      text: 'no magic',
      config: { enabled: false },
      status: 'ERROR',
      results: {
        code: 'ERROR',
        msg: [
          { type: 'HTML', data: 'a' },
          { type: 'TEXT', data: 'boom\nat 1\n' },
        ],
      },
    },
    { text: '', config: { enabled: true }, status: 'READY' },
  ];

  test('restores every paragraph, also through a file', () => {
    const text = JSON.stringify(toNotebook(note(...paragraphs)));
    expect(fromNotebook(JSON.parse(text)).paragraphs).toEqual(paragraphs);
  });

  test('keeps a change that was made to a cell elsewhere', () => {
    const notebook = JSON.parse(JSON.stringify(toNotebook(note(paragraphs[1]!)))) as {
      cells: { source: string[] }[];
    };
    notebook.cells[0]!.source = ['print(2)'];
    expect(fromNotebook(notebook).paragraphs[0]).toMatchObject({ text: '%python\nprint(2)' });
  });
});

describe('a notebook as paragraphs', () => {
  test('is distinguished from a note', () => {
    expect(isNotebook({ cells: [] })).toBe(true);
    expect(isNotebook({ paragraphs: [], cells: [] })).toBe(false);
    expect(isNotebook([])).toBe(false);
  });

  test('has Markdown and code as paragraphs, with outputs', () => {
    const { name, paragraphs } = importCells(
      [
        { cell_type: 'markdown', metadata: {}, source: ['# md'] },
        code(
          ['print(1)'],
          [
            { output_type: 'stream', name: 'stdout', text: ['1\n'] },
            { output_type: 'stream', name: 'stderr', text: 'two\n' },
          ],
        ),
      ],
      { name: 'imported/jupyter' },
    );
    expect(name).toBe('imported/jupyter');
    expect(paragraphs).toEqual([
      { text: '%md\n# md', config: { enabled: true }, status: 'READY' },
      {
        text: '%python\nprint(1)',
        config: { enabled: true },
        status: 'FINISHED',
        results: { code: 'SUCCESS', msg: [{ type: 'TEXT', data: '1\ntwo\n' }] },
      },
    ]);
  });

  test.each([
    [
      { data: { 'text/html': ['<p>', '</p>'], 'text/plain': 'p' } },
      { type: 'HTML', data: '<p></p>' },
    ],
    [
      { data: { 'image/png': 'iVBO\nRw0K\n', 'text/plain': '<Figure>' } },
      { type: 'IMG', data: 'iVBORw0K' },
    ],
    [{ data: { 'image/svg+xml': '<svg/>' } }, { type: 'SVG', data: '<svg/>' }],
    [{ data: { 'text/plain': ['42'] } }, { type: 'TEXT', data: '42\n' }],
    [{ data: { 'application/json': [1] } }, { type: 'TEXT', data: '[\n  1\n]\n' }],
  ])('uses the richest format of %j', (output, message) => {
    expect(
      importCells([code('x', [{ output_type: 'display_data', metadata: {}, ...output }])])
        .paragraphs[0]?.results?.msg,
    ).toEqual([message]);
  });

  test('has an error as error', () => {
    const [paragraph] = importCells([
      code('x', [{ output_type: 'error', ename: 'NameError', evalue: 'x', traceback: ['a', 'b'] }]),
    ]).paragraphs;
    expect(paragraph).toMatchObject({
      status: 'ERROR',
      results: { code: 'ERROR', msg: [{ type: 'TEXT', data: 'a\nb' }] },
    });
  });

  test('replaces known cell magics and keeps others', () => {
    const texts = importCells([
      code('%%bash\nls'),
      code('%%sql\nselect 1'),
      code('%%time\nx'),
      code('%matplotlib inline\nx'),
      code('%%constructor\nx'),
    ]).paragraphs.map(({ text }) => text);
    expect(texts).toEqual([
      '%sh\nls',
      '%sql\nselect 1',
      '%python\n%%time\nx',
      '%python\n%matplotlib inline\nx',
      '%python\n%%constructor\nx',
    ]);
  });

  test('runs another language with its interpreter', () => {
    expect(
      importCells([code('1')], { metadata: { language_info: { name: 'R' } } }).paragraphs[0]?.text,
    ).toBe('%r\n1');
  });

  test.each([[{}], [[]], [null], [{ cells: [7] }], [{ nbformat: 3, cells: [] }]])(
    'rejects %j',
    (value) => {
      expect(() => fromNotebook(value)).toThrow(/Jupyter notebook/);
    },
  );
});
