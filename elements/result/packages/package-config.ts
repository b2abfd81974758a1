/** Converts the settings of a package's view to and from the graph settings of an output. */

import { isJsonObject, jsonObjectOf } from '@tiding/client/model';
import type { PackageJson, PackageSettings } from '../package-page/protocol.ts';
import { type Graph, type GraphPatch, type StoredColumn, storedPivot } from '../view-settings.ts';
import type { ChartSpec } from './package-messages.ts';

/** Returns a value as an object; anything else becomes an empty object. */
export const settingsObject = (value: unknown): PackageSettings =>
  jsonObjectOf(value) as PackageSettings;

/**
 * Returns the settings passed to a package's view: its own, plus the settings shared by all views
 * as `common`.
 */
export function packageConfigOf(
  { setting, commonSetting, keys, groups, values }: Graph,
  id: string,
): PackageSettings {
  const pivot = storedPivot({ keys, groups, values });
  return {
    ...(setting[id] as PackageSettings | undefined),
    common: { ...(commonSetting as PackageSettings), pivot: pivot as PackageSettings },
  };
}

/** Reads a stored column; null if the value isn't one. */
function columnOf(value: unknown): StoredColumn | null {
  if (!isJsonObject(value)) return null;
  const { name, index, aggr } = value;
  return typeof name === 'string' && typeof index === 'number'
    ? ({ name, index, ...(typeof aggr === 'string' ? { aggr } : {}) } as StoredColumn)
    : null;
}

/** Reads stored columns: a list, a single column or nothing. */
export const columnsOf = (value: unknown): StoredColumn[] =>
  (Array.isArray(value) ? value : [value]).map(columnOf).filter((column) => column !== null);

/** Converts settings changed by a view to a patch of the graph settings. */
export function packageConfigPatch(
  { setting }: Graph,
  id: string,
  { common, ...own }: PackageSettings,
): GraphPatch {
  const { pivot, ...commonSetting } = settingsObject(common);
  const { keys, groups, values } = settingsObject(pivot);
  const pivotPatch = Object.fromEntries(
    Object.entries({ keys, groups, values })
      .filter(([, part]) => Array.isArray(part))
      .map(([name, part]) => [name, columnsOf(part)]),
  );
  return { setting: { ...setting, [id]: own }, commonSetting, ...pivotPatch };
}

/** Returns the selected chart of an advanced transformation; the first one by default. */
export function currentChart(
  charts: readonly ChartSpec[],
  config: PackageSettings,
): ChartSpec | undefined {
  const current = settingsObject(config['chart'])['current'];
  return charts.find(({ name }) => name === current) ?? charts[0];
}

/** Whether a chart shares its axes' columns with other charts. */
const sharesAxes = (config: PackageSettings, chart: string): boolean =>
  settingsObject(settingsObject(settingsObject(config['spec'])['charts'])[chart])['sharedAxis'] ===
  true;

export function axisColumns(config: PackageSettings, chart: string, axis: string): StoredColumn[] {
  return columnsOf(
    (sharesAxes(config, chart)
      ? settingsObject(config['sharedAxis'])
      : settingsObject(settingsObject(config['axis'])[chart]))[axis],
  );
}

/** Sets a value in the part of the settings that belongs to a chart. */
const inChart = (part: unknown, chart: string, name: string, value: PackageJson): PackageJson => ({
  ...settingsObject(part),
  [chart]: { ...settingsObject(settingsObject(part)[chart]), [name]: value },
});

export const withAxis = (
  config: PackageSettings,
  chart: string,
  axis: string,
  columns: PackageJson,
): PackageSettings => ({
  ...config,
  ...(sharesAxes(config, chart)
    ? { sharedAxis: { ...settingsObject(config['sharedAxis']), [axis]: columns } }
    : { axis: inChart(config['axis'], chart, axis, columns) }),
  chartChanged: true,
  parameterChanged: false,
});

/** Sets a parameter of a chart. */
export const withParameter = (
  config: PackageSettings,
  chart: string,
  name: string,
  value: PackageJson,
): PackageSettings => ({
  ...config,
  parameter: inChart(config['parameter'], chart, name, value),
  chartChanged: false,
  parameterChanged: true,
});

/** Returns the stored value of a parameter. */
export const parameterOf = (
  config: PackageSettings,
  chart: string,
  name: string,
): PackageJson | undefined => settingsObject(settingsObject(config['parameter'])[chart])[name];
