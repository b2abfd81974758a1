import { sendKeys } from '@web/test-runner-commands';
import type { Output } from 'tiding/client';
import { pivot as pivotOf, parseTable } from 'tiding/model';
import { ResultView, resultSheets, type ResultEntry } from './index.ts';
import { formatTick } from './numbers.ts';
import { check, mount, pause, same, strictPolicy, until, type Mounted } from './test-kit.tsx';
import { xLabelsOf } from './visualizations/chart/axes.ts';
import { resolvePalette, type Palette } from './visualizations/chart/palette.ts';
import { addTo, aggregateAs, moveTo, removeAt } from './visualizations/fields/pivot-edit.ts';
import { pointTip } from './visualizations/chart/tips.ts';
import { barOption } from './visualizations/multi-bar-chart/option.ts';

const text =
  'cause\thub\tcancelled\nSnow\tHub\t412\nSnow\tRegional\t296\nIce\tHub\t188\nIce\tRegional\t141\n';
const column = (name: string, index: number, aggr = 'sum') => ({ name, index, aggr });
const grouped = {
  keys: [column('cause', 0)],
  groups: [column('hub', 1)],
  values: [column('cancelled', 2)],
};
const output = (data: string): Output => ({ type: 'TABLE', chunks: [data], count: 1 });
const none: ReadonlySet<string> = new Set();

