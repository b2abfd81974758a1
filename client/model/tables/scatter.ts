import type { GraphColumn } from '../../protocol/objects.ts';
import { plainText } from '../rows/cell-text.ts';
import { isNumeric, type TypedRows } from '../rows/typed-rows.ts';
import { type ColumnType, toNumber } from './column-type.ts';
import { timeOf } from './date-grain.ts';
import { DistinctKeys } from './distinct-keys.ts';
import { isLabelName } from './pivot-config.ts';
import type { Cell, TableColumn } from './table.ts';

/** Columns for the axes, the groups and the size of points; `null` for none. */
export interface ScatterConfig {
  /** Column of the x axis. */
  readonly xAxis: GraphColumn | null;
  /** Column of the y axis. */
  readonly yAxis: GraphColumn | null;
  /** Column whose values determine the color. */
  readonly group: GraphColumn | null;
  /** Column that determines the size of the points. */
  readonly size: GraphColumn | null;
}

/** An axis: numbers, times in ms (UTC), or texts represented by their index. */
export interface ScatterAxis {
  /** Name of the column; `''` if the axis has none and all points are at 0. */
  readonly name: string;
  /** Type of the values. */
  readonly kind: 'number' | 'time' | 'text';
  /** Text of each index, on an axis of texts. */
  readonly texts: readonly string[];
}

/** Points of one group, in the order of the rows. */
export interface ScatterGroup {
  /** Name in the legend. */
  readonly name: string;
  /** Cell of the group column; `null` if there is none. */
  readonly cell: Cell | null;
  /** Coordinates: x and y alternating. */
  readonly coordinates: Float64Array<ArrayBuffer>;
  /** Size of each point. */
  readonly sizes: Float64Array<ArrayBuffer>;
  /** Row of each point; for a counted point, the first of its rows. */
  readonly rows: Uint32Array<ArrayBuffer>;
}

/** Points of a scatter chart. */
export interface ScatterPoints {
  /** The x axis. */
  readonly x: ScatterAxis;
  /** The y axis. */
  readonly y: ScatterAxis;
  /** Groups in order of first appearance. */
  readonly groups: readonly ScatterGroup[];
  /** Smallest and largest size; equal if points have no size of their own. */
  readonly sizeRange: readonly [number, number];
  /** Whether all chosen axes are discrete: sizes are numbers of rows, whatever the size column. */
  readonly counted: boolean;
  /**
   * Whether a size column can be used: all its values are finite numbers, and not all chosen axes
   * are discrete.
   */
  readonly sizeAllowed: boolean;
  /** Whether the size column is used. */
  readonly sized: boolean;
  /** Number of rows that were skipped because they have no value for an axis. */
  readonly skippedRows: number;
  /** Number of rows that points were made of. */
  readonly sampledRows: number;
  /** Number of rows of the table. */
  readonly rows: number;
}

/**
 * Share of distinct values below which a numeric column counts as discrete (as in Zeppelin 0.8.2).
 */
const DISCRETE_SHARE = 0.05;
/** Rows between two yields. */
const STEP = 4_096;
/** Points of a sample: more would cover each other. */
export const MAX_SCATTER_ROWS = 20_000;

/**
 * Adapts saved settings to a table: columns that the table lacks (by name and index) are removed.
 * Settings without any axis get the default: the first two columns of numbers or dates that are no
 * ids, or the first two columns.
 */
