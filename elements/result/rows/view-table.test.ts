import { expect, it } from 'vitest';
import { viewedRows } from './view-table.ts';

it.each([
  [99, 4, 99],
  [1e6, 4, 100_000],
  [1e6, 100, 20_000],
])('of %d rows with %d columns, views of pages get %d', (length, count, rows) => {
  expect(viewedRows({ length, columns: Array(count).fill('a') })).toBe(rows);
});
