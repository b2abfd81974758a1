import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseTable } from './table.ts';
import { tableToText } from './table-text.ts';

test('returns text that parses to the same table', () => {
  const text = 'a\tb\n.5\t-5\n0\t0.5\nx\n<!--TABLE_COMMENT-->\n<b>c</b>';
  expect(tableToText(parseTable(text))).toBe(text);
});

test('a parsed table survives a round trip', () => {
  const cell = fc.oneof(
    fc.stringMatching(/^[-+.e0-9]{1,16}$/),
    fc.constantFrom(
      '',
      ' ',
      'x',
      '0',
      '-0',
      '.1e5',
      '12345678901234e9',
      '.000000123456789',
      '1e21',
      '%html <b>',
    ),
  );
  const lines = fc.array(
    fc.array(cell, { minLength: 1, maxLength: 3 }).map((cells) => cells.join('\t')),
    { minLength: 2 },
  );
  fc.assert(
    fc.property(lines, (all) => {
      const table = parseTable(all.join('\n'));
      expect(parseTable(tableToText(table))).toEqual(table);
    }),
    { numRuns: 500 },
  );
});

test("content that the format can't express does not break the table", () => {
  const columns = [{ name: 'a\tb', index: 0, aggr: 'sum' as const }];
  const text = tableToText({
    columns,
    rows: [['x\ny'], [''], ['<!--TABLE_COMMENT-->'], ['z']],
    comment: '',
  });
  const table = parseTable(text);
  expect(table.columns.map(({ name }) => name)).toEqual(['a b']);
  expect(table.rows.map((row) => row[0])).toEqual(['x y', '', '<!--TABLE_COMMENT-->', 'z']);
  expect(table.comment).toBe('');
});
