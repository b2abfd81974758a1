import {
  type CellValue,
  decimalText,
  ExactSum,
  isAbsent,
  plainText,
  type RowColumn,
} from '@tiding/client/model';
import type { ColumnAggregate } from './arrangement.ts';
import type { ReadAs, RowSource } from './row-source.ts';
import { numberReader, sortKeys } from './sort-keys.ts';

/** Limit on distinct values counted; beyond it the panel only says that there are more. */
const distinctCap = 100_000;
/** Longer texts are compared by this many leading characters. */
const comparedLength = 1000;
const topCount = 5;
const binCount = 24;
const step = 4096;

/** Statistics of a column over the rows shown. */
export interface ColumnSummary {
  readonly count: number;
  readonly nulls: number;
  /** Number of distinct values; a lower bound if `more` is set. */
  readonly distinct: number;
  readonly more: boolean;
  readonly min: CellValue;
  readonly max: CellValue;
  /** Number of values that are NaN or infinite; the statistics leave them out. */
  readonly notFinite: number;
  /** Mean of the numeric values. */
  readonly mean: number | undefined;
  /** The most frequent values; empty if `more` is set, because then the counts are incomplete. */
  readonly top: readonly { readonly value: CellValue; readonly count: number }[];
  /** Counts per equal-width bin between min and max; for numbers and dates. */
  readonly histogram: readonly number[] | undefined;
}

/**
 * Computes the statistics of the given rows (null for all); yields regularly. Number and date
 * columns need a second pass for the histogram.
 */
export function* summarizeColumn(
  source: RowSource,
  rows: Uint32Array | null,
  column: number,
  as: ReadAs,
): Generator<void, ColumnSummary> {
  const count = rows ? rows.length : source.length;
  const comparable = comparableOf(source.columns[column]!);
  const orderedAs = yield* orderOf(source, source.columns[column]!);
  const numeric = as === 'string' ? undefined : numberReader(source, column, as);
  const exactDecimal = source.columns[column]!.kind === 'decimal';
  const seen = new Map<string | number | bigint | boolean, { count: number; value: CellValue }>();
  const total = new ExactSum();
  let [nulls, numbers, notFinite] = [0, 0, 0];
  let more = false;
  let low: Ordered | undefined;
  let high: typeof low;
  let [min, max]: [CellValue, CellValue] = [undefined, undefined];
  for (let at = 0; at < count; at++) {
    if (at % step === 0) yield;
    const value = source.value(rows ? rows[at]! : at, column, comparedLength);
    if (isAbsent(source, value)) {
      nulls += 1;
      continue;
    }
    const key = comparable(value);
    const known = seen.get(key);
    if (known) known.count += 1;
    else if (seen.size < distinctCap) seen.set(key, { count: 1, value });
    else more = true;
    const number = numeric?.(value);
    const own = numeric ? exactly(value, number) : orderedAs(key, rows ? rows[at]! : at);
    if (own === undefined) continue;
    if (isNotFinite(own)) {
      notFinite += 1;
      continue;
    }
    if (number !== undefined && as === 'number') {
      numbers += 1;
      total.add(exactDecimal ? (value as bigint) : number);
    }
    if (low === undefined || lessThan(own, low)) [low, min] = [own, value];
    if (high === undefined || lessThan(high, own)) [high, max] = [own, value];
  }
  const top = more ? [] : [...seen.values()].sort((a, b) => b.count - a.count).slice(0, topCount);
  let histogram: number[] | undefined;
  if (numeric && low !== undefined) {
    const [from, to] = [Number(numeric(min)), Number(numeric(max))];
    if (to > from) histogram = yield* countBins(source, rows, column, numeric, from, to);
  }
  const scale = exactDecimal ? 10 ** (source.columns[column]!.scale ?? 0) : 1;
  return {
    count,
    nulls,
    distinct: seen.size,
    more,
    min,
    max,
    notFinite,
    mean: numbers > 0 ? total.float / scale / numbers : undefined,
    top,
    histogram,
  };
}

/** What the order of a number or a time depends on: all digits of those that are exact. */
const exactly = (value: CellValue, number: number | bigint | undefined) =>
  typeof value === 'bigint' && number !== undefined && !isNotFinite(number) ? value : number;

const isNotFinite = (value: unknown): boolean =>
  typeof value === 'number' && !Number.isFinite(value);

/** Returns a function for values of a column that tells equal ones by `===`. */
const comparableOf =
  (column: RowColumn) =>
  (value: NonNullable<CellValue>): Ordered | boolean =>
    typeof value === 'object' ? plainText(value, column, comparedLength) : value;

