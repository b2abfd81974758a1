import type { AccessToken } from 'tiding/protocol';
import { fill, text } from '../text/en.ts';

const DAY_MS = 86_400_000;
/** What the clocks of server and browser may differ without a token of one day being told as one of two. */
const CLOCKS_MS = 60_000;

/** Days until a token expires, begun ones counted whole: 0 when it has, `undefined` when it never does. */
export function daysLeft(
  { expiresAt }: Pick<AccessToken, 'expiresAt'>,
  now: number,
): number | undefined {
  const end = expiresAt == null ? NaN : Date.parse(expiresAt);
  if (Number.isNaN(end)) return undefined;
  return end <= now ? 0 : Math.max(1, Math.ceil((end - now - CLOCKS_MS) / DAY_MS));
}

/** The specification's words: 'expired', '1 day', 'N days'. */
export function expiryWords(days: number | undefined): string {
  const t = text.tokens;
  if (days === undefined) return t.never;
  if (days === 0) return t.expired;
  return days === 1 ? t.oneDay : fill(t.days, { n: days });
}
