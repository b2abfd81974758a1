/** Rows grouped and aggregated into chart series. */
import type { GraphColumn } from '../protocol/objects.ts';
import { toNumber } from './column-type.ts';
import type { Cell, TableColumn, TableData } from './table.ts';

/** Which columns make the x axis (keys), the series (groups) and the aggregated values. */
export interface PivotConfig {
  /** Columns of the x axis; none: one point for everything. */
  readonly keys: readonly GraphColumn[];
  /** Columns whose values split the rows into series. */
  readonly groups: readonly GraphColumn[];
  /** Columns that become y, each with its `aggr`. */
  readonly values: readonly GraphColumn[];
}

/** A series: one y for each x of the pivot, `null` where there is nothing to draw. */
export interface PivotSeries {
  /** What people read: group path and value, the aggregation only where it is needed. */
  readonly name: string;
  /** As many as the pivot's `x`, in its order. */
  readonly values: readonly (number | null)[];
}

/** A pivot. A line over text keys uses the position in `x` as coordinate and `x` itself as tick labels. */
export interface Pivot {
  /** The key of each point in order of first appearance: a number for one numeric key column, else text. */
  readonly x: readonly (string | number)[];
  /** In order of first appearance. */
  readonly series: readonly PivotSeries[];
}

/** For which kind of chart a pivot is made; the defaults suit bars. */
export interface PivotOptions {
  /** Drawn where a group has no rows for a key, or a value is no number: 0 (bar, area) or `null`, a gap (line, pie). */
  readonly fill?: 0 | null;
  /** Without keys: one series `values` with a point for each (bar), or a series of one point at x 0 for each (line, pie). */
  readonly gather?: boolean;
}

interface Sum {
  value: Cell | undefined;
  count: number;
}

interface Level {
  readonly next: Map<string, Level>;
  path?: string;
}

/** Distinct paths in order of first appearance, level by level, so that equal beginnings stay together. */
function leaves(level: Level): string[] {
  const deeper = [...level.next.values()].flatMap(leaves);
  return level.path === undefined ? deeper : [level.path, ...deeper];
}

function enter(root: Level, steps: readonly string[]): string {
  let level = root;
  for (const step of steps) {
    let next = level.next.get(step);
    if (!next) level.next.set(step, (next = { next: new Map() }));
    level = next;
  }
  return (level.path ??= steps.join('.'));
}

/** Upstream's aggregation (0.8.2): the first value counts as it is, later ones are combined with it. */
function combine(aggr: string | undefined, sum: Sum, cell: Cell | undefined): void {
  const a = toNumber(sum.value);
  const b = toNumber(cell);
  if (aggr === 'count') sum.value = (a ?? 0) + (cell === undefined ? 0 : 1);
  else if (aggr === 'min') sum.value = a === undefined ? cell : b === undefined ? a : Math.min(a, b);
  else if (aggr === 'max') sum.value = a === undefined ? cell : b === undefined ? a : Math.max(a, b);
  else sum.value = (a ?? 0) + (b ?? 0);
  if (aggr === 'avg') sum.count += 1;
}

const aggrOf = (column: GraphColumn): string => column.aggr ?? 'sum';
const pathOf = (row: readonly Cell[], columns: readonly GraphColumn[]): string[] =>
  columns.map((column) => String(row[column.index] ?? ''));

/** Joins the parts of a name that are there. */
const joined = (...parts: string[]): string => parts.filter((part) => part !== '').join('.');

/**
 * The series of a table by keys, groups and values, named as upstream 0.8.2 does: group path and value joined with `.`,
 * `(aggr)` dropped where the name is unique without, the group alone when there is one group and one value. Key paths
 * are joined with `.` and compared as text. Without values there are no series.
 */
export function pivot(table: TableData, config: PivotConfig, { fill = 0, gather = true }: PivotOptions = {}): Pivot {
  const { keys, groups, values } = config;
  const keyRoot: Level = { next: new Map() };
  const groupRoot: Level = { next: new Map() };
  const sums = new Map<string, Map<string, Sum[]>>();
  for (const row of table.rows) {
    const key = enter(keyRoot, pathOf(row, keys));
    const group = enter(groupRoot, pathOf(row, groups));
    let byGroup = sums.get(key);
    if (!byGroup) sums.set(key, (byGroup = new Map()));
    const found = byGroup.get(group);
    if (found) values.forEach((column, at) => combine(column.aggr, found[at]!, row[column.index]));
    else byGroup.set(group, values.map((column) => ({ value: aggrOf(column) === 'count' ? 1 : row[column.index], count: 1 })));
  }

  // Different paths may read the same once joined; they are one then.
  const keyPaths = [...new Set(leaves(keyRoot))];
  const noKey = keys.length === 0;
  const unique = (column: GraphColumn): boolean => values.filter((other) => other.name === column.name).length === 1;
  const nameOf = (group: string, column: GraphColumn): string => {
    const long = joined(group, `${column.name}(${aggrOf(column)})`);
    const short = joined(group, column.name);
    // Upstream shortens nothing in these two places, and people have charts saved by these names.
    if (noKey && (gather ? groups.length > 0 : groups.length === 0)) return long;
    if (groups.length === 1 && values.length === 1) return group;
    return unique(column) ? short : long;
  };
  const series = [...new Set(leaves(groupRoot))].flatMap((group) =>
    values.map((column, at) => ({
      name: nameOf(group, column),
      values: keyPaths.map((key) => {
        const sum = sums.get(key)?.get(group)?.[at];
        const value = toNumber(sum?.value);
        return sum && value !== undefined ? value / sum.count : fill;
      }),
    })),
  );

  if (noKey && gather) {
    const x = series.map(({ name }) => name);
    return { x, series: x.length > 0 ? [{ name: 'values', values: series.map((one) => one.values[0] ?? fill) }] : [] };
  }
  if (noKey) return { x: keyPaths.length > 0 ? [0] : [], series };
  const numbers = keyPaths.map(toNumber).filter((value) => value !== undefined);
  return { x: keys.length === 1 && numbers.length === keyPaths.length ? numbers : keyPaths, series };
}

/** The pivot of a table that is shown as a chart for the first time: column 0 by column 1 (upstream 0.8.2). */
export function defaultPivot(columns: readonly TableColumn[]): PivotConfig {
  return { keys: columns.slice(0, 1), groups: [], values: columns.slice(1, 2) };
}

/**
 * A saved pivot made fit for a table: columns that the table does not have by name and index go, as do duplicates among
 * keys and among groups (upstream 0.8.2). A pivot with none of its three parts is the default one.
 */
export function cleanPivot(config: Partial<PivotConfig> | undefined, columns: readonly TableColumn[]): PivotConfig {
  const { keys, groups, values } = config ?? {};
  if (!keys && !groups && !values) return defaultPivot(columns);
  const known = (part: readonly GraphColumn[] = []): GraphColumn[] =>
    part.filter(({ name, index }) => columns.some((column) => column.name === name && column.index === index));
  const once = (part: readonly GraphColumn[]): GraphColumn[] =>
    part.filter(({ index }, at) => part.findIndex((other) => other.index === index) === at);
  return { keys: once(known(keys)), groups: once(known(groups)), values: known(values) };
}
