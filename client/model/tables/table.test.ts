import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createTableParser, parseTable, toCell } from './table.ts';

/** Tables are written with symbols for tabs and line breaks. */
const table = (text: string) =>
  parseTable(text.replaceAll('⏎', '\n').replaceAll('→', '\t').replaceAll('␣', ' '));

describe('parseTable', () => {
  test.each([
    [
      'a→b⏎0→0.5⏎+1→-5⏎1e3→.5⏎12345678901234567→1.2.3⏎',
      ['a', 'b'],
      [
        ['0', '0.5'],
        ['+1', -5],
        ['1e3', '.5'],
        ['12345678901234567', '1.2.3'],
      ],
      '',
    ],
    ['a→b⏎⏎1→2⏎⏎c1⏎c2⏎', ['a', 'b'], [[1, 2]], 'c1c2'],
    // Zeppelin finds no header here; the first line with text is used instead.
    ['⏎a→b⏎1→2', ['a', 'b'], [[1, 2]], ''],
    ['a⏎1→2⏎x', ['a'], [[1, 2], ['x']], ''],
    ['a→b⏎1→2⏎<!--TABLE_COMMENT-->⏎<b>x</b>⏎y', ['a', 'b'], [[1, 2]], '<b>x</b>y'],
    [
      'a⏎␣⏎1␣⏎0x10⏎Infinity⏎NaN⏎1,000',
      ['a'],
      [[' '], ['1 '], ['0x10'], ['Infinity'], ['NaN'], ['1,000']],
      '',
    ],
    ['a→b', ['a', 'b'], [], ''],
    ['', [], [], ''],
    ['a⏎<!--TABLE_COMMENT-->⏎1⏎', ['a'], [[1]], ''],
    ['a⏎1⏎⏎x⏎⏎<!--TABLE_COMMENT-->', ['a'], [[1]], 'x<!--TABLE_COMMENT-->'],
    ['a→a⏎→⏎', ['a', 'a'], [['', '']], ''],
  ])('%j', (text, names, rows, comment) => {
    const parsed = table(text);
    expect(parsed.columns).toEqual(names.map((name, index) => ({ name, index, aggr: 'sum' })));
    expect(parsed.rows).toEqual(rows);
    expect(parsed.comment).toBe(comment);
  });

  test('a missing cell is undefined', () => {
    expect(table('a→b⏎x').rows[0]?.[1]).toBeUndefined();
  });

  test.each([
    ['1234567890123456', 1234567890123456],
    ['9007199254740991', 9007199254740991],
    ['9007199254740993', '9007199254740993'],
    ['9999999999999999', '9999999999999999'],
    ['9007199254740992', '9007199254740992'],
    ['1e400', '1e400'],
    ['12E4', '12E4'],
    ['1e21', '1e21'],
    ['1e+21', '1e+21'],
    ['1.10', '1.10'],
    ['1.5', 1.5],
    ['-0.5', -0.5],
    ['-0', '-0'],
    ['-007', '-007'],
    ['5.', '5.'],
    ['-', '-'],
    ['', ''],
    ['5a', '5a'],
    [' 5', ' 5'],
    ['-5', -5],
    ['-Infinity', '-Infinity'],
    ['-1e-7', -1e-7],
  ])('cell %j is %j', (text, cell) => expect(toCell(text)).toBe(cell));

  test('every cell keeps its text, whatever it starts with', () => {
    const text = fc.string({
      unit: fc.constantFrom(...'0123456789+-.eExXbInfinityNaN_ \t\u00a0azAZ[^'),
      maxLength: 17,
    });
    fc.assert(
      fc.property(text, (cell) => {
        expect(String(toCell(cell))).toBe(cell);
      }),
      { numRuns: 5_000 },
    );
  });
});

describe('createTableParser', () => {
  const piece = fc.constantFrom(
    ...'a|\t|\n|\n\n|1|0|<!--TABLE_COMMENT-->|\n<!--TABLE|_COMMENT-->\n|%html x'.split('|'),
  );

  test('each table is that of the text so far, however it is split', () => {
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 16 }),
        fc.array(fc.boolean(), { minLength: 16 }),
        (pieces, looks) => {
          const parser = createTableParser();
          pieces.forEach((chunk, index) => {
            parser.write(chunk);
            if (looks[index])
              expect(parser.table).toEqual(parseTable(pieces.slice(0, index + 1).join('')));
          });
          expect(parser.table).toEqual(parseTable(pieces.join('')));
        },
      ),
      { numRuns: 500 },
    );
  });

  test('an unfinished row is included and completed later', () => {
    const parser = createTableParser();
    parser.write('a\tb\n1\t2');
    expect(parser.table.rows).toEqual([[1, 2]]);
    parser.write('5\n');
    expect(parser.table.rows).toEqual([[1, 25]]);
  });

  test('a table is the same object until more text arrives', () => {
    const parser = createTableParser();
    parser.write('a\n1\n');
    const before = parser.table;
    parser.write('');
    expect(parser.table).toBe(before);
    parser.write('2\n');
    expect(parser.table).not.toBe(before);
  });

  test('100 000 lines with access after each take linear time', () => {
    const parser = createTableParser();
    parser.write('a\tb\n');
    for (let line = 1; line <= 100_000; line += 1) {
      parser.write(`${line}\tval`);
      if (parser.table.rows.length !== line) throw new Error(`row ${line} is not shown`);
      parser.write('ue\n');
    }
    expect(parser.table.rows.at(-1)).toEqual([100_000, 'value']);
  });
});
