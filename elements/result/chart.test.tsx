import { parseTable } from '@tiding/client/model';
import { sendKeys } from '@web/test-runner-commands';
import { strictPage } from '../ui/testing/test-setup.ts';
import { type ResultEntry, resultSheets } from './index.ts';
import { formatBytes, formatTick } from './parts/numbers.ts';
import { column, Result, tableOf } from './test-outputs.tsx';
import { check, type Mounted, mount, pause, pivotOf, same, waitUntil } from './test-support.tsx';
import { xLabelsOf } from './visualizations/chart/axes.ts';
import { type ChartPalette, resolvePalette } from './visualizations/chart/palette.ts';
import { pointTip } from './visualizations/chart/point-tip.ts';
import {
  addToWell,
  changeValue,
  moveToWell,
  removeFromWell,
} from './visualizations/fields/pivot-edit.ts';
import { barOption } from './visualizations/multi-bar-chart/option.ts';

const text =
  'cause\thub\tcancelled\nSnow\tHub\t412\nSnow\tRegional\t296\nIce\tHub\t188\nIce\tRegional\t141\n';
const grouped = {
  keys: [column('cause', 0)],
  groups: [column('hub', 1)],
  values: [column('cancelled', 2)],
};
const none: ReadonlySet<string> = new Set();

