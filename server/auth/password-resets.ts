/** Password resets with one-time tokens, which are stored as hashes in `password-resets.json`. */
import { createHash, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { Refusal } from '../errors.ts';
import type { Logger } from '../logging/log.ts';
import { Ages } from '../storage/ages.ts';
import { SharedList } from '../storage/files.ts';
import { passwordWeakness } from './passwords.ts';
import { RateLimit } from './rate-limit.ts';
import type { Sessions } from './sessions.ts';
import type { Users } from './users.ts';

interface Stored {
  hash: string;
  principal: string;
  /** ISO 8601 UTC. */
  expiresAt: string;
  used: boolean;
}

/** An e-mail with a password-reset link. `to` is the user name, which may be an e-mail address. */
export interface ResetMail {
  /** Name of the user who requested the reset. */
  to: string;
  /**
   * URL of the page that sets the new password, including its one-time token. Treat it as a secret.
   */
  link: string;
  /** ISO 8601 UTC. */
  expiresAt: string;
}
/**
 * Delivers the e-mail; resolves with `false` if the user has no address. A link that is not
 * delivered is written to the server's log, for the administrator to pass on.
 */
export type SendMail = (mail: ResetMail) => Promise<boolean | void>;

/**
 * Dependencies. `url` returns the server's configured URL, which is never taken from a request,
 * because the requester controls its headers.
 */
interface PasswordResetOptions {
  folder: string;
  users: Users;
  sessions: Sessions;
  log: Logger;
  url: () => string;
  sendMail?: SendMail | undefined;
}

const VALID_MS = 1_800_000;
/**
 * How long an expired token is remembered, in ms, so that users who come late learn that it was
 * used or has expired.
 */
const REMEMBERED_MS = 7 * 24 * 3_600_000;
const WINDOW_MS = 600_000;
const PREFIX = 'tdr_';
const hash = (token: string) => createHash('sha256').update(token).digest('base64url');
const gone = () => new Refusal(410, 'This link has been used or has expired. Request a new one.');

/** The password resets of a data folder. */
export class PasswordResets {
  readonly #list: SharedList<Stored>;
  readonly #options: PasswordResetOptions;
  readonly #ages = new Ages();
  readonly #perUser = new RateLimit(5, WINDOW_MS);
  readonly #perAddress = new RateLimit(20, WINDOW_MS);

  constructor(options: PasswordResetOptions) {
    this.#list = new SharedList(join(options.folder, 'password-resets.json'), 'resets');
    this.#options = options;
  }

  /**
   * Requests a reset link. The user is looked up after this returns, so that neither the response
   * nor its timing reveals whether the user exists. Throws a refusal with status 429.
   */
  request(name: string, address: string): void {
    if (!this.#perAddress.take(address) || !this.#perUser.take(name))
      throw new Refusal(429, 'Too many password reset requests. Try again in ten minutes.');
    setImmediate(
      () =>
        void this.#start(name).catch((error: Error) =>
          this.#options.log.error(
            { error: error.message },
            'a password reset could not be started',
          ),
        ),
    );
  }

  async #start(name: string): Promise<void> {
    const { users, log, url, sendMail } = this.#options;
    await users.refresh();
    const user = users.get(name);
    // Users of the identity provider have no password, and a reset must not let them bypass the
    // provider.
    if (!user || (user.sso && user.password === undefined)) return;
    const token = PREFIX + randomBytes(32).toString('base64url');
    const expiresAt = new Date(Date.now() + VALID_MS).toISOString();
    const added = { hash: hash(token), principal: name, expiresAt, used: false };
    await this.#list.update((resets) => [
      ...resets.filter((reset) => this.#age(reset) < VALID_MS + REMEMBERED_MS),
      added,
    ]);
    this.#age(added);
    const link = `${url()}/#/password-reset/${token}`;
    if (sendMail && (await sendMail({ to: name, link, expiresAt })) !== false) return;
    // The log is the only place with the link, so log it even at a level that omits warnings.
    log[log.isLevelEnabled('warn') ? 'warn' : 'fatal'](
      { event: 'password-reset', principal: name, link, expiresAt },
      'password reset requested: verify that this user requested it, then send them the link',
    );
  }

  /**
   * Returns when the token expires, ISO 8601 UTC. Throws a refusal: 404 for an unknown token, 410
   * for a used or expired one.
   */
  async check(token: string): Promise<string> {
    return (await this.#find(token)).expiresAt;
  }

  #isOver(reset: Stored): boolean {
    return reset.used || !(this.#age(reset) < VALID_MS);
  }

  /** Time since the link was made, in ms. */
  #age({ hash: key, expiresAt }: Stored): number {
    return this.#ages.of(`${key} ${expiresAt}`, Date.parse(expiresAt) - VALID_MS);
  }

  async #find(token: string): Promise<Stored> {
    await this.#list.refresh();
    const wanted = hash(token);
    const reset = this.#list.items.find((candidate) => candidate.hash === wanted);
    if (!reset) throw new Refusal(404, 'This link is invalid. Request a new one.');
    if (this.#isOver(reset) || !this.#options.users.get(reset.principal)) throw gone();
    return reset;
  }

  /** Removes all links of a user. */
  forget(name: string): Promise<void> {
    return this.#list.update((resets) =>
      resets.some(({ principal }) => principal === name)
        ? resets.filter(({ principal }) => principal !== name)
        : resets,
    );
  }

  /**
   * Sets the password, and ends the user's other links and sessions, except the session `own` of
   * the page that set it. Throws like {@link check}, and a 400 refusal for a weak password.
   */
  async use(token: string, password: string, own?: string): Promise<void> {
    const { users, sessions, log } = this.#options;
    await users.refresh();
    const { hash: key, principal } = await this.#find(token);
    const weak = passwordWeakness(password, principal);
    if (weak) throw new Refusal(400, weak);
    // Mark the token as used first, so that only one of two concurrent calls succeeds.
    let ended: readonly string[] = [];
    await this.#list.update((resets) => {
      const matching = resets.find((reset) => reset.hash === key);
      if (!matching || this.#isOver(matching)) return resets;
      ended = resets
        .filter((reset) => reset.principal === principal && !reset.used)
        .map((reset) => reset.hash);
      return resets.map((reset) => (ended.includes(reset.hash) ? { ...reset, used: true } : reset));
    });
    if (ended.length === 0) throw gone();
    try {
      await users.set(principal, { password });
    } catch (error) {
      await this.#list
        .update((resets) =>
          resets.map((reset) => (ended.includes(reset.hash) ? { ...reset, used: false } : reset)),
        )
        .catch(() => {});
      throw error;
    }
    await sessions.endPrincipal(principal, own);
    log.info({ event: 'password-set', principal }, 'password set with a reset link');
  }
}
