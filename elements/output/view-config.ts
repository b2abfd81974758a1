/** View settings that a page writes with names of columns. */
import { type Aggregation, aggregations, textRowsOf } from '@tiding/client/model';
import type { RowSource } from '../result/rows/row-source.ts';
import type { Graph, StoredColumn } from '../result/view-settings.ts';
import { visualizations } from '../result/visualizations/index.ts';
import { type OutputBlock, outputsBefore } from './data.ts';
import { refused } from './plain-rows.ts';
import { outputTexts } from './texts.ts';

/**
 * Columns of a chart: names, with an aggregation as in `avg(price)`, as a list or as one text with
 * commas between them.
 */
export type ChartColumns =
  | string
  | readonly (string | { readonly name: string; readonly aggr?: Aggregation })[];

/** View settings of `<tiding-output>`. */
export interface OutputConfig {
  /** View of rows: `table`, which is the default, or a kind of chart. */
  readonly mode?: string | undefined;
  /** Height in px. */
  readonly height?: number | undefined;
  /** Columns of the x axis of a chart. */
  readonly keys?: ChartColumns | undefined;
  /** Columns that split the data of a chart into series. */
  readonly groups?: ChartColumns | undefined;
  /** Columns that a chart draws. */
  readonly values?: ChartColumns | undefined;
  /** Settings of each view, by its id. */
  readonly setting?: Graph['setting'] | undefined;
  /** Settings of each output by its index, as a paragraph stores them, instead of those above. */
  readonly results?: Readonly<Record<number, unknown>> | undefined;
}

const CALL = /^(\w+)\((.*)\)$/;

/** Lists names for a message. */
const listed = (names: readonly string[]): string => names.join(', ') || outputTexts.noColumns;

function columnsOf(
  given: ChartColumns | undefined,
  known: readonly string[],
  field: string,
): StoredColumn[] | undefined {
  if (given === undefined) return undefined;
  const list = typeof given === 'string' ? given.split(',').map((each) => each.trim()) : given;
  return list
    .filter((each) => each !== '')
    .map((each) => {
      const [, call, inner] = (typeof each === 'string' && CALL.exec(each)) || [];
      const isCall = call !== undefined && !known.includes(each as string);
      const written = typeof each === 'string' ? { name: each } : each;
      const { name, aggr = 'sum' } = isCall ? { name: inner!, aggr: call } : written;
      const index = known.indexOf(name);
      if (index < 0) throw refused(outputTexts.column(field, name, listed(known)));
      if (!aggregations.some((one) => one === aggr))
        throw refused(outputTexts.aggregation(aggr, listed(aggregations)));
      return { name, index, aggr };
    });
}

/** The views of rows by id; those of charts if `table` is left out. */
export const viewIds = (withTable: boolean): string[] =>
  visualizations
    .map(({ id }) => id)
    .filter((id) => id !== 'network' && (withTable || id !== 'table'));

/** Returns the stored settings of a table. Throws if they name an unknown view or column. */
function graphOfConfig(
  { mode = 'table', height, setting, ...fields }: OutputConfig,
  columns: readonly { readonly name: string }[],
  views: readonly string[] = viewIds(true),
): Readonly<Record<string, unknown>> {
  if (!views.includes(mode)) throw refused(outputTexts.view(mode, listed(views)));
  const known = columns.map(({ name }) => name);
  const [keys, groups, values] = (['keys', 'groups', 'values'] as const).map((field) =>
    columnsOf(fields[field], known, field),
  );
  const points = {
    xAxis: keys?.[0] ?? null,
    yAxis: values?.[0] ?? null,
    group: groups?.[0] ?? null,
    size: values?.[1] ?? null,
  };
  const chosen = keys || values ? points : {};
  const drawn = ['scatterChart', 'map'].map((id) => [id, { ...chosen, ...setting?.[id] }]);
  return {
    mode,
    height,
    keys,
    groups,
    values,
    setting: { ...setting, ...Object.fromEntries(drawn) },
  };
}

/** Returns the config of a paragraph that shows rows. */
export const configOfRows = (
  { results, ...config }: OutputConfig,
  { columns }: Pick<RowSource, 'columns'>,
  views?: readonly string[],
) => ({ results: results ?? { 0: { graph: graphOfConfig(config, columns, views) } } });

/** Returns the config of the paragraphs that show blocks of outputs. */
export function configsOf(
  { results, ...config }: OutputConfig,
  blocks: readonly OutputBlock[],
): { readonly results: Readonly<Record<number, unknown>> }[] {
  const before = outputsBefore(blocks);
  return blocks.map(({ outputs }, block) => {
    const entries = outputs.map((output, at): [number, unknown] => [
      at,
      results
        ? results[before[block]! + at]
        : output.type === 'TABLE'
          ? { graph: graphOfConfig(config, textRowsOf(output).columns) }
          : { graph: { height: config.height } },
    ]);
    return { results: Object.fromEntries(entries) };
  });
}