describe('bar chart', () => {
  strictPage();
  let shown: Mounted;
  let stored: ResultEntry[];
  const view = (graph: object, data = text) => (
    <Result
      outputs={[tableOf(data)]}
      graph={{ mode: 'multiBarChart', height: 260, ...graph }}
      title="Cancellations"
      onConfig={(_, entry) => stored.push(entry)}
    />
  );
  const graph = (): { keys: object[]; groups: object[]; values: object[] } =>
    stored.at(-1)!['graph'] as never;
  const show = async (settings: object = grouped, data?: string): Promise<void> => {
    shown = mount(view(settings, data), resultSheets);
    await waitUntil(() => shown.all('.chart-box svg path').length > 3, 'drawn chart');
  };
  const well = (name: string): HTMLElement => shown.find(`.well[aria-label="${name}"]`);
  const chips = (name: string): string[] =>
    [...well(name).querySelectorAll('.chip-name')].map(({ textContent }) => textContent!);
  beforeEach(() => (stored = []));

  it("is drawn as SVG in the theme's colours and redrawn when the theme changes", async () => {
    await show();
    const fills = (): string[] =>
      shown.all('.chart-box svg path').map((path) => path.getAttribute('fill') ?? '');
    const { series } = resolvePalette(shown.find('.chart-box'));
    const hex = (color: string): string =>
      `#${color
        .match(/\d+/g)!
        .slice(0, 3)
        .map((part) => Number(part).toString(16).padStart(2, '0'))
        .join('')}`;
    const drawn = (color: string): boolean =>
      fills().some((fill) => fill === color || fill.toLowerCase() === hex(color));
    await waitUntil(() => drawn(series[0]!) && drawn(series[1]!), 'series colours');
    shown.host.setAttribute('theme', 'dark');
    await waitUntil(() => {
      const dark = resolvePalette(shown.find('.chart-box')).series;
      return dark[0] !== series[0] && drawn(dark[0]!) && !drawn(series[0]!);
    }, 'dark colours');
  });

  it('provides its numbers to screen readers', async () => {
    await show();
    const label = shown.find('.chart-box').getAttribute('aria-label')!;
    same(
      [
        label.includes('Hub, Regional'),
        label.includes('2 points'),
        label.includes('141') && label.includes('412'),
      ],
      [true, true, true],
      label,
    );
    same(
      [...shown.find('table').querySelectorAll('tr')].map(({ cells }) =>
        [...cells].map(({ textContent }) => textContent),
      ),
      [
        ['Key', 'Hub', 'Regional'],
        ['Snow', '412', '296'],
        ['Ice', '188', '141'],
      ],
    );
    same(
      shown.all('.chart-legend button').map(({ textContent }) => textContent),
      ['Hub', 'Regional'],
    );
  });

  it('follows the size of its container', async () => {
    await show();
    const width = (): number => shown.find('.chart-box svg').getBoundingClientRect().width;
    const before = width();
    shown.host.style.width = '600px';
    await waitUntil(() => width() < before - 300, 'narrower drawing');
  });

  it('adds and removes fields by keyboard and menu', async () => {
    await show({});
    shown.find('[aria-label="Fields"]').click();
    await waitUntil(() => well('Keys'), 'wells');
    same(
      [chips('Keys'), chips('Groups'), chips('Values')],
      [['cause'], [], ['sum of cancelled']],
      'the default is the first column of numbers',
    );
    shown.find('[aria-label="Add hub"]').focus();
    await sendKeys({ press: 'Enter' });
    await waitUntil(() => shown.all('[role=menuitem]').length === 3, 'menu');
    await sendKeys({ press: 'ArrowDown' });
    await sendKeys({ press: 'Enter' });
    await waitUntil(() => chips('Groups').join() === 'hub', 'group');
    same(graph().groups, [column('hub', 1)]);
    await waitUntil(() => !shown.root.querySelector('[role=menuitem]'), 'menu closed');
    well('Values').querySelector<HTMLElement>('.chip')!.focus();
    await sendKeys({ press: 'Enter' });
    await waitUntil(() => shown.all('[role=menuitemradio]').length === 11, 'aggregations');
    same(
      shown.all('[role=menuitemradio]').map(({ textContent }) => textContent),
      ['sum', 'count', 'avg', 'min', 'max', 'Each value', 'Cumulative'].concat(
        [3, 7, 12, 30].map((points) => `Moving average of ${points}`),
      ),
    );
    shown.all('[role=menuitemradio]')[2]!.click();
    await waitUntil(() => chips('Values').join() === 'avg of cancelled', 'average');
    same(graph().values, [column('cancelled', 2, 'avg')]);
    well('Keys').querySelector<HTMLElement>('[aria-label="Remove cause"]')!.click();
    await waitUntil(() => chips('Keys').length === 0, 'removed');
    same(graph().keys, []);
    check(shown.find('.fields [role=status]').textContent!.includes('cause'), 'no notice');
  });

  it('adds fields by dragging', async () => {
    await show({ ...grouped, groups: [] });
    shown.find('[aria-label="Fields"]').click();
    await waitUntil(() => well('Keys'), 'wells');
    const drag = (source: Element, target: Element): void => {
      const dataTransfer = new DataTransfer();
      const fire = (element: Element, type: string) =>
        element.dispatchEvent(
          new DragEvent(type, { bubbles: true, composed: true, cancelable: true, dataTransfer }),
        );
      fire(source, 'dragstart');
      fire(target, 'dragover');
      fire(target, 'drop');
      fire(source, 'dragend');
    };
    drag(shown.find('[aria-label="Add hub"]'), well('Groups'));
    await waitUntil(() => chips('Groups').join() === 'hub', 'dropped column');
    drag(well('Groups').querySelector('.chip')!, well('Keys'));
    await waitUntil(
      () => chips('Keys').join() === 'cause,hub' && chips('Groups').length === 0,
      'moved chip',
    );
    await pause(20);
  });

  it('stacks bars and names missing columns', async () => {
    await show(grouped);
    shown.find('[aria-label="Fields"]').click();
    const stacked = await waitUntil(() => shown.all('.chart-panel [role=radio]')[1], 'choice');
    stacked.click();
    await waitUntil(() => stored.length > 1, 'stored');
    same((graph() as unknown as { setting: object }).setting, { multiBarChart: { stacked: true } });
    shown.render(view({ ...grouped, values: [] }));
    await waitUntil(() => shown.root.textContent!.includes('Choose at least one value'), 'advice');
  });
});

