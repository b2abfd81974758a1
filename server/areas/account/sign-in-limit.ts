/**
 * Limits sign-in attempts per account and address, per address, and in all. Checking a password
 * takes a third of a second of a processor, so a flood from one address must not delay the others.
 *
 * Behind some proxies all people have one address. Accounts that signed in from an address before
 * are therefore not delayed or refused by attempts of that address for other accounts.
 */
import { Refusal } from '../../base/errors.ts';
import { succeeds } from '../../base/succeeds.ts';
import { networkOf } from '../../http/origin.ts';

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
/** Accounts with addresses, and addresses, that are remembered; the oldest are removed first. */
const MAX_ENTRIES = 10_000;
/** User names have at most 128 characters; a stranger may send a megabyte. */
const MAX_NAME = 255;
const BUSY_SECONDS = 5;

interface Entry {
  failures: number;
  since: number;
  waiting: number;
  last: Promise<unknown>;
}

const tooMany = (message: string, retryAfter: number): Refusal =>
  new Refusal(429, message, 'error', { retryAfter: Math.max(1, Math.ceil(retryAfter)) });

/** Returns the part of a name that is kept or logged before its user has signed in. */
export const shortName = (name: string): string => name.slice(0, MAX_NAME);

/** The sign-in attempts of a server. */
export class SignInLimit {
  readonly #accounts = new Map<string, Entry>();
  readonly #addresses = new Map<string, Entry>();
  /** Accounts with the addresses from which they signed in. */
  readonly #known = new Map<string, true>();
  #waiting = 0;

  /**
   * Runs an attempt when it is its turn: the attempts of one address run one after another, those
   * of an account that signed in from there before in a turn of their own. `attempt` returns
   * `undefined` if it failed. Rejects with status 429 if there are too many.
   */
  async run<T>(
    { account, address }: { readonly account: string; readonly address: string },
    attempt: (isKnown: boolean) => Promise<T | undefined>,
  ): Promise<T | undefined> {
    // A clock that is set back must not extend the limits.
    const now = performance.now();
    this.#forget(now);
    const network = networkOf(address);
    const key = `${shortName(account)}\n${network}`;
    const isKnown = this.#known.has(key);
    const own = this.#addresses.get(network) ?? newEntry(now);
    const known = this.#accounts.get(key) ?? newEntry(now);
    const turns = isKnown ? known : own;
    const refuse = (at: number) => {
      if (known.failures >= MAX_ACCOUNT_FAILURES)
        throw tooMany(
          'Too many failed sign-ins. Try again in ten minutes.',
          (known.since + WINDOW_MS - at) / 1_000,
        );
      if (isKnown) return;
      refill(own, at);
      if (own.failures >= MAX_ADDRESS_FAILURES)
        throw tooMany(
          'Too many failed sign-ins from your network. Try again in a few seconds.',
          (own.since + ADDRESS_REFILL_MS - at) / 1_000,
        );
    };
    refuse(now);
    if (turns.waiting >= MAX_ADDRESS_WAITING || (!isKnown && this.#waiting >= MAX_WAITING))
      throw tooMany('Too many people are signing in. Try again in a few seconds.', BUSY_SECONDS);
    keep(this.#addresses, network, own);
    keep(this.#accounts, key, known);
    const change = (by: 1 | -1) => {
      own.waiting += isKnown ? 0 : by;
      known.waiting += by;
      this.#waiting += isKnown ? 0 : by;
    };
    change(1);
    const turn = turns.last
      .then(async () => {
        refuse(performance.now());
        const result = await attempt(isKnown);
        if (result !== undefined) {
          known.failures = 0;
          keep(this.#known, key, true);
        } else {
          if (known.failures === 0) known.since = performance.now();
          known.failures += 1;
          own.failures += isKnown ? 0 : 1;
        }
        return result;
      })
      .finally(() => change(-1));
    turns.last = succeeds(turn);
    return turn;
  }

  #forget(now: number): void {
    for (const entries of [this.#accounts, this.#addresses])
      for (const [name, { since, waiting }] of entries)
        if (waiting === 0 && now - since > WINDOW_MS) entries.delete(name);
  }
}

const newEntry = (since: number): Entry => ({
  failures: 0,
  since,
  waiting: 0,
  last: Promise.resolve(),
});

/** Sets an entry as the newest one, and removes the oldest if there are too many. */
function keep<Value>(entries: Map<string, Value>, key: string, value: Value): void {
  entries.delete(key);
  entries.set(key, value);
  if (entries.size > MAX_ENTRIES) entries.delete(entries.keys().next().value!);
}

/** Allows further failures of an address, one per interval. */
function refill(entry: Entry, now: number): void {
  const count = Math.floor((now - entry.since) / ADDRESS_REFILL_MS);
  entry.since += count * ADDRESS_REFILL_MS;
  entry.failures = Math.max(0, entry.failures - count);
}

const limits = new WeakMap<object, SignInLimit>();

export function signInLimitOf(context: object): SignInLimit {
  let limit = limits.get(context);
  if (!limit) limits.set(context, (limit = new SignInLimit()));
  return limit;
}
