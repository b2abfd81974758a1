import type { GraphColumn } from '../../protocol/objects.ts';
import { Aggregate, aggregationOf, numberIn, toDouble } from '../rows/aggregate.ts';
import { mergeSort } from '../rows/merge-sort.ts';
import { isAbsent } from '../rows/text-rows.ts';
import {
  type CellValue,
  isNumeric,
  type RowColumnKind,
  type TypedRows,
} from '../rows/typed-rows.ts';
import {
  type DateGrain,
  grainOf,
  periodsBetween,
  startOf,
  type TimeGrain,
  timeOf,
  timeOfValue,
} from './date-grain.ts';
import { type DistinctKey, DistinctKeys } from './distinct-keys.ts';
import type { Cell } from './table.ts';

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
  /** Display name: its group, its measure, or both. */
  readonly name: string;
  /** One value for each `x` of the pivot, in the same order. */
  readonly values: readonly (number | null)[];
  /** Cell of each group column; empty for gathered series. */
  readonly group: readonly (Cell | null)[];
  /** Index of the value column in the config; -1 for gathered series. */
  readonly value: number;
}

/** Result of a pivot. */
export interface Pivot {
  /**
   * Key of each point: a number if there is one column of numbers without missing values, the time
   * in ms (UTC) if `time` is set, and otherwise its label. In order of first appearance; times, and
   * numbers on a scale, in their order.
   */
  readonly x: readonly (string | number)[];
  /** Cells of the key columns, for each point. */
  readonly keys: readonly (readonly (Cell | null)[])[];
  /** What the points of a time axis are. */
  readonly time?: TimeGrain;
  /** Width of the intervals whose starts are the points; each with its start as key. */
  readonly width?: number;
  /** Name of each value column with its aggregation, such as `sum of amount`. */
  readonly measures: readonly string[];
  /** Series in order of first appearance. */
  readonly series: readonly PivotSeries[];
  /** The series whose single values were gathered as points, in the order of `x`. */
  readonly gathered?: readonly PivotSeries[];
  /** Number of series and points omitted because of the limits. */
  readonly omitted: { readonly series: number; readonly points: number };
  /** Number of rows whose key has no place on the scale, such as a missing date. */
  readonly unplaced: number;
  /** Number of values that are NaN or infinite, which can't be drawn. */
  readonly notFinite: number;
}

/** Options of a pivot. The defaults suit bar charts. */
export interface PivotOptions {
  /**
   * Whether a key of numbers or dates is a scale, as in a line chart: points are in its order, and
   * missing keys have no place. Default: false.
   */
  readonly scale?: boolean;
  /**
   * Without keys: true makes one series with a point for each series (bar), false a series with one
   * point at x 0 for each (line, pie). Default: true.
   */
  readonly gather?: boolean;
  /** Maximum number of series; further ones are omitted. Default: unlimited. */
  readonly maxSeries?: number;
  /**
   * Maximum number of values in all series together; further points of each series are omitted.
   * Default: unlimited.
   */
  readonly maxValues?: number;
  /**
   * Index of the column with the number of rows of each group, if the rows are aggregates already:
   * one for each key and group. Default: none.
   */
  readonly countColumn?: number | undefined;
  /** Groups the dates of a single key by period, and adds missing periods. Default: none. */
  readonly grain?: DateGrain | undefined;
  /** Groups the numbers of a single key in at most this many intervals. Default: none. */
  readonly bins?: number | undefined;
  /** Width of the intervals, if it is known. Default: a round one for `bins`. */
  readonly width?: number | undefined;
  /** Names a measure. Default: `sum of amount`. */
  readonly measure?: (aggr: string, column: string) => string;
}

/** Rows between two yields. */
const STEP = 4_096;

/** The rows of one key and group. */
interface Point {
  rows: number;
  readonly aggregates: readonly Aggregate[];
}
type Group = DistinctKey<undefined>;
type Key = DistinctKey<Map<Group, Point>>;

/** A point of the x axis; without a key, a missing period. */
interface Place {
  readonly x: string | number;
  readonly cells: readonly (Cell | null)[];
  readonly key?: Key | undefined;
}

/**
 * Computes the series of a table from keys, groups and values; yields every few thousand rows.
 *
 * Aggregates mean what they mean in SQL: missing values are left out, `count` counts the others,
 * and a group without values has no value. Whole numbers and decimals are added exactly. Keys are
 * compared by value; a missing value is a key too.
 */
