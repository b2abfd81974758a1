/** Values of Arrow columns as text, exactly: as tables and CSV have them, and as JSON. */
import {
  DataType,
  IntervalUnit,
  TimeUnit,
  Precision,
  DateUnit,
  type Data,
  type Decimal,
  type Struct,
} from 'apache-arrow';
import { singleText } from '../interpreters/sql-format.ts';

/** Reads a column: the text of a value that is there. */
type Reader = (data: Data) => (index: number) => string;

/** How a column is written. */
export interface Written {
  /** As CSV and tables show it. */
  readonly text: Reader;
  /** As JSON: whole numbers and decimals with all digits, other numbers, truth values, lists and objects as such, everything else as text. */
  readonly json: Reader;
}

type Row<T> = { readonly [index: number]: T };
const valuesOf = <T>(data: Data): Row<T> => data.values as unknown as Row<T>;
const quoted =
  (text: Reader): Reader =>
  (data) => {
    const read = text(data);
    return (index) => JSON.stringify(read(index));
  };
const both = (text: Reader): Written => ({ text, json: text });
const asText = (text: Reader): Written => ({ text, json: quoted(text) });

/** Whether a column has a value. */
export const isThere = (data: Data, index: number): boolean =>
  !DataType.isNull(data.type) && data.getValid(index);

const pad = (value: number | bigint, width = 2) => String(value).padStart(width, '0');

