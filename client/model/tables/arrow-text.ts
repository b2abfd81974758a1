/**
 * Exact text and JSON of Apache Arrow values. The page and the server use the same functions, so
 * that files saved by either contain the same values.
 */

import { base64 } from '../text/base64.ts';
import {
  type ArrowData,
  type ArrowDataType,
  type ArrowField,
  ArrowTypeId,
  arrowBoolean,
  arrowBytes,
  arrowDecimal,
  arrowDictionaryEntry,
  arrowNumbers,
  arrowTypeDetails,
  arrowTypeId,
  arrowUnionEntry,
  halfFloat,
  hasArrowValue,
} from './arrow-values.ts';
import { arrowDateText, arrowTimestampText, arrowTimeText } from './time-text.ts';

/**
 * Binds to the data of one chunk and returns a function that reads a value by its index. The value
 * must not be missing; see {@link hasArrowValue}. With a limit, the result may be cut off after
 * about that many characters.
 */
export type ArrowReader = (data: ArrowData) => (index: number, limit?: number) => string;

/** How the values of one Arrow type are written. */
export interface ArrowFormat {
  /** Text as in tables and CSV files. */
  readonly text: ArrowReader;
  /**
   * JSON. Integers and decimals keep all digits, other finite numbers, booleans, lists and objects
   * have their JSON form, non-finite numbers are `null`, binary values are base64, and everything
   * else is a string. In lists and objects, non-finite numbers are strings, to differ from missing
   * values.
   */
  readonly json: ArrowReader;
}

