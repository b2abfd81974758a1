/** Settings of a package's view: how they are kept in the graph settings of an output, and how they come back. */
import type { Graph, GraphColumn, GraphPatch } from '../graph.ts';
import type { ChartSpec, Json, Settings } from '../package-page/protocol.ts';

type Bag = Readonly<Record<string, unknown>>;
const isBag = (value: unknown): value is Bag =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
/** Some of an object as a bag of its own. */
export const bagOf = (value: unknown): Settings => (isBag(value) ? (value as Settings) : {});

/** What the view of a package is given: its own settings, and those that all views share as `common`. */
export function configOf(
  { setting, commonSetting, keys, groups, values }: Graph,
  id: string,
): Settings {
  const pivot = Object.fromEntries(
    Object.entries({ keys, groups, values }).filter(([, part]) => part !== undefined),
  );
  return {
    ...(setting[id] as Settings | undefined),
    common: { ...(commonSetting as Settings), pivot: pivot as Settings },
  };
}

/** A column as settings keep it; null for anything else. */
export function columnOf(value: unknown): GraphColumn | null {
  if (!isBag(value)) return null;
  const { name, index, aggr } = value;
  return typeof name === 'string' && typeof index === 'number'
    ? ({ name, index, ...(typeof aggr === 'string' ? { aggr } : {}) } as GraphColumn)
    : null;
}

/** Columns as settings keep them: a list, one, or none. */
export const columnsOf = (value: unknown): GraphColumn[] =>
  (Array.isArray(value) ? value : [value]).map(columnOf).filter((column) => column !== null);

/** How the graph settings change by what a view was given and has changed. */
export function patchOf({ setting }: Graph, id: string, { common, ...own }: Settings): GraphPatch {
  const { pivot, ...commonSetting } = bagOf(common);
  const { keys, groups, values } = bagOf(pivot);
  const pivotPatch = Object.fromEntries(
    Object.entries({ keys, groups, values })
      .filter(([, part]) => Array.isArray(part))
      .map(([name, part]) => [name, columnsOf(part)]),
  );
  return { setting: { ...setting, [id]: own }, commonSetting, ...pivotPatch };
}

const record = (value: unknown): Record<string, Json> => ({ ...bagOf(value) });

/** The chart of the advanced transformation that is drawn, and where the columns of its axes are kept. */
export function currentChart(
  charts: readonly ChartSpec[],
  config: Settings,
): ChartSpec | undefined {
  const current = bagOf(config['chart'])['current'];
  return charts.find(({ name }) => name === current) ?? charts[0];
}

/** Whether a chart takes its columns from a place that it shares with others. */
const sharesAxes = (config: Settings, chart: string): boolean =>
  bagOf(bagOf(bagOf(config['spec'])['charts'])[chart])['sharedAxis'] === true;

/** Columns of an axis. */
export function axisColumns(config: Settings, chart: string, axis: string): GraphColumn[] {
  return columnsOf(
    (sharesAxes(config, chart) ? bagOf(config['sharedAxis']) : bagOf(bagOf(config['axis'])[chart]))[
      axis
    ],
  );
}

/** Puts columns on an axis. */
export function withAxis(config: Settings, chart: string, axis: string, columns: Json): Settings {
  if (sharesAxes(config, chart))
    return {
      ...config,
      sharedAxis: { ...record(config['sharedAxis']), [axis]: columns },
      chartChanged: true,
      parameterChanged: false,
    };
  const all = record(config['axis']);
  return {
    ...config,
    axis: { ...all, [chart]: { ...record(all[chart]), [axis]: columns } },
    chartChanged: true,
    parameterChanged: false,
  };
}

/** Sets a parameter of a chart. */
export function withParameter(
  config: Settings,
  chart: string,
  name: string,
  value: Json,
): Settings {
  const all = record(config['parameter']);
  return {
    ...config,
    parameter: { ...all, [chart]: { ...record(all[chart]), [name]: value } },
    chartChanged: false,
    parameterChanged: true,
  };
}

/** Value of a parameter, as it is kept. */
export const parameterOf = (config: Settings, chart: string, name: string): Json | undefined =>
  bagOf(bagOf(config['parameter'])[chart])[name];
