import { describeType, readValue } from '../rows/arrow-cells.ts';
import { exactText } from '../rows/cell-text.ts';
import type { ArrowColumns, ArrowTable } from './arrow.ts';
import {
  type ArrowData,
  ArrowTypeId,
  arrowDecimal,
  arrowTypeDetails,
  hasArrowValue,
} from './arrow-values.ts';
import { INFINITE_TIMESTAMP } from './time-text.ts';

/** JavaScript's dates end this many milliseconds before and after 1970. */
const MAX_DATE_MS = 8.64e15;
const DAY_MS = 86_400_000;
/** Time units of the Arrow format per millisecond: s, ms, µs, ns. */
const UNITS_PER_MS = [1e-3, 1, 1e3, 1e6] as const;

/**
 * Whether all values are ones that other programs can read. Infinite dates and timestamps are not,
 * nor are those beyond JavaScript's dates and integers with more than 38 digits.
 */
export function isReadable(data: ArrowData): boolean {
  const { length, type, children } = data;
  const { unit, scale, precision } = arrowTypeDetails(type);
  const values = data.values as ArrayLike<bigint | number>;
  if (type.typeId === ArrowTypeId.Timestamp)
    return every(length, data, (at) => {
      const value = Math.abs(Number(values[at]));
      return value < Number(INFINITE_TIMESTAMP) && value / UNITS_PER_MS[unit as 0] <= MAX_DATE_MS;
    });
  if (type.typeId === ArrowTypeId.Date) {
    const perUnit = unit === 0 ? DAY_MS : 1;
    return every(length, data, (at) => Math.abs(Number(values[at])) * perUnit <= MAX_DATE_MS);
  }
  if (type.typeId === ArrowTypeId.Decimal && scale === 0) {
    const limit = 10n ** BigInt(precision);
    return every(length, data, (at) => {
      const value = arrowDecimal(data, at);
      return value < limit && -value < limit;
    });
  }
  return children.every(isReadable);
}

/** Missing values have any number. */
function every(length: number, data: ArrowData, test: (index: number) => boolean): boolean {
  for (let at = 0; at < length; at += 1) if (!test(at) && hasArrowValue(data, at)) return false;
  return true;
}

/** Returns a table whose columns that have a value which scripts can't read are text. */
export async function readableTable(table: ArrowTable): Promise<ArrowTable> {
  const { schema, batches } = table;
  const texts = new Set(
    schema.fields.flatMap((_, at) =>
      batches.every(({ data }) => isReadable(data.children[at]!)) ? [] : [at],
    ),
  );
  if (texts.size === 0) return table;
  const arrow = await import('apache-arrow');
  const textOf = (data: ArrowData, name: string) => {
    const column = { name, index: 0, ...describeType(data.type) };
    const cells = Array.from({ length: data.length }, (_, row) => readValue(data, row));
    const written = cells.map((cell) => (cell === null ? null : exactText(cell, column)));
    return arrow.vectorFromArray(written, new arrow.Utf8()).data[0]!;
  };
  const fields = schema.fields.map((field, at) =>
    texts.has(at) ? new arrow.Field(field.name, new arrow.Utf8(), true, field.metadata) : field,
  );
  const next = new arrow.Schema<ArrowColumns>(fields, schema.metadata);
  const type = new arrow.Struct<ArrowColumns>(fields);
  return new arrow.Table(
    next,
    batches.map(({ data: { length, children } }) => {
      const columns = children.map((child, at) =>
        texts.has(at) ? textOf(child, fields[at]!.name) : child,
      );
      return new arrow.RecordBatch(next, arrow.makeData({ type, length, children: columns }));
    }),
  );
}
