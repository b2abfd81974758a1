import type { CellValue, RowColumn } from '@tiding/client/model';
import type { GraphColumn } from '@tiding/client/protocol';
import { resultSheets, visualizations } from './index.ts';
import type { RowSource } from './rows/row-source.ts';
import { type Mounted, mount, same, waitUntil } from './test-support.tsx';
import { chartTexts } from './visualizations/chart/texts.ts';
import { naturalType } from './visualizations/table/layout/cell-formats.ts';

type Kind = RowColumn['kind'];
type Rows = readonly (readonly CellValue[])[];

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
const ids = {
  Bar: 'multiBarChart',
  Big: 'bigNumber',
  Box: 'boxPlot',
  Combo: 'comboChart',
  Heat: 'heatMap',
  Histogram: 'histogram',
  Line: 'lineChart',
  Scatter: 'scatterChart',
} as const;
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
/** A row of a table written as `0 to 0.1 10`. */
const cellsOf = (row: string): string[] => [
  row.slice(0, row.lastIndexOf(' ')),
  row.slice(row.lastIndexOf(' ') + 1),
];
const kv = { k: 'text', v: 'integer' } as const;

interface Case {
  readonly is: string;
  readonly view: keyof typeof ids;
  readonly rows: RowSource;
  readonly keys?: readonly string[];
  readonly values?: readonly string[];
  /** Shared settings of the chart. */
  readonly axes?: object;
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
    is: 'a histogram counts the rows of intervals, also of empty ones',
    view: 'Histogram',
    rows: source({ k: 'text', v: 'float' }, [
      ...Array.from({ length: 101 }, (_, at) => ['a', at / 100] as const),
      ['a', 2],
      ['a', null],
      ['a', Number.NaN],
    ]),
    table: [
      ['Key', 'count of v'],
      ...['0 to 0.1 10', '0.1 to 0.2 10', '0.2 to 0.3 10', '0.3 to 0.4 10'].map(cellsOf),
    ],
    notes: ['2 rows have no place on the axis of v.'],
    drawn: 'count of v',
  },
  {
    is: 'a histogram of the only column needs no fields',
    view: 'Histogram',
    rows: source({ year: 'integer' }, [[2024], [2024], [2026]]),
    table: [
      ['Key', 'count of year'],
      ['2024 to 2025', '2'],
      ['2025 to 2026', '0'],
      ['2026 to 2027', '1'],
    ],
  },
  {
    is: 'bars and lines have an axis each',
    view: 'Combo',
    rows: source({ month: 'text', revenue: 'integer', orders: 'integer' }, [
      ['Jan', 40_000, 4],
      ['Feb', 10_000, 2],
    ]),
    table: [
      ['Key', 'revenue', 'orders'],
      ['Jan', '40,000', '4'],
      ['Feb', '10,000', '2'],
    ],
    drawn: 'orders',
  },
  {
    is: 'a heat map has a row for each value of the second key',
    view: 'Heat',
    rows: source({ weekday: 'text', month: 'integer', n: 'integer' }, [
      ['Monday', 1, 4],
      ['Monday', 2, 5],
      ['Sunday', 1, 6],
    ]),
    table: [
      ['Key', '1', '2'],
      ['Monday', '4', '5'],
      ['Sunday', '6', ''],
    ],
    notes: ['Colours show n, from 4 (pale) to 6 (strong).'],
    drawn: 'Sunday',
  },
  {
    is: 'boxes are the quartiles of SQL',
    view: 'Box',
    rows: source(kv, [...[1, 2, 3, 4, 10].map((v) => ['a', v] as const), ['b', null], ['c', 7]]),
    table: [
      ['Key', 'min of v', 'q1 of v', 'median of v', 'q3 of v', 'max of v'],
      ['a', '1', '2', '3', '4', '10'],
      ['b', '', '', '', '', ''],
      ['c', '7', '7', '7', '7', '7'],
    ],
    notes: [chartTexts.box.meaning],
  },
  {
    is: 'a big number is that of the last period, with its change',
    view: 'Big',
    rows: source({ month: 'timestamp', v: 'integer' }, months),
    table: [
      ['Key', 'v'],
      ['Jan 2025', '1'],
    ],
    drawn: 'Dec 2025: ▲ +9.1% (+1) compared with Nov 2025 (11)',
  },
  {
    is: 'a big number of no dates is that of all rows',
    view: 'Big',
    rows: source(kv, missing),
    table: [
      ['Key', 'sum of v'],
      ['0', '34'],
    ],
    drawn: '34',
  },
  {
    is: 'the largest three are followed by all others',
    view: 'Bar',
    rows: source(
      kv,
      [1, 5, 4, 3, 2].map((v) => [`k${v}`, v]),
    ),
    axes: { top: 3, sort: 'largest' },
    table: [
      ['Key', 'v'],
      ['k5', '5'],
      ['k4', '4'],
      ['k3', '3'],
      ['Other (2)', '3'],
    ],
    notes: ["2 of 5 categories are combined into 'Other'. The table view has all."],
  },
  {
    is: 'the largest two alone say how many are left out',
    view: 'Bar',
    rows: source(
      kv,
      [1, 5, 4].map((v) => [`k${v}`, v]),
    ),
    axes: { top: 2, others: false, labels: true, lines: [{ value: 4.5, name: 'Target' }] },
    table: [
      ['Key', 'v'],
      ['k5', '5'],
      ['k4', '4'],
    ],
    notes: ['1 of 3 categories are not in the chart. The table view has all.'],
    drawn: 'Target: 4.5',
  },
  {
    is: 'a total runs over missing months, and a mean over those that are there',
    view: 'Line',
    rows: source({ month: 'timestamp', v: 'integer' }, months),
    keys: ['month'],
    values: ['v sum total', 'v avg mean 3'],
    table: [
      ['Key', 'cumulative sum of v', '3-point average of avg of v'],
      ...['Jan 1 1', 'Feb 3 1.5', 'Mar 6 2', 'Apr 6 2.5', 'May 11 4', 'Jun 17 5.5'].map((each) => {
        const [month, total = '', mean = ''] = each.split(' ');
        return [`${month} 2025`, total, mean];
      }),
    ],
  },
  {
    is: 'a trend is the line of least squares, and has a title above',
    view: 'Scatter',
    rows: source({ x: 'float', y: 'integer' }, [
      [1.5, 10],
      [2.5, 20],
      [3.5, 30],
    ]),
    axes: { trend: true, title: 'Y follows X' },
    table: [
      ['Colour', 'x', 'y'],
      ['(x, y)', '1.5', '10'],
    ],
    notes: ['Trend of (x, y): from 10 to 30 (R² 1).'],
    drawn: 'Y follows X',
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
  const nothing = (): void => {};

  for (const { is, view, rows, keys, values, axes, table, notes = [], drawn } of cases) {
    it(is, async () => {
      const columns = (list: readonly string[] = []): GraphColumn[] =>
        list.map((each) => {
          const [name = '', aggr = 'sum', running, window = 0] = each.split(' ');
          const index = rows.columns.findIndex((column) => column.name === name);
          return { name, aggr, index, ...(running && { running, window: Number(window) }) };
        });
      const chosen = keys && { keys: columns(keys), groups: [], values: columns(values) };
      const { default: View } = await visualizations.find(({ id }) => id === ids[view])!.load();
      const setting = { [ids[view]]: { axes } };
      shown = mount(
        <View
          table={{ columns: [], rows: [], comment: '' }}
          source={rows}
          types={rows.columns.map(naturalType)}
          graph={{ mode: '', height: 300, optionOpen: false, setting, ...chosen } as never}
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
      await waitUntil(() => shown.find('.chart-body').textContent!.includes(drawn), drawn);
    });
  }
});
