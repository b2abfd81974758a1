import type { GraphColumn } from '../../protocol/objects.ts';
import { toNumber } from './column-type.ts';
import { cellsInPeriods, type DateGrain, withMissingPeriods } from './date-grain.ts';
import { type CellSource, tableCellSource } from './packed-columns.ts';
import type { Cell, TableData } from './table.ts';

/** Columns of a pivot: x axis (keys), series (groups) and aggregated values. */
export interface PivotConfig {
  /** Columns of the x axis. Without keys there is one point for everything. */
  readonly keys: readonly GraphColumn[];
  /** Columns whose values split the rows into series. */
  readonly groups: readonly GraphColumn[];
  /** Columns to aggregate to y values, each with its `aggr`. */
  readonly values: readonly GraphColumn[];
}

/** A series: one y value for each x of the pivot, `null` where nothing is drawn. */
export interface PivotSeries {
  /** Display name: group path and value, with the aggregation only if it is needed. */
  readonly name: string;
  /** One value for each `x` of the pivot, in the same order. */
  readonly values: readonly (number | null)[];
  /** Cell of each group column; empty for gathered series. */
  readonly group: readonly (Cell | null)[];
  /** Index of the value column in the config; -1 for gathered series. */
  readonly value: number;
}

/**
 * Result of a pivot. A line chart with text keys uses the index in `x` as coordinate and `x` as
 * tick labels.
 */
export interface Pivot {
  /**
   * Key of each point in order of first appearance: numbers for a single numeric key column,
   * otherwise text.
   */
  readonly x: readonly (string | number)[];
  /** Cells of the key columns, for each point. */
  readonly keys: readonly (readonly (Cell | null)[])[];
  /** Series in order of first appearance. */
  readonly series: readonly PivotSeries[];
  /** The series whose single values were gathered as points, in the order of `x`. */
  readonly gathered?: readonly PivotSeries[];
  /** Number of series and points omitted because of the limits. */
  readonly omitted: { readonly series: number; readonly points: number };
}

/** Options of a pivot. The defaults suit bar charts. */
export interface PivotOptions {
  /**
   * Value for groups without rows for a key and for values that are not numbers: 0 (bar, area) or
   * `null`, a gap (line, pie).
   */
  readonly fill?: 0 | null;
  /**
   * Without keys: true makes one series `values` with a point for each series (bar), false a series
   * with one point at x 0 for each (line, pie).
   */
  readonly gather?: boolean;
  /** Maximum number of series; further ones are omitted. Default: unlimited. */
  readonly maxSeries?: number;
  /**
   * Maximum number of values in all series together; further points of each series are omitted.
   * Default: unlimited.
   */
  readonly maxValues?: number;
  /** Whether the cells are aggregates already: one row for each key and group. Default: false. */
  readonly isAggregated?: boolean;
  /** Groups the dates of a single key by period, and adds missing periods. Default: none. */
  readonly grain?: DateGrain | undefined;
}

interface Sum {
  value: Cell | undefined;
  count: number;
}

/** All rows with the same key or group. */
interface Leaf {
  readonly path: string;
  readonly cells: readonly (Cell | null)[];
  /** For a key: its sums by group. */
  readonly sums: Map<Leaf, Sum[]>;
}

interface Level {
  readonly next: Map<string, Level>;
  readonly byCell: Map<Cell | undefined, Level>;
  leaf?: Leaf;
}

/** The distinct values of some columns. */
class Paths {
  /** Different cells may give the same joined path; they are treated as one. */
  readonly #byPath = new Map<string, Leaf>();
  readonly #root: Level = { next: new Map(), byCell: new Map() };

  readonly #source: CellSource;
  readonly #columns: readonly GraphColumn[];

  constructor(source: CellSource, columns: readonly GraphColumn[]) {
    this.#source = source;
    this.#columns = columns;
  }

  /** Returns the leaf of a row, adding it if necessary. */
  enter(row: number): Leaf {
    let level = this.#root;
    for (const { index } of this.#columns) {
      const cell = this.#source.cell(row, index);
      // Look up the cell itself first: converting numbers to text dominates the cost otherwise.
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

  /**
   * Returns the distinct leaves in order of first appearance per level, so that paths with the same
   * start stay together.
   */
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

/**
 * Zeppelin's aggregation (0.8.2): starts with the first value, unconverted, and combines it with
 * later ones.
 */
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

/** Joins the non-empty parts of a name. */
const joined = (...parts: string[]): string => parts.filter((part) => part !== '').join('.');

/**
 * Computes the series of a table from keys, groups and values.
 *
 * Series are named as in Zeppelin 0.8.2: group path and value joined by `.`; `(aggr)` is dropped if
 * the name is unique without it; with one group and one value, the name is the group alone. Key
 * paths are joined by `.` and compared as text. Without values there are no series.
 */
export function pivot(table: TableData, config: PivotConfig, options: PivotOptions = {}): Pivot {
  return pivotCells(tableCellSource(table), config, options);
}

/** Computes a {@link pivot} from any source of cells. */
export function pivotCells(
  source: CellSource,
  config: PivotConfig,
  options: PivotOptions = {},
): Pivot {
  const { grain, fill = 0 } = options;
  if (!grain || config.keys.length !== 1) return pivotOf(source, config, options);
  const cells = cellsInPeriods(source, config.keys[0]!.index, grain);
  return withMissingPeriods(pivotOf(cells, config, options), grain, fill);
}

function pivotOf(source: CellSource, config: PivotConfig, options: PivotOptions): Pivot {
  const {
    fill = 0,
    gather = true,
    maxSeries: mostSeries = Infinity,
    maxValues: mostValues = Infinity,
    isAggregated = false,
  } = options;
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
          value: aggrOf(column) === 'count' && !isAggregated ? 1 : source.cell(row, column.index),
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
    // Zeppelin does not shorten names in these two cases, and saved charts refer to series by name.
    if (noKey && (gather ? groups.length > 0 : groups.length === 0)) return long;
    if (groups.length === 1 && values.length === 1) return group;
    return unique(column) ? short : long;
  };
  const allKeys = keyPaths.leaves();
  const groupLeaves = groupPaths.leaves();
  const seriesCount = groupLeaves.length * values.length;
  // Gathered series become points, so the limit for values applies to them.
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
      omitted: left,
    };
  }
  if (noKey) return { x: allKeys.length > 0 ? [0] : [], keys: keyCells, series, omitted: left };
  const paths = drawnKeys.map(({ path }) => path);
  const numbers = keys.length === 1 && allKeys.every(({ path }) => toNumber(path) !== undefined);
  return {
    x: numbers ? paths.map((path) => toNumber(path)!) : paths,
    keys: keyCells,
    series,
    omitted: left,
  };
}

/**
 * Describes one point of a pivot: the cell of each key and group column, and the drawn number under
 * the name of the value column, or `name(aggr)` if a key or group has that name. `undefined` if
 * there is no such point.
 */
export function pivotPointDetails(
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
