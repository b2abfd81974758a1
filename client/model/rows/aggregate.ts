/** Aggregates with the meaning that they have in SQL. */
import { decimalText } from '../tables/arrow-text.ts';
import { toNumber } from '../tables/column-type.ts';
import type { CellValue, RowColumn, RowColumnKind } from './typed-rows.ts';

/** Sum that stays exact for integers and decimals of any size. */
export class ExactSum {
  #whole = 0n;
  #part = 0;
  #fractions = 0;
  #hasFractions = false;

  /** Adds a value; NaN and infinite ones too. */
  add(value: number | bigint): void {
    if (typeof value === 'bigint') this.#whole += value;
    else if (Number.isInteger(value)) {
      this.#part += value;
      if (Math.abs(this.#part) <= 2 ** 52) return;
      this.#whole += BigInt(this.#part);
      this.#part = 0;
    } else {
      this.#hasFractions = true;
      this.#fractions += value;
    }
  }

  /** The sum as the nearest double; NaN or infinite if such a value was added. */
  get float(): number {
    return Number(this.#whole + BigInt(this.#part)) + this.#fractions;
  }

  /** The exact sum; undefined if a fractional number was added. */
  get exact(): bigint | undefined {
    return this.#hasFractions ? undefined : this.#whole + BigInt(this.#part);
  }
}

/** Aggregations of charts, in the order of menus. */
export const aggregations = ['sum', 'count', 'avg', 'min', 'max'] as const;
/** The quartiles of a box plot, and their place among the sorted values from 0 to 1. */
const quartiles = { q1: 0.25, median: 0.5, q3: 0.75 } as const;
type Quartile = keyof typeof quartiles;
const isQuartile = (aggr: string): aggr is Quartile => aggr in quartiles;
/** An aggregation of a chart. */
export type Aggregation = (typeof aggregations)[number] | Quartile;

/** Returns the aggregation that a setting names; `sum` for any other text. */
export const aggregationOf = (aggr = 'sum'): Aggregation =>
  isQuartile(aggr) ? aggr : (aggregations.find((known) => known === aggr) ?? 'sum');

/** Order of numbers in DuckDB and PostgreSQL: NaN is the greatest. */
const isLess = (one: number | bigint, other: number | bigint): boolean =>
  one < other || (Number.isNaN(other) && !Number.isNaN(one));

/** The aggregate of some values. The caller leaves out missing values. */
export class Aggregate {
  #count = 0;
  #sum: ExactSum | undefined;
  #extreme: number | bigint | undefined;
  #all: (number | bigint)[] | undefined;
  readonly #how: Aggregation;

  constructor(how: Aggregation) {
    this.#how = how;
    if (how === 'sum' || how === 'avg') this.#sum = new ExactSum();
    if (isQuartile(how)) this.#all = [];
  }

  /** Adds a value; NaN and infinite ones too. */
  add(value: number | bigint): void {
    this.#count += 1;
    if (this.#sum) this.#sum.add(value);
    else if (this.#all) this.#all.push(value);
    else if (this.#how !== 'count') {
      const known = this.#extreme;
      if (
        known === undefined ||
        (this.#how === 'min' ? isLess(value, known) : isLess(known, value))
      )
        this.#extreme = value;
    }
  }

  /**
   * The result as a double; `null` without values, unless they are counted.
   *
   * @param scale digits after the decimal point of unscaled decimals
   */
  result(scale = 0): number | null {
    if (this.#how === 'count') return this.#count;
    if (this.#count === 0) return null;
    if (isQuartile(this.#how)) return quantile(this.#all!, quartiles[this.#how], scale);
    if (!this.#sum) return toDouble(this.#extreme!, scale);
    const sum = toDouble(this.#sum.exact ?? this.#sum.float, scale);
    return this.#how === 'avg' ? sum / this.#count : sum;
  }
}

/** The interpolated value at a place from 0 to 1, as `quantile_cont` of doubles in SQL. */
function quantile(values: (number | bigint)[], place: number, scale: number): number {
  // Typed arrays sort by value, with NaN last.
  const sorted = Float64Array.from(values, (value) => toDouble(value, scale)).sort();
  const at = place * (sorted.length - 1);
  const part = at - Math.floor(at);
  const low = sorted[Math.floor(at)]!;
  return part === 0 ? low : low * (1 - part) + sorted[Math.ceil(at)]! * part;
}

/**
 * Returns a value as a double.
 *
 * @param scale digits after the decimal point of unscaled decimals
 */
export const toDouble = (value: number | bigint, scale = 0): number =>
  Number(typeof value === 'bigint' && scale > 0 ? decimalText(value, scale) : value);

const NUMBERLESS = new Set<RowColumnKind>([
  'date',
  'time',
  'timestamp',
  'binary',
  'list',
  'struct',
]);

/**
 * Returns a function that reads the values of a column for aggregation: numbers, decimals unscaled,
 * booleans as 0 and 1, and texts that are numbers; `undefined` for other values.
 */
export function numberIn({ kind }: RowColumn): (value: CellValue) => number | bigint | undefined {
  if (NUMBERLESS.has(kind)) return () => undefined;
  return (value) => {
    if (typeof value === 'number' || typeof value === 'bigint') return value;
    if (typeof value === 'string') return toNumber(value);
    return typeof value === 'boolean' ? Number(value) : undefined;
  };
}