/** Collects JSON until a number of characters is reached. */
interface JsonOutput {
  readonly parts: string[];
  left: number;
}
/** Formats a decimal from its unscaled integer and its scale. */
export function decimalText(value: bigint, scale: number): string {
  if (scale <= 0) return `${value}${'0'.repeat(value === 0n ? 0 : -scale)}`;
  const digits = String(value < 0n ? -value : value).padStart(scale + 1, '0');
  return `${value < 0n ? '-' : ''}${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
}

/** Returns the text of a double, with the sign of a zero. */
export const doubleText = (value: number): string => (Object.is(value, -0) ? '-0' : String(value));

/** The shortest decimal text that identifies a single-precision number. */
export function singlePrecisionText(value: number): string {
  if (Object.is(value, -0)) return '-0';
  for (let digits = 6; digits < 9; digits += 1) {
    const short = Number(value.toPrecision(digits));
    if (Math.fround(short) === value) return String(short);
  }
  return String(Number(value.toPrecision(9)));
}

const DAY_MS = 86_400_000;
/** Fractional digits of a second for the time units of the Arrow format: s, ms, µs, ns. */
export const digitsOf = (unit: number): number => unit * 3;

const count = (value: number, unit: string): string[] =>
  value === 0 ? [] : [`${value} ${unit}${Math.abs(value) === 1 ? '' : 's'}`];

/** Formats an interval as the SQL engine does: years, months and days, then a signed time. */
function intervalText(months: number, days: number, nanoseconds: bigint): string {
  const parts = [
    ...count(Math.trunc(months / 12), 'year'),
    ...count(months % 12, 'month'),
    ...count(days, 'day'),
  ];
  if (nanoseconds !== 0n || parts.length === 0)
    parts.push(
      nanoseconds < 0n ? `-${arrowTimeText(-nanoseconds, 9)}` : arrowTimeText(nanoseconds, 9),
    );
  return parts.join(' ');
}

/** Formats bytes as text: printable ASCII characters as they are, all others as `\x00`. */
export const arrowBinaryText = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) =>
    byte >= 32 && byte < 127 && byte !== 92
      ? String.fromCharCode(byte)
      : `\\x${byte.toString(16).toUpperCase().padStart(2, '0')}`,
  ).join('');

const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });

/** Decodes UTF-8; of long texts only about `limit` characters. */
export function decodeUtf8(bytes: Uint8Array, limit = Infinity): string {
  // A character has at most four bytes. One that is cut in half lies beyond the limit.
  return utf8.decode(bytes.length > limit * 4 ? bytes.subarray(0, limit * 4 + 4) : bytes);
}

const quoted =
  (text: ArrowReader): ArrowReader =>
  (data) => {
    const read = text(data);
    return (index, limit) => JSON.stringify(read(index, limit));
  };
/** A format whose JSON is its text, like that of integers. */
const bare = (text: ArrowReader): ArrowFormat => ({ text, json: text });
/** A format whose JSON is its text as a string. */
const asString = (text: ArrowReader): ArrowFormat => ({ text, json: quoted(text) });

const none: ArrowFormat = { text: () => () => '', json: () => () => 'null' };
const booleans = bare((data) => (index) => String(arrowBoolean(data, index)));
const integers = bare((data) => {
  const values = arrowNumbers<number | bigint>(data);
  return (index) => String(values[index]);
});
function floats(precision: number): ArrowFormat {
  const numbers = (data: ArrowData): ((index: number) => number) => {
    const values = arrowNumbers<number>(data);
    return precision === 0 ? (index) => halfFloat(values[index]!) : (index) => values[index]!;
  };
  const write = precision === 1 ? singlePrecisionText : doubleText;
  return {
    text: (data) => {
      const read = numbers(data);
      return (index) => write(read(index));
    },
    json: (data) => {
      const read = numbers(data);
      return (index) => {
        const value = read(index);
        // Programs read `-0` as a whole number, of which there is only one zero.
        if (Object.is(value, -0)) return '-0.0';
        return Number.isFinite(value) ? write(value) : 'null';
      };
    },
  };
}
const strings = asString((data) => (index, limit) => decodeUtf8(arrowBytes(data, index), limit));
const binaries: ArrowFormat = {
  text: (data) => (index, limit) => arrowBinaryText(arrowBytes(data, index).subarray(0, limit)),
  json: (data) => (index, limit) => `"${base64(arrowBytes(data, index).subarray(0, limit))}"`,
};
const dates = (perDay: number): ArrowFormat =>
  asString((data) => {
    const values = arrowNumbers<number | bigint>(data);
    return (index) => arrowDateText(Math.floor(Number(values[index]) / perDay));
  });
const times = (digits: number): ArrowFormat =>
  asString((data) => {
    const values = arrowNumbers<number | bigint>(data);
    return (index) => arrowTimeText(BigInt(values[index]!), digits);
  });
function timestamps(digits: number, zone: string | null | undefined): ArrowFormat {
  const separatedBy =
    (separator: string): ArrowReader =>
    (data) => {
      const values = arrowNumbers<bigint>(data);
      return (index) => arrowTimestampText(BigInt(values[index]!), digits, zone, separator);
    };
  return { text: separatedBy(' '), json: quoted(separatedBy('T')) };
}
const durations = (digits: number): ArrowFormat =>
  asString((data) => {
    const values = arrowNumbers<bigint>(data);
    const factor = 10n ** BigInt(9 - digits);
    return (index) => intervalText(0, 0, BigInt(values[index]!) * factor);
  });
/** Units of intervals: months (0), days and milliseconds (1), months, days and nanoseconds (2). */
const intervals = (unit: number): ArrowFormat =>
  asString((data) => {
    const values = data.values as Int32Array;
    if (unit === 0) return (index) => intervalText(values[index]!, 0, 0n);
    if (unit === 1)
      return (index) =>
        intervalText(0, values[index * 2]!, BigInt(values[index * 2 + 1]!) * 1_000_000n);
    return (index) =>
      intervalText(
        values[index * 4]!,
        values[index * 4 + 1]!,
        (BigInt(values[index * 4 + 3]!) << 32n) | BigInt(values[index * 4 + 2]! >>> 0),
      );
  });

/** A format that writes JSON piece by piece, so that a preview of a huge value stays cheap. */
function nested(write: (data: ArrowData) => (index: number, out: JsonOutput) => void): ArrowFormat {
  return bare((data) => {
    const writeAt = write(data);
    return (index, limit = Infinity) => {
      const out: JsonOutput = { parts: [], left: limit };
      writeAt(index, out);
      return out.parts.join('');
    };
  });
}
function put(out: JsonOutput, text: string): void {
  out.parts.push(text);
  out.left -= text.length;
}
/** Whether a field has JSON, by the extension types of the Arrow format. */
const isJsonField = ({ metadata }: ArrowField): boolean =>
  metadata?.get('ARROW:extension:name') === 'arrow.json';

/** Writes an element of a nested value. */
function elementWriter(
  data: ArrowData,
  field: ArrowField,
): (index: number, out: JsonOutput) => void {
  const format = arrowFormat(data.type);
  const text = format.text(data);
  const json = isJsonField(field) ? text : format.json(data);
  const isFloat = arrowTypeId(data.type) === ArrowTypeId.Float;
  const read = (index: number, limit: number): string => {
    const written = json(index, limit);
    return isFloat && written === 'null' ? JSON.stringify(text(index)) : written;
  };
  return (index, out) => put(out, hasArrowValue(data, index) ? read(index, out.left) : 'null');
}
const lists = nested((data) => {
  const write = elementWriter(data.children[0]!, arrowTypeDetails(data.type).children[0]!);
  const offsets = data.valueOffsets as Int32Array | undefined;
  const size = data.stride;
  return (index, out) => {
    const [from, to] = offsets?.length
      ? [Number(offsets[index]), Number(offsets[index + 1])]
      : [index * size, (index + 1) * size];
    put(out, '[');
    for (let item = from; item < to && out.left > 0; item += 1) {
      if (item > from) put(out, ',');
      write(item, out);
    }
    put(out, ']');
  };
});
const structs = nested((data) => {
  const fields = arrowTypeDetails(data.type).children.map((field, at) => ({
    name: `${at > 0 ? ',' : ''}${JSON.stringify(field.name)}:`,
    write: elementWriter(data.children[at]!, field),
  }));
  return (index, out) => {
    put(out, '{');
    for (const { name, write } of fields) {
      if (out.left <= 0) break;
      put(out, name);
      write(index, out);
    }
    put(out, '}');
  };
});
/** Maps become objects; keys of other types than text are converted to text. */
const maps = nested((data) => {
  const offsets = data.valueOffsets as Int32Array;
  const entries = data.children[0]!;
  const [keys, values] = entries.children as [ArrowData, ArrowData];
  const key = arrowFormat(keys.type).text(keys);
  const write = elementWriter(values, arrowTypeDetails(entries.type).children[1]!);
  return (index, out) => {
    const [from, to] = [offsets[index]!, offsets[index + 1]!];
    put(out, '{');
    for (let item = from; item < to && out.left > 0; item += 1) {
      put(out, `${item > from ? ',' : ''}${JSON.stringify(key(item))}:`);
      write(item, out);
    }
    put(out, '}');
  };
});
/** Writes a value that is stored elsewhere: in a union's child or in a dictionary. */
function indirect(
  entryOf: (
    data: ArrowData,
    index: number,
  ) => { readonly data: ArrowData; readonly index: number } | null,
): ArrowFormat {
  const reader =
    (kind: 'text' | 'json'): ArrowReader =>
    (data) =>
    (index, limit) => {
      const entry = entryOf(data, index);
      return entry && hasArrowValue(entry.data, entry.index)
        ? arrowFormat(entry.data.type)[kind](entry.data)(entry.index, limit)
        : none[kind](data)(index);
    };
  return { text: reader('text'), json: reader('json') };
}
const unions = indirect(arrowUnionEntry);
const dictionaries = indirect(arrowDictionaryEntry);

/**
 * Returns how values of an Arrow type are written.
 *
 * @example
 * const read = arrowFormat(field.type).text(chunk);
 * const cell = hasArrowValue(chunk, row) ? read(row) : '';
 */
export function arrowFormat(type: ArrowDataType): ArrowFormat {
  const details = arrowTypeDetails(type);
  switch (arrowTypeId(type)) {
    case ArrowTypeId.Bool:
      return booleans;
    case ArrowTypeId.Int:
      return integers;
    case ArrowTypeId.Float:
      return floats(details.precision);
    case ArrowTypeId.Decimal:
      return bare((data) => (index) => decimalText(arrowDecimal(data, index), details.scale));
    case ArrowTypeId.Utf8:
    case ArrowTypeId.LargeUtf8:
      return strings;
    case ArrowTypeId.Binary:
    case ArrowTypeId.LargeBinary:
    case ArrowTypeId.FixedSizeBinary:
      return binaries;
    case ArrowTypeId.Date:
      return dates(details.unit === 0 ? 1 : DAY_MS);
    case ArrowTypeId.Time:
      return times(digitsOf(details.unit));
    case ArrowTypeId.Timestamp:
      return timestamps(digitsOf(details.unit), details.timezone);
    case ArrowTypeId.Duration:
      return durations(digitsOf(details.unit));
    case ArrowTypeId.Interval:
      return intervals(details.unit);
    case ArrowTypeId.List:
    case ArrowTypeId.FixedSizeList:
      return lists;
    case ArrowTypeId.Struct:
      return structs;
    case ArrowTypeId.Map:
      return maps;
    case ArrowTypeId.Union:
      return unions;
    case ArrowTypeId.Dictionary:
      return dictionaries;
    default:
      return none;
  }
}
