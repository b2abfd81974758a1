import type { GraphColumn } from '../../protocol/objects.ts';
import { numberIn, toDouble } from '../rows/aggregate.ts';
import { asCell, plainText } from '../rows/cell-text.ts';
import { runNow } from '../rows/run-now.ts';
import { isNumeric, type RowColumn, type TypedRows } from '../rows/typed-rows.ts';
import { columnNumber } from './column-type.ts';
import { type DateGrain, periodOf } from './date-grain.ts';
import type { Cell } from './table.ts';

/** A value by which rows are grouped. Bytes and nested values are represented by their text. */
type KeyValue = null | boolean | number | bigint | string;

/** Keys between two yields. */
const STEP = 4_096;

/** How a missing value is written, as in the grid. */
const NULL_TEXT = 'null';

/** A distinct combination of values, with whatever the caller stores for it. */
export interface DistinctKey<Stored> {
  readonly values: readonly KeyValue[];
  readonly stored: Stored;
}

interface Level<Stored> {
  /** Absent at the last column: a million keys would have as many empty maps. */
  next?: Map<KeyValue, Level<Stored>>;
  key?: DistinctKey<Stored>;
}

/** The start of the interval that contains a number. The server computes the same in SQL. */
// A little more: 0.29 / 0.01 is less than 29.
const startIn = (value: number, width: number): number => Math.floor(value / width + 1e-11) * width;

/** Groups of keys: periods of dates, or intervals of numbers with a width. */
export type KeyGroups = DateGrain | number | undefined;

/** Returns a function that reads the value of a row by which it is grouped. */
function keyReader(source: TypedRows, index: number, groups: KeyGroups): (row: number) => KeyValue {
  const column = source.columns[index]!;
  if (typeof groups === 'number') {
    const number = numberIn(column);
    return (row) => {
      const value = number(source.value(row, index));
      return value === undefined ? null : startIn(toDouble(value, column.scale), groups);
    };
  }
  const read = (row: number): KeyValue => {
    const value = source.value(row, index);
    if (value === undefined) return null;
    if (typeof value === 'object' && value !== null) return plainText(value, column);
    if (!source.isText) return value;
    // Text tables write some numbers as texts, and some texts as numbers.
    if (column.kind === 'text') return value === null ? null : String(value);
    return typeof value === 'string' ? (columnNumber(value) ?? value) : value;
  };
  if (!groups) return read;
  const periods = new Map<KeyValue, KeyValue>();
  return (row) => {
    const value = read(row);
    let period = periods.get(value);
    if (period === undefined)
      periods.set(value, (period = periodOf(plainText(value, column), groups) ?? value));
    return period;
  };
}

/**
 * The distinct values of some columns. Values are compared by their type: 9007199254740993 and
 * 9007199254740992 are different keys, and so are the texts `1.10` and `1.1`.
 */
export class DistinctKeys<Stored> {
  readonly columns: readonly RowColumn[];
  readonly #readers: readonly ((row: number) => KeyValue)[];
  readonly #root: Level<Stored> = {};
  readonly #create: () => Stored;

  /** @param groups periods or intervals by which values are grouped */
  constructor(
    source: TypedRows,
    columns: readonly GraphColumn[],
    create: () => Stored,
    groups?: KeyGroups,
  ) {
    this.columns = columns.map(({ index }) => {
      const column = source.columns[index]!;
      return typeof groups === 'number' ? { ...column, kind: 'float', single: false } : column;
    });
    this.#readers = columns.map(({ index }) => keyReader(source, index, groups));
    this.#create = create;
  }

  /** Returns the key of a row, adding it if necessary. */
  of(row: number): DistinctKey<Stored> {
    let level = this.#root;
    for (const read of this.#readers) {
      const value = read(row);
      const levels: Map<KeyValue, Level<Stored>> = (level.next ??= new Map());
      let next = levels.get(value);
      if (!next) levels.set(value, (next = {}));
      level = next;
    }
    return (level.key ??= {
      values: this.#readers.map((read) => read(row)),
      stored: this.#create(),
    });
  }

  /** The keys in order of first appearance; those with the same first values stay together. */
  all(): DistinctKey<Stored>[] {
    return runNow(this.allSteps());
  }

  /** Returns the same keys; yields regularly. */
  *allSteps(): Generator<void, DistinctKey<Stored>[], void> {
    const keys: DistinctKey<Stored>[] = [];
    function* visit({ key, next }: Level<Stored>): Generator<void, void, void> {
      if (key && keys.push(key) % STEP === 0) yield;
      // Most levels have a key and nothing below.
      for (const level of next?.values() ?? [])
        if (level.next || keys.length % STEP === STEP - 1) yield* visit(level);
        else if (level.key) keys.push(level.key);
    }
    yield* visit(this.#root);
    return keys;
  }

  /** The exact text of a value. */
  text(value: KeyValue, at: number): string {
    return value === null ? NULL_TEXT : plainText(value, this.columns[at]!);
  }

  /** The values of a key as cells: a number if a double can represent it, otherwise its text. */
  cells({ values }: DistinctKey<Stored>): (Cell | null)[] {
    return values.map((value, at) => {
      if (value === null) return null;
      const text = this.text(value, at);
      return isNumeric(this.columns[at]!.kind) ? asCell(text) : text;
    });
  }

  /**
   * Labels of keys: their texts joined by `.`, as in Zeppelin. Keys whose labels would be the same
   * have their texts in quotes.
   */
  labels(keys: readonly DistinctKey<Stored>[]): string[] {
    const label = ({ values }: DistinctKey<Stored>, isQuoted: boolean): string =>
      values
        .map((value, at) =>
          isQuoted && typeof value === 'string' ? JSON.stringify(value) : this.text(value, at),
        )
        .join('.');
    const plain = keys.map((key) => label(key, false));
    const counts = new Map<string, number>();
    for (const text of plain) counts.set(text, (counts.get(text) ?? 0) + 1);
    return plain.map((text, at) => (counts.get(text)! > 1 ? label(keys[at]!, true) : text));
  }
}
