import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { notebookParts } from '../../../test/support/notebook-parts.ts';
import type { Note, Paragraph } from '../../protocol/objects.ts';
import { fromNotebook, isNotebook, toNotebook } from './jupyter.ts';
import { joinedText } from './jupyter-outputs.ts';
import type { Notebook } from './jupyter-types.ts';

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
  const results = (code: string, ...outputs: readonly [string, string][]) => ({
    code,
    msg: outputs.map(([type, data]) => ({ type, data })),
  });
  const paragraphs: Partial<Paragraph>[] = [
    {
      title: 'Head',
      text: '%md\n# x',
      config: { enabled: true, colWidth: 6, editorHide: true },
      status: 'FINISHED',
      results: results('SUCCESS', ['HTML', '<h1>x</h1>']),
    },
    {
      text: '%python\n\nprint(1)\n',
      config: { enabled: true },
      status: 'FINISHED',
      results: results('SUCCESS', ['TEXT', '1\n'], ['IMG', 'iVBORw0KGgo=']),
    },
    {
      text: '%sql(limit=5)\nselect 1',
      config: { enabled: true },
      status: 'FINISHED',
      results: results('SUCCESS', ['TABLE', 'a\tb\n0\t<i>\n'], ['ANGULAR', '<b>{{x}}</b>']),
    },
    {
      text: '%network.py\nx',
      config: { enabled: true },
      status: 'FINISHED',
      results: results('SUCCESS', ['NETWORK', '{"nodes":[]}'], ['SVG', '<svg>\n</svg>']),
    },
    {
      text: 'no magic',
      config: { enabled: false },
      status: 'ERROR',
      results: results('ERROR', ['HTML', 'a'], ['TEXT', 'boom\nat 1\n']),
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
        results: {
          code: 'SUCCESS',
          msg: [
            { type: 'TEXT', data: '1\n' },
            {
              type: 'TEXT',
              data: 'two\n',
              jupyter: { output: { output_type: 'stream', name: 'stderr' } },
            },
          ],
          executionCount: 1,
        },
      },
    ]);
  });

  test.each([
    [{ 'text/html': ['<p>', '</p>'], 'text/plain': 'p' }, 'HTML', '<p></p>'],
    [{ 'text/markdown': '**a**', 'text/plain': '<Markdown>' }, 'TEXT', '**a**'],
    [{ 'text/latex': '$a$', 'image/png': 'iVBORw0K', 'text/plain': 'a' }, 'TEXT', '$a$'],
    [{ 'image/svg+xml': '<svg/>', 'image/png': 'iVBORw0K' }, 'SVG', '<svg/>'],
    [{ 'image/png': 'iVBO\nRw0K\n', 'text/plain': '<Figure>' }, 'IMG', 'iVBORw0K'],
    [
      { 'image/webp': 'UklGRg==', 'text/plain': 'x' },
      'HTML',
      '<img alt="" src="data:image/webp;base64,UklGRg==">',
    ],
    [{ 'application/json': [1], 'text/plain': 'x' }, 'TEXT', '[\n  1\n]\n'],
    [{ 'text/plain': ['42'] }, 'TEXT', '42\n'],
    [{ 'application/x-unknown': 'a' }, 'TEXT', ''],
  ])('shows the richest type of %j as %s', (data, type, shown) => {
    const output = { output_type: 'display_data', metadata: {}, data };
    expect(importCells([code('x', [output])]).paragraphs[0]?.results?.msg).toEqual([
      { type, data: shown, jupyter: expect.anything() },
    ]);
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

  test('replaces known cell magics and keeps others, without making forms', () => {
    const texts = importCells([
      code('%%bash\nX=1; echo ${X}'),
      code("%%sql\nselect '${a}'"),
      code('%%sql sqlite:///x.db\nselect 1'),
      code('%%time\nf"${x}"'),
      code('%matplotlib inline\nx'),
      code('%%constructor\nx'),
      { cell_type: 'markdown', metadata: {}, source: 'Costs $${c}$ and ${x}$' },
      { cell_type: 'raw', metadata: {}, source: '\\section{A_b}' },
    ]).paragraphs.map(({ text }) => text);
    expect(texts).toEqual([
      '%sh\nX=1; echo \\${X}',
      "%sql\nselect '\\${a}'",
      '%python\n%%sql sqlite:///x.db\nselect 1',
      '%python\n%%time\nf"${x}"',
      '%python\n%matplotlib inline\nx',
      '%python\n%%constructor\nx',
      '%md\nCosts $\\${c}$ and \\${x}$',
      '%raw\n\\section{A_b}',
    ]);
  });

  test.each([[{}], [[]], [null], [{ cells: [7] }], [{ nbformat: 5, cells: [] }]])(
    'rejects %j',
    (value) => {
      expect(() => fromNotebook(value)).toThrow(/Jupyter notebook/);
    },
  );
});

