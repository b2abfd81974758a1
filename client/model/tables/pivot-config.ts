import type { GraphColumn } from '../../protocol/objects.ts';
import { aggregationOf } from '../rows/aggregate.ts';
import type { ColumnType } from './column-type.ts';
import type { PivotConfig } from './pivot.ts';
import type { TableColumn } from './table.ts';

/** Names of parts of dates, of places and of keys. Their sum or mean says nothing. */
const CALENDAR = 'year|quarter|month|week|weekday|day|hour|minute';
const LABELS =
  `${CALENDAR}|id|key|pk|uuid|index|code|lat|latitude|lon|lng|longitude|` + 'zip|zipcode|postcode';
/** One word before is allowed (`order_id`), unless it makes a measure of it (`per day`). */
const named = (words: string): RegExp =>
  new RegExp(
    `^(?:(?!per|last|this|next|to)[^\\W_]+[ _.-])?(?:${words})` +
      '(?:[ _-]?(?:no|nr|num|number))?$',
    'i',
  );
const calendarName = named(CALENDAR);
const labelName = named(LABELS);

/** Whether the numbers of a column name something, as an id, a year or a latitude do. */
export const isLabelName = (name: string): boolean =>
  labelName.test(name.replace(/([a-z])(I[Dd]|Key)$/, '$1_$2'));

/** Measures of a first chart: more lines have no common unit. */
const MAX_MEASURES = 2;

/**
 * Returns the pivot of a table that is shown as a chart for the first time. The key is the first
 * column of texts, dates or parts of dates such as `month`; a year and a month make one key. The
 * values are the first columns of numbers after it, or before it if there are none; ids, parts of
 * dates and coordinates are no values. Without numbers there are no values. If no column types are
 * given, it is column 0 by column 1 (as in Zeppelin 0.8.2).
 *
 * @param measures maximum number of values
 */
export function defaultPivot(
  columns: readonly TableColumn[],
  types?: readonly ColumnType[],
  measures = MAX_MEASURES,
): PivotConfig {
  if (!types) return { keys: columns.slice(0, 1), groups: [], values: columns.slice(1, 2) };
  const isNumber = ({ index }: TableColumn): boolean => types[index] === 'number';
  const isPart = (column: TableColumn): boolean =>
    isNumber(column) && calendarName.test(column.name);
  const first = Math.max(
    0,
    columns.findIndex((column) => !isNumber(column) || isPart(column)),
  );
  const keys = columns.slice(first, first + 1);
  const second = columns[first + 1];
  if (keys[0] && isPart(keys[0]) && second && isPart(second)) keys.push(second);
  const numbers = columns.filter(
    (column) => isNumber(column) && !keys.includes(column) && !isLabelName(column.name),
  );
  const after = numbers.filter(({ index }) => index > first);
  return { keys, groups: [], values: (after.length > 0 ? after : numbers).slice(0, measures) };
}

/** Returns the columns of numbers that a first chart could draw, but doesn't. */
export const unusedMeasures = (
  { keys, values }: PivotConfig,
  columns: readonly TableColumn[],
  types: readonly ColumnType[],
): readonly TableColumn[] =>
  defaultPivot(columns, types, Infinity).values.filter(
    ({ index }) => ![...keys, ...values].some((column) => column.index === index),
  ) as TableColumn[];

/**
 * Adapts a saved pivot to a table: columns that the table lacks (by name and index) are removed,
 * and so are duplicates among keys and among groups (as in Zeppelin 0.8.2). A pivot without any
 * part becomes the default one. An unknown aggregation is replaced by sum.
 */
export function cleanPivot(
  config: Partial<PivotConfig> | undefined,
  columns: readonly TableColumn[],
  types?: readonly ColumnType[],
  measures?: number,
): PivotConfig {
  const { keys, groups, values } = config ?? {};
  if (!keys && !groups && !values) return defaultPivot(columns, types, measures);
  const known = (part: readonly GraphColumn[] = []): GraphColumn[] =>
    part.filter(({ name, index }) =>
      columns.some((column) => column.name === name && column.index === index),
    );
  const once = (part: readonly GraphColumn[]): GraphColumn[] =>
    part.filter(({ index }, at) => part.findIndex((other) => other.index === index) === at);
  const aggregated = (part: readonly GraphColumn[]): GraphColumn[] =>
    part.map((column) =>
      column.aggr === undefined || column.aggr === aggregationOf(column.aggr)
        ? column
        : { ...column, aggr: 'sum' },
    );
  return {
    keys: once(known(keys)),
    groups: once(known(groups)),
    values: aggregated(known(values)),
  };
}

/** Returns the names of columns that a saved pivot uses but the table lacks, without duplicates. */
export function missingColumns(
  config: readonly (GraphColumn | null | undefined)[],
  columns: readonly TableColumn[],
): string[] {
  const gone = config.filter(
    (one) => one && !columns.some(({ name, index }) => name === one.name && index === one.index),
  );
  return [...new Set(gone.map((one) => one!.name))];
}