export function cleanScatter(
  setting: Readonly<Record<string, unknown>> | undefined,
  columns: readonly TableColumn[],
  types: readonly ColumnType[] = [],
): ScatterConfig {
  const well = (name: string): GraphColumn | null => {
    const saved = setting?.[name];
    if (typeof saved !== 'object' || saved === null || !('name' in saved) || !('index' in saved))
      return null;
    return columns.some((column) => column.name === saved.name && column.index === saved.index)
      ? (saved as GraphColumn)
      : null;
  };
  const group = well('group');
  const size = well('size');
  if (setting?.['xAxis'] !== undefined || setting?.['yAxis'] !== undefined)
    return { xAxis: well('xAxis'), yAxis: well('yAxis'), group, size };
  const measured = columns.filter(({ index }) => (types[index] ?? 'string') !== 'string');
  // A longitude is east of the centre, so it belongs to the x axis.
  const place = (pattern: RegExp) => measured.find(({ name }) => pattern.test(name));
  const [east, north] = [place(/^(?:lon|lng|longitude)$/i), place(/^lat(?:itude)?$/i)];
  if (east && north) return { xAxis: east, yAxis: north, group, size };
  const numbers = measured.filter(({ name }) => !isLabelName(name));
  const [x, y] = numbers.length > 1 ? numbers : columns;
  return { xAxis: x ?? null, yAxis: y ?? null, group, size };
}

/** Coordinates on an axis. */
class Places {
  readonly kind: ScatterAxis['kind'];
  readonly #distinct: DistinctKeys<number>;
  readonly #read: (row: number) => number | undefined;
  readonly #name: string;
  #count = 0;