describe('bar chart', () => {
  const violations = strictPolicy();
  let shown: Mounted;
  let stored: ResultEntry[];
  const view = (graph: object, data = text) => (
    <ResultView
      outputs={[output(data)]}
      status="FINISHED"
      config={{ results: { 0: { graph: { mode: 'multiBarChart', height: 260, ...graph } } } }}
      frameUrl=""
      title="Cancellations"
      onConfig={(_, entry) => stored.push(entry)}
    />
  );
  const graph = (): { keys: object[]; groups: object[]; values: object[] } =>
    stored.at(-1)!['graph'] as never;
  const show = async (settings: object = grouped, data?: string): Promise<void> => {
    shown = mount(view(settings, data), resultSheets);
    await until(() => shown.all('.chart-box svg path').length > 3, 'drawn chart');
  };
  const well = (name: string): HTMLElement => shown.find(`.well[aria-label="${name}"]`);
  const chips = (name: string): string[] =>
    [...well(name).querySelectorAll('.chip-name')].map(({ textContent }) => textContent!);
  beforeEach(() => (stored = []));
  afterEach(() => shown.remove());
  after(() => same(violations, [], 'page policy'));

  it('is drawn as SVG in the colours of the theme, again when that changes', async () => {
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
    await until(() => drawn(series[0]!) && drawn(series[1]!), 'series colours');
    shown.host.setAttribute('theme', 'dark');
    await until(() => {
      const dark = resolvePalette(shown.find('.chart-box')).series;
      return dark[0] !== series[0] && drawn(dark[0]!) && !drawn(series[0]!);
    }, 'dark colours');
  });

  it('tells its numbers to those who do not see it', async () => {
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

  it('follows the room it has', async () => {
    await show();
    const width = (): number => shown.find('.chart-box svg').getBoundingClientRect().width;
    const before = width();
    shown.host.style.width = '600px';
    await until(() => width() < before - 300, 'narrower drawing');
  });

  it('takes fields by keys and menu, and gives them back', async () => {
    await show({});
    shown.find('[aria-label="Fields"]').click();
    await until(() => well('Keys'), 'wells');
    same(
      [chips('Keys'), chips('Groups'), chips('Values')],
      [['cause'], [], ['sum of hub']],
      'default fields',
    );
    shown.find('[aria-label="Add hub"]').focus();
    await sendKeys({ press: 'Enter' });
    await until(() => shown.all('[role=menuitem]').length === 3, 'menu');
    await sendKeys({ press: 'ArrowDown' });
    await sendKeys({ press: 'Enter' });
    await until(() => chips('Groups').join() === 'hub', 'group');
    same(graph().groups, [column('hub', 1)]);
    await until(() => !shown.root.querySelector('[role=menuitem]'), 'menu closed');
    well('Values').querySelector<HTMLElement>('.chip')!.focus();
    await sendKeys({ press: 'Enter' });
    await until(() => shown.all('[role=menuitemradio]').length === 5, 'aggregations');
    same(
      shown.all('[role=menuitemradio]').map(({ textContent }) => textContent),
      ['sum', 'count', 'avg', 'min', 'max'],
    );
    shown.all('[role=menuitemradio]')[2]!.click();
    await until(() => chips('Values').join() === 'avg of hub', 'average');
    same(graph().values, [column('hub', 1, 'avg')]);
    well('Keys').querySelector<HTMLElement>('[aria-label="Remove cause"]')!.click();
    await until(() => chips('Keys').length === 0, 'removed');
    same(graph().keys, []);
    check(
      shown.find('.fields [role=status]').textContent!.includes('cause'),
      'nothing is said about it',
    );
  });

  it('takes fields by dragging', async () => {
    await show({ ...grouped, groups: [] });
    shown.find('[aria-label="Fields"]').click();
    await until(() => well('Keys'), 'wells');
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
    await until(() => chips('Groups').join() === 'hub', 'dropped column');
    drag(well('Groups').querySelector('.chip')!, well('Keys'));
    await until(
      () => chips('Keys').join() === 'cause,hub' && chips('Groups').length === 0,
      'moved chip',
    );
    await pause(20);
  });

  it('stacks on demand, and names what is missing', async () => {
    await show(grouped);
    shown.find('[aria-label="Fields"]').click();
    const stacked = await until(() => shown.all('.fields-settings [role=radio]')[1], 'choice');
    stacked.click();
    await until(() => stored.length > 1, 'stored');
    same((graph() as unknown as { setting: object }).setting, { multiBarChart: { stacked: true } });
    shown.render(view({ ...grouped, values: [] }));
    await until(() => shown.root.textContent!.includes('Choose at least one value'), 'advice');
  });
});

describe('bar chart option', () => {
  const palette = {
    series: ['c1', 'c2', 'c3', 'c4', 'c5', 'c6', 'c7', 'c8'],
    mono: 'mono',
    other: 'other',
    surface: 's',
  } as unknown as Palette;
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

  it('has a series for each group and a point for each key', () => {
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
  it('draws one series in the single colour, and a ninth in the gray one', () => {
    same(
      option(text, { ...grouped, groups: [] }).series.map(({ itemStyle }) => itemStyle.color),
      ['mono'],
    );
    const many = `k\tg\tv\n${Array.from({ length: 10 }, (_, at) => `a\tg${at}\t${at + 1}`).join('\n')}`;
    same(
      option(many, { keys: [column('k', 0)], groups: [column('g', 1)], values: [column('v', 2)] })
        .series.slice(7)
        .map(({ itemStyle }) => itemStyle.color),
      ['c8', 'other', 'other'],
    );
  });
  it('leaves out what the legend has taken out, and keeps the colours', () => {
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
  it('moves nothing above 150 points', () => {
    const rows = (count: number) =>
      `k\tv\n${Array.from({ length: count }, (_, at) => `k${at}\t${at + 1}`).join('\n')}`;
    const config = { keys: [column('k', 0)], groups: [], values: [column('v', 1)] };
    same([option(rows(150), config).animation, option(rows(151), config).animation], [true, false]);
  });
  it('reads how the labels stand', () => {
    same(xLabelsOf({}), { show: true, rotate: 0 });
    same(xLabelsOf({ xLabelStatus: 'rotate', rotate: { degree: '-45' } }), {
      show: true,
      rotate: 45,
    });
    same(xLabelsOf({ xLabelStatus: 'hide' }), { show: false, rotate: 0 });
  });
  it('writes ticks with suffixes from a million on', () => {
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
});

describe('fields', () => {
  const start = { keys: [column('a', 0)], groups: [], values: [column('b', 1)] };
  it('hold a column once among keys and groups, and as often as wanted among values', () => {
    same(addTo(start, 'keys', column('a', 0)), start);
    same(addTo(start, 'values', { name: 'b', index: 1 }).values, [column('b', 1), column('b', 1)]);
  });
  it('move, change and leave', () => {
    same(moveTo(start, 'keys', 0, 'groups'), { ...start, keys: [], groups: [column('a', 0)] });
    same(aggregateAs(start, 0, 'max').values, [column('b', 1, 'max')]);
    same(removeAt(start, 'values', 0).values, []);
  });
});