export function* pivot(
  source: TypedRows,
  config: PivotConfig,
  options: PivotOptions = {},
): Generator<void, Pivot, void> {
  const { grain, countColumn } = options;
  const { keys, groups, values } = config;
  const width = keys.length === 1 ? (options.width ?? (yield* widthFor(source, keys, options))) : 0;
  const grouped = width || (keys.length === 1 ? grain : undefined);
  const keysOf = new DistinctKeys(source, keys, () => new Map<Group, Point>(), grouped);
  const groupsOf = new DistinctKeys(source, groups, () => undefined);
  const isAggregated = countColumn !== undefined;
  const columns = values.map(({ index, aggr }) => {
    const how = aggregationOf(aggr);
    const counts = how === 'count' && !isAggregated;
    const read = numberIn(source.columns[index]!);
    return {
      index,
      // An aggregate is the sum of itself.
      how: isAggregated ? ('sum' as const) : how,
      read: counts ? (): number => 1 : (value: CellValue) => read(value),
      scale: source.columns[index]!.scale,
    };
  });
  for (let row = 0; row < source.length; row++) {
    if (row % STEP === 0) yield;
    const points = keysOf.of(row).stored;
    const group = groupsOf.of(row);
    let point = points.get(group);
    if (!point)
      points.set(
        group,
        (point = { rows: 0, aggregates: columns.map(({ how }) => new Aggregate(how)) }),
      );
    point.rows += isAggregated ? Number(source.value(row, countColumn)) : 1;
    for (let at = 0; at < columns.length; at++) {
      const { index, read } = columns[at]!;
      const value = source.value(row, index);
      if (isAbsent(source, value)) continue;
      const number = read(value);
      if (number !== undefined) point.aggregates[at]!.add(number);
    }
  }
  const scales = columns.map(({ scale }) => scale);
  return yield* result(config, { ...options, width }, scales, keysOf, groupsOf);
}

/** Returns the round width of intervals of numbers: 1, 2 or 5 times a power of ten. */
export function intervalWidth(low: number, high: number, bins: number, isWhole: boolean): number {
  const width = (high - low) / bins;
  if (!(width > 0) || !Number.isFinite(width)) return 1;
  const power = 10 ** Math.floor(Math.log10(width));
  const round = power * ([1, 2, 5].find((step) => step * power >= width) ?? 10);
  return isWhole ? Math.max(1, round) : round;
}

/** Whether the numbers of a column can be grouped in intervals. */
export const hasIntervals = ({ columns }: TypedRows, keys: readonly GraphColumn[]): boolean =>
  keys.length === 1 && isNumeric(columns[keys[0]!.index]?.kind ?? 'text');

/** The width for a number of intervals; 0 for none. */
function* widthFor(
  source: TypedRows,
  keys: readonly GraphColumn[],
  { bins }: PivotOptions,
): Generator<void, number, void> {
  if (!bins || !hasIntervals(source, keys)) return 0;
  const { index } = keys[0]!;
  const column = source.columns[index]!;
  const read = numberIn(column);
  let [low, high] = [Infinity, -Infinity];
  for (let row = 0; row < source.length; row++) {
    if (row % STEP === 0) yield;
    const value = read(source.value(row, index));
    const number = value === undefined ? Number.NaN : toDouble(value, column.scale);
    if (!Number.isFinite(number)) continue;
    low = Math.min(low, number);
    high = Math.max(high, number);
  }
  return intervalWidth(low, high, bins, column.kind === 'integer');
}

/** Points of the x axis in order, and what has none. */
interface Places {
  readonly places: readonly Place[];
  readonly time?: TimeGrain;
  /** Keys that are not among the places, because they are too many. */
  readonly left: number;
  /** Keys without a place on the scale. */
  readonly unplaced: readonly Key[];
}

