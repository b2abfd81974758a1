import { check, same } from '../result/test-support.tsx';
import { daysLeft, expiryText } from './expiry.ts';

const now = Date.parse('2026-11-21T12:00:00Z');
const words = (expiresAt: string | null | undefined) => expiryText(daysLeft({ expiresAt }, now));

describe('the expiry of a token', () => {
  for (const [expiresAt, said] of [
    ['2026-11-21T11:59:59.999Z', 'expired'],
    ['2026-11-21T12:00:00Z', 'expired'],
    ['2020-01-01T00:00:00Z', 'expired'],
    ['2026-11-21T12:00:00.001Z', '1 day'],
    ['2026-11-22T12:00:00Z', '1 day'],
    ['2026-11-22T12:01:00Z', '1 day'],
    ['2026-11-22T12:01:00.001Z', '2 days'],
    ['2027-02-19T12:00:00Z', '90 days'],
    ['2027-02-19T14:00:00+02:00', '90 days'],
    [null, 'Never'],
    [undefined, 'Never'],
  ] as const)
    it(`shows ${String(expiresAt)} as '${said}'`, () => same(words(expiresAt), said));
  it('is not shown for an invalid time', () =>
    check(daysLeft({ expiresAt: 'soon' }, now) === undefined, 'a number of days'));
});
