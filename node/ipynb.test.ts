import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fromNotebook, toNotebook, type Json } from './ipynb.ts';

const through = (note: Json) => fromNotebook(JSON.parse(JSON.stringify(toNotebook(note))) as Json, 'x');
const cellsOf = (note: Json) => toNotebook(note)['cells'] as Json[];

describe('a note as a notebook', () => {
  test('comes back as it was, whatever it holds', () => {
    const text = fc.string({ unit: fc.constantFrom('%', 'm', 'd', 's', 'q', 'l', '\n', '\r', ' ', '(', ')', 'ä', '\u2028', '😀'), maxLength: 30 });
    const head = fc.constantFrom('', '%md\n', '%sql(limit=3)\n', '%python\n', ' %spark.pyspark ', '%ipython\n');
    const message = fc.record({ type: fc.constantFrom('TEXT', 'TABLE', 'HTML', 'SVG', 'IMG', 'ANGULAR', 'NETWORK', 'TEXT'), data: fc.string().map((data) => data.replace(/\s/g, 'x')) });
    const paragraph = fc.record({
      text: fc.tuple(head, text).map((parts) => parts.join('')), status: fc.constantFrom('READY', 'FINISHED', 'ERROR', 'ABORT'),
      title: fc.string(), config: fc.dictionary(fc.constantFrom('colWidth', 'own'), fc.integer()), settings: fc.constant({ params: { a: 1 }, forms: {} }),
      results: fc.option(fc.record({ code: fc.constantFrom('SUCCESS', 'ERROR'), msg: fc.array(message, { maxLength: 3 }) }), { nil: undefined }),
      id: fc.constantFrom('paragraph_1', '20261121-070135_35893072', 'odd id/ä'),
    });
    fc.assert(fc.property(fc.array(paragraph, { minLength: 1, maxLength: 5 }), (paragraphs) => {
      const note = JSON.parse(JSON.stringify({ name: 'folder/n', config: { looknfeel: 'report' }, noteParams: { p: 'v' }, paragraphs })) as Json;
      expect(through(note)).toEqual(note);
    }));
  });

  test('is what Jupyter reads: format 4.5, cells with fitting ids, markdown and code without magics', () => {
    const note = {
      name: 'n', paragraphs: [
        { id: 'a b', text: '%md\n# T\nx', results: { code: 'SUCCESS', msg: [{ type: 'HTML', data: '<h1>T</h1>' }] } },
        { id: 'p2', text: '%python\nprint(1)\n1', results: { code: 'SUCCESS', msg: [{ type: 'TEXT', data: '1\n' }, { type: 'TABLE', data: 'a\tb\n1\t<x>' }] } },
        { id: 'p3', text: '%sql\nselect', status: 'ERROR', results: { code: 'ERROR', msg: [{ type: 'TEXT', data: 'ParseError: near\n' }] } },
      ],
    };
    const notebook = toNotebook(note);
    expect(notebook).toMatchObject({ nbformat: 4, nbformat_minor: 5, metadata: { kernelspec: { name: 'python3' } } });
    expect(cellsOf(note)).toMatchObject([
      { cell_type: 'markdown', id: 'cell-1', source: ['# T\n', 'x'] },
      {
        cell_type: 'code', id: 'p2', execution_count: null, source: ['print(1)\n', '1'],
        outputs: [{ output_type: 'stream', name: 'stdout', text: ['1\n'] }, { output_type: 'display_data', data: { 'text/plain': ['a\tb\n', '1\t<x>'] } }],
      },
      { cell_type: 'code', id: 'p3', metadata: { language: 'sql' }, source: ['select'], outputs: [{ output_type: 'error', ename: 'ParseError', evalue: 'ParseError: near' }] },
    ]);
    expect((cellsOf(note)[0] as { outputs?: unknown }).outputs).toBeUndefined();
    expect(JSON.stringify(cellsOf(note)[1])).toContain('<td>&lt;x&gt;</td>');
  });

  test('what was changed in Jupyter counts', () => {
    const notebook = toNotebook({ name: 'n', paragraphs: [{ id: 'p', text: '%sql(limit=3)\nselect 1', results: { code: 'SUCCESS', msg: [{ type: 'TEXT', data: 'old' }] } }] });
    const [cell] = notebook['cells'] as Json[];
    Object.assign(cell!, { source: ['select 2'], outputs: [{ output_type: 'stream', name: 'stdout', text: 'new' }] });
    expect(fromNotebook(notebook, 'x')['paragraphs']).toMatchObject([{ text: '%sql(limit=3)\nselect 2', results: { msg: [{ type: 'TEXT', data: 'new' }] } }]);
  });

  test('says what is no notebook', () => {
    expect(() => fromNotebook({ cells: [] }, 'x')).toThrow(/not a Jupyter notebook of format 4$/);
    expect(() => fromNotebook({ nbformat: 3, worksheets: [] }, 'x')).toThrow(/of 3/);
    expect(() => toNotebook({})).toThrow(/not a note/);
  });
});
