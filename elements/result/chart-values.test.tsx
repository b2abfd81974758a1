import type { CellValue, RowColumn } from '@tiding/client/model';
import type { GraphColumn } from '@tiding/client/protocol';
import type { FunctionComponent } from 'react';
import { resultSheets } from './index.ts';
import type { RowSource } from './rows/row-source.ts';
import { type Mounted, mount, same, waitUntil } from './test-support.tsx';
import type { BuiltInVisualizationProps } from './visualizations/contract.ts';
import Line from './visualizations/line-chart/index.tsx';
import Bar from './visualizations/multi-bar-chart/index.tsx';
import Scatter from './visualizations/scatter-chart/index.tsx';

type Kind = RowColumn['kind'];
type Rows = readonly (readonly CellValue[])[];
const views = { Bar, Line, Scatter } satisfies Record<
  string,
  FunctionComponent<BuiltInVisualizationProps>
>;

/** Typed rows, as the engine returns them. */
function source(kinds: Readonly<Record<string, Kind>>, rows: Rows, times = 1): RowSource {
  return {
    columns: Object.entries(kinds).map(([name, kind], index) => ({ name, index, kind, digits: 0 })),
    length: rows.length * times,
    complete: true,
    nullText: '',
    value: (row, column) => rows[row % rows.length]![column],
  };
}
const day = (text: string): bigint => BigInt(Date.parse(text)) * 1_000_000n;
const months = [1, 2, 3, 5, 6, 7, 8, 10, 11, 12].map(
  (month) => [day(`2025-${String(month).padStart(2, '0')}-01`), month] as const,
);
const missing: Rows = [
  ['a', 10],
  ['a', null],
  ['a', 20],
  ['b', null],
  ['b', 4],
  ['c', null],
];
const kv = { k: 'text', v: 'integer' } as const;

interface Case {
  readonly is: string;
  readonly view: keyof typeof views;
  readonly rows: RowSource;
  readonly keys?: readonly string[];
  readonly values?: readonly string[];
  /** Heads and cells of the chart's table. */
  readonly table: readonly (readonly string[])[];
  readonly notes?: readonly string[];
  readonly drawn?: string;
}

