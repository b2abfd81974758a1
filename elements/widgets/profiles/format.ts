/** Formats numbers, shares and times of profiles. */
import { displayedPercent, formatDate, parseDate } from '@tiding/client/model';
import type { PayloadTime } from '@tiding/client/widgets';
import { formatInteger, numberFormat, withMinus } from '../../result/parts/numbers.ts';
import { fill } from '../../text/fill.ts';
import { TIME_FORMAT } from '../parts.tsx';

const decimals = numberFormat({ maximumFractionDigits: 3 });
const small = numberFormat({ maximumSignificantDigits: 4 });
const tenths = numberFormat({ maximumFractionDigits: 1 });

/** Formats a count with grouped digits. */
export const count = (value: number): string => withMinus(formatInteger(value));

/**
 * Formats a measure with grouping and at most three decimals. Very small and very large values are
 * rounded to their leading digits.
 */
export function measure(value: number): string {
  const size = Math.abs(value);
  if (!Number.isFinite(value)) return withMinus(String(value));
  return withMinus(
    size >= 1e15 || (size > 0 && size < 1e-6)
      ? value.toExponential(3)
      : size > 0 && size < 1
        ? small.format(value)
        : decimals.format(value),
  );
}

/** Formats a share from 0 to 1 as a percentage: empty for none, `< 0.1 %` for very little. */
export function percent(share: number | undefined): string {
  if (share === undefined || !Number.isFinite(share) || share <= 0) return '';
  if (share < 0.001) return `< ${tenths.format(0.1)} %`;
  return share < 1 && share > 0.999
    ? `> ${tenths.format(99.9)} %`
    : `${tenths.format(displayedPercent(share))} %`;
}

/** Formats a change with its sign. */
export const signed = (value: number, text: (value: number) => string = count): string =>
  value > 0 ? `+${text(value)}` : text(value);

/**
 * Formats a time from the data in UTC, because its hours were counted in UTC. A date has no time of
 * day.
 */
export function dataTime(value: PayloadTime): string {
  const date = parseDate(value, { utc: true });
  if (!date) return String(value);
  return formatDate(
    date,
    typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value.trim())
      ? 'MMMM DD YYYY'
      : TIME_FORMAT,
    { utc: true },
  );
}

/** Returns `1 row` or `500 rows`. */
export const pluralize = (n: number, one: string, more: string): string =>
  n === 1 ? one : fill(more, { n: count(n) });
