/** Rows grouped and aggregated into chart series. */
import type { GraphColumn } from '../protocol/objects.ts';
import { toNumber } from './column-type.ts';
import { type CellSource, tableSource } from './packed.ts';
import type { Cell, TableData } from './table.ts';

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
  /** The cell of each group column; empty for gathered series. */
  readonly group: readonly (Cell | null)[];
  /** Which of the config's values it is; -1 for gathered series. */
  readonly value: number;
}

/** A pivot. A line over text keys uses the position in `x` as coordinate and `x` itself as tick labels. */
export interface Pivot {
  /** The key of each point in order of first appearance: a number for one numeric key column, else text. */
  readonly x: readonly (string | number)[];
  /** The cell of each key column, for each point. */
  readonly keys: readonly (readonly (Cell | null)[])[];
  /** In order of first appearance. */
  readonly series: readonly PivotSeries[];
  /** The series whose single values have been gathered as points, in the order of `x`. */
  readonly gathered?: readonly PivotSeries[];
  /** What the limits have left out. */
  readonly left: { readonly series: number; readonly points: number };
}

/** For which kind of chart a pivot is made; the defaults suit bars. */
export interface PivotOptions {
  /** Drawn where a group has no rows for a key, or a value is no number: 0 (bar, area) or `null`, a gap (line, pie). */
  readonly fill?: 0 | null;
  /** Without keys: one series `values` with a point for each (bar), or a series of one point at x 0 for each (line, pie). */
  readonly gather?: boolean;
  /** Most series that are made; the first ones. Default: all. */
  readonly mostSeries?: number;
  /** Most values of all series together; the first points of each. Default: all. */
  readonly mostValues?: number;
}

interface Sum {
  value: Cell | undefined;
  count: number;
}

/** All rows whose key, or group, reads the same. */
interface Leaf {
  readonly path: string;
  readonly cells: readonly (Cell | null)[];
  /** Of a key: its sums by group. */
  readonly sums: Map<Leaf, Sum[]>;
}

interface Level {
  readonly next: Map<string, Level>;
  readonly byCell: Map<Cell | undefined, Level>;
  leaf?: Leaf;
}

/** The distinct values of some columns. */
class Paths {
  /** Different paths may read the same once joined; they are one then. */
  readonly #byPath = new Map<string, Leaf>();
  readonly #root: Level = { next: new Map(), byCell: new Map() };

  readonly #source: CellSource;
  readonly #columns: readonly GraphColumn[];

  constructor(source: CellSource, columns: readonly GraphColumn[]) {
    this.#source = source;
    this.#columns = columns;
  }

  /** The leaf of a row; a new one where there is none. */
  enter(row: number): Leaf {
    let level = this.#root;
    for (const { index } of this.#columns) {
      const cell = this.#source.cell(row, index);
      // The cell itself is looked up first: making text of a number costs more than all else here.
      let next = level.byCell.get(cell);
      if (!next) {
        const text = String(cell ?? '');
        next = level.next.get(text);
        if (!next) level.next.set(text, (next = { next: new Map(), byCell: new Map() }));
        level.byCell.set(cell, next);
      }
      level = next;
    }
    return (level.leaf ??= this.#leaf(row));
  }

  #leaf(row: number): Leaf {
    const cells = this.#columns.map(({ index }) => this.#source.cell(row, index) ?? null);
    const path = cells.map((cell) => String(cell ?? '')).join('.');
    let leaf = this.#byPath.get(path);
    if (!leaf) this.#byPath.set(path, (leaf = { path, cells, sums: new Map() }));
    return leaf;
  }