/** Orders the keys on the x axis. */
function* placesOf(
  keysOf: DistinctKeys<Map<Group, Point>>,
  all: readonly Key[],
  { scale = false, grain, width, maxValues = Infinity }: PivotOptions,
): Generator<void, Places, void> {
  const labelled = (keys: readonly Key[]): Place[] => {
    const labels = keysOf.labels(keys);
    return keys.map((key, at) => ({ x: labels[at]!, cells: keysOf.cells(key), key }));
  };
  const [column, second] = keysOf.columns;
  // Infinite times have no place either.
  const isPresent = ({ values: [value = null] }: Key): boolean =>
    value !== null &&
    !(
      column &&
      TIMES.has(column.kind) &&
      timeOfValue(value, column) === undefined &&
      /^-?infinity$/.test(keysOf.text(value, 0))
    );
  const [present, absent]: [Key[], Key[]] = [[], []];
  for (const [at, key] of all.entries()) {
    if (at % STEP === 0) yield;
    (isPresent(key) ? present : absent).push(key);
  }
  absent.sort(({ values: [one] }, { values: [other] }) =>
    one === null ? 1 : other === null || one! < other! ? -1 : 1,
  );
  const isScale = scale || Boolean(width);
  const unplaced = isScale ? absent : [];
  if (column && !second && DATED.has(column.kind)) {
    const times = yield* timesOf(keysOf, present, grain);
    if (times) {
      const timed = yield* mergeSort(times, (one, other) => one.x - other.x);
      const sorted = timed.map(({ x }) => x);
      const time = grain ?? grainOf(sorted);
      const isUnique = sorted.every((x, at) => at === 0 || sorted[at - 1]! < x);
      const periods = isUnique && periodsBetween(sorted, time, Boolean(grain));
      const placed = ({ x, key }: Timed): Place => ({ x, cells: keysOf.cells(key), key });
      const drawn = (periods ? timed : timed.slice(0, maxValues)).map(placed);
      const left = timed.length - drawn.length;
      const at = new Map(periods ? drawn.map((place) => [place.x, place]) : []);
      const places = periods
        ? periods.map((each) => at.get(each.time) ?? { x: each.time, cells: [each.name] })
        : drawn;
      return { time, left, unplaced, places: [...places, ...(isScale ? [] : labelled(absent))] };
    }
  }
  const areNumbers = column && !second && isNumeric(column.kind);
  let keys: readonly Key[] = all;
  let others: readonly Key[] = [];
  if (isScale && column && !second && TIMES.has(column.kind)) [keys, others] = [present, absent];
  if (areNumbers && isScale) {
    const isPlaced = ({ values }: Key): boolean => Number.isFinite(Number(values[0]));
    keys = yield* mergeSort(present.filter(isPlaced), ({ values: [one] }, { values: [other] }) =>
      one! < other! ? -1 : 1,
    );
    others = [...unplaced, ...present.filter((key) => !isPlaced(key))];
  }
  const drawn = keys.slice(0, maxValues);
  const numbers = areNumbers ? drawn.map((key) => keysOf.cells(key)[0]) : [];
  if (width && drawn.length > 0) {
    const at = new Map(drawn.map((key) => [Math.round(Number(key.values[0]) / width), key]));
    const [first = 0, last = 0] = [[...at.keys()][0], [...at.keys()].at(-1)];
    const places = Array.from({ length: last - first + 1 }, (_, step): Place => {
      const x = (first + step) * width;
      return { x, cells: [x], key: at.get(first + step) };
    });
    return { places, left: 0, unplaced: others };
  }
  return {
    left: keys.length - drawn.length,
    unplaced: others,
    // Doubles are coordinates if they can represent all keys.
    places:
      areNumbers && numbers.every((cell) => typeof cell === 'number')
        ? drawn.map((key, at) => ({ x: numbers[at] as number, cells: [numbers[at]!], key }))
        : labelled(drawn),
  };
}

const TIMES: ReadonlySet<RowColumnKind> = new Set(['date', 'timestamp']);
/** Kinds of columns whose values may all be dates. */
const DATED: ReadonlySet<RowColumnKind> = new Set([...TIMES, 'text']);

/** A key on a time axis. */
interface Timed {
  readonly x: number;
  readonly key: Key;
}

const timeOfText = (text: string, grain: DateGrain | undefined): number | undefined =>
  (grain && startOf(text)) ?? timeOf(text);

/** The times of dates, texts or names of periods; `undefined` if a key is none of these. */
function* timesOf(
  keysOf: DistinctKeys<Map<Group, Point>>,
  keys: readonly Key[],
  grain: DateGrain | undefined,
): Generator<void, readonly Timed[] | undefined, void> {
  const times: Timed[] = [];
  for (const key of keys) {
    if (times.length % STEP === 0) yield;
    const [value] = key.values;
    const x = timeOfValue(value!, keysOf.columns[0]!) ?? timeOfText(keysOf.text(value!, 0), grain);
    if (x === undefined) return undefined;
    times.push({ x, key });
  }
  return times.length > 0 ? times : undefined;
}

