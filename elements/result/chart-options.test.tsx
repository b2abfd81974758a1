import {
  type PivotOptions,
  parseTable,
  scatterPoints as pointSteps,
  runNow,
  type ScatterConfig,
  type TableData,
  textRows,
} from '@tiding/client/model';
import { check, pivotOf, same } from './test-support.tsx';
import { dateKey, formatKey, xLabelsOf } from './visualizations/chart/axes.ts';
import type { DrawingState } from './visualizations/chart/chart-kind.ts';
import type { ChartPalette } from './visualizations/chart/palette.ts';
import { endNames, spread } from './visualizations/line-chart/end-names.ts';
import { lineOption, lineSetting } from './visualizations/line-chart/option.ts';
import { barOption } from './visualizations/multi-bar-chart/option.ts';
import { pieOption } from './visualizations/pie-chart/option.ts';
import { slicesOf } from './visualizations/pie-chart/slices.ts';
import {
  BULK_DOTS_FROM_POINTS,
  CANVAS_FROM_POINTS,
  coordinateText,
  scatterOption,
} from './visualizations/scatter-chart/option.ts';
import { layersOf } from './visualizations/stacked-area-chart/layers.ts';
import { areaOption } from './visualizations/stacked-area-chart/option.ts';

const scatterPoints = (table: TableData, config: ScatterConfig) =>
  runNow(pointSteps(textRows(table), config));
const palette = {
  series: ['c1', 'c2', 'c3', 'c4', 'c5', 'c6', 'c7', 'c8'],
  mono: 'mono',
  other: 'other',
  surface: 's',
  axis: 'rgb(1, 2, 3)',
  fontFamily: 'sans-serif',
} as unknown as ChartPalette;
const all: DrawingState = { hidden: new Set(), picked: null, ends: false };
const people = parseTable(
  'age\tjob\tbal\n30\tdev\t10\n30\tops\t20\n31\tdev\t5\n31\tdev\tx\n32\tops\t7',
);
const names = ['age', 'job', 'bal'];
const column = (text: string) => {
  const [name = '', aggr = 'sum'] = text.split(' ');
  return { name, index: names.indexOf(name), aggr };
};
const config = (keys: string, groups: string, values: string) => {
  const part = (text: string) =>
    text
      .split(', ')
      .filter((one) => one !== '')
      .map(column);
  return { keys: part(keys), groups: part(groups), values: part(values) };
};
interface Drawn {
  xAxis: {
    type: string;
    data?: string[];
    axisLabel: { show: boolean; rotate: number; formatter?: (value: number) => string };
  };
  yAxis: { scale?: boolean; max?: number };
  dataZoom?: object[];
  animation: boolean;
  series: {
    id: string;
    type: string;
    name: string;
    data: unknown[];
    lineStyle: { type?: unknown };
    itemStyle: { color: string };
    large?: boolean;
  }[];
}
const line: PivotOptions = { scale: true, gather: false };
const pie: PivotOptions = { gather: false };
const plain = { labels: { show: true, rotate: 0 } };
const bars = (text: [string, string, string], table = people) =>
  barOption(
    pivotOf(table, config(...text)),
    { ...plain, stacked: false },
    all,
    palette,
  ) as unknown as Drawn;
const lines = (text: [string, string, string], setting = {}, table = people) => {
  const made = pivotOf(table, config(...text), line);
  return lineOption(made, lineSetting(setting, made), all, palette) as unknown as Drawn;
};
const slices = (text: [string, string, string], table = people) =>
  slicesOf(pivotOf(table, config(...text), pie)).slices.map(({ name, value }) => [name, value]);
/** Returns the bars as name to [x, y]. */
const barPoints = (drawn: Drawn) =>
  Object.fromEntries(
    drawn.series.map(({ name, data }) => [name, data.map((y, at) => [drawn.xAxis.data![at], y])]),
  );
const linePoints = (drawn: Drawn) =>
  Object.fromEntries(
    drawn.series.map(({ name, data }) => [
      name,
      data.map((one) => (Array.isArray(one) ? one : (one as { value: unknown }).value)),
    ]),
  );