describe('notebooks of other programs', () => {
  const file = join(import.meta.dirname, '../../../test/fixtures/notebooks.jsonl');
  const notebooks = readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { name: string; notebook: Notebook })
    .filter(({ notebook }) => Number(notebook.nbformat) === 4);
  const noteOf = (notebook: Notebook) => {
    const { name: _name, images, paragraphs, config } = fromNotebook(notebook);
    return { images, note: { ...note(...paragraphs), config } as Note };
  };

  test.each(notebooks)('$name is the same after an import and an export', ({ notebook }) => {
    const { note: imported, images } = noteOf(notebook);
    const back = toNotebook(imported, images);
    expect(notebookParts(back)).toEqual(notebookParts(notebook));
    const [first] = imported.paragraphs!;
    if (!first) return;
    first.text += '\nedited';
    const { cells } = toNotebook(imported, images);
    expect(cells.map(({ source }) => joinedText(source))).toEqual(
      back.cells.map(({ source }, at) => joinedText(source) + (at === 0 ? '\nedited' : '')),
    );
    expect(cells.map((cell) => ({ ...cell, source: 0 }))).toEqual(
      back.cells.map((cell) => ({ ...cell, source: 0 })),
    );
  });

  test('have the magic of their language or kernel', () => {
    const magics = notebooks
      .filter(({ name }) => name.startsWith('language-'))
      .map(({ name, notebook }) => [name.slice(9), noteOf(notebook).note.paragraphs![0]!.text]);
    expect(magics.map(([name, text = '']) => `${name} ${text.split('\n')[0]}`)).toEqual([
      'deno %js',
      'gophernotes %go',
      'haskell %haskell',
      'ir %r',
      'julia-1.10 %julia',
      'kotlin %kotlin',
      'octave %octave',
      'rust %rust',
      'sos %sos',
      'xcpp17 %xcpp17',
    ]);
  });

  test('have their attachments as images', () => {
    const { notebook } = notebooks.find(({ name }) => name === 'attachments')!;
    const { note: imported, images } = noteOf(notebook);
    expect(Object.keys(images)).toEqual([
      'one.png',
      'Screenshot 2024-05-01 at 10.11.12.png',
      'sized.png',
      'titled.png',
      'with space.png',
      'ref.png',
      'щенок.png',
      'link.png',
      '2f6c.png',
    ]);
    expect(
      imported.paragraphs!.map(({ text }) => text).filter((text) => /attachment:/.test(text!)),
    ).toEqual([]);
  });

  test('of format 3 are read', () => {
    const old = readFileSync(file, 'utf8')
      .split('\n')
      .find((line) => line.includes('nbformat-3'))!;
    const { name, paragraphs } = fromNotebook((JSON.parse(old) as { notebook: unknown }).notebook);
    expect(name).toBe('Old study');
    expect(paragraphs.map(({ text }) => text)).toEqual([
      '%md\n## Results',
      '%python\nx = 2\nprint x',
      '%md\n*end*',
    ]);
    expect(paragraphs[1]?.results).toMatchObject({
      msg: [{ data: '2\n' }, { data: '4\n' }, { type: 'IMG' }],
      executionCount: 1,
    });
  });
});