  /** Distinct leaves in order of first appearance, level by level, so that equal beginnings stay together. */
  leaves(): Leaf[] {
    const found = new Set<Leaf>();
    const visit = (level: Level): void => {
      if (level.leaf) found.add(level.leaf);
      for (const next of level.next.values()) visit(next);
    };
    visit(this.#root);
    return [...found];
  }
}

/** Upstream's aggregation (0.8.2): the first value counts as it is, later ones are combined with it. */
function combine(aggr: string | undefined, sum: Sum, cell: Cell | undefined): void {
  const a = toNumber(sum.value);
  const b = toNumber(cell);
  if (aggr === 'count') sum.value = (a ?? 0) + (cell === undefined ? 0 : 1);
  else if (aggr === 'min')
    sum.value = a === undefined ? cell : b === undefined ? a : Math.min(a, b);
  else if (aggr === 'max')
    sum.value = a === undefined ? cell : b === undefined ? a : Math.max(a, b);
  else sum.value = (a ?? 0) + (b ?? 0);
  if (aggr === 'avg') sum.count += 1;
}

const aggrOf = (column: GraphColumn): string => column.aggr ?? 'sum';

/** Joins the parts of a name that are there. */
const joined = (...parts: string[]): string => parts.filter((part) => part !== '').join('.');

/**
 * The series of a table by keys, groups and values, named as upstream 0.8.2 does: group path and value joined with `.`,
 * `(aggr)` dropped where the name is unique without, the group alone when there is one group and one value. Key paths
 * are joined with `.` and compared as text. Without values there are no series.
 */
export function pivot(table: TableData, config: PivotConfig, options: PivotOptions = {}): Pivot {
  return pivotOf(tableSource(table), config, options);
}

/** {@link pivot} of whatever has cells. */
export function pivotOf(
  source: CellSource,
  config: PivotConfig,
  options: PivotOptions = {},
): Pivot {
  const { fill = 0, gather = true, mostSeries = Infinity, mostValues = Infinity } = options;
  const { keys, groups, values } = config;
  const keyPaths = new Paths(source, keys);
  const groupPaths = new Paths(source, groups);
  for (let row = 0; row < source.length; row++) {
    const { sums } = keyPaths.enter(row);
    const group = groupPaths.enter(row);
    const found = sums.get(group);
    if (found) {
      for (let at = 0; at < values.length; at++)
        combine(values[at]!.aggr, found[at]!, source.cell(row, values[at]!.index));
    } else
      sums.set(
        group,
        values.map((column) => ({
          value: aggrOf(column) === 'count' ? 1 : source.cell(row, column.index),
          count: 1,
        })),
      );
  }

  const noKey = keys.length === 0;
  const unique = (column: GraphColumn): boolean =>
    values.filter((other) => other.name === column.name).length === 1;
  const nameOf = (group: string, column: GraphColumn): string => {
    const long = joined(group, `${column.name}(${aggrOf(column)})`);
    const short = joined(group, column.name);
    // Upstream shortens nothing in these two places, and people have charts saved by these names.
    if (noKey && (gather ? groups.length > 0 : groups.length === 0)) return long;
    if (groups.length === 1 && values.length === 1) return group;
    return unique(column) ? short : long;
  };
  const allKeys = keyPaths.leaves();
  const groupLeaves = groupPaths.leaves();
  const seriesCount = groupLeaves.length * values.length;
  // Gathered series become points and share the other limit.
  const gathers = noKey && gather;
  const seriesMade = Math.min(
    seriesCount,
    gathers ? Math.min(mostValues, mostSeries * 8) : mostSeries,
  );
  const pointsMade = gathers
    ? allKeys.length
    : Math.min(allKeys.length, Math.max(1, Math.floor(mostValues / Math.max(1, seriesMade))));
  const drawnKeys = allKeys.slice(0, pointsMade);
  const series: PivotSeries[] = [];
  for (const group of groupLeaves) {
    for (const [at, column] of values.entries()) {
      if (series.length >= seriesMade) break;
      const drawn = drawnKeys.map(({ sums }) => {
        const sum = sums.get(group)?.[at];
        const value = toNumber(sum?.value);
        return sum && value !== undefined ? value / sum.count : fill;
      });
      series.push({
        name: nameOf(group.path, column),
        values: drawn,
        group: group.cells,
        value: at,
      });
    }
    if (series.length >= seriesMade) break;
  }
  const left = {
    series: gathers ? 0 : seriesCount - series.length,
    points: gathers ? seriesCount - series.length : allKeys.length - pointsMade,
  };
  const keyCells = drawnKeys.map(({ cells }) => cells);

  if (gathers) {
    const x = series.map(({ name }) => name);
    const points = series.map((one) => one.values[0] ?? fill);
    return {
      x,
      keys: x.map(() => []),
      series: x.length > 0 ? [{ name: 'values', values: points, group: [], value: -1 }] : [],
      gathered: series,
      left,
    };
  }
  if (noKey) return { x: allKeys.length > 0 ? [0] : [], keys: keyCells, series, left };
  const paths = drawnKeys.map(({ path }) => path);
  const numbers = keys.length === 1 && allKeys.every(({ path }) => toNumber(path) !== undefined);
  return {
    x: numbers ? paths.map((path) => toNumber(path)!) : paths,
    keys: keyCells,
    series,
    left,
  };
}

/**
 * What stands at one place of a pivot: each key and group column with its cell there, and the value column with the
 * number that is drawn, under `name(aggr)` where a key or group has its name. `undefined` where there is no such place.
 */
export function pivotPlace(
  { keys, groups, values }: PivotConfig,
  made: Pivot,
  series: number,
  point: number,
): { label: string; values: Record<string, Cell | null> } | undefined {
  const shown = made.series[series];
  const value = shown?.values[point];
  if (!shown || value === undefined) return undefined;
  const from = made.gathered?.[point] ?? shown;
  const found: Record<string, Cell | null> = {};
  for (const [at, { name }] of keys.entries()) found[name] = made.keys[point]?.[at] ?? null;
  for (const [at, { name }] of groups.entries()) found[name] = from.group[at] ?? null;
  const column = values[from.value];
  if (column)
    found[column.name in found ? `${column.name}(${aggrOf(column)})` : column.name] = value;
  return { label: from.name, values: found };
}
