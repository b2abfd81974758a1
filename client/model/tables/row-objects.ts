/** Rows of Arrow tables as objects, with dates and decimals as the caller needs them. */
import { describeType, readValue } from '../rows/arrow-cells.ts';
import { exactText } from '../rows/cell-text.ts';
import type { CellValue, RowColumn } from '../rows/typed-rows.ts';
import type { ArrowTable } from './arrow.ts';
import { arrowTimestampText } from './time-text.ts';

/** How values without a simple JavaScript type are given. */
export interface RowFormat {
  /**
   * Dates and timestamps: `number` (the default), milliseconds since 1970 with a fraction; `Date`,
   * cut to milliseconds; `iso`, an exact text such as `2026-01-31` or `2026-01-31T10:00:00.123456`,
   * with an offset or `Z` if the column has a time zone. `number` and `Date` read timestamps
   * without a zone as UTC.
   */
  readonly dates?: 'number' | 'Date' | 'iso';
  /** Decimals: `string` (the default), exact, or `number`, rounded to a double. */
  readonly decimals?: 'string' | 'number';
}

/** @internal The formats by option. */
export const ROW_FORMATS: Readonly<Record<keyof RowFormat, readonly string[]>> = {
  dates: ['number', 'Date', 'iso'],
  decimals: ['string', 'number'],
};

/** Returns how values of a column are converted; `undefined` if they stay. */
function conversionOf(column: RowColumn, { dates, decimals }: RowFormat) {
  const { kind, digits = 0, timezone } = column;
  if (kind === 'decimal')
    return (value: CellValue) =>
      decimals === 'number' ? Number(exactText(value, column)) : exactText(value, column);
  if ((kind !== 'date' && kind !== 'timestamp') || (dates ?? 'number') === 'number')
    return undefined;
  return (value: CellValue) => {
    const isTimestamp = typeof value === 'bigint';
    if (dates === 'Date') return new Date(Number(isTimestamp ? value / 1_000_000n : value));
    return isTimestamp
      ? arrowTimestampText(value / 10n ** BigInt(9 - digits), digits, timezone, 'T')
      : exactText(value, column);
  };
}

/** @internal Returns the rows of a table as objects. */
export function rowObjects(table: ArrowTable, format: RowFormat): Record<string, unknown>[] {
  const rows = table.toArray().map((row) => row.toJSON() as Record<string, unknown>);
  table.schema.fields.forEach(({ name, type }, index) => {
    const convert = conversionOf({ name, index, ...describeType(type) }, format);
    if (!convert) return;
    let row = 0;
    for (const { data } of table.batches)
      for (let at = 0; at < data.length; at += 1, row += 1) {
        const value = readValue(data.children[index]!, at);
        if (value !== null) rows[row]![name] = convert(value);
      }
  });
  return rows;
}