/** A whole number with a point in it. */
export function decimalText(value: bigint, scale: number): string {
  if (scale <= 0) return `${value}${'0'.repeat(value === 0n ? 0 : -scale)}`;
  const digits = (value < 0n ? -value : value).toString().padStart(scale + 1, '0');
  return `${value < 0n ? '-' : ''}${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
}

/** The whole number of a decimal, whatever its width. */
export function decimalValue(data: Data, index: number): bigint {
  const { bitWidth } = data.type as Decimal;
  const words = valuesOf<number>(data);
  const count = bitWidth / 32;
  // Most are small.
  if (count === 4) {
    const [high, low] = [words[index * 4 + 1]!, words[index * 4]!];
    if (words[index * 4 + 3] === 0 && words[index * 4 + 2] === 0 && high < 2 ** 21)
      return BigInt(high * 2 ** 32 + low);
  }
  let value = 0n;
  for (let at = count - 1; at >= 0; at -= 1)
    value = (value << 32n) | BigInt(words[index * count + at]!);
  return BigInt.asIntN(bitWidth, value);
}

/** Digits of a fraction that say something. */
const fraction = (value: bigint, digits: number) => {
  const text = pad(value, digits).replace(/0+$/, '');
  return text === '' ? '' : `.${text}`;
};
/** So many of a unit are a second, as a power of ten. */
const digitsOf = (unit: TimeUnit) =>
  ({
    [TimeUnit.SECOND]: 0,
    [TimeUnit.MILLISECOND]: 3,
    [TimeUnit.MICROSECOND]: 6,
    [TimeUnit.NANOSECOND]: 9,
  })[unit];

function clock(value: bigint, digits: number): string {
  const unit = 10n ** BigInt(digits);
  const seconds = value / unit;
  return `${pad(seconds / 3_600n)}:${pad((seconds / 60n) % 60n)}:${pad(seconds % 60n)}${digits === 0 ? '' : fraction(value % unit, digits)}`;
}

const DAY_MS = 86_400_000;
const DATES = 100_000_000;
function dayText(days: number): string {
  if (days >= 2 ** 31 - 1) return 'infinity';
  if (days <= -(2 ** 31 - 1)) return '-infinity';
  if (Math.abs(days) > DATES) return `${days} days after 1970-01-01`;
  return new Date(days * DAY_MS).toISOString().replace(/T.*$/, '');
}

const FOREVER = 2n ** 63n - 1n;
function timestamp(
  value: bigint,
  digits: number,
  zone: boolean,
): { day: string; time: string } | string {
  if (value === FOREVER || value === -FOREVER) return value > 0n ? 'infinity' : '-infinity';
  const day = 86_400n * 10n ** BigInt(digits);
  const rest = ((value % day) + day) % day;
  return {
    day: dayText(Number((value - rest) / day)),
    time: `${clock(rest, digits)}${zone ? 'Z' : ''}`,
  };
}

const units = (count: number, unit: string) =>
  count === 0 ? [] : [`${count} ${unit}${Math.abs(count) === 1 ? '' : 's'}`];
/** As the SQL engine writes it. */
function intervalText(months: number, days: number, nanos: bigint): string {
  const parts = [
    ...units(Math.trunc(months / 12), 'year'),
    ...units(months % 12, 'month'),
    ...units(days, 'day'),
  ];
  if (nanos !== 0n || parts.length === 0)
    parts.push(`${nanos < 0n ? '-' : ''}${clock(nanos < 0n ? -nanos : nanos, 9)}`);
  return parts.join(' ');
}

/** Printable characters as they are, others as `\x00`. */
const binaryText = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) =>
    byte >= 32 && byte < 127 && byte !== 92
      ? String.fromCharCode(byte)
      : `\\x${byte.toString(16).toUpperCase().padStart(2, '0')}`,
  ).join('');
const bytesAt = (data: Data): ((index: number) => Uint8Array) => {
  const values = data.values as Uint8Array;
  const offsets = data.valueOffsets as Int32Array | BigInt64Array | undefined;
  if (offsets)
    return (index) => values.subarray(Number(offsets[index]), Number(offsets[index + 1]));
  return (index) => values.subarray(index * data.stride, (index + 1) * data.stride);
};

const nothing: Written = both(() => () => 'null');
const whole: Written = both((data) => {
  const values = valuesOf<number | bigint>(data);
  return (index) => String(values[index]);
});
/** JSON has no word for what is no number. */
const real = (single: boolean): Written => {
  const text: Reader = (data) => {
    const values = valuesOf<number>(data);
    return (index) => (single ? singleText(values[index]!) : String(values[index]));
  };
  return {
    text,
    json: (data) => {
      const read = text(data);
      const values = valuesOf<number>(data);
      return (index) => (Number.isFinite(values[index]) ? read(index) : 'null');
    },
  };
};
const booleans: Written = both((data) => {
  const bits = data.values as Uint8Array;
  return (index) =>
    String(((bits[(data.offset + index) >> 3]! >> ((data.offset + index) & 7)) & 1) === 1);
});
const strings: Written = asText((data) => {
  const values = data.values as Uint8Array;
  const bytes = Buffer.from(values.buffer, values.byteOffset, values.byteLength);
  const offsets = data.valueOffsets as Int32Array | BigInt64Array;
  return (index) => bytes.toString('utf8', Number(offsets[index]), Number(offsets[index + 1]));
});
const binary: Written = {
  text: (data) => {
    const bytes = bytesAt(data);
    return (index) => binaryText(bytes(index));
  },
  json: (data) => {
    const bytes = bytesAt(data);
    return (index) => JSON.stringify(Buffer.from(bytes(index)).toString('base64'));
  },
};

const list = (element: Written): Written =>
  both((data) => {
    const [child] = data.children as [Data];
    const read = element.json(child);
    const offsets = data.valueOffsets as Int32Array | undefined;
    const size = data.stride;
    return (index) => {
      const [from, to] = offsets?.length
        ? [offsets[index]!, offsets[index + 1]!]
        : [index * size, (index + 1) * size];
      return `[${Array.from({ length: to - from }, (_, at) => (isThere(child, from + at) ? read(from + at) : 'null')).join(',')}]`;
    };
  });
const structure = ({ children }: Struct): Written => {
  const fields = children.map(({ name, type }) => ({
    name: JSON.stringify(name),
    written: writtenOf(type),
  }));
  return both((data) => {
    const readers = fields.map(({ name, written }, at) => ({
      name,
      child: data.children[at]!,
      read: written.json(data.children[at]!),
    }));
    return (index) =>
      `{${readers.map(({ name, child, read }) => `${name}:${isThere(child, index) ? read(index) : 'null'}`).join(',')}}`;
  });
};
/** A map is an object; keys that are no text are written as text. */
const map = (entry: Struct): Written => {
  const [key, value] = entry.children.map(({ type }) => writtenOf(type)) as [Written, Written];
  return both((data) => {
    const [keys, values] = data.children[0]!.children as [Data, Data];
    const [readKey, readValue] = [key.text(keys), value.json(values)];
    const offsets = data.valueOffsets as Int32Array;
    return (index) =>
      `{${Array.from({ length: offsets[index + 1]! - offsets[index]! }, (_, at) => {
        const place = offsets[index]! + at;
        return `${JSON.stringify(readKey(place))}:${isThere(values, place) ? readValue(place) : 'null'}`;
      }).join(',')}}`;
  });
};

/** How a column of a type is written. */
export function writtenOf(type: DataType): Written {
  if (DataType.isNull(type)) return nothing;
  if (DataType.isBool(type)) return booleans;
  if (DataType.isInt(type)) return whole;
  if (DataType.isFloat(type)) return real(type.precision === Precision.SINGLE);
  if (DataType.isDecimal(type))
    return both((data) => (index) => decimalText(decimalValue(data, index), type.scale));
  if (DataType.isUtf8(type) || DataType.isLargeUtf8(type)) return strings;
  if (DataType.isBinary(type) || DataType.isLargeBinary(type) || DataType.isFixedSizeBinary(type))
    return binary;
  if (DataType.isDate(type)) {
    const perDay = type.unit === DateUnit.DAY ? 1 : DAY_MS;
    return asText(
      (data) => (index) =>
        dayText(Math.floor(Number(valuesOf<number | bigint>(data)[index]) / perDay)),
    );
  }
  if (DataType.isTime(type))
    return asText(
      (data) => (index) =>
        clock(BigInt(valuesOf<number | bigint>(data)[index]!), digitsOf(type.unit)),
    );
  if (DataType.isTimestamp(type)) {
    const parts = (data: Data, index: number) =>
      timestamp(
        BigInt(valuesOf<bigint>(data)[index]!),
        digitsOf(type.unit),
        Boolean(type.timezone),
      );
    const joined =
      (between: string): Reader =>
      (data) =>
      (index) => {
        const value = parts(data, index);
        return typeof value === 'string' ? value : `${value.day}${between}${value.time}`;
      };
    return { text: joined(' '), json: quoted(joined('T')) };
  }
  if (DataType.isDuration(type))
    return asText(
      (data) => (index) =>
        intervalText(
          0,
          0,
          BigInt(valuesOf<bigint>(data)[index]!) * 10n ** BigInt(9 - digitsOf(type.unit)),
        ),
    );
  if (DataType.isInterval(type)) {
    return asText((data) => {
      const values = data.values as Int32Array;
      return (index) => {
        if (type.unit === IntervalUnit.YEAR_MONTH) return intervalText(values[index]!, 0, 0n);
        if (type.unit === IntervalUnit.DAY_TIME)
          return intervalText(0, values[index * 2]!, BigInt(values[index * 2 + 1]!) * 1_000_000n);
        const nanos =
          (BigInt(values[index * 4 + 3]!) << 32n) | BigInt(values[index * 4 + 2]! >>> 0);
        return intervalText(values[index * 4]!, values[index * 4 + 1]!, nanos);
      };
    });
  }
  if (DataType.isList(type) || DataType.isFixedSizeList(type))
    return list(writtenOf(type.children[0]!.type));
  if (DataType.isMap(type)) return map(type.children[0]!.type as unknown as Struct);
  if (DataType.isStruct(type)) return structure(type);
  return asText(() => () => '');
}
