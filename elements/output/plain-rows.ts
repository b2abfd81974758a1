/** Rows and columns of a page as typed rows. Cells are converted when they are read. */
import { TidingError } from '@tiding/client';
import {
  type CellValue,
  hexText,
  isJsonObject,
  markedNumber,
  type RowColumn,
  restoreNumbers,
} from '@tiding/client/model';
import type { RowSource } from '../result/rows/row-source.ts';
import { outputTexts } from './texts.ts';

export const refused = (message: string): TidingError => new TidingError('protocol', message);

/** Names what a value is, for error messages. */
export const described = (value: unknown): string =>
  value === null || value === undefined
    ? String(value)
    : Array.isArray(value)
      ? 'a list'
      : `a ${typeof value}`;

/** JSON in which whole numbers of any size keep their digits. */
const jsonText = (value: unknown): string =>
  restoreNumbers(
    JSON.stringify(value, (_, each: unknown) =>
      typeof each === 'bigint'
        ? markedNumber(String(each))
        : typeof each === 'number' && !Number.isFinite(each)
          ? String(each)
          : each,
    ),
  );

/** The value of a cell; `null` if it is missing. */
function present(value: unknown): unknown {
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value;
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array)
    return value ?? null;
  // Decimals, dates and ids of libraries.
  return 'toJSON' in value && typeof value.toJSON === 'function' ? value.toJSON() : value;
}

type Kind = 'boolean' | 'integer' | 'bigint' | 'float' | 'text' | 'date' | 'bytes' | 'json';

function kindOf(value: unknown): Kind {
  switch (typeof value) {
    case 'boolean':
      return 'boolean';
    case 'bigint':
      return 'bigint';
    case 'number':
      return Number.isSafeInteger(value) && !Object.is(value, -0) ? 'integer' : 'float';
    case 'object':
      if (value instanceof Date) return 'date';
      return value instanceof Uint8Array ? 'bytes' : 'json';
    default:
      return 'text';
  }
}

/** The exact text of a value in a column of several types. */
function textOf(value: unknown): string {
  if (value instanceof Date) return value.toISOString();
  if (value instanceof Uint8Array) return hexText(value);
  if (typeof value === 'object') return jsonText(value);
  return Object.is(value, -0) ? '-0' : String(value);
}

type Reading = Omit<RowColumn, 'name' | 'index'> & { readonly read: (value: unknown) => CellValue };

const same = (value: unknown): CellValue => value as CellValue;
const nanoseconds = (value: unknown): bigint => BigInt((value as Date).getTime()) * 1_000_000n;
/** How columns with these kinds of values are read, the first that has all of them. */
const readings: readonly (readonly [kinds: readonly Kind[], reading: Reading])[] = [
  [['text'], { kind: 'text', read: textOf }],
  [['boolean'], { kind: 'boolean', read: same }],
  [['integer'], { kind: 'integer', read: same }],
  [['integer', 'bigint'], { kind: 'integer', read: (value) => BigInt(value as bigint) }],
  [['integer', 'float'], { kind: 'float', read: same }],
  [['date'], { kind: 'timestamp', digits: 3, timezone: 'UTC', read: nanoseconds }],
  [['bytes'], { kind: 'binary', read: same }],
  [['json'], { kind: 'text', meaning: 'json', read: jsonText }],
];
const mixed: Reading = { kind: 'text', read: textOf };

/**
 * The type of a column is the one that all its values have: numbers are whole numbers if all are,
 * dates are instants in UTC, lists and objects are JSON, and several types make a column of texts.
 * Texts stay texts, whatever they look like.
 */
function plainRows(
  names: readonly string[],
  length: number,
  cell: (row: number, name: string) => unknown,
): RowSource {
  const read: Reading['read'][] = [];
  const columns = names.map((name, index) => {
    const kinds = new Set<Kind>();
    for (let row = 0; row < length; row += 1) {
      const value = present(cell(row, name));
      if (value !== null) kinds.add(kindOf(value));
    }
    const [, reading] = readings.find(([known]) =>
      [...kinds].every((kind) => known.includes(kind)),
    ) ?? [[], mixed];
    const { read: readCell, ...column } = reading;
    read.push(readCell);
    return { name, index, ...column };
  });
  return {
    columns,
    length,
    complete: true,
    nullText: '',
    value(row, column) {
      // Views may ask for a row that a filter has just left out.
      if (!(row >= 0 && row < length)) return undefined;
      const value = present(cell(row, names[column]!));
      return value === null ? null : read[column]!(value);
    },
  };
}

/** Reads a list of objects; the columns are all their keys, in order of appearance. */
export function rowsOfObjects(rows: readonly unknown[]): RowSource {
  const names = new Set<string>();
  rows.forEach((row, at) => {
    if (!isJsonObject(row)) throw refused(outputTexts.row(String(at + 1), described(row)));
    for (const name of Object.keys(row)) names.add(name);
  });
  const objects = rows as readonly Readonly<Record<string, unknown>>[];
  return plainRows([...names], rows.length, (row, name) =>
    Object.hasOwn(objects[row]!, name) ? objects[row]![name] : null,
  );
}

/** Reads lists of values by the names of their columns. */
export function rowsOfColumns(columns: Readonly<Record<string, ArrayLike<unknown>>>): RowSource {
  const lengths = Object.entries(columns).map(([name, { length }]) => ({ name, length }));
  const { length = 0 } = lengths[0] ?? {};
  if (lengths.some((each) => each.length !== length))
    throw refused(
      outputTexts.lengths(lengths.map((each) => `${each.name} ${each.length}`).join(', ')),
    );
  return plainRows(Object.keys(columns), length, (row, name) => columns[name]![row]);
}
