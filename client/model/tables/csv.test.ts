import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { exportFileName, toCsv, toTsv } from './csv.ts';
import { parseTable, type TableData, toColumns } from './table.ts';

/** A reader that follows RFC 4180 and nothing else. */
function read(text: string, delimiter: string): string[][] {
  const records: string[][] = [];
  let at = 0;
  while (at < text.length) {
    const record: string[] = [];
    for (;;) {
      let field = '';
      if (text[at] === '"') {
        for (at += 1; text[at] !== '"' || text[at + 1] === '"'; at += 1) {
          if (at >= text.length) throw new Error('unclosed quote');
          if (text[at] === '"') at += 1;
          field += text[at];
        }
        at += 1;
      } else {
        while (
          at < text.length &&
          text[at] !== delimiter &&
          text[at] !== '\r' &&
          text[at] !== '\n'
        ) {
          if (text[at] === '"') throw new Error('quote inside a bare field');
          field += text[at++];
        }
      }
      record.push(field);
      if (text[at] !== delimiter) break;
      at += 1;
    }
    if (text.slice(at, at + 2) !== '\r\n') throw new Error(`no CRLF at ${at}`);
    at += 2;
    records.push(record);
  }
  return records;
}

const of = (names: string[], rows: (string | number)[][]): TableData => ({
  columns: toColumns(names),
  rows,
  comment: '',
});

describe('toCsv and toTsv', () => {
  test('quote only what needs quotes [D36]', () => {
    const table = of(
      ['a', 'b,c'],
      [
        ['say "hi"', 1.5],
        ['line\nbreak', "it's"],
        ['tab\there', ''],
      ],
    );
    expect(toCsv(table, { bom: false })).toBe(
      'a,"b,c"\r\n"say ""hi""",1.5\r\n"line\nbreak",it\'s\r\ntab\there,\r\n',
    );
    expect(toTsv(table, { bom: false })).toBe(
      'a\tb,c\r\n"say ""hi"""\t1.5\r\n"line\nbreak"\tit\'s\r\n"tab\there"\t\r\n',
    );
  });

  test('start with a byte-order mark unless disabled', () => {
    expect(toCsv(of(['a'], []))).toBe('\uFEFFa\r\n');
    expect(toTsv(of(['a'], []))).toBe('\uFEFFa\r\n');
  });

  test('change no value, not even one that looks like a formula', () => {
    expect(toCsv(of(['a'], [['=1+2'], ['@x'], ['-1']]), { bom: false })).toBe(
      'a\r\n=1+2\r\n@x\r\n-1\r\n',
    );
  });

  test('fill short rows and keep long ones', () => {
    expect(toCsv(parseTable('a\tb\n1\n1\t2\t3'), { bom: false })).toBe('a,b\r\n1,\r\n1,2,3\r\n');
    expect(toCsv(parseTable(''), { bom: false })).toBe('');
  });

  const cell = fc.oneof(
    fc.string(),
    fc.constantFrom('', ',', '"', '\r', '\n', '\r\n', '\t', '""', 'null'),
    fc.double({ noNaN: true }).map((value) => value || 0),
  );
  const tables = fc.integer({ min: 1, max: 4 }).chain((width) =>
    fc.record({
      names: fc.array(fc.oneof(fc.string(), fc.constantFrom('', '"')), {
        minLength: width,
        maxLength: width,
      }),
      rows: fc.array(fc.array(cell, { minLength: width, maxLength: width })),
    }),
  );

  test.each([
    [',', toCsv],
    ['\t', toTsv],
  ] as const)('can be read back completely (%j)', (delimiter, write) => {
    fc.assert(
      fc.property(tables, fc.boolean(), ({ names, rows }, bom) => {
        const text = write(of(names, rows), { bom });
        expect(text.startsWith('\uFEFF')).toBe(bom || (names[0] ?? '').startsWith('\uFEFF'));
        expect(read(bom ? text.slice(1) : text, delimiter)).toEqual([
          names,
          ...rows.map((row) => row.map(String)),
        ]);
      }),
    );
  });
});

describe('exportFileName', () => {
  test.each([
    ['Sales', '2026-11-21T18:58:54+0000', 'csv', 'Sales_2026-11-21 06:58:54 PM.csv'],
    [undefined, '2026-11-21T07:01:50+0000', 'tsv', 'data_2026-11-21 07:01:50 AM.tsv'],
    ['  ', '2026-11-21T07:01:50+0000', 'csv', 'data_2026-11-21 07:01:50 AM.csv'],
    ['a/b\\c\u0000', undefined, 'csv', 'a_b_c_.csv'],
    ['Sales', 'soon', 'csv', 'Sales.csv'],
  ])('%j, %j, %j: %j', (title, date, extension, name) => {
    expect(exportFileName(title, date, extension, { utc: true })).toBe(name);
  });
});