describe('the verified pivots, drawn', () => {
  /** Points as texts: `name: x=y x=y …`. */
  const texts = (points: Record<string, unknown[]>) =>
    Object.entries(points).map(([name, list]) => {
      const pairs = (list as [unknown, unknown][]).map((pair) =>
        pair.map((each) => JSON.stringify(each)).join('='),
      );
      return `${name}: ${pairs.join(' ')}`;
    });
  const cases: {
    is: [string, string, string];
    bar: string[];
    line: string[];
    ticks?: string[];
    pie: string;
  }[] = [
    {
      is: ['age', 'job', 'bal, age count'],
      bar: [
        'dev, sum of bal: "30"=10 "31"=5 "32"=null',
        'dev, count of age: "30"=1 "31"=2 "32"=null',
        'ops, sum of bal: "30"=20 "31"=null "32"=7',
        'ops, count of age: "30"=1 "31"=null "32"=1',
      ],
      line: [
        'dev, sum of bal: 30=10 31=5 32=null',
        'dev, count of age: 30=1 31=2 32=null',
        'ops, sum of bal: 30=20 31=null 32=7',
        'ops, count of age: 30=1 31=null 32=1',
      ],
      pie:
        '"dev, sum of bal.30"=10 "dev, sum of bal.31"=5 "dev, count of age.30"=1 ' +
        '"dev, count of age.31"=2 "ops, sum of bal.30"=20 "ops, sum of bal.32"=7 ' +
        '"ops, count of age.30"=1 "ops, count of age.32"=1',
    },
    {
      is: ['job', '', 'bal avg'],
      bar: ['avg of bal: "dev"=7.5 "ops"=13.5'],
      line: ['avg of bal: 0=7.5 1=13.5'],
      ticks: ['dev', 'ops'],
      pie: '"dev"=7.5 "ops"=13.5',
    },
    {
      is: ['', 'job', 'bal'],
      bar: ['sum of bal: "dev"=15 "ops"=27'],
      line: ['dev: 0=15', 'ops: 0=27'],
      pie: '"dev"=15 "ops"=27',
    },
    {
      is: ['', '', 'bal, bal count'],
      bar: ['values: "sum of bal"=42 "count of bal"=5'],
      line: ['sum of bal: 0=42', 'count of bal: 0=5'],
      pie: '"sum of bal"=42 "count of bal"=5',
    },
    {
      is: ['age, job', '', 'bal count'],
      bar: ['count of bal: "30.dev"=1 "30.ops"=1 "31.dev"=2 "32.ops"=1'],
      line: ['count of bal: 0=1 1=1 2=2 3=1'],
      ticks: ['30.dev', '30.ops', '31.dev', '32.ops'],
      pie: '"30.dev"=1 "30.ops"=1 "31.dev"=2 "32.ops"=1',
    },
  ];
  for (const one of cases) {
    it(one.is.map((part) => part || '–').join('; '), () => {
      same(texts(barPoints(bars(one.is))), one.bar, 'bars');
      same(texts(linePoints(lines(one.is))), one.line, 'lines');
      same(lines(one.is).xAxis.data, one.ticks, 'ticks');
      same(texts({ slices: slices(one.is) }), [`slices: ${one.pie}`], 'slices');
    });
  }
});

