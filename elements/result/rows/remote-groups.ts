import {
  type ArrowSource,
  aggregationOf,
  type DateGrain,
  hasIntervals,
  intervalWidth,
  type Pivot,
  type PivotConfig,
  type PivotOptions,
  pivot,
  readArrowRows,
  runNow,
  type TypedRows,
} from '@tiding/client/model';
import type { ResultGroupKey } from '@tiding/client/protocol';
import type { RemoteTable } from './row-source.ts';

/** A key with more distinct values is grouped by periods or intervals. */
const MAX_POINTS = 2_000;
/** Intervals of a number key. */
const INTERVALS = 200;
/** Groups that are read at most. */
const MAX_GROUPS = 50_000;

type Period = NonNullable<ResultGroupKey['period']>;
/** Lengths of the periods in ms. */
const periods: readonly (readonly [Period, number])[] = [
  ['second', 1_000],
  ['minute', 60_000],
  ['hour', 3_600_000],
  ['day', 86_400_000],
  ['month', 30 * 86_400_000],
  ['year', 365 * 86_400_000],
];

/** What a pivot needs of a table on the server. */
interface PivotedTable {
  source(): TypedRows;
  ask: RemoteTable['ask'];
}

/** How the rows of a key were grouped. */
export interface Grouping {
  readonly name: string;
  readonly period?: Period | undefined;
  readonly width?: number | undefined;
}

/** A pivot that was computed from all rows. */
export interface RemotePivot {
  readonly pivot: Pivot;
  readonly groupings: readonly Grouping[];
  /** Number of rows it was computed from. */
  readonly rows: number;
  /** Groups that are not part of it. */
  readonly omitted: number;
}

/** Whether the server can group the keys by any period: it doesn't read dates in texts. */
export function hasPeriods({ columns }: TypedRows, keys: PivotConfig['keys']): boolean {
  const kind = keys.length === 1 ? columns[keys[0]!.index]?.kind : undefined;
  return kind === 'date' || kind === 'timestamp';
}

/** Groups keys by the chosen period, or those with many values by some period or interval. */
async function groupedKeys(
  remote: PivotedTable,
  keys: PivotConfig['keys'],
  grain: DateGrain | undefined,
  bins: number | undefined,
  signal: AbortSignal,
): Promise<ResultGroupKey[]> {
  if (keys.length === 0) return [];
  if (grain) return keys.map(({ index }) => ({ column: index, period: grain }));
  const { table } = await remote.ask(
    { kind: 'ranges', columns: keys.map(({ index }) => index) },
    signal,
  );
  const { columns } = remote.source();
  const ranges = table.toArray();
  return keys.map(({ index }, at) => {
    const { lowest, highest, distinct } = ranges[at]!;
    const span = Number(highest) - Number(lowest);
    const kind = columns[index]?.kind;
    if (bins)
      return {
        column: index,
        width: intervalWidth(Number(lowest), Number(highest), bins, kind === 'integer'),
      };
    if (Number(distinct) <= MAX_POINTS || !(span > 0)) return { column: index };
    if (kind === 'date' || kind === 'timestamp') {
      const found = periods.find(
        ([period, length]) =>
          (kind === 'timestamp' || length >= 86_400_000) &&
          (span / length <= MAX_POINTS || period === 'year'),
      );
      return { column: index, period: found![0] };
    }
    return kind === 'integer' || kind === 'float' || kind === 'decimal'
      ? { column: index, width: intervalWidth(Number(lowest), Number(highest), INTERVALS, false) }
      : { column: index };
  });
}

/** Computes a pivot from all rows on the server. */
export async function pivotOnServer(
  remote: PivotedTable,
  config: PivotConfig,
  options: PivotOptions,
  signal: AbortSignal,
): Promise<RemotePivot> {
  const { keys, groups, values } = config;
  const all = remote.source();
  const grain = hasPeriods(all, keys) ? options.grain : undefined;
  const bins = hasIntervals(all, keys) ? options.bins : undefined;
  const grouped = await groupedKeys(remote, keys, grain, bins, signal);
  const { table, total } = await remote.ask(
    {
      kind: 'groups',
      keys: [...grouped, ...groups.map(({ index }) => ({ column: index }))],
      values: values.map(({ index, aggr }) => ({ column: index, aggregate: aggregationOf(aggr) })),
      // Intervals are drawn in their order, other keys and all series as they first appear. The
      // pivot orders the chosen periods and intervals.
      order:
        !grain && !bins && grouped.some(({ period, width }) => period ?? width) ? 'key' : 'first',
      limit: MAX_GROUPS,
    },
    signal,
  );
  const read = await readArrowRows(table);
  // Answers have instants in UTC.
  const zones = [...keys, ...groups].map(({ index }) => all.columns[index]?.timezone);
  const source: ArrowSource = {
    ...read,
    columns: read.columns.map((column, at) =>
      column.timezone && zones[at] ? { ...column, timezone: zones[at] } : column,
    ),
  };
  const placed = <T extends { index: number }>(list: readonly T[], from: number): T[] =>
    list.map((column, at) => ({ ...column, index: from + at }));
  const placedConfig = {
    keys: placed(keys, 0),
    groups: placed(groups, keys.length),
    values: placed(values, keys.length + groups.length),
  };
  const count = table.numRows > 0 ? Number(table.getChild('groups')!.get(0)) : 0;
  return {
    pivot: runNow(
      pivot(source, placedConfig, {
        ...options,
        grain,
        width: bins && grouped[0]?.width,
        countColumn: keys.length + groups.length + values.length,
      }),
    ),
    groupings: keys.map(({ name }, at) => ({ name, ...grouped[at]! })),
    rows: total,
    omitted: count - table.numRows,
  };
}

/**
 * Reads a random sample of rows. They have values in the given columns only, at their usual index.
 */
export async function sampleOnServer(
  remote: RemoteTable,
  columns: readonly number[],
  limit: number,
  signal: AbortSignal,
): Promise<TypedRows> {
  const all = remote.source();
  if (columns.length === 0)
    return { columns: all.columns, nullText: all.nullText, length: 0, value: () => null };
  const { table } = await remote.ask({ kind: 'sample', columns: [...columns], limit }, signal);
  const source = await readArrowRows(table);
  const places = new Map(columns.map((column, at) => [column, at]));
  return {
    columns: all.columns,
    nullText: source.nullText,
    length: source.length,
    value: (row, column, limit) => source.value(row, places.get(column) ?? -1, limit),
  };
}