/** Computes the series from the aggregates of all keys and groups. */
function* result(
  { keys, groups, values }: PivotConfig,
  options: PivotOptions,
  scales: readonly (number | undefined)[],
  keysOf: DistinctKeys<Map<Group, Point>>,
  groupsOf: DistinctKeys<undefined>,
): Generator<void, Pivot, void> {
  const {
    gather = true,
    maxSeries = Infinity,
    maxValues = Infinity,
    measure = (aggr, column) => `${aggr} of ${column}`,
    width,
  } = options;
  // No row of an interval counts 0; other aggregates have no value.
  const nothing = values.map(({ aggr }) => (width && aggr === 'count' ? 0 : null));
  const all = yield* keysOf.allSteps();
  const { places, time, left, unplaced } = yield* placesOf(keysOf, all, options);
  const rowsOf = (key: Key): number =>
    [...key.stored.values()].reduce((sum, { rows }) => sum + rows, 0);
  // Where each point is a single row, its value is that of the table.
  let isSingle = true;
  for (let at = 0; isSingle && at < all.length; at++) {
    if (at % STEP === 0) yield;
    for (const { rows } of all[at]!.stored.values()) isSingle &&= rows <= 1;
  }
  const measures = values.map(({ name, aggr }) =>
    isSingle && aggr !== 'count' && values.filter((other) => other.name === name).length === 1
      ? name
      : measure(aggregationOf(aggr), name),
  );
  const groupKeys = yield* groupsOf.allSteps();
  const nameOf = (group: string, value: number): string =>
    groups.length === 0
      ? measures[value]!
      : values.length === 1
        ? group
        : `${group}, ${measures[value]}`;
  // Gathered series become points, so the limit for values applies to them.
  const gathers = keys.length === 0 && gather;
  const seriesCount = groupKeys.length * values.length;
  const seriesMade = Math.min(
    seriesCount,
    gathers ? Math.min(maxValues, maxSeries * 8) : maxSeries,
  );
  const groupLabels = groupsOf.labels(groupKeys.slice(0, seriesMade));
  const pointsMade = gathers
    ? places.length
    : Math.min(places.length, Math.max(1, Math.floor(maxValues / Math.max(1, seriesMade))));
  const drawn = places.slice(0, pointsMade);
  let notFinite = 0;
  const series = Array.from({ length: seriesMade }, (_, at): PivotSeries => {
    const group = groupKeys[Math.floor(at / values.length)]!;
    const value = at % values.length;
    return {
      name: nameOf(groupLabels[Math.floor(at / values.length)]!, value),
      values: drawn.map(({ key }) => {
        const point = key?.stored.get(group)?.aggregates[value];
        const found = point?.result(scales[value]) ?? nothing[value]!;
        if (found === null || Number.isFinite(found)) return found;
        notFinite += 1;
        return null;
      }),
      group: groupsOf.cells(group),
      value,
    };
  });
  const shared = {
    measures,
    notFinite,
    unplaced: unplaced.reduce((sum, key) => sum + rowsOf(key), 0),
    omitted: {
      series: gathers ? 0 : seriesCount - seriesMade,
      points: gathers ? seriesCount - seriesMade : left + places.length - pointsMade,
    },
  };
  if (gathers) {
    const x = series.map(({ name }) => name);
    const [only, ...more] = measures;
    const points = {
      name: more.length === 0 && only !== undefined ? only : 'values',
      values: series.map((one) => one.values[0] ?? null),
      group: [],
      value: -1,
    };
    const gathered = x.length > 0 ? [points] : [];
    return { ...shared, x, keys: x.map(() => []), series: gathered, gathered: series };
  }
  return {
    ...shared,
    ...(time && { time }),
    ...(width && { width }),
    x: keys.length === 0 ? drawn.map(() => 0) : drawn.map(({ x }) => x),
    keys: drawn.map(({ cells }) => cells),
    series,
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
    found[column.name in found ? `${column.name}(${aggregationOf(column.aggr)})` : column.name] =
      value;
  return { label: from.name, values: found };
}
