import { expect, it } from 'vitest';
import { RateLimit } from './rate-limit.ts';

it('allows a number of calls per key and window, and the same number in the next window', () => {
  const limit = new RateLimit(2, 1_000);
  expect([
    limit.take('a', 0),
    limit.take('a', 500),
    limit.take('a', 999),
    limit.take('b', 999),
  ]).toEqual([true, true, false, true]);
  expect([limit.take('a', 1_000), limit.take('a', 1_001), limit.take('a', 1_002)]).toEqual([
    true,
    true,
    false,
  ]);
});

it("forgets the oldest unused keys, so that made-up names can't fill the memory", () => {
  const limit = new RateLimit(1, 1_000);
  for (let n = 0; n < 9_999; n += 1) limit.take(`old ${n}`, 0);
  expect(limit.take('mine', 0)).toBe(true);
  expect(limit.take('new', 0)).toBe(true);
  expect(limit.take('mine', 0)).toBe(false);
  expect(limit.take('old 0', 0)).toBe(true);
});
