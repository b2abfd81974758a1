/** Numbers, shares and moments of profiles as people read them. */
import { formatDate, parseDate } from 'tiding/model';
import type { Time } from 'tiding/widgets';
import { formatInteger, withMinus } from '../../result/numbers.ts';
import { fill } from '../../text/en.ts';
import { TIME_FORMAT } from '../parts.tsx';

const decimals = new Intl.NumberFormat(undefined, { maximumFractionDigits: 3 });
const small = new Intl.NumberFormat(undefined, { maximumSignificantDigits: 4 });
const tenths = new Intl.NumberFormat(undefined, { maximumFractionDigits: 1 });

/** A count, its digits grouped. */
export const count = (value: number): string => withMinus(formatInteger(value));

/** A measure: grouped, three decimals at most; very small and very large ones by their first digits. */
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

/** A share from 0 to 1 as percent: nothing of none, `< 0.1 %` of little. */
export function percent(share: number | undefined): string {
  if (share === undefined || !Number.isFinite(share) || share <= 0) return '';
  if (share < 0.001) return `< ${tenths.format(0.1)} %`;
  return share < 1 && share > 0.999
    ? `> ${tenths.format(99.9)} %`
    : `${tenths.format(share * 100)} %`;
}

/** A change with its sign. */
export const signed = (value: number, text: (value: number) => string = count): string =>
  value > 0 ? `+${text(value)}` : text(value);

/** A moment among the data: as it stands there, in UTC as its hours were counted; a day has no hour. */
export function dataTime(value: Time): string {
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

/** `1 row`, `500 rows`. */
export const many = (n: number, one: string, more: string): string =>
  n === 1 ? one : fill(more, { n: count(n) });

/** `31,240 bytes` as `31.2 kB`. */
export function bytes(size: number): string {
  const steps = ['B', 'kB', 'MB', 'GB', 'TB'];
  const step = size < 1000 ? 0 : Math.min(steps.length - 1, Math.floor(Math.log10(size) / 3));
  return `${tenths.format(size / 1000 ** step)} ${steps[step]}`;
}
