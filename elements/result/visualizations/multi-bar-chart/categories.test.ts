import { type PivotConfig, parseTable } from '@tiding/client/model';
import { pivotOf, same } from '../../test-support.tsx';
import { arranged, type SortOrder } from '../chart/axis-settings.ts';
import { chartTexts } from '../chart/texts.ts';
import { fitCategories } from './categories.ts';

/** Room for ten categories. */
const NARROW = 160;
const column = (name: string, index: number, aggr = 'sum') => ({ name, index, aggr });
const config = (aggr = 'sum'): PivotConfig => ({
  keys: [column('k', 0)],
  groups: [],
  values: [column('v', 1, aggr)],
});
const made = (
  rows: readonly (readonly [string, number])[],
  { aggr = 'sum', sort = 'none' as SortOrder, width = NARROW } = {},
) => {
  const table = parseTable(`k\tv\n${rows.map((row) => row.join('\t')).join('\n')}\n`);
  const whole = pivotOf(table, config(aggr));
  const {
    pivot: fitted,
    points,
    note,
  } = fitCategories(
    arranged(whole, sort),
    config(aggr),
    { sort, top: undefined, others: true },
    width,
  );
  return { x: fitted.x, values: fitted.series[0]!.values, points, note };
};
/** Categories c1 to c13 with their number as value. */
const thirteen = Array.from({ length: 13 }, (_, at) => [`c${at + 1}`, at + 1] as const);

describe('categories of a bar chart', () => {
  it('that do not fit are one bar at the end', () => {
    const { x, values, points, note } = made(thirteen);
    same(x, ['c5', 'c6', 'c7', 'c8', 'c9', 'c10', 'c11', 'c12', 'c13', 'Other (4)']);
    same(values, [5, 6, 7, 8, 9, 10, 11, 12, 13, 1 + 2 + 3 + 4]);
    same(points, [4, 5, 6, 7, 8, 9, 10, 11, 12, -1]);
    same(note, chartTexts.folded.categories('4', '13'));
  });

  it('keep their order, and the smallest ones if these come first', () => {
    same(made(thirteen, { sort: 'largest' }).x.slice(0, 2), ['c13', 'c12']);
    const { x, values, points } = made(thirteen, { sort: 'smallest' });
    same(x.slice(0, 2), ['c1', 'c2']);
    same([x.at(-1), values.at(-1)], ['Other (4)', 10 + 11 + 12 + 13]);
    same(points?.slice(-2), [8, -1]);
  });

  it('are combined as they were aggregated, and averages are left out', () => {
    same(made(thirteen, { aggr: 'max' }).values.at(-1), 4);
    same(made(thirteen, { aggr: 'min', sort: 'smallest' }).values.at(-1), 10);
    const { x, note } = made(thirteen, { aggr: 'avg' });
    same(x.length, 10);
    same(x.at(-1), 'c13');
    same(note, chartTexts.folded.averages('3', '13'));
  });

  it('stay if they fit, or if they are numbers or dates', () => {
    for (const rows of [
      thirteen.slice(0, 10),
      thirteen.map(([, at]) => [String(at), at] as const),
      thirteen.map(([, at]) => [`2026-01-${String(at).padStart(2, '0')}`, at] as const),
    ]) {
      const { x, note } = made(rows);
      same([x.length, note], [rows.length, undefined]);
    }
    same(made(thirteen, { width: 13 * 16 }).x.length, 13);
  });

  it('that are numbers are cut where they could not be drawn', () => {
    const rows = Array.from({ length: 4_010 }, (_, at) => [String(at), 1] as const);
    same(made(rows).x.length, 4_000);
  });
});
