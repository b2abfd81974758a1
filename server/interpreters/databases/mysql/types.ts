/** Types of MySQL and MariaDB. */
import type { ColumnKind } from '../text-columns.ts';

/** A column as the server describes it. */
interface MySqlField {
  readonly name: string;
  readonly columnType?: number;
  readonly columnLength?: number;
  readonly characterSet?: number;
  readonly decimals?: number;
  readonly flags?: number | readonly string[];
}

/** Codes of column types in the protocol. */
const integers: Readonly<Record<number, readonly [signed: ColumnKind, unsigned: ColumnKind]>> = {
  1: ['int8', 'uint8'],
  2: ['int16', 'uint16'],
  3: ['int32', 'uint32'],
  8: ['int64', 'uint64'],
  9: ['int32', 'uint32'],
  13: ['int16', 'uint16'],
};
const others: Readonly<Record<number, ColumnKind>> = {
  4: 'float32',
  5: 'float64',
  7: 'timestamp',
  10: 'date',
  12: 'timestamp',
  16: 'bytes',
  255: 'bytes',
};
const DECIMALS = new Set([0, 246]);
/** Types of texts and binary values, which the character set distinguishes. */
const STRINGS = new Set([15, 249, 250, 251, 252, 253, 254]);
const BINARY = 63;
const UNSIGNED = 32;

/** Returns the kind of a column. `TIME` is a duration of up to 838 hours, so it is text. */
export function kindOf(field: MySqlField): ColumnKind {
  const { characterSet, columnLength = 0, columnType = -1, decimals = 0, flags = 0 } = field;
  const isUnsigned = typeof flags === 'number' && (flags & UNSIGNED) !== 0;
  const integer = integers[columnType];
  if (integer) return integer[isUnsigned ? 1 : 0];
  if (DECIMALS.has(columnType))
    // The length includes the sign and the point.
    return {
      precision: columnLength - (isUnsigned ? 0 : 1) - (decimals > 0 ? 1 : 0),
      scale: decimals,
    };
  if (STRINGS.has(columnType)) return characterSet === BINARY ? 'bytes' : 'text';
  return others[columnType] ?? 'text';
}
