import { check, same } from '../result/test-support.tsx';
import { readHit, readMarks } from './hits.ts';

describe('readMarks', () => {
  const cases: [string, string | undefined, string, [number, number][]][] = [
    ['no mark', undefined, 'no mark', []],
    [
      '<B>a</B>b<B>c</B>',
      undefined,
      'abc',
      [
        [0, 1],
        [2, 3],
      ],
    ],
    [
      '<B>arr</B>_<B>delay</B> <B>x</B>',
      undefined,
      'arr_delay x',
      [
        [0, 9],
        [10, 11],
      ],
    ],
    [
      '%html <b>x</b> & <script>alert(1)</script> <B>y</B>',
      undefined,
      '%html <b>x</b> & <script>alert(1)</script> y',
      [[43, 44]],
    ],
    ['two\n<B>lines\nof</B> it', undefined, 'two\nlines\nof it', [[4, 12]]],
    ['open <B>only', undefined, 'open <B>only', []],
    ['the tag <B>x</B> itself', '%html the tag <B>x</B> itself', 'the tag <B>x</B> itself', []],
  ];
  for (const [marked, whole, text, marks] of cases) {
    it(JSON.stringify(marked), () =>
      same(readMarks(marked, whole), { text, marks: marks.map(([from, to]) => ({ from, to })) }),
    );
  }
});

describe('readHit', () => {
  it('reads a note or paragraph with its folder; the default language is Scala [D5]', () => {
    const paragraph = readHit({
      id: 'N1/paragraph/P1',
      name: '/Air/Ops/Winter',
      snippet: 'x <B>y</B>',
      text: '%sql\nx y',
      header: 'Worst',
    });
    same(
      [
        paragraph.noteId,
        paragraph.paragraphId,
        paragraph.folder,
        paragraph.name,
        paragraph.language,
        paragraph.header.text,
      ],
      ['N1', 'P1', 'Air/Ops', 'Winter', 'sql', 'Worst'],
    );
    const note = readHit({ id: 'N2', name: '  ', snippet: null, text: 'val x = 1', header: null });
    same(
      [note.noteId, note.name, note.folder, note.language, note.snippet.text],
      ['N2', '', '', 'scala', 'val x = 1'],
    );
    check(note.paragraphId === undefined, 'a note is a paragraph');
  });
});
