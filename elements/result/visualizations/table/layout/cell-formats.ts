import type { NestedCell } from '@tiding/client/model';
import {
  type CellValue,
  decimalText,
  exactNumber,
  fitsDouble,
  formatDate,
  hexText,
  isAbsent,
  parseDate,
  plainText,
  type RowColumn,
  singlePrecisionText,
  toNumber,
  wallClockMs,
} from '@tiding/client/model';
import { formatBytes, withMinus } from '../../../parts/numbers.ts';
import type { ReadAs, RowSource } from '../../../rows/row-source.ts';

/** Characters shown in a cell. Copying a cell or opening its panel gives the full value. */
export const CELL_TEXT_CHARACTERS = 300;
/** Bytes of a binary value shown in a cell. */
const shownBytes = 12;
/** Numbers are padded to a common number of decimals only up to this many. */
const alignedDecimals = 4;
/** Decimals that every browser's number format supports. */
const mostDecimals = 20;
/** Columns whose numbers are identifiers or years, which look wrong with grouped digits. */
const ungrouped = /(?:^|[_\s.-])(?:year|yyyy|id|code|zip|plz|port)$/i;

/** Number formats by the name under which they are stored. */
export const numberFormats = ['plain', 'decimals0', 'decimals2', 'percent', 'scientific'] as const;
/** Date formats by their pattern. */
export const dateFormats = [
  'YYYY-MM-DD',
  'YYYY-MM-DD HH:mm',
  'DD.MM.YYYY',
  'MM/DD/YYYY',
  'MMM D, YYYY',
  'YYYY-MM',
] as const;

/** Returns how a column is interpreted until the user chooses otherwise. */
export function naturalType({ kind }: RowColumn): ReadAs {
  if (kind === 'integer' || kind === 'float' || kind === 'decimal') return 'number';
  return kind === 'date' || kind === 'timestamp' ? 'date' : 'string';
}

/**
 * Creates the function that formats a column's values for display. Missing values become an empty
 * string.
 */
export function cellFormatter(
  source: RowSource,
  column: RowColumn,
  as: ReadAs,
  format: string | undefined,
  sample: readonly CellValue[],
): (value: CellValue) => string {
  const plain = (value: CellValue): string => cut(shortText(value, column));
  const present = (write: (value: CellValue) => string) => (value: CellValue) =>
    isAbsent(source, value) ? '' : write(column.single ? shortFloat(value) : value);
  if (as === 'string') return present(plain);
  if (as === 'date') {
    if (!format || !dateFormats.includes(format as never)) return present(plain);
    return present((value) => {
      const date = dateOf(value, column);
      return date ? formatDate(date, format, { utc: true }) : plain(value);
    });
  }
  if (format === 'plain') return present(plain);
  return present(numberFormat(column, !source.isText, format, sample, plain));
}

/**
 * Replaces a single-precision number by the shortest number that rounds to it, so that 0.1 is not
 * shown as 0.10000000149011612.
 */
const shortFloat = (value: CellValue): CellValue =>
  typeof value === 'number' ? Number(singlePrecisionText(value)) : value;

const cut = (text: string): string =>
  text.length > CELL_TEXT_CHARACTERS ? `${text.slice(0, CELL_TEXT_CHARACTERS)}…` : text;

/** Returns a value's text; only the start of large values is converted. */
function shortText(value: CellValue, column: RowColumn): string {
  if (value instanceof Uint8Array) return bytesText(value);
  return typeof value === 'object' && value !== null
    ? (value as NestedCell).text(CELL_TEXT_CHARACTERS + 1)
    : plainText(value, column);
}

/** Shows the size and the first bytes of a binary value. */
function bytesText(bytes: Uint8Array): string {
  const size = formatBytes(bytes.length);
  return bytes.length === 0
    ? size
    : `${size} · ${hexText(bytes, shownBytes)}${bytes.length > shownBytes ? '…' : ''}`;
}

function dateOf(value: CellValue, { kind, timezone }: RowColumn): Date | undefined {
  if (typeof value === 'string') return parseDate(value, { utc: true });
  const ms =
    typeof value === 'bigint'
      ? Number(value / (kind === 'timestamp' ? 1_000_000n : 1n))
      : typeof value === 'number'
        ? value
        : Number.NaN;
  const date = new Date(timezone === undefined ? ms : wallClockMs(timezone, ms));
  return Number.isNaN(date.getTime()) ? undefined : date;
}

function numberFormat(
  column: RowColumn,
  typed: boolean,
  format: string | undefined,
  sample: readonly CellValue[],
  plain: (value: CellValue) => string,
): (value: CellValue) => string {
  const scale = column.kind === 'decimal' ? (column.scale ?? 0) : 0;
  const most =
    format === 'decimals0'
      ? 0
      : format === 'decimals2' || format === 'percent'
        ? 2
        : column.kind === 'decimal'
          ? scale
          : Math.max(
              0,
              ...sample.map((value) => decimalsOf(column.single ? shortFloat(value) : value)),
            );
  const fixed = format === undefined ? most <= alignedDecimals || column.kind === 'decimal' : true;
  const options: Intl.NumberFormatOptions = {
    useGrouping: !ungrouped.test(column.name),
    minimumFractionDigits: fixed ? Math.min(most, mostDecimals) : 0,
    maximumFractionDigits: format === undefined ? mostDecimals : most,
    ...(format === 'percent' ? { style: 'percent' as const } : {}),
    ...(format === 'scientific'
      ? { notation: 'scientific' as const, minimumFractionDigits: 0, maximumFractionDigits: 6 }
      : {}),
  };
  const intl = new Intl.NumberFormat(undefined, options);
  return (value) => {
    // Intl formats a numeric string digit by digit, so no precision is lost.
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
              : exactNumber(value)
            : undefined;
    if (number === undefined) return plain(value);
    if (typeof number === 'bigint') return withMinus(intl.format(number));
    // A text table shows all digits of a number, even if a double can't hold them.
    if (typeof value === 'string' && !typed && format === undefined && !fitsDouble(value))
      return withMinus(
        decimalsOf(value) > mostDecimals ? value : intl.format(value as Intl.StringNumericLiteral),
      );
    const size = Math.abs(number);
    // Outside this range fixed notation would show meaningless digits.
    return withMinus(
      format === undefined && size !== 0 && (size >= 1e15 || size < 1e-6)
        ? String(number)
        : intl.format(number),
    );
  };
}

function decimalsOf(value: CellValue): number {
  if (typeof value !== 'number' && typeof value !== 'string') return 0;
  if (typeof value === 'string' && toNumber(value) === undefined) return 0;
  const [mantissa = '', exponent = '0'] = String(value).toLowerCase().split('e');
  return Math.max(0, (mantissa.split('.')[1]?.length ?? 0) - Number(exponent));
}
