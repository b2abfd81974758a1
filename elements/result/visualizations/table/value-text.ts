/** Values as data, for copies, files and JSON: exact, unrounded, without anything for the eye. */
import type { RowColumn, Value } from './row-source.ts';

const day = 86_400_000;

/** A decimal with its point. */
export function decimalText(value: bigint, scale: number): string {
  if (scale <= 0) return String(value * 10n ** BigInt(-scale));
  const digits = String(value < 0n ? -value : value).padStart(scale + 1, '0');
  return `${value < 0n ? '-' : ''}${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
}

/** A value in the words of the data; a missing one is empty. Of long bytes and nested values about `limit` characters. */
export function plainText(value: Value, column: RowColumn, limit = Infinity): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'bigint') {
    if (column.kind === 'timestamp') return timestampText(value, column);
    return column.kind === 'decimal' ? decimalText(value, column.scale ?? 0) : String(value);
  }
  if (typeof value === 'number') {
    if (column.kind === 'date') return dateText(value);
    if (column.kind === 'time') return timeText(BigInt(value), column.digits ?? 0);
    return String(value);
  }
  return value instanceof Uint8Array
    ? hexText(value, limit / 2)
    : typeof value === 'object'
      ? value.text(limit)
      : String(value);
}

/** Bytes as hex digits; of long ones a start. */
export function hexText(bytes: Uint8Array, most = Infinity): string {
  let text = '';
  for (let at = 0; at < Math.min(bytes.length, most); at++)
    text += bytes[at]!.toString(16).padStart(2, '0');
  return text;
}

/** A day, for years beyond four digits too. */
export function dateText(ms: number): string {
  const iso = new Date(ms);
  return Number.isNaN(iso.getTime()) ? String(ms) : iso.toISOString().replace(/T.*/, '');
}

function timeText(ns: bigint, digits: number): string {
  const two = (value: bigint): string => String(value).padStart(2, '0');
  const fraction =
    digits > 0
      ? `.${String(ns % 1_000_000_000n)
          .padStart(9, '0')
          .slice(0, digits)}`
      : '';
  const seconds = ns / 1_000_000_000n;
  return `${two(seconds / 3600n)}:${two((seconds / 60n) % 60n)}:${two(seconds % 60n)}${fraction}`;
}

/** A moment: date, blank, time with the fractions it has; `Z` behind one that is in universal time. */
export function timestampText(
  ns: bigint,
  { digits = 0, zoned = false }: Pick<RowColumn, 'digits' | 'zoned'>,
): string {
  const dayNs = 86_400_000_000_000n;
  const days = ns >= 0n ? ns / dayNs : -((-ns + dayNs - 1n) / dayNs);
  return `${dateText(Number(days) * day)} ${timeText(ns - days * dayNs, digits)}${zoned ? 'Z' : ''}`;
}

const unit = (count: number | bigint, name: string): string[] =>
  Number(count) === 0
    ? []
    : [`${count} ${name}${Number(count) === 1 || Number(count) === -1 ? '' : 's'}`];

/** An interval in words: of months (`kind` 0), of days and milliseconds (1), of months, days and nanoseconds (2). */
export function intervalText(values: Int32Array, kind: number, at: number): string {
  if (kind === 0)
    return (
      [...unit(Math.trunc(values[at]! / 12), 'year'), ...unit(values[at]! % 12, 'month')].join(
        ' ',
      ) || '0 months'
    );
  if (kind === 1)
    return (
      [...unit(values[2 * at]!, 'day'), clockText(BigInt(values[2 * at + 1]!) * 1_000_000n)]
        .filter(Boolean)
        .join(' ') || '0 days'
    );
  const months = values[4 * at]!;
  const rest = (BigInt(values[4 * at + 3]!) << 32n) | BigInt(values[4 * at + 2]! >>> 0);
  return (
    [
      ...unit(Math.trunc(months / 12), 'year'),
      ...unit(months % 12, 'month'),
      ...unit(values[4 * at + 1]!, 'day'),
      clockText(rest),
    ]
      .filter(Boolean)
      .join(' ') || '0 days'
  );
}

/** A length of time. */
export function durationText(ns: bigint): string {
  const days = ns / 86_400_000_000_000n;
  return (
    [...unit(days, 'day'), clockText(ns - days * 86_400_000_000_000n)].filter(Boolean).join(' ') ||
    '00:00:00'
  );
}

/** Hours, minutes, seconds; nothing for none. */
function clockText(ns: bigint): string {
  if (ns === 0n) return '';
  const size = ns < 0n ? -ns : ns;
  const seconds = size / 1_000_000_000n;
  const two = (value: bigint): string => String(value).padStart(2, '0');
  const fraction = String(size % 1_000_000_000n)
    .padStart(9, '0')
    .replace(/0+$/, '');
  return `${ns < 0n ? '-' : ''}${two(seconds / 3600n)}:${two((seconds / 60n) % 60n)}:${two(seconds % 60n)}${fraction ? `.${fraction}` : ''}`;
}