describe('line chart', () => {
  it('sorts points along the axis, whatever the row order', () => {
    same(
      linePoints(
        lines(['age', '', 'bal'], {}, parseTable('age\tjob\tbal\n3\t\t1\n1\t\t2\n2\t\t3')),
      ),
      {
        bal: [
          [1, 2],
          [2, 3],
          [3, 1],
        ],
      },
    );
  });
  it('marks only points isolated by gaps', () => {
    const { data } = lines(
      ['age', '', 'bal'],
      {},
      parseTable('age\tjob\tbal\n1\t\t1\n2\t\tx\n3\t\t3\n4\t\tx\n5\t\t5\n6\t\t6'),
    ).series[0]!;
    same(
      data.map((one) => (Array.isArray(one) ? 0 : 1)),
      [1, 0, 1, 0, 0, 0],
    );
  });
  it('accepts stored settings of any type', () => {
    same(
      [
        lines(['age', '', 'bal']).yAxis.scale,
        lines(['age', '', 'bal'], { forceY: true }).yAxis.scale,
      ],
      [true, false],
    );
    same(
      [
        lines(['age', '', 'bal']).dataZoom,
        lines(['age', '', 'bal'], { lineWithFocus: true }).dataZoom?.length,
      ],
      [undefined, 1],
    );
    const { axisLabel } = lines(['age', '', 'bal'], {
      xLabelStatus: 'rotate',
      rotate: { degree: '30' },
    }).xAxis;
    same([axisLabel.show, axisLabel.rotate], [true, -30]);
    same(
      lines(['age', '', 'bal'], {
        rotate: 7,
        xLabelStatus: [],
        forceY: 'yes',
        dateFormat: 4,
        isDateFormat: null,
      }).xAxis.axisLabel.formatter!(1000),
      '1000',
    );
  });
  it('formats dates with the pattern, in axis order', () => {
    const dated = (setting: object, table: string) =>
      lines(['age', '', 'bal'], setting, parseTable(table));
    const text = dated(
      { isDateFormat: true, dateFormat: 'D MMM YY' },
      'age\tjob\tbal\n2024-02-29 10:00:00\t\t1\nno date\t\t2',
    );
    same(text.xAxis.data, ['29 Feb 24', 'no date']);
    const day = Date.UTC(2024, 1, 29);
    const scale = dated(
      { isDateFormat: true, dateFormat: 'D MMM YY' },
      'age\tjob\tbal\n2024-03-01\t\t1\n2024-02-29\t\t2',
    ).xAxis;
    same([scale.type, scale.axisLabel.formatter!(day)], ['time', '29 Feb 24']);
    const time = new Date(2024, 1, 29, 10, 20, 30).getTime();
    same(
      dated({ isDateFormat: true }, `age\tjob\tbal\n${time}\t\t1\n${time + 1}\t\t2`).xAxis.axisLabel
        .formatter!(time),
      '2024-02-29 10:20:30',
    );
    same(dateKey('YYYY')('2024-02'), '2024');
  });
  it('draws dashed lines from the fifth series on', () => {
    const six = parseTable(
      `age\tjob\tbal\n${[1, 2, 3, 4, 5, 6].map((at) => `1\tj${at}\t${at}`).join('\n')}`,
    );
    same(
      lines(['age', 'job', 'bal'], {}, six).series.map(
        ({ lineStyle }) => lineStyle.type !== undefined,
      ),
      [false, false, false, false, true, true],
    );
  });
  it('names lines at their ends, at least 14 px apart', () => {
    same(spread([10, 12, 50], 0, 100), [4, 18, 50]);
    same(spread([99, 98, 97], 0, 100), [100, 86, 72]);
    same(spread([5, 1], 0, 100), [14, 0]);
    same((endNames([], palette) as { data: unknown[] }).data, []);
  });
});

describe('area chart', () => {
  it('stacks areas, normalizes them, or arranges them as a stream', () => {
    const values = [
      [1, 3],
      [1, 1],
    ];
    same(layersOf(values, 'stack'), { order: [0, 1], floor: [0, 0], heights: values });
    same(layersOf(values, 'expand').heights, [
      [0.5, 0.75],
      [0.5, 0.25],
    ]);
    same(layersOf([[0], [0]], 'expand').heights, [[0], [0]]);
    const stream = layersOf(
      [
        [1, 2, 1],
        [2, 2, 4],
        [0, 1, 5],
      ],
      'stream',
    );
    same([...stream.order].sort(), [0, 1, 2]);
    check(
      Math.min(...stream.floor) === 0 && new Set(stream.floor).size > 1,
      `floor ${stream.floor.join()}`,
    );
    same(layersOf([], 'stream'), { order: [], floor: [], heights: [] });
  });
  it('stacks on 0 where a series has no value, and has gaps where none has one', () => {
    const area = (table: TableData, job: string, style: 'stack' | 'expand') =>
      areaOption(
        pivotOf(table, config('age', job, 'bal'), line),
        style,
        plain.labels,
        all,
        palette,
      ) as unknown as Drawn;
    const drawn = area(people, 'job', 'stack');
    same(linePoints(drawn), {
      dev: [
        [30, 10],
        [31, 5],
        [32, 0],
      ],
      ops: [
        [30, 20],
        [31, 0],
        [32, 7],
      ],
    });
    const months = parseTable(
      'age\tjob\tbal\n2024-01-01\t\t1\n2024-03-01\t\t3\n2024-04-01\t\t4\n2024-05-01\t\t5',
    );
    const gaps = area(months, '', 'stack');
    same(
      gaps.series[0]!.data.map((point) => (point as number[])[1]),
      [1, null, 3, 4, 5],
    );
    const expand = area(people, 'job', 'expand');
    same(
      [expand.yAxis.max, linePoints(expand)['dev']],
      [
        1,
        [
          [30, 1 / 3],
          [31, 1],
          [32, 0],
        ],
      ],
    );
  });
});

