import { parseTable } from '@tiding/client/model';
import { pivotOf, same } from './test-support.tsx';
import {
  allPositive,
  arranged,
  axesOf,
  axisSettings,
  linesText,
  numberFormatter,
  parseLines,
  shares,
} from './visualizations/chart/axis-settings.ts';
import type { ChartPalette } from './visualizations/chart/palette.ts';
import { themeToken } from './visualizations/chart/palette.ts';
import { lineOption, lineSetting } from './visualizations/line-chart/option.ts';

const palette = { series: ['c1'], mono: 'mono', text: 't' } as unknown as ChartPalette;
const people = parseTable(
  'age\tjob\tbal\n30\tdev\t10\n30\tops\t20\n31\tdev\t5\n31\tdev\tx\n32\tops\t7',
);
const names = ['age', 'job', 'bal'];
const columns = (name: string) =>
  name === '' ? [] : [{ name, index: names.indexOf(name), aggr: 'sum' }];
const config = (keys: string, groups: string, values: string) => ({
  keys: columns(keys),
  groups: columns(groups),
  values: columns(values),
});
const all = { hidden: new Set<string>(), picked: null, ends: false };

describe('the colours of series', () => {
  it('are twenty different ones before they become grey', () => {
    const tokens = Array.from({ length: 22 }, (_, at) => themeToken(at, 22));
    same(new Set(tokens.slice(0, 20)).size, 20);
    same(tokens.slice(20), ['var(--_chart-other)', 'var(--_chart-other)']);
    same(tokens[8], 'color-mix(in srgb, var(--_chart-1) 60%, var(--_text))');
  });
});

describe('the settings of the axes', () => {
  const made = pivotOf(people, config('age', 'job', 'bal'));

  it('are defaults where nothing valid is stored', () => {
    const plain = axisSettings({});
    same(plain, axisSettings({ axes: { format: 'x', sort: 1, line: '1', grain: 'hour', log: 1 } }));
    same(plain, axisSettings({ axes: null }));
    same([plain.sort, plain.log, plain.lines, plain.grain], ['none', false, [], undefined]);
  });

  it('read lines with and without names, and refuse those without a number', () => {
    const lines = parseLines('Target: 100; -2.5;a: b: 3');
    same(lines, [
      { value: 100, name: 'Target' },
      { value: -2.5, name: '' },
      { value: 3, name: 'a: b' },
    ]);
    same(linesText(lines!), 'Target: 100; -2.5; a: b: 3');
    same(axisSettings({ axes: { lines } }).lines, lines);
    same(axisSettings({ axes: { line: 60 } }).lines, [{ value: 60, name: '' }]);
    same([parseLines('Target'), parseLines('1; x: two'), parseLines(' ')], [null, null, []]);
  });

  it('format numbers', () => {
    const text = (format: string, unit: string, value: number) =>
      numberFormatter(axisSettings({ axes: { format, unit } }))(value);
    same(text('full', 'km', 1234567), '1,234,567\u00a0km');
    same(text('percent', '', 0.125), '12.5%');
    same(text('currency', 'eur', -2), '\u2212€2');
    same(text('currency', 'no code', 2.5), '$2.50');
    same(text('si', 'B', 1_230_000), '1.23M\u00a0B');
    same(text('auto', '', 1_230_000), '1.23M');
  });

  it('sort points with all that belongs to them', () => {
    const text = pivotOf(parseTable('k\tv\nb\t1\na10\t3\na9\t2'), {
      keys: [{ name: 'k', index: 0 }],
      groups: [],
      values: [{ name: 'v', index: 1, aggr: 'sum' }],
    });
    const sorted = (sort: 'largest' | 'smallest' | 'name') => {
      const { pivot, points } = arranged(text, sort);
      return [pivot.x, pivot.keys.flat(), pivot.series[0]!.values, points];
    };
    same(sorted('largest'), [
      ['a10', 'a9', 'b'],
      ['a10', 'a9', 'b'],
      [3, 2, 1],
      [1, 2, 0],
    ]);
    same(sorted('smallest'), [
      ['b', 'a9', 'a10'],
      ['b', 'a9', 'a10'],
      [1, 2, 3],
      [0, 2, 1],
    ]);
    same(sorted('name')[0], ['a9', 'a10', 'b']);
    const numbers = {
      ...text,
      x: ['-5', 'null', '-10', '2'],
      keys: [[-5], [null], [-10], [2]],
      series: [{ ...text.series[0]!, values: [1, null, -3, null] }],
    };
    // As in SQL, missing keys and values are last.
    const valuesIn = (sort: 'largest' | 'smallest' | 'name') =>
      arranged(numbers, sort).pivot.series[0]!.values;
    same(valuesIn('largest'), [1, -3, null, null]);
    same(valuesIn('smallest'), [-3, 1, null, null]);
    same(arranged(numbers, 'name').pivot.keys.flat(), [-10, -5, 2, null]);
    // Without keys, the groups are the points.
    const groups = { ...numbers, x: ['b', 'a'], keys: [[], []] };
    same(arranged(groups, 'name').pivot.x, ['a', 'b']);
    same(arranged(text, 'none').pivot, text);
  });

  it('refuse a logarithm of zero, and say so', () => {
    const zero = pivotOf(parseTable('k\tv\na\t0\nb\t1'), {
      keys: [{ name: 'k', index: 0 }],
      groups: [],
      values: [{ name: 'v', index: 1 }],
    });
    same([allPositive(made), allPositive(zero)], [true, false]);
    const refused = axesOf({ axes: { log: true } }, zero);
    same([refused.axes.log, refused.notes.length], [false, 1]);
    const positive = pivotOf(people, config('job', '', 'age'));
    same(axesOf({ axes: { log: true } }, positive).axes.log, true);
  });

  it('draw titles, a logarithmic scale and a reference line', () => {
    const positive = pivotOf(people, config('job', '', 'age'));
    const setting = { axes: { log: true, line: 60, xTitle: 'Job', yTitle: 'Years' } };
    const { axes, settings } = axesOf(setting, positive);
    const drawn = lineOption(
      positive,
      lineSetting(setting, positive, axes, { lines: settings.lines }),
      all,
      palette,
    ) as unknown as {
      xAxis: { name: string };
      yAxis: { name: string; type: string };
      series: { markLine?: { data: { yAxis: number; label: { formatter: string } }[] } }[];
    };
    same([drawn.xAxis.name, drawn.yAxis.name, drawn.yAxis.type], ['Job', 'Years', 'log']);
    const lines = drawn.series[0]!.markLine?.data ?? [];
    same(
      lines.map(({ yAxis, label }) => [yAxis, label.formatter]),
      [[60, '60']],
    );
  });

  it('show shares of the visible series', () => {
    const of = (hidden: string[]) =>
      shares(made, new Set(hidden)).series.map(({ values }) => values);
    same(of([]), [
      [10 / 30, 1, null],
      [20 / 30, null, 1],
    ]);
    same(of(['ops'])[0], [1, 1, null]);
    same(axesOf({}, pivotOf(people, config('job', '', 'bal'))).axes.yTitle, 'sum of bal');
  });
});
