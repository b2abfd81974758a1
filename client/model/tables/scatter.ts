import type { GraphColumn } from '../../protocol/objects.ts';
import { toNumber } from './column-type.ts';
import type { CellSource } from './packed-columns.ts';
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

/** An axis: numbers, or texts represented by their index. */
export interface ScatterAxis {
  /** Name of the column; `''` if the axis has none and all points are at 0. */
  readonly name: string;
  /** Text of each index; empty if all values are numbers. */
  readonly texts: readonly string[];
  /**
   * Whether the column has both numbers and texts. An index and a number may then be the same
   * coordinate, as in Zeppelin.
   */
  readonly mixed: boolean;
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
  /** Whether the size column is used. */
  readonly sized: boolean;
  /** Number of rows that were skipped because a cell of an axis is empty. */
  readonly skippedRows: number;
}

/**
 * Share of distinct values below which a numeric column counts as discrete (as in Zeppelin 0.8.2).
 */
const discretePart = 0.05;

/**
 * Whether a column is discrete: any value is text that is not a number, or less than 5 % of its
 * values are distinct.
 */
export function isDiscrete(source: CellSource, index: number): boolean {
  const distinct = new Set<Cell | undefined>();
  for (let row = 0; row < source.length; row++) {
    const cell = source.cell(row, index);
    if (typeof cell === 'string' && cell !== '' && toNumber(cell) === undefined) return true;
    distinct.add(typeof cell === 'string' ? toNumber(cell) : cell);
  }
  return source.length > 0 && distinct.size / source.length < discretePart;
}

/** Whether all chosen axes are discrete; points are counted in that case. */
function allDiscrete(source: CellSource, { xAxis, yAxis }: ScatterConfig): boolean {
  const axes = [xAxis, yAxis].filter((axis) => axis !== null);
  return axes.length > 0 && axes.every(({ index }) => isDiscrete(source, index));
}

/**
 * Whether the size column can be used: all its values are finite numbers, and not all chosen axes
 * are discrete.
 */
export function sizeAllowed(source: CellSource, config: ScatterConfig): boolean {
  const { size } = config;
  if (allDiscrete(source, config)) return false;
  for (let row = 0; size && row < source.length; row++) {
    if (toNumber(source.cell(row, size.index)) === undefined) return false;
  }
  return true;
}

/**
 * Adapts saved settings to a table: columns that the table lacks (by name and index) are removed.
 * Settings without any axis get the default: x is column 0, y is column 1.
 */
export function cleanScatter(
  setting: Readonly<Record<string, unknown>> | undefined,
  columns: readonly TableColumn[],
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
  if (setting?.['xAxis'] === undefined && setting?.['yAxis'] === undefined)
    return { xAxis: columns[0] ?? null, yAxis: columns[1] ?? null, group, size };
  return { xAxis: well('xAxis'), yAxis: well('yAxis'), group, size };
}

/** Coordinates on an axis: a number is its own coordinate, a text is represented by its index. */
class Places {
  readonly #known = new Map<string, number>();
  #numbers = false;

  readonly #source: CellSource;
  readonly #column: GraphColumn | null;

  constructor(source: CellSource, column: GraphColumn | null) {
    this.#source = source;
    this.#column = column;
  }

  /** Returns the coordinate of a row; `undefined` for an empty cell. */
  at(row: number): number | undefined {
    if (!this.#column) return 0;
    const cell = this.#source.cell(row, this.#column.index);
    const number = typeof cell === 'number' ? cell : toNumber(cell);
    if (number !== undefined) {
      this.#numbers = true;
      return number;
    }
    if (cell === undefined || cell === '') return undefined;
    let index = this.#known.get(String(cell));
    if (index === undefined) this.#known.set(String(cell), (index = this.#known.size));
    return index;
  }

  get axis(): ScatterAxis {
    const texts = [...this.#known.keys()];
    return { name: this.#column?.name ?? '', texts, mixed: this.#numbers && texts.length > 0 };
  }
}

interface Growing {
  readonly name: string;
  readonly cell: Cell | null;
  readonly coordinates: number[];
  readonly sizes: number[];
  readonly rows: number[];
  /** For counted points: index by coordinates. */
  readonly counted: Map<string, number>;
}

/**
 * Computes the points of a table. Points at the same coordinates are all kept, unless all chosen
 * axes are discrete: then one point stands for all rows with the same coordinates and group, and
 * its size is their number.
 */
export function scatterPoints(source: CellSource, config: ScatterConfig): ScatterPoints {
  const { xAxis, yAxis, group, size } = config;
  const counted = allDiscrete(source, config);
  const sized = !counted && size !== null && sizeAllowed(source, config);
  const x = new Places(source, xAxis);
  const y = new Places(source, yAxis);
  const alone = counted
    ? 'count'
    : xAxis && yAxis
      ? `(${xAxis.name}, ${yAxis.name})`
      : ((xAxis ?? yAxis ?? size)?.name ?? '');
  const groups = new Map<string, Growing>();
  let left = 0;
  for (let row = 0; row < source.length && (xAxis || yAxis); row++) {
    const placeX = x.at(row);
    const placeY = y.at(row);
    if (placeX === undefined || placeY === undefined) {
      left += 1;
      continue;
    }
    const cell = group ? (source.cell(row, group.index) ?? null) : null;
    const name = group ? String(cell ?? '') : alone;
    let points = groups.get(name);
    if (!points)
      groups.set(
        name,
        (points = { name, cell, coordinates: [], sizes: [], rows: [], counted: new Map() }),
      );
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
    points.sizes.push(sized ? toNumber(source.cell(row, size.index))! : 1);
  }
  let low = Infinity;
  let high = -Infinity;
  for (const { sizes } of groups.values()) {
    for (const one of sizes) {
      if (one < low) low = one;
      if (one > high) high = one;
    }
  }
  return {
    x: x.axis,
    y: y.axis,
    groups: [...groups.values()].map(({ name, cell, coordinates, sizes, rows }) => ({
      name,
      cell,
      coordinates: Float64Array.from(coordinates),
      sizes: Float64Array.from(sizes),
      rows: Uint32Array.from(rows),
    })),
    sizeRange: low <= high ? [low, high] : [1, 1],
    counted,
    sized,
    skippedRows: left,
  };
}

/**
 * Describes one point: the cells of the axis and group columns, and of the size column if it is
 * used.
 */
export function scatterPointDetails(
  source: CellSource,
  { xAxis, yAxis, group, size }: ScatterConfig,
  { groups, sized }: ScatterPoints,
  at: number,
  point: number,
): { label: string; values: Record<string, Cell | null> } | undefined {
  const points = groups[at];
  const row = points?.rows[point];
  if (!points || row === undefined) return undefined;
  const chosen = [xAxis, yAxis, group, sized ? size : null].filter((column) => column !== null);
  return {
    label: points.name,
    values: Object.fromEntries(
      chosen.map(({ name, index }) => [name, source.cell(row, index) ?? null]),
    ),
  };
}
