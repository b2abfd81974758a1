import { describe, expect, test } from 'vitest';
import { columnNumber, columnTypes, isMissing, toNumber } from './column-type.ts';
import { parseTable } from './table.ts';

test.each([
  ['1\n2.5\n-3', 'number'],
  ['0\n0.5\n1', 'number'],
  ['1\nnull\n2', 'number'],
  ['+1\n2', 'string'],
  ['007\n8', 'string'],
  ['12345678901234567\n1', 'string'],
  ['1\nx', 'string'],
  ['2026-11-21\n2026-11-22 07:19:04.448\n2026-11-22T07:00:00Z', 'date'],
  ['2026-11-21\n2026-13-45', 'string'],
  ['2026-11-21\n7', 'string'],
  ['null\nnull', 'string'],
  ['true\nfalse', 'string'],
])('%j is a column of %ss', (cells, type) =>
  expect(columnTypes(parseTable(`a\n${cells}`))).toEqual([type]),
);

test('each column is judged by itself, short rows are missing values', () => {
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
