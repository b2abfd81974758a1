import type { AccessToken } from '@tiding/client/protocol';
import { fill } from '../text/fill.ts';
import { tokenTexts } from './texts.ts';

const DAY_MS = 86_400_000;
/**
 * Tolerated difference between the clocks of server and browser, so that a one-day token is not
 * shown as two days.
 */
const CLOCK_TOLERANCE_MS = 60_000;

/** Days until a token expires, rounded up: 0 if it has expired, `undefined` if it never does. */
export function daysLeft(
  { expiresAt }: Pick<AccessToken, 'expiresAt'>,
  now: number,
): number | undefined {
  const end = expiresAt == null ? NaN : Date.parse(expiresAt);
  if (Number.isNaN(end)) return undefined;
  return end <= now ? 0 : Math.max(1, Math.ceil((end - now - CLOCK_TOLERANCE_MS) / DAY_MS));
}

/** The specification's texts: 'expired', '1 day', 'N days'. */
export function expiryText(days: number | undefined): string {
  const t = tokenTexts;
  if (days === undefined) return t.never;
  if (days === 0) return t.expired;
  return days === 1 ? t.oneDay : fill(t.days, { n: days });
}
