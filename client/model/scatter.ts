/** Rows as points of a scatter chart. */
import type { GraphColumn } from '../protocol/objects.ts';
import { toNumber } from './column-type.ts';
import { type CellSource } from './packed.ts';
import type { Cell, TableColumn } from './table.ts';

/** Which columns make the axes, the groups and the size of points; `null`: none. */
export interface ScatterConfig {
  /** Along. */
  readonly xAxis: GraphColumn | null;
  /** Up. */
  readonly yAxis: GraphColumn | null;
  /** A colour for each of its values. */
  readonly group: GraphColumn | null;
  /** How large points are. */
  readonly size: GraphColumn | null;
}

/** An axis: numbers, or texts by their running index. */
export interface ScatterAxis {
  /** Name of the column; `''` when the axis has none and all points are at 0. */
  readonly name: string;
  /** The text of each index; empty when all values are numbers. */
  readonly texts: readonly string[];
  /** Numbers stand beside the texts: an index and a number may be the same place, as upstream has it. */
  readonly mixed: boolean;
}

/** The points of one group, in the order of the rows. */
export interface ScatterGroup {
  /** What the legend calls it. */
  readonly name: string;
  /** Cell of the group column; `null` without one. */
  readonly cell: Cell | null;
  /** x and y by turns. */
  readonly places: Float64Array<ArrayBuffer>;
  /** Of each point. */
  readonly sizes: Float64Array<ArrayBuffer>;
  /** The row of each point; of a counted one the first. */
  readonly rows: Uint32Array<ArrayBuffer>;
}

/** A scatter chart's points. */
export interface ScatterPoints {
  /** Along. */
  readonly x: ScatterAxis;
  /** Up. */
  readonly y: ScatterAxis;
  /** In order of first appearance. */
  readonly groups: readonly ScatterGroup[];
  /** Smallest and largest size; equal when points have none of their own. */
  readonly sizeRange: readonly [number, number];
  /** Every chosen axis is discrete: sizes are counts of rows, whatever the size column. */
  readonly counted: boolean;
  /** The size column is used. */
  readonly sized: boolean;
  /** Rows with an empty cell on an axis, which have no place. */
  readonly left: number;
}

/** Below this part of distinct values a column of numbers counts as discrete (upstream 0.8.2). */
const discretePart = 0.05;

/** A column is discrete if any value is text that is no number, or if its values repeat: distinct by total below 0.05. */
export function isDiscrete(source: CellSource, index: number): boolean {
  const distinct = new Set<Cell | undefined>();
  for (let row = 0; row < source.length; row++) {
    const cell = source.cell(row, index);
    if (typeof cell === 'string' && cell !== '' && toNumber(cell) === undefined) return true;
    distinct.add(typeof cell === 'string' ? toNumber(cell) : cell);
  }
  return source.length > 0 && distinct.size / source.length < discretePart;
}

/** Whether the chosen axes are all discrete; then points are counted. */
function allDiscrete(source: CellSource, { xAxis, yAxis }: ScatterConfig): boolean {
  const axes = [xAxis, yAxis].filter((axis) => axis !== null);
  return axes.length > 0 && axes.every(({ index }) => isDiscrete(source, index));
}

/** Whether a column can be the size: every value is a finite number, and the chosen axes are not all discrete. */
export function sizeAllowed(source: CellSource, config: ScatterConfig): boolean {
  const { size } = config;
  if (allDiscrete(source, config)) return false;
  for (let row = 0; size && row < source.length; row++) {
    if (toNumber(source.cell(row, size.index)) === undefined) return false;
  }
  return true;
}

/**
 * Saved settings made fit for a table: columns that it does not have by name and index go. Settings that name no axis at
 * all are the default: x is column 0, y column 1.
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

/** Places of an axis: a number is itself, a text its running index. */
class Places {
  readonly #known = new Map<string, number>();
  #numbers = false;

  readonly #source: CellSource;
  readonly #column: GraphColumn | null;

  constructor(source: CellSource, column: GraphColumn | null) {
    this.#source = source;
    this.#column = column;
  }

  /** `undefined` for an empty cell. */
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
  readonly places: number[];
  readonly sizes: number[];
  readonly rows: number[];
  /** Of counted points: place → position. */
  readonly counted: Map<string, number>;
}

/**
 * The points of a table. Points at the same place are all kept, unless every chosen axis is discrete: then one point
 * stands for all rows of its place and group, and its size is their number.
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
        (points = { name, cell, places: [], sizes: [], rows: [], counted: new Map() }),
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
    points.places.push(placeX, placeY);
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
    groups: [...groups.values()].map(({ name, cell, places, sizes, rows }) => ({
      name,
      cell,
      places: Float64Array.from(places),
      sizes: Float64Array.from(sizes),
      rows: Uint32Array.from(rows),
    })),
    sizeRange: low <= high ? [low, high] : [1, 1],
    counted,
    sized,
    left,
  };
}

/** What stands at one point: the columns of the axes, the group and, where it is used, the size, with their cells there. */
export function scatterPlace(
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
