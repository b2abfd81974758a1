import { columnNumber, formatDate, parseDate, toNumber } from 'tiding/model';
import { withMinus } from '../../numbers.ts';
import type { NestedCell } from './arrow-values.ts';
import { isAbsent, type RowColumn, type RowSource, type Value } from './row-source.ts';
import type { ReadAs } from './sort-keys.ts';
import { decimalText, hexText, plainText } from './value-text.ts';

/** A cell shows so many characters; the whole is copied, and shown when it is opened. */
export const shownLength = 300;
/** Bytes of a binary value that are shown. */
const shownBytes = 12;
/** More decimals than these are the value's own affair. */
const alignedDecimals = 4;
/** Names of numbers that count nothing: grouped digits would be wrong there. */
const ungrouped = /(?:^|[_\s.-])(?:year|yyyy|id|code|zip|plz|port)$/i;

/** Formats of numbers by the name under which they are kept. */
export const numberFormats = ['plain', 'decimals0', 'decimals2', 'percent', 'scientific'] as const;
/** Formats of dates, by their pattern. */
export const dateFormats = [
  'YYYY-MM-DD',
  'YYYY-MM-DD HH:mm',
  'DD.MM.YYYY',
  'MM/DD/YYYY',
  'MMM D, YYYY',
  'YYYY-MM',
] as const;

/** How a column is read until the reader says otherwise. */
export function naturalType({ kind }: RowColumn): ReadAs {
  if (kind === 'integer' || kind === 'float' || kind === 'decimal') return 'number';
  return kind === 'date' || kind === 'timestamp' ? 'date' : 'string';
}

/** The text of a column's values as people read it; missing values are empty. */
export function formatterOf(
  source: RowSource,
  column: RowColumn,
  as: ReadAs,
  format: string | undefined,
  sample: readonly Value[],
): (value: Value) => string {
  const plain = (value: Value): string => cut(shortText(value, column));
  const present = (write: (value: Value) => string) => (value: Value) =>
    isAbsent(source, value) ? '' : write(value);
  if (as === 'string') return present(plain);
  if (as === 'date') {
    if (!format || !dateFormats.includes(format as never)) return present(plain);
    return present((value) => {
      const date = dateOf(value, column);
      return date ? formatDate(date, format, { utc: true }) : plain(value);
    });
  }
  if (format === 'plain') return present(plain);
  return present(numberFormat(column, Boolean(source.chunks), format, sample, plain));
}

const cut = (text: string): string =>
  text.length > shownLength ? `${text.slice(0, shownLength)}…` : text;

/** A value's text, of large ones a start. */
function shortText(value: Value, column: RowColumn): string {
  if (value instanceof Uint8Array) return bytesText(value);
  return typeof value === 'object' && value !== null
    ? (value as NestedCell).text(shownLength + 1)
    : plainText(value, column);
}

/** Size and first bytes. */
function bytesText(bytes: Uint8Array): string {
  const size =
    bytes.length < 1024
      ? `${bytes.length} B`
      : bytes.length < 1024 ** 2
        ? `${(bytes.length / 1024).toFixed(1)} KB`
        : `${(bytes.length / 1024 ** 2).toFixed(1)} MB`;
  return bytes.length === 0
    ? size
    : `${size} · ${hexText(bytes, shownBytes)}${bytes.length > shownBytes ? '…' : ''}`;
}

function dateOf(value: Value, { kind }: RowColumn): Date | undefined {
  if (typeof value === 'string') return parseDate(value, { utc: true });
  const ms =
    typeof value === 'bigint'
      ? Number(value / (kind === 'timestamp' ? 1_000_000n : 1n))
      : typeof value === 'number'
        ? value
        : Number.NaN;
  const date = new Date(ms);
  return Number.isNaN(date.getTime()) ? undefined : date;
}

function numberFormat(
  column: RowColumn,
  typed: boolean,
  format: string | undefined,
  sample: readonly Value[],
  plain: (value: Value) => string,
): (value: Value) => string {
  const scale = column.kind === 'decimal' ? (column.scale ?? 0) : 0;
  const most =
    format === 'decimals0'
      ? 0
      : format === 'decimals2' || format === 'percent'
        ? 2
        : column.kind === 'decimal'
          ? scale
          : Math.max(0, ...sample.map((value) => decimalsOf(value)));
  const fixed = format === undefined ? most <= alignedDecimals || column.kind === 'decimal' : true;
  const options: Intl.NumberFormatOptions = {
    useGrouping: !ungrouped.test(column.name),
    minimumFractionDigits: fixed ? Math.min(most, 20) : 0,
    maximumFractionDigits: format === undefined ? 20 : most,
    ...(format === 'percent' ? { style: 'percent' as const } : {}),
    ...(format === 'scientific'
      ? { notation: 'scientific' as const, minimumFractionDigits: 0, maximumFractionDigits: 6 }
      : {}),
  };
  const intl = new Intl.NumberFormat(undefined, options);
  return (value) => {
    // A text of digits is formatted as it stands, digit by digit, however many there are.
    if (column.kind === 'decimal' && typeof value === 'bigint')
      return withMinus(intl.format(decimalText(value, scale) as Intl.StringNumericLiteral));
    if (typeof value === 'bigint') return withMinus(intl.format(value));
    const number =
      typeof value === 'number'
        ? value
        : typeof value === 'boolean'
          ? Number(value)
          : typeof value === 'string'
            ? typed
              ? toNumber(value)
              : columnNumber(value)
            : undefined;
    if (number === undefined) return plain(value);
    const size = Math.abs(number);
    // Beyond these a fixed notation shows digits that nobody meant.
    return withMinus(
      format === undefined && size !== 0 && (size >= 1e15 || size < 1e-6)
        ? String(number)
        : intl.format(number),
    );
  };
}

function decimalsOf(value: Value): number {
  if (typeof value !== 'number' && typeof value !== 'string') return 0;
  if (typeof value === 'string' && toNumber(value) === undefined) return 0;
  const [mantissa = '', exponent = '0'] = String(value).split('e');
  return Math.max(0, (mantissa.split('.')[1]?.length ?? 0) - Number(exponent));
}