describe('pie slices', () => {
  it('are the eight largest and the sum of the others, without negative values', () => {
    const made = slicesOf(
      pivotOf(
        parseTable(
          'age\tjob\tbal\nlow\t\t-3\n' +
            Array.from({ length: 53 }, (_, at) => `k${at}\t\t${at % 2 ? at : 1}`).join('\n'),
        ),
        config('age', '', 'bal'),
        pie,
      ),
    );
    same(
      [
        made.below,
        made.folded,
        made.slices.map(({ name }) => name),
        made.slices.reduce((sum, { value }) => sum + value, 0),
      ],
      [
        1,
        45,
        ['k37', 'k39', 'k41', 'k43', 'k45', 'k47', 'k49', 'k51', 'Other (45)'],
        // 1 for each of the 27 even keys, and the sum of the odd numbers below 53.
        27 + 26 ** 2,
      ],
    );
    const { data } = (pieOption(made, all, palette) as unknown as Drawn).series[0]!;
    const colors = data.map((slice) => (slice as { itemStyle: { color: string } }).itemStyle.color);
    same(new Set(colors).size, 9, 'no two slices share a colour');
  });
  it('of eight values are all shown', () => {
    const made = slicesOf(
      pivotOf(
        parseTable(
          `age\tjob\tbal\n${Array.from({ length: 8 }, (_, at) => `k${at}\t\t1`).join('\n')}`,
        ),
        config('age', '', 'bal'),
        pie,
      ),
    );
    same([made.slices.length, made.folded], [8, 0]);
  });
  it('are hidden by name and keep their colours', () => {
    const made = slicesOf(pivotOf(people, config('age', '', 'bal'), pie));
    const { data } = (
      pieOption(made, { ...all, hidden: new Set(['30']) }, palette) as unknown as Drawn
    ).series[0]!;
    same(
      data
        .map((slice) => slice as { name: string; itemStyle: { color: string } })
        .map(({ name, itemStyle }) => [name, itemStyle.color]),
      [
        ['31', 'c2'],
        ['32', 'c3'],
      ],
    );
  });
});

describe('scatter points', () => {
  const rows = (count: number) =>
    parseTable(
      'age\tjob\tbal\n' +
        Array.from(
          { length: count },
          (_, at) => `${at + 1}\tj${at % 2}\t${((at * 7) % 101) + 1}`,
        ).join('\n'),
    );
  const wells = { xAxis: column('age'), yAxis: column('bal'), group: column('job'), size: null };
  it('are circles by size, or dots painted in bulk', () => {
    const sized = scatterOption(
      scatterPoints(rows(9), { ...wells, size: column('bal') }),
      all,
      palette,
    ) as unknown as Drawn;
    same(
      sized.series.map(({ name, large }) => [name, large]),
      [
        ['j0', false],
        ['j1', false],
      ],
    );
    check(
      new Set(sized.series[0]!.data.map((point) => (point as { symbolSize: number }).symbolSize))
        .size === 5,
      'sizes are the same',
    );
    const dots = scatterOption(
      scatterPoints(rows(BULK_DOTS_FROM_POINTS), wells),
      all,
      palette,
    ) as unknown as Drawn;
    same(
      dots.series.map(({ large, data }) => [large, data instanceof Float64Array, data.length]),
      [
        [true, true, BULK_DOTS_FROM_POINTS],
        [true, true, BULK_DOTS_FROM_POINTS],
      ],
    );
    check(CANVAS_FROM_POINTS < BULK_DOTS_FROM_POINTS, 'dots are drawn as SVG');
  });
  it('are placed at categories, numbers or times', () => {
    const points = scatterPoints(people, {
      ...wells,
      xAxis: column('job'),
      yAxis: column('age'),
      group: null,
    });
    const drawn = scatterOption(points, all, palette) as unknown as Drawn;
    same([drawn.xAxis.type, drawn.xAxis.data], ['category', ['dev', 'ops']]);
    same([coordinateText(points.x, 1), coordinateText(points.y, 0.5)], ['ops', formatKey(0.5)]);
    const time = { name: 't', kind: 'time', texts: [] } as const;
    check(coordinateText(time, Date.UTC(2025, 0, 2)).includes('2025'), 'a time');
  });
});

describe('labels of the x axis', () => {
  it('are never upside down', () => {
    const turned = (degree: string) =>
      xLabelsOf({ xLabelStatus: 'rotate', rotate: { degree } }).rotate;
    same(
      ['-45', '45', '135', '-999', '360', 'x', '90']
        .map(turned)
        .map((angle) => Math.abs(angle) <= 90),
      [true, true, true, true, true, true, true],
    );
    same(['-45', '45', '135', '360', 'x'].map(turned), [45, -45, 45, 0, 0]);
  });
});
