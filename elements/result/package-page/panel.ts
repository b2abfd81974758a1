/**
 * Determines the panel a transformation needs from the settings template it would render in
 * Zeppelin.
 */
import type {
  AxisSpec,
  ChartSpec,
  PackagePanelSpec,
  ParameterSpec,
} from '../packages/package-messages.ts';
import type { PackageJson, PackageSettings } from './protocol.ts';

/** Return value of a package's `getSetting`. */
export interface TransformationSetting {
  readonly template?: string;
  readonly scope?: Readonly<Record<string, unknown>>;
}

type UnknownRecord = Readonly<Record<string, unknown>>;
const isRecord = (value: unknown): value is UnknownRecord =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const recordOf = (value: unknown): UnknownRecord => (isRecord(value) ? value : {});
const textOf = (value: unknown, other = ''): string => (typeof value === 'string' ? value : other);
const countOf = (value: unknown): number =>
  typeof value === 'number' && value >= 0 && value < Infinity ? value : 0;
const jsonOf = (value: unknown): PackageJson =>
  value === undefined ? null : (JSON.parse(JSON.stringify(value)) as PackageJson);
/** Returns a list as it is, or converts an object of named entries to a list with names. */
const listOf = (value: unknown): UnknownRecord[] =>
  Array.isArray(value)
    ? value.filter(isRecord)
    : Object.entries(recordOf(value)).map(([name, each]) => ({ ...recordOf(each), name }));

const axisOf = (axis: UnknownRecord): AxisSpec => ({
  name: textOf(axis['name']),
  dimension: axis['dimension'] === 'single' ? 'single' : 'multiple',
  axisType: textOf(axis['axisType'], 'key'),
  description: textOf(axis['description']),
  maxAxisCount: countOf(axis['maxAxisCount']),
});
const widgets = ['input', 'option', 'checkbox', 'textarea'] as const;
const parameterOf = (parameter: UnknownRecord): ParameterSpec => ({
  name: textOf(parameter['name']),
  description: textOf(parameter['description']),
  widget: widgets.find((widget) => widget === parameter['widget']) ?? 'input',
  defaultValue: jsonOf(parameter['defaultValue']),
  optionValues: Array.isArray(parameter['optionValues'])
    ? parameter['optionValues'].map(jsonOf)
    : [],
});
const chartOf = (chart: UnknownRecord): ChartSpec => ({
  name: textOf(chart['name']),
  axes: listOf(chart['axis']).map(axisOf),
  parameters: listOf(chart['parameter']).map(parameterOf),
});

/**
 * Returns the panel for one of Zeppelin's own templates; `undefined` for a template of the package.
 */
export function requestedPanel(
  setting: TransformationSetting | undefined,
  config: PackageSettings,
): PackagePanelSpec | undefined {
  if (!setting) return { kind: 'none' };
  const { template = '', scope = {} } = setting;
  if (/columnselector_settings\.html$/.test(template)) {
    const props = Array.isArray(scope['props']) ? scope['props'].filter(isRecord) : [];
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
    const own = recordOf(scope['config'] ?? config);
    return {
      kind: 'advanced',
      charts: listOf(recordOf(own['spec'])['charts']).map(chartOf),
      config: jsonOf(own) as PackageSettings,
    };
  }
  return template.trim() === '' || /^\S+\.html$/.test(template) ? { kind: 'none' } : undefined;
}
