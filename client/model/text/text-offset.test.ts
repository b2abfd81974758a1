import { expect, it } from 'vitest';
import { rebaseOffset } from './text-offset.ts';

it('adjusts an offset for a change before, after and around it', () => {
  expect(rebaseOffset('one three', 'one two three', 9)).toBe(13);
  expect(rebaseOffset('one three', 'one two three', 2)).toBe(2);
  expect(rebaseOffset('one two three', 'one three', 6)).toBe(5);
  expect(rebaseOffset('one', 'one', 7)).toBe(3);
  expect(rebaseOffset('one', '', 2)).toBe(0);
});
