/** What a transformation asks for, read from the setting that it would draw itself. */
import type { AxisSpec, ChartSpec, Json, Panel, ParameterSpec, Settings } from './protocol.ts';

/** What `getSetting` answers. */
export interface Setting {
  readonly template?: string;
  readonly scope?: Readonly<Record<string, unknown>>;
}

type Bag = Readonly<Record<string, unknown>>;
const isBag = (value: unknown): value is Bag =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const bagOf = (value: unknown): Bag => (isBag(value) ? value : {});
const textOf = (value: unknown, other = ''): string => (typeof value === 'string' ? value : other);
const countOf = (value: unknown, other: number): number =>
  typeof value === 'number' && value >= 0 ? value : other;
const jsonOf = (value: unknown): Json =>
  value === undefined ? null : (JSON.parse(JSON.stringify(value)) as Json);
/** A list as it is, or a table of named things with their names. */
const listOf = (value: unknown): Bag[] =>
  Array.isArray(value)
    ? value.filter(isBag)
    : Object.entries(bagOf(value)).map(([name, each]) => ({ ...bagOf(each), name }));

const axisOf = (axis: Bag): AxisSpec => ({
  name: textOf(axis['name']),
  dimension: axis['dimension'] === 'single' ? 'single' : 'multiple',
  axisType: textOf(axis['axisType'], 'key'),
  description: textOf(axis['description']),
  minAxisCount: countOf(axis['minAxisCount'], 0),
  maxAxisCount:
    countOf(axis['maxAxisCount'], Infinity) === Infinity ? 0 : (axis['maxAxisCount'] as number),
});
const widgets = ['input', 'option', 'checkbox', 'textarea'] as const;
const parameterOf = (parameter: Bag): ParameterSpec => ({
  name: textOf(parameter['name']),
  description: textOf(parameter['description']),
  valueType: textOf(parameter['valueType'], 'string'),
  widget: widgets.find((widget) => widget === parameter['widget']) ?? 'input',
  defaultValue: jsonOf(parameter['defaultValue']),
  optionValues: Array.isArray(parameter['optionValues'])
    ? parameter['optionValues'].map(jsonOf)
    : [],
});
const chartOf = (chart: Bag): ChartSpec => ({
  name: textOf(chart['name']),
  axes: listOf(chart['axis']).map(axisOf),
  parameters: listOf(chart['parameter']).map(parameterOf),
});

/** The panel for a setting that is one of upstream's own; `undefined` for a template of the package. */
export function panelOf(setting: Setting | undefined, config: Settings): Panel | undefined {
  if (!setting) return { kind: 'none' };
  const { template = '', scope = {} } = setting;
  if (/columnselector_settings\.html$/.test(template)) {
    const props = Array.isArray(scope['props']) ? scope['props'].filter(isBag) : [];
    return {
      kind: 'columns',
      props: props
        .map(({ name, tooltip }) => ({ name: textOf(name), tooltip: textOf(tooltip) }))
        .filter(({ name }) => name !== ''),
    };
  }
  if (/pivot_settings\.html$/.test(template)) return { kind: 'pivot' };
  if (/network_settings\.html$/.test(template)) return { kind: 'network' };
  if (/advanced-transformation-setting\.html$/.test(template)) {
    const own = bagOf(scope['config'] ?? config);
    return {
      kind: 'advanced',
      charts: listOf(bagOf(own['spec'])['charts']).map(chartOf),
      config: jsonOf(own) as Settings,
    };
  }
  return template.trim() === '' || /^\S+\.html$/.test(template) ? { kind: 'none' } : undefined;
}
