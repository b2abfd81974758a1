/** Finds values that Arrow can store, but that other programs can't read. */
import { arrowDecimal, hasArrowValue } from '@tiding/client/model';
import { type Data, DataType, TimeUnit } from 'apache-arrow';

/** JavaScript's dates end this many milliseconds before and after 1970. */
const MAX_DATE_MS = 8.64e15;
const DAY_MS = 86_400_000;
const UNITS_PER_SECOND = {
  [TimeUnit.SECOND]: 1,
  [TimeUnit.MILLISECOND]: 1e3,
  [TimeUnit.MICROSECOND]: 1e6,
  [TimeUnit.NANOSECOND]: 1e9,
};
/** The engine's infinite timestamps are the largest number, in both directions. */
const INFINITE = 2 ** 63;

/**
 * Whether all values are ones that other programs can read. Infinite dates and timestamps are not,
 * nor are those beyond JavaScript's dates and integers with more than 38 digits.
 */
export function isReadable(data: Data): boolean {
  const { length, type, children } = data;
  if (DataType.isTimestamp(type)) {
    const perMs = UNITS_PER_SECOND[type.unit] / 1e3;
    const values = data.values as BigInt64Array;
    return every(length, data, (at) => {
      const value = Math.abs(Number(values[at]));
      return value < INFINITE && value / perMs <= MAX_DATE_MS;
    });
  }
  if (DataType.isDate(type)) {
    const values = data.values as Int32Array;
    return every(length, data, (at) => Math.abs(values[at]!) * DAY_MS <= MAX_DATE_MS);
  }
  if (DataType.isDecimal(type) && type.scale === 0) {
    const limit = 10n ** BigInt(type.precision);
    return every(length, data, (at) => {
      const value = arrowDecimal(data, at);
      return value < limit && -value < limit;
    });
  }
  return children.every(isReadable);
}

/** Missing values have any number. */
function every(length: number, data: Data, test: (index: number) => boolean): boolean {
  for (let at = 0; at < length; at += 1) if (!test(at) && hasArrowValue(data, at)) return false;
  return true;
}
