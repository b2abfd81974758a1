import { expect, it } from 'vitest';
import { carryOffset } from './offset.ts';

it('carries an offset over a change before it, behind it and around it', () => {
  expect(carryOffset('one three', 'one two three', 9)).toBe(13);
  expect(carryOffset('one three', 'one two three', 2)).toBe(2);
  expect(carryOffset('one two three', 'one three', 6)).toBe(5);
  expect(carryOffset('one', 'one', 7)).toBe(3);
  expect(carryOffset('one', '', 2)).toBe(0);
});
