/** How signals of a portal become filters of a table, and how charts send their categories. */
import { parseTable, runNow, textRows } from '@tiding/client/model';
import { afterEach, describe, expect, it } from 'vitest';
import { portal } from '../elements/portal/bus.ts';
import type { PortalSignalName } from '../elements/portal/signals.ts';
import { rowSignals, signalFilters } from '../elements/result/portal/signal-filters.ts';
import { orderRows } from '../elements/result/rows/row-order.ts';
import { categoriesOf } from '../elements/result/visualizations/chart/categories-of.ts';

const by = { by: 'the test' };
const table = parseTable(
  'region\tsold\tday\nEU\t10\t2024-01-31\neu\t-2.5\t2024-02-01\nUS\tnull\t2023-12-31\nnull\t7\t\n',
);
const types = ['string', 'number', 'date'] as const;
const sales = portal('sales');
afterEach(() => sales.clear(undefined, by));

/** The rows of the table that match the signals. */
function matching(...signals: [PortalSignalName, unknown][]): number[] {
  for (const [signal, value] of signals) sales.set(signal, value as never, by);
  const typeOf = (column: number) => types[column]!;
  const order = runNow(
    orderRows(textRows(table, types), {
      sorts: [],
      filters: signalFilters(rowSignals(sales.signals(), table.columns), table.columns, typeOf),
      typeOf,
    }),
  );
  return order ? [...order] : [0, 1, 2, 3];
}

describe('signals as filters', () => {
  it.each<[PortalSignalName, unknown, number[]]>([
    ['selection', { column: 'region', values: ['EU'] }, [0]],
    ['selection', { column: 'region', values: ['EU', 'eu', 'other'] }, [0, 1]],
    ['selection', { column: 'region', values: [null] }, [3]],
    ['selection', { column: 'sold', values: [-2.5, '7', 'many', ''] }, [1, 3]],
    ['selection', { column: 'sold', values: [null] }, [2]],
    ['selection', { column: 'day', values: ['2024-01'] }, [0]],
    ['selection', { column: 'other', values: ['EU'] }, [0, 1, 2, 3]],
    ['range', { column: 'sold', from: -2.5, to: 7 }, [1, 3]],
    ['range', { column: 'sold', from: 7 }, [0, 3]],
    ['range', { column: 'day', from: '2024-01', to: '2024-02' }, [0, 1]],
    ['range', { column: 'day', to: '2023' }, [2]],
    // The column has no numbers, or no dates.
    ['range', { column: 'region', from: 1 }, [0, 1, 2, 3]],
    ['range', { column: 'sold', from: '2024' }, [0, 1, 2, 3]],
    ['theme', 'dark', [0, 1, 2, 3]],
  ])('%s %j', (signal, value, rows) => {
    expect(matching([signal, value])).toEqual(rows);
  });

  it('apply together', () => {
    expect(
      matching(
        ['selection', { column: 'region', values: ['EU', 'eu'] }],
        ['range', { column: 'sold', from: 0 }],
      ),
    ).toEqual([0]);
  });
});

describe('the categories of a point', () => {
  const column = (name: string) => ({ name, index: 0, aggr: 'sum' as const });
  const config = { keys: [column('day')], groups: [column('region')], values: [column('sold')] };

  it('are the values of its keys and groups', () => {
    expect(categoriesOf(config, { day: null, region: 'EU', sold: 3 }, undefined)).toEqual([
      { column: 'day', values: [null] },
      { column: 'region', values: ['EU'] },
    ]);
  });

  it.each([
    ['2024-02-26', 'week', '2024-02-26', '2024-03-03'],
    ['2024-05', 'month', '2024-05', '2024-05'],
    ['2024 Q2', 'quarter', '2024-04', '2024-06'],
    ['2024', 'year', '2024', '2024'],
  ] as const)('are a range for the period %s', (day, grain, from, to) => {
    expect(categoriesOf(config, { day, region: 'EU' }, grain)[0]).toEqual({
      column: 'day',
      from,
      to,
    });
  });

  it('leave out intervals of a key', () => {
    expect(categoriesOf(config, { day: 5, region: 'EU' }, undefined, ['day'])).toEqual([
      { column: 'region', values: ['EU'] },
    ]);
  });
});