describe('bar chart option', () => {
  const palette = {
    series: ['c1', 'c2', 'c3', 'c4', 'c5', 'c6', 'c7', 'c8'],
    mono: 'mono',
    other: 'other',
    surface: 's',
  } as unknown as ChartPalette;
  const labels = { show: true, rotate: 0 };
  interface Drawn {
    xAxis: { data: string[] };
    animation: boolean;
    series: { name: string; data: unknown[]; stack?: string; itemStyle: { color: string } }[];
  }
  const option = (data: string, config: object, stacked = false, hidden = none): Drawn =>
    barOption(
      pivotOf(parseTable(data), config as never),
      { stacked, labels },
      { hidden, picked: null, ends: false },
      palette,
    ) as unknown as Drawn;

  it('has a series per group and a point per key', () => {
    const { xAxis, series } = option(text, grouped);
    same(
      [xAxis.data, series.map(({ name, data }) => [name, data])],
      [
        ['Snow', 'Ice'],
        [
          ['Hub', [412, 188]],
          ['Regional', [296, 141]],
        ],
      ],
    );
    same(
      series.map(({ itemStyle }) => itemStyle.color),
      ['c1', 'c2'],
    );
    same(
      option(text, grouped, true).series.map(({ stack }) => stack),
      ['all', 'all'],
    );
  });
  it('uses the single-series colour for one series and the gray colour after the last', () => {
    same(
      option(text, { ...grouped, groups: [] }).series.map(({ itemStyle }) => itemStyle.color),
      ['mono'],
    );
    const many =
      'k\tg\tv\n' + Array.from({ length: 10 }, (_, at) => `a\tg${at}\t${at + 1}`).join('\n');
    same(
      option(many, { keys: [column('k', 0)], groups: [column('g', 1)], values: [column('v', 2)] })
        .series.slice(7)
        .map(({ itemStyle }) => itemStyle.color),
      ['c8', 'other', 'other'],
    );
  });
  it('omits hidden series and keeps the other colours', () => {
    same(
      option(text, grouped, false, new Set(['Hub'])).series.map(({ name, itemStyle }) => [
        name,
        itemStyle.color,
      ]),
      [['Regional', 'c2']],
    );
    same(
      pointTip(pivotOf(parseTable(text), grouped), new Set(['Hub']), 1)?.lines.map(
        ({ name, value }) => [name, value],
      ),
      [['Regional', '141']],
    );
  });
  it('does not animate more than 150 points', () => {
    const rows = (count: number) =>
      `k\tv\n${Array.from({ length: count }, (_, at) => `k${at}\t${at + 1}`).join('\n')}`;
    const config = { keys: [column('k', 0)], groups: [], values: [column('v', 1)] };
    same([option(rows(150), config).animation, option(rows(151), config).animation], [true, false]);
  });
  it('reads the label settings', () => {
    same(xLabelsOf({}), { show: true, rotate: 0 });
    same(xLabelsOf({ xLabelStatus: 'rotate', rotate: { degree: '-45' } }), {
      show: true,
      rotate: 45,
    });
    same(xLabelsOf({ xLabelStatus: 'hide' }), { show: false, rotate: 0 });
  });
  it('formats ticks with suffixes from a million on', () => {
    const plain = (value: number) =>
      new Intl.NumberFormat(undefined, { maximumFractionDigits: 3 }).format(value);
    const three = (value: number) =>
      new Intl.NumberFormat(undefined, {
        minimumSignificantDigits: 3,
        maximumSignificantDigits: 3,
      }).format(value);
    same([0, 999999, 1234.5678].map(formatTick), [0, 999999, 1234.5678].map(plain));
    same([1e6, 12_345_678, 999.9e6, 2.5e9, 3e12].map(formatTick), [
      `${three(1)}M`,
      `${three(12.3)}M`,
      `${three(1)}B`,
      `${three(2.5)}B`,
      `${three(3)}T`,
    ]);
    same(formatTick(-2e6), `\u2212${three(2)}M`);
  });
  it('formats sizes with a decimal unit and one decimal', () => {
    const tenths = (value: number) =>
      new Intl.NumberFormat(undefined, { maximumFractionDigits: 1 }).format(value);
    same([0, 999, 1000, 31_240, 999_949, 999_950, 1_250_000, 3e15].map(formatBytes), [
      `${tenths(0)} B`,
      `${tenths(999)} B`,
      `${tenths(1)} kB`,
      `${tenths(31.2)} kB`,
      `${tenths(999.9)} kB`,
      `${tenths(1)} MB`,
      `${tenths(1.3)} MB`,
      `${tenths(3000)} TB`,
    ]);
  });
});

describe('pivot fields', () => {
  const start = { keys: [column('a', 0)], groups: [], values: [column('b', 1)] };
  it('contain a column once in keys and groups, and any number of times in values', () => {
    same(addToWell(start, 'keys', column('a', 0)), start);
    same(addToWell(start, 'values', { name: 'b', index: 1 }).values, [
      column('b', 1),
      column('b', 1),
    ]);
  });
  it('are moved, changed and removed', () => {
    same(moveToWell(start, 'keys', 0, 'groups'), { ...start, keys: [], groups: [column('a', 0)] });
    same(changeValue(start, 0, { aggr: 'max' }).values, [column('b', 1, 'max')]);
    same(removeFromWell(start, 'values', 0).values, []);
  });
});