type Ordered = number | bigint | string;
/** Returns what the order of a value that is no number or date depends on. */
function* orderOf(
  source: RowSource,
  { index, kind, order }: RowColumn,
): Generator<void, (value: Ordered | boolean, row: number) => Ordered> {
  if (order || kind === 'interval') {
    const { words } = yield* sortKeys(source, index, 'string');
    return (_, row) => words.reduce((key, word) => (key << 32n) | BigInt(word[row]!), 0n);
  }
  return (value) =>
    typeof value === 'boolean' ? Number(value) : source.isText ? String(value) : value;
}

/** Order in SQL. Texts are compared by code points, which the code units of JavaScript are not. */
function lessThan(a: Ordered, b: Ordered): boolean {
  if (typeof a !== 'string' || typeof b !== 'string') return a < b;
  let at = 0;
  while (at < a.length && a.charCodeAt(at) === b.charCodeAt(at)) at += 1;
  return rankOf(a.charCodeAt(at)) < rankOf(b.charCodeAt(at));
}
/** Characters of two units come after the others. Text that has ended comes first. */
const rankOf = (unit: number): number =>
  Number.isNaN(unit) ? -1 : unit >= 0xd800 && unit < 0xe000 ? unit + 0x10000 : unit;

function* countBins(
  source: RowSource,
  rows: Uint32Array | null,
  column: number,
  numeric: (value: CellValue) => number | bigint | undefined,
  low: number,
  high: number,
): Generator<void, number[]> {
  const bins = new Array<number>(binCount).fill(0);
  const count = rows ? rows.length : source.length;
  for (let at = 0; at < count; at++) {
    if (at % step === 0) yield;
    const value = source.value(rows ? rows[at]! : at, column);
    const number = isAbsent(source, value) ? undefined : Number(numeric(value));
    if (number === undefined || !Number.isFinite(number)) continue;
    bins[Math.min(binCount - 1, Math.floor(((number - low) / (high - low)) * binCount))]! += 1;
  }
  return bins;
}

/** Computes an aggregate of the given rows (null for all); yields regularly. */
export function* aggregateRows(
  source: RowSource,
  rows: Uint32Array | null,
  column: number,
  as: ReadAs,
  how: ColumnAggregate,
): Generator<void, { value: CellValue; text?: string }> {
  const count = rows ? rows.length : source.length;
  const { kind, scale = 0 } = source.columns[column]!;
  const comparable = comparableOf(source.columns[column]!);
  const isExtreme = how === 'min' || how === 'max';
  const orderedAs = isExtreme ? yield* orderOf(source, source.columns[column]!) : undefined;
  const numeric = numberReader(source, column, as === 'date' ? 'date' : 'number');
  const total = new ExactSum();
  let [values, numbers] = [0, 0];
  let best: { own: Ordered; value: CellValue } | undefined;
  for (let at = 0; at < count; at++) {
    if (at % step === 0) yield;
    const value = source.value(rows ? rows[at]! : at, column, comparedLength);
    if (isAbsent(source, value)) continue;
    values += 1;
    if (how === 'count') continue;
    const number = numeric(value);
    if (how === 'sum' || how === 'avg') {
      if (number === undefined || isNotFinite(number)) continue;
      numbers += 1;
      total.add(kind === 'decimal' ? (value as bigint) : number);
      continue;
    }
    const own =
      as === 'string'
        ? orderedAs!(comparable(value), rows ? rows[at]! : at)
        : exactly(value, number);
    if (
      own !== undefined &&
      !isNotFinite(own) &&
      (!best || (how === 'min' ? lessThan(own, best.own) : lessThan(best.own, own)))
    )
      best = { own, value };
  }
  if (how === 'count') return { value: values };
  if (isExtreme) return { value: best?.value };
  if (numbers === 0) return { value: undefined };
  if (how === 'avg')
    return { value: total.float / (kind === 'decimal' ? 10 ** scale : 1) / numbers };
  const exact = total.exact;
  if (kind === 'decimal' && exact !== undefined)
    return { value: exact, text: decimalText(exact, scale) };
  return {
    value: exact !== undefined && !Number.isSafeInteger(Number(exact)) ? exact : total.float,
  };
}

/**
 * Describes the column an aggregate belongs to: counts are integers and averages are floats,
 * whatever the column's own type is.
 */
export const aggregateColumn = (column: RowColumn, how: ColumnAggregate): RowColumn =>
  how === 'count' || how === 'avg'
    ? { ...column, kind: how === 'count' ? 'integer' : 'float' }
    : column;