  constructor(source: TypedRows, chosen: GraphColumn | null) {
    this.#name = chosen?.name ?? '';
    this.#distinct = new DistinctKeys(source, chosen ? [chosen] : [], () => this.#count++);
    const [column] = this.#distinct.columns;
    const kind = column?.kind ?? 'float';
    this.kind = isNumeric(kind)
      ? 'number'
      : kind === 'date' || kind === 'timestamp'
        ? 'time'
        : 'text';
    const text = (row: number): string | undefined => {
      const value = source.value(row, column!.index);
      return value === null || value === undefined ? undefined : plainText(value, column!);
    };
    this.#read = !column
      ? () => 0
      : this.kind === 'text'
        ? (row) => (text(row) ? this.#distinct.of(row).stored : undefined)
        : this.kind === 'time'
          ? (row) => timeOf(text(row) ?? '')
          : (row) => {
              const value = source.value(row, column.index);
              return typeof value === 'number' && Number.isFinite(value) && !column.single
                ? value
                : toNumber(text(row));
            };
  }

  /** Returns the coordinate of a row; `undefined` if it has none. */
  at(row: number): number | undefined {
    return this.#read(row);
  }

  get axis(): ScatterAxis {
    const texts = this.kind === 'text' ? this.#distinct.labels(this.#distinct.all()) : [];
    return { name: this.#name, kind: this.kind, texts };
  }
}

/** Whether an axis has texts, or fewer distinct values than 5 % of the rows. */
function* isDiscrete(source: TypedRows, places: Places): Generator<void, boolean> {
  if (places.kind === 'text') return true;
  const distinct = new Set<number | undefined>();
  for (let row = 0; row < source.length; row++) {
    if (row % STEP === 0) yield;
    distinct.add(places.at(row));
    if (distinct.size >= source.length * DISCRETE_SHARE) return false;
  }
  return source.length > 0;
}

/** Whether all values of a column are finite numbers. */
function* areNumbers(source: TypedRows, places: Places): Generator<void, boolean> {
  if (places.kind !== 'number') return false;
  for (let row = 0; row < source.length; row++) {
    if (row % STEP === 0) yield;
    if (places.at(row) === undefined) return false;
  }
  return true;
}

/**
 * Random rows of a table in their order, or all; the same each time (Knuth's selection sampling).
 */
function* sampleOf(length: number, count: number): Generator<number> {
  let state = 1;
  let wanted = count;
  for (let row = 0; wanted > 0; row++) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    if ((state / 2 ** 32) * (length - row) >= wanted) continue;
    wanted -= 1;
    yield row;
  }
}

interface Growing {
  readonly coordinates: number[];
  readonly sizes: number[];
  readonly rows: number[];
  /** For counted points: index by coordinates. */
  readonly counted: Map<string, number>;
}

/**
 * Computes the points of a table; yields every few thousand rows. Points at the same coordinates
 * are all kept, unless all chosen axes are discrete: then one point stands for all rows with the
 * same coordinates and group, and its size is their number. Other points are a sample if they are
 * very many.
 */
export function* scatterPoints(
  source: TypedRows,
  config: ScatterConfig,
): Generator<void, ScatterPoints, void> {
  const { xAxis, yAxis, group, size } = config;
  const [x, y] = [new Places(source, xAxis), new Places(source, yAxis)];
  const sizes = new Places(source, size);
  const chosen = [...(xAxis ? [x] : []), ...(yAxis ? [y] : [])];
  let counted = chosen.length > 0;
  for (const axis of chosen) counted &&= yield* isDiscrete(source, axis);
  const sizeAllowed = !counted && (size === null || (yield* areNumbers(source, sizes)));
  const sized = sizeAllowed && size !== null;
  const alone = counted
    ? 'count'
    : xAxis && yAxis
      ? `(${xAxis.name}, ${yAxis.name})`
      : ((xAxis ?? yAxis ?? size)?.name ?? '');
  const groups = new DistinctKeys<Growing>(source, group ? [group] : [], () => ({
    coordinates: [],
    sizes: [],
    rows: [],
    counted: new Map(),
  }));
  const length = chosen.length > 0 ? source.length : 0;
  const sampledRows = counted ? length : Math.min(length, MAX_SCATTER_ROWS);
  let [skippedRows, done] = [0, 0];
  for (const row of sampleOf(length, sampledRows)) {
    if (done++ % STEP === 0) yield;
    const [placeX, placeY] = [x.at(row), y.at(row)];
    if (placeX === undefined || placeY === undefined) {
      skippedRows += 1;
      continue;
    }
    const points = groups.of(row).stored;
    if (counted) {
      const place = `${placeX},${placeY}`;
      const at = points.counted.get(place);
      if (at !== undefined) {
        points.sizes[at]! += 1;
        continue;
      }
      points.counted.set(place, points.sizes.length);
    }
    points.coordinates.push(placeX, placeY);
    points.rows.push(row);
    points.sizes.push(sized ? sizes.at(row)! : 1);
  }
  const keys = groups.all();
  const names = group ? groups.labels(keys) : [alone];
  let [low, high] = [Infinity, -Infinity];
  for (const { stored } of keys) {
    for (const one of stored.sizes) {
      low = Math.min(low, one);
      high = Math.max(high, one);
    }
  }
  return {
    x: x.axis,
    y: y.axis,
    groups: keys.map((key, at) => ({
      name: names[at]!,
      cell: groups.cells(key)[0] ?? null,
      coordinates: Float64Array.from(key.stored.coordinates),
      sizes: Float64Array.from(key.stored.sizes),
      rows: Uint32Array.from(key.stored.rows),
    })),
    sizeRange: low <= high ? [low, high] : [1, 1],
    counted,
    sizeAllowed,
    sized,
    skippedRows,
    sampledRows,
    rows: length,
  };
}

/**
 * Describes one point: the cells of the axis and group columns, and of the size column if it is
 * used.
 */
export function scatterPointDetails(
  source: TypedRows,
  { xAxis, yAxis, group, size }: ScatterConfig,
  { groups, sized }: ScatterPoints,
  at: number,
  point: number,
): { label: string; values: Record<string, Cell | null> } | undefined {
  const points = groups[at];
  const row = points?.rows[point];
  if (!points || row === undefined) return undefined;
  const chosen = [xAxis, yAxis, group, sized ? size : null].filter((column) => column !== null);
  const keys = new DistinctKeys(source, chosen, () => undefined);
  const cells = keys.cells(keys.of(row));
  return {
    label: points.name,
    values: Object.fromEntries(chosen.map(({ name }, column) => [name, cells[column] ?? null])),
  };
}
