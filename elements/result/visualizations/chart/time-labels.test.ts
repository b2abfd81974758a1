import { describe, expect, it } from 'vitest';
import { labelledTimes } from './time-labels.ts';

const days = (count: number) => Array.from({ length: count }, (_, at) => at * 86_400_000);
const places = (x: readonly number[], most: number) =>
  labelledTimes(x, most)?.map((time) => x.indexOf(time));

describe('labels of a time axis', () => {
  it('are at the ends and evenly between them', () => {
    expect(places(days(12), 7)).toEqual([0, 3, 6, 9, 11]);
    expect(places(days(100), 6)).toEqual([0, 25, 50, 75, 99]);
    expect(places(days(3), 9)).toEqual([0, 1, 2]);
    expect(places(days(2), 0)).toEqual([0, 1]);
    const months = Array.from({ length: 14 }, (_, at) => Date.UTC(2024, at));
    expect(places(months, 7)).toEqual([0, 4, 8, 13]);
    for (let count = 2; count < 400; count += 1)
      for (const most of [2, 5, 10]) {
        const found = places(days(count), most)!;
        const gaps = found.slice(1).map((at, place) => at - found[place]!);
        expect([found[0], found.at(-1)]).toEqual([0, count - 1]);
        expect(found.length).toBeLessThanOrEqual(most);
        expect(Math.max(...gaps) / Math.min(...gaps), `${count} ${most}`).toBeLessThanOrEqual(2);
      }
  });

  it('are left to round times if points are missing', () => {
    expect(labelledTimes([0, 1, 2, 9], 5)).toBeUndefined();
    expect(labelledTimes([5], 5)).toBeUndefined();
  });
});
