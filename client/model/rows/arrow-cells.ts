import { arrowFormat, decodeUtf8, digitsOf } from '../tables/arrow-text.ts';
import {
  type ArrowData,
  type ArrowDataType,
  ArrowTypeId,
  arrowBoolean,
  arrowBytes,
  arrowDecimal,
  arrowDictionaryEntry,
  arrowTypeDetails,
  halfFloat,
  hasArrowValue,
} from '../tables/arrow-values.ts';
import type { CellValue, RowColumn } from './typed-rows.ts';

/** Describes a column of an Arrow type; name and index are added by the caller. */
export function describeType(type: ArrowDataType): Omit<RowColumn, 'name' | 'index'> {
  const details = arrowTypeDetails(type);
  switch (type.typeId as number) {
    case ArrowTypeId.Dictionary:
      return describeType(details.dictionary);
    case ArrowTypeId.Bool:
      return { kind: 'boolean' };
    case ArrowTypeId.Int:
      return { kind: 'integer' };
    case ArrowTypeId.Float:
      return details.precision === 1 ? { kind: 'float', single: true } : { kind: 'float' };
    case ArrowTypeId.Decimal:
      return { kind: 'decimal', scale: details.scale };
    case ArrowTypeId.Date:
      return { kind: 'date' };
    case ArrowTypeId.Time:
      return { kind: 'time', digits: digitsOf(details.unit) };
    case ArrowTypeId.Timestamp:
      return {
        kind: 'timestamp',
        digits: digitsOf(details.unit),
        ...(details.timezone ? { timezone: details.timezone } : {}),
      };
    case ArrowTypeId.Interval:
    case ArrowTypeId.Duration:
      return { kind: 'interval' };
    case ArrowTypeId.Binary:
    case ArrowTypeId.LargeBinary:
    case ArrowTypeId.FixedSizeBinary:
      return { kind: 'binary' };
    case ArrowTypeId.List:
    case ArrowTypeId.FixedSizeList:
      return { kind: 'list' };
    case ArrowTypeId.Struct:
    case ArrowTypeId.Map:
    case ArrowTypeId.Union:
      return { kind: 'struct' };
    default:
      return { kind: 'text' };
  }
}

const DAY_MS = 86_400_000;
/** Nanoseconds per time unit of the Arrow format: s, ms, µs, ns. */
const NANOSECONDS = [1_000_000_000, 1_000_000, 1000, 1] as const;

/**
 * Reads a value in the representation described at {@link CellValue}. Nested values are not
 * converted until their text is requested.
 *
 * @param limit characters of a long text that suffice
 */
export function readValue(data: ArrowData, index: number, limit = Infinity): CellValue {
  if (!hasArrowValue(data, index)) return null;
  const { unit, precision } = arrowTypeDetails(data.type);
  const numbers = data.values as Int32Array;
  switch (data.type.typeId as number) {
    case ArrowTypeId.Dictionary: {
      const entry = arrowDictionaryEntry(data, index);
      return entry && readValue(entry.data, entry.index, limit);
    }
    case ArrowTypeId.Bool:
      return arrowBoolean(data, index);
    case ArrowTypeId.Int:
      return numbers[index] ?? null;
    case ArrowTypeId.Float:
      return precision === 0 ? halfFloat(numbers[index]!) : (numbers[index] ?? null);
    case ArrowTypeId.Decimal:
      return arrowDecimal(data, index);
    case ArrowTypeId.Utf8:
    case ArrowTypeId.LargeUtf8:
      return decodeUtf8(arrowBytes(data, index), limit);
    case ArrowTypeId.Binary:
    case ArrowTypeId.LargeBinary:
    case ArrowTypeId.FixedSizeBinary:
      return arrowBytes(data, index);
    case ArrowTypeId.Date:
      return unit === 0 ? numbers[index]! * DAY_MS : Number(numbers[index]);
    case ArrowTypeId.Time:
      return Number(numbers[index]) * NANOSECONDS[unit as 0]!;
    case ArrowTypeId.Timestamp:
      return (data.values as BigInt64Array)[index]! * BigInt(NANOSECONDS[unit as 0]!);
    case ArrowTypeId.Interval:
    case ArrowTypeId.Duration:
      return arrowFormat(data.type).text(data)(index);
    case ArrowTypeId.List:
    case ArrowTypeId.FixedSizeList:
    case ArrowTypeId.Struct:
    case ArrowTypeId.Map:
    case ArrowTypeId.Union:
      return new NestedCell(data, index);
    default:
      return null;
  }
}

/** A list, struct, map or union in its column; it is converted to text on demand. */
export class NestedCell {
  readonly #data: ArrowData;
  readonly #index: number;
  constructor(data: ArrowData, index: number) {
    this.#data = data;
    this.#index = index;
  }
  /** Returns compact JSON. With a limit, it is cut off after about that many characters. */
  text(limit = Infinity): string {
    return arrowFormat(this.#data.type).text(this.#data)(this.#index, limit);
  }
  /** Returns the whole JSON. */
  toString(): string {
    return this.text();
  }
}
