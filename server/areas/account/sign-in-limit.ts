/**
 * Limits sign-in attempts per account and address, per address, and in all. Checking a password
 * takes a third of a second of a processor, so a flood from one address must not delay the others.
 */
import { isIPv6 } from 'node:net';
import { Refusal } from '../../errors.ts';

/** Failed attempts for an account from one address within {@link WINDOW_MS}. */
const MAX_ACCOUNT_FAILURES = 10;
const WINDOW_MS = 600_000;
/** Failed attempts from one address in a burst. Users behind one proxy share an address. */
const MAX_ADDRESS_FAILURES = 40;
/** One more failed attempt per address is allowed after this time, in ms. */
const ADDRESS_REFILL_MS = 3_000;
/** Attempts of one address that wait at the same time. One of them is checked at a time. */
const MAX_ADDRESS_WAITING = 20;
/** Attempts of all addresses that wait at the same time. */
const MAX_WAITING = 200;
const BUSY_SECONDS = 5;

interface Entry {
  failures: number;
  since: number;
  waiting: number;
  last: Promise<void>;
}

const tooMany = (message: string, retryAfter: number): Refusal =>
  new Refusal(429, message, 'error', { retryAfter: Math.max(1, Math.ceil(retryAfter)) });

/** An IPv6 network of a single customer counts as one address. */
const networkOf = (address: string): string =>
  isIPv6(address) && !address.toLowerCase().startsWith('::ffff:')
    ? new URL(`http://[${address.split('%')[0]}]`).hostname.split('::')[0]!.split(':', 4).join(':')
    : address;

/** The sign-in attempts of a server. */
export class SignInLimit {
  readonly #accounts = new Map<string, Entry>();
  readonly #addresses = new Map<string, Entry>();
  #waiting = 0;

  /**
   * Runs an attempt when it is its turn: the attempts of one address run one after another.
   * `attempt` returns `undefined` if it failed. Rejects with status 429 if there are too many.
   */
  async run<T>(
    { account, address }: { readonly account: string; readonly address: string },
    attempt: () => Promise<T | undefined>,
  ): Promise<T | undefined> {
    // A clock that is set back must not extend the limits.
    const now = performance.now();
    this.#forget(now);
    const network = networkOf(address);
    const own = entryOf(this.#addresses, network, now);
    const known = entryOf(this.#accounts, `${account}\n${network}`, now);
    if (own.waiting >= MAX_ADDRESS_WAITING || this.#waiting >= MAX_WAITING)
      throw tooMany('Too many people are signing in. Try again in a few seconds.', BUSY_SECONDS);
    own.waiting += 1;
    known.waiting += 1;
    this.#waiting += 1;
    const turn = own.last
      .then(async () => {
        const begun = performance.now();
        if (known.failures >= MAX_ACCOUNT_FAILURES)
          throw tooMany(
            'Too many failed sign-ins. Try again in ten minutes.',
            (known.since + WINDOW_MS - begun) / 1_000,
          );
        refill(own, begun);
        if (own.failures >= MAX_ADDRESS_FAILURES)
          throw tooMany(
            'Too many failed sign-ins from your network. Try again in a few seconds.',
            (own.since + ADDRESS_REFILL_MS - begun) / 1_000,
          );
        const result = await attempt();
        if (result !== undefined) known.failures = 0;
        else {
          if (known.failures === 0) known.since = performance.now();
          known.failures += 1;
          own.failures += 1;
        }
        return result;
      })
      .finally(() => {
        own.waiting -= 1;
        known.waiting -= 1;
        this.#waiting -= 1;
      });
    own.last = turn.then(
      () => {},
      () => {},
    );
    return turn;
  }

  #forget(now: number): void {
    for (const entries of [this.#accounts, this.#addresses])
      for (const [name, { since, waiting }] of entries)
        if (waiting === 0 && now - since > WINDOW_MS) entries.delete(name);
  }
}

function entryOf(entries: Map<string, Entry>, key: string, now: number): Entry {
  const entry = entries.get(key) ?? {
    failures: 0,
    since: now,
    waiting: 0,
    last: Promise.resolve(),
  };
  entries.set(key, entry);
  return entry;
}

/** Allows further failures of an address, one per interval. */
function refill(entry: Entry, now: number): void {
  const count = Math.floor((now - entry.since) / ADDRESS_REFILL_MS);
  entry.since += count * ADDRESS_REFILL_MS;
  entry.failures = Math.max(0, entry.failures - count);
}

const limits = new WeakMap<object, SignInLimit>();

/** Returns the limit of a server, by its context. */
export function signInLimitOf(context: object): SignInLimit {
  let limit = limits.get(context);
  if (!limit) limits.set(context, (limit = new SignInLimit()));
  return limit;
}
