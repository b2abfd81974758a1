import { describe, expect, test } from 'vitest';
import {
  columnNumber,
  columnTypes,
  exactNumber,
  fitsDouble,
  isMissing,
  toNumber,
} from './column-type.ts';
import { parseTable } from './table.ts';

test.each([
  ['1\n2.5\n-3', 'number'],
  ['0\n0.5\n1', 'number'],
  ['1\nnull\n2', 'number'],
  ['1.10\n12E4\n4.50', 'number'],
  ['-007\n1', 'string'],
  ['+1\n2', 'string'],
  ['007\n8', 'string'],
  ['12345678901234567\n1', 'string'],
  ['9007199254740993\n1', 'string'],
  ['27518688.30000002\n45429.69999999998\n0.0363099416681396', 'number'],
  ['-9007199254740991\n1', 'number'],
  ['12.5\n\nnull\n45429.69999999998', 'number'],
  ['1.2345678901234567e-7\n1e+21\n-1.7976931348623157E+308', 'number'],
  ['12345.678901234567890\n4.0000000000000000', 'number'],
  ['1e400\n1', 'string'],
  ['45429.69999999998\nn/a', 'string'],
  ['0045429.69999999998\n1', 'string'],
  ['1.2.3456789012345678\n1', 'string'],
  ['1\nx', 'string'],
  ['2026-11-21\n2026-11-22 07:19:04.448\n2026-11-22T07:00:00Z', 'date'],
  ['2026-11-21\n2026-13-45', 'string'],
  ['2026-11-21\n7', 'string'],
  ['null\nnull', 'string'],
  ['true\nfalse', 'string'],
])('%j is a column of %ss', (cells, type) =>
  expect(columnTypes(parseTable(`a\n${cells}`))).toEqual([type]),
);

test('each column is judged separately, and short rows have missing values', () => {
  expect(columnTypes(parseTable('n\tt\td\n1\tx\n2\ty\t2026-11-21'))).toEqual([
    'number',
    'string',
    'date',
  ]);
  expect(columnTypes(parseTable('n\tt'))).toEqual(['string', 'string']);
});

describe('cells as numbers', () => {
  test.each([
    [5, 5],
    ['0.5', 0.5],
    ['+1', 1],
    ['007', 7],
    [' 2 ', 2],
    ['.5', 0.5],
    ['1e3', 1000],
    ['', undefined],
    [' ', undefined],
    ['0x10', undefined],
    ['1,000', undefined],
    ['NaN', undefined],
    [Number.NaN, undefined],
    [undefined, undefined],
  ])('%j counts as %j in arithmetic', (cell, value) => expect(toNumber(cell)).toBe(value));

  test.each([
    [5, 5],
    ['0', 0],
    ['0.50', 0.5],
    ['0e3', 0],
    ['+1', undefined],
    ['00', undefined],
    ['0x10', undefined],
    ['', undefined],
  ])('%j is %j in a number column', (cell, value) => expect(columnNumber(cell)).toBe(value));

  test.each([
    ['45429.69999999998', 45429.69999999998],
    ['-0.30000000000000004', -0.30000000000000004],
    // biome-ignore lint/correctness/noPrecisionLoss: the number is the closest one to the text
    ['1.2345678901234567e-300', 1.2345678901234567e-300],
    ['12345678901234567', undefined],
    ['-9007199254740992', undefined],
    ['1e400', undefined],
    [`1${'0'.repeat(400)}`, undefined],
  ])('%j is %j in a number column, whatever its length', (cell, value) =>
    expect(columnNumber(cell)).toBe(value),
  );

  test.each([
    ['12345678901234567', 12345678901234567n],
    ['-9007199254740993', -9007199254740993n],
    ['9007199254740991', 9007199254740991],
    ['0.5', 0.5],
    [7, 7],
    ['007', undefined],
    ['+1', undefined],
    ['1e400', undefined],
    ['x', undefined],
  ])('%s is exactly %s', (cell, value) => expect(exactNumber(cell)).toBe(value));

  test.each([
    [1.5, true],
    ['45429.69999999998', true],
    ['4.0000000000000000000', true],
    ['0.00000000000000000001', true],
    ['1.2345678901234567e-300', true],
    ['12345.678901234567000', true],
    ['12345.678901234567890', false],
    ['1.234567890123456789', false],
    ['12345678901234567', false],
    ['x', false],
  ])('a double has the digits of %j: %j', (cell, fits) => expect(fitsDouble(cell)).toBe(fits));

  test('missing cells', () => {
    expect([undefined, '', 'null', 'NULL', ' ', 0, '0'].map((cell) => isMissing(cell))).toEqual([
      true,
      true,
      true,
      false,
      false,
      false,
      false,
    ]);
  });
});