const cases: readonly Case[] = [
  {
    is: 'all rows are added, not only the first',
    view: 'Bar',
    rows: {
      ...source(kv, []),
      length: 30_000,
      value: (row, column) => (column === 1 ? 1 : row < 10_000 ? 'early' : 'late'),
    },
    table: [
      ['Key', 'sum of v'],
      ['early', '10,000'],
      ['late', '20,000'],
    ],
    drawn: 'sum of v',
  },
  ...(
    [
      ['sum', '30', '4', ''],
      ['avg', '15', '4', ''],
      ['count', '2', '1', '0'],
      ['min', '10', '4', ''],
      ['max', '20', '4', ''],
    ] as const
  ).map(
    ([aggr, a, b, c]): Case => ({
      is: `${aggr} leaves out NULL`,
      view: 'Bar',
      rows: source(kv, missing),
      keys: ['k'],
      values: [`v ${aggr}`],
      table: [
        ['Key', `${aggr} of v`],
        ['a', a],
        ['b', b],
        ['c', c],
      ],
    }),
  ),
  {
    is: 'an average of 600,000 rows leaves out NULL too',
    view: 'Bar',
    rows: source(kv, missing, 100_000),
    keys: ['k'],
    values: ['v avg'],
    table: [
      ['Key', 'avg of v'],
      ['a', '15'],
      ['b', '4'],
      ['c', ''],
    ],
  },
  {
    is: 'texts that look like the same number are two bars',
    view: 'Bar',
    rows: source(kv, [
      ['1.10', 7],
      ['1.1', 1],
    ]),
    table: [
      ['Key', 'v'],
      ['1.10', '7'],
      ['1.1', '1'],
    ],
  },
  {
    is: 'whole numbers that no double can tell apart are two bars',
    view: 'Bar',
    rows: source({ k: 'integer', v: 'integer' }, [
      [9007199254740993n, 7],
      [9007199254740992n, 1],
    ]),
    keys: ['k'],
    values: ['v'],
    table: [
      ['Key', 'v'],
      ['9007199254740993', '7'],
      ['9007199254740992', '1'],
    ],
  },
  {
    is: 'two keys are not joined to the same bar',
    view: 'Bar',
    rows: source({ a: 'text', b: 'text', v: 'integer' }, [
      ['1.1', 'x1', 10],
      ['1', '1.x1', 5],
    ]),
    keys: ['a', 'b'],
    values: ['v'],
    table: [
      ['Key', 'v'],
      ['"1.1"."x1"', '10'],
      ['"1"."1.x1"', '5'],
    ],
  },
  {
    is: 'NULL has no place in a scatter chart',
    view: 'Scatter',
    rows: source({ x: 'float', y: 'integer' }, [
      [1.5, 10],
      [2.5, null],
      [3.5, 30],
    ]),
    table: [
      ['Colour', 'x', 'y'],
      ['(x, y)', '1.5', '10'],
      ['(x, y)', '3.5', '30'],
    ],
    notes: ['1 row has no value for an axis and cannot be drawn.'],
  },
  {
    is: 'a scatter chart of very many rows is a sample of all of them',
    view: 'Scatter',
    rows: {
      ...source({ x: 'integer', y: 'integer' }, []),
      length: 50_000,
      value: (row, column) => (column === 0 ? row : (row * 7919) % 50_000),
    },
    table: [['Colour', 'x', 'y']],
    notes: ['A random sample of 20,000 of 50,000 rows.'],
  },
  {
    is: 'a line of days is in the order of time',
    view: 'Line',
    rows: source({ day: 'timestamp', v: 'integer' }, [
      [day('2025-05-14'), 1],
      [day('2025-03-22'), 2],
      [day('2025-03-04'), 3],
    ]),
    table: [
      ['Key', 'v'],
      ['Mar 4, 2025', '3'],
      ['Mar 22, 2025', '2'],
      ['May 14, 2025', '1'],
    ],
    drawn: 'v',
  },
  {
    is: 'a line of months has gaps for those that are missing',
    view: 'Line',
    rows: source({ month: 'timestamp', v: 'integer' }, months),
    table: [
      ['Key', 'v'],
      ...['Jan 1', 'Feb 2', 'Mar 3', 'Apr ', 'May 5', 'Jun 6', 'Jul 7', 'Aug 8', 'Sep ']
        .concat('Oct 10', 'Nov 11', 'Dec 12')
        .map((each) => [`${each.slice(0, 3)} 2025`, each.slice(4)]),
    ],
    drawn: '2025',
  },
  {
    is: 'the number of a month is never added up',
    view: 'Bar',
    rows: source({ weekday: 'text', month: 'integer', n: 'integer' }, [
      ['Monday', 1, 4],
      ['Monday', 2, 5],
      ['Sunday', 1, 6],
    ]),
    table: [
      ['Key', 'sum of n'],
      ['Monday', '9'],
      ['Sunday', '6'],
    ],
    drawn: 'sum of n',
  },
  {
    is: 'two measures are both drawn, and the others are named',
    view: 'Line',
    rows: source({ month: 'integer', revenue: 'integer', orders: 'integer', visits: 'integer' }, [
      [2, 400, 4, 9],
      [1, 100, 2, 8],
    ]),
    table: [
      ['Key', 'revenue', 'orders'],
      ['1', '100', '2'],
      ['2', '400', '4'],
    ],
    notes: [
      'revenue and orders share one axis, although the first is up to 100 times larger.',
      'Not drawn: visits. Add values under Fields.',
    ],
  },
  {
    is: 'NaN, missing dates and columns without numbers are named',
    view: 'Line',
    rows: source({ day: 'date', v: 'float', at: 'date' }, [
      [0, Number.NaN, 0],
      [86_400_000, 2, 0],
      [null, 3, 0],
    ]),
    keys: ['day'],
    values: ['v', 'at max'],
    table: [
      ['Key', 'v', 'at'],
      ['Jan 1, 1970', '', ''],
      ['Jan 2, 1970', '2', ''],
    ],
    notes: [
      'at has no numbers: choose count to draw it.',
      '1 value is not a finite number and cannot be drawn.',
      '1 row has no place on the axis of day.',
    ],
  },
];

describe('the values of charts', () => {
  let shown: Mounted;
  afterEach(() => shown.remove());
  const nothing = (): void => {};

  for (const { is, view, rows, keys, values, table, notes = [], drawn } of cases) {
    it(is, async () => {
      const columns = (list: readonly string[] = []): GraphColumn[] =>
        list.map((each) => {
          const [name = '', aggr = 'sum'] = each.split(' ');
          return { name, aggr, index: rows.columns.findIndex((column) => column.name === name) };
        });
      const chosen = keys && { keys: columns(keys), groups: [], values: columns(values) };
      const View = views[view];
      shown = mount(
        <View
          table={{ columns: [], rows: [], comment: '' }}
          source={rows}
          graph={{ mode: '', height: 300, optionOpen: false, setting: {}, ...chosen } as never}
          onGraph={nothing}
          title=""
          optionOpen={false}
          height={300}
          fill={false}
          onShown={nothing}
          context={undefined}
          onSelect={nothing}
          download={nothing}
        />,
        resultSheets,
      );
      await waitUntil(() => shown.root.querySelector('.visually-hidden table'), 'chart');
      const cells = shown
        .all('.visually-hidden tr')
        .map((row) => [...row.children].map(({ textContent }) => textContent));
      same(cells.slice(0, table.length), table);
      same(
        shown.all('.chart-more').map(({ textContent }) => textContent),
        notes,
      );
      if (drawn === undefined) return;
      await waitUntil(() => shown.find('.chart-box').textContent!.includes(drawn), drawn);
    });
  }
});
