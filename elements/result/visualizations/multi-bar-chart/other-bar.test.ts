import type { Pivot } from '@tiding/client/model';
import { same } from '../../test-support.tsx';
import { cutOther } from './other-bar.ts';

const none: ReadonlySet<string> = new Set();
/** A pivot of these series, whose last category combines others. */
const pivotOf = (...series: readonly (readonly number[])[]): Pivot => {
  const count = series[0]!.length;
  return {
    x: Array.from({ length: count }, (_, at) => `c${at}`),
    keys: Array.from({ length: count }, (_, at) => (at === count - 1 ? [] : [`c${at}`])),
    series: series.map((values, at) => ({ name: `s${at}`, value: 0, values, group: [] })),
    omitted: { series: 0, points: 0 },
  } as unknown as Pivot;
};
const values = ({ series }: Pivot) => series.map((each) => each.values);

describe('the bar of combined categories', () => {
  it('is cut if it would dwarf the others, and keeps its value', () => {
    const { pivot, other } = cutOther(pivotOf([10, 5, 900]), false, none);
    same([values(pivot), other], [[[10, 5, 12]], { point: 2, uncut: [900] }]);
  });

  it('is drawn as it is if it can be compared', () => {
    const given = pivotOf([10, 5, 11]);
    same(cutOther(given, false, none), { pivot: given, other: { point: 2, uncut: undefined } });
  });

  it('is cut below zero too, and keeps the shares of a stack', () => {
    same(values(cutOther(pivotOf([-10, 5, -900]), false, none).pivot), [[-10, 5, -12]]);
    same(values(cutOther(pivotOf([4, 5, 300], [6, 5, 100]), true, none).pivot), [
      [4, 5, 9],
      [6, 5, 3],
    ]);
  });

  it('is compared with the series that are shown', () => {
    const hidden = new Set(['s1']);
    same(cutOther(pivotOf([10, 5, 11], [1, 1, 900]), false, hidden).other?.uncut, undefined);
  });

  it('is missing where every category has a key', () => {
    const { keys, ...rest } = pivotOf([10, 900]);
    const given = { ...rest, keys: [...keys.slice(0, -1), ['c1']] } as Pivot;
    same(cutOther(given, false, none), { pivot: given, other: undefined });
  });
});
