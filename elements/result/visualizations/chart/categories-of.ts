import type { Cell, DateGrain, PivotConfig } from '@tiding/client/model';
import type { Category } from '../contract.ts';

/**
 * The categories of a selected point: the values of its keys and groups, or the period of a date.
 *
 * @param grouped names of keys whose points are intervals, which have no single value
 */
export function categoriesOf(
  { keys, groups }: PivotConfig,
  values: Readonly<Record<string, Cell | null>>,
  grain: DateGrain | undefined,
  grouped: readonly string[] = [],
): Category[] {
  const names = new Set([...keys, ...groups].map(({ name }) => name));
  return [...names].flatMap((column): Category[] => {
    if (column === '' || grouped.includes(column)) return [];
    const value = values[column] ?? null;
    const period =
      grain && column === keys[0]?.name ? periodRange(String(value), grain) : undefined;
    return [period ? { column, ...period } : { column, values: [value] }];
  });
}

const two = (number: number): string => String(number).padStart(2, '0');

/** The first and the last part of a period, such as the months of `2024 Q2`. */
function periodRange(period: string, grain: DateGrain): { from: string; to: string } | undefined {
  const quarter = /^(\d{4}) Q([1-4])$/.exec(period);
  if (quarter) {
    const last = Number(quarter[2]) * 3;
    return { from: `${quarter[1]}-${two(last - 2)}`, to: `${quarter[1]}-${two(last)}` };
  }
  if (!/^\d{4}(?:-\d\d){0,2}$/.test(period)) return undefined;
  if (grain !== 'week') return { from: period, to: period };
  const end = new Date(period);
  end.setUTCDate(end.getUTCDate() + 6);
  return { from: period, to: end.toISOString().slice(0, 10) };
}
