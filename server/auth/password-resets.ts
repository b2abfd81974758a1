/** Password resets with one-time tokens, which are stored as hashes in `password-resets.json`. */
import { createHash, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { Refusal } from '../base/errors.ts';
import type { SendMail } from '../base/options.ts';
import { RateLimit } from '../base/rate-limit.ts';
import type { Logger } from '../logging/log.ts';
import { Ages } from '../storage/ages.ts';
import { SharedList } from '../storage/files.ts';
import { passwordWeakness } from './passwords.ts';
import type { Sessions } from './sessions.ts';
import type { Users } from './users.ts';

interface Stored {
  hash: string;
  principal: string;
  /** ISO 8601 UTC. */
  expiresAt: string;
  used: boolean;
  /** For invitations, which are valid longer. */
  invitation?: boolean;
}

interface PasswordLink {
  /** The link, unless it was sent by e-mail. Treat it as a secret. */
  link?: string;
  /** ISO 8601 UTC. */
  expiresAt: string;
  /** Whether the link was sent by e-mail. */
  mailed: boolean;
}
/** What a link is for, as its holder may know it. */
interface PasswordLinkTarget {
  /** Name of the user whose password it sets. */
  name: string;
  /** ISO 8601 UTC. */
  expiresAt: string;
  /** The user has no password yet. */
  invitation: boolean;
}
/**
 * Dependencies. `url` returns the server's configured URL, which is never taken from a request,
 * because the requester controls its headers.
 */
interface PasswordResetOptions {
  folder: string;
  users: Users;
  /** Absent on the command line, which only creates links. */
  sessions?: Sessions;
  log?: Logger;
  url: () => string;
  sendMail?: SendMail | undefined;
}

const RESET_VALID_MS = 1_800_000;
const INVITATION_VALID_MS = 7 * 24 * 3_600_000;
const validMs = ({ invitation }: { invitation?: boolean | undefined }) =>
  invitation ? INVITATION_VALID_MS : RESET_VALID_MS;
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
    const { log } = this.#options;
    const failed = ({ message }: Error) =>
      log?.error({ error: message }, 'a password reset could not be started');
    setImmediate(() => void this.#start(name).catch(failed));
  }

  async #start(name: string): Promise<void> {
    const { users, log, sendMail } = this.#options;
    await users.refresh();
    const user = users.get(name);
    // Users of the identity provider have no password, and a reset must not let them bypass the
    // provider.
    if (!user || (user.sso && user.password === undefined)) return;
    const { link, expiresAt } = await this.#add(name, {}, () => true);
    if (sendMail && (await sendMail({ to: name, link, expiresAt })) !== false) return;
    // The log is the only place with the link, so log it even at a level that omits warnings.
    log?.[log.isLevelEnabled('warn') ? 'warn' : 'fatal'](
      { event: 'password-reset', principal: name, link, expiresAt },
      'password reset requested: verify that this user requested it, then send them the link',
    );
  }

  /** Stores a new link for a user, and those of the others that `keeps` returns true for. */
  async #add(
    name: string,
    kind: Pick<Stored, 'invitation'>,
    keeps: (reset: Stored) => boolean,
  ): Promise<{ link: string; expiresAt: string }> {
    const token = PREFIX + randomBytes(32).toString('base64url');
    const expiresAt = new Date(Date.now() + validMs(kind)).toISOString();
    const added = { hash: hash(token), principal: name, expiresAt, used: false, ...kind };
    await this.#list.update((resets) => [
      ...resets.filter(
        (reset) => keeps(reset) && this.#age(reset) < validMs(reset) + REMEMBERED_MS,
      ),
      added,
    ]);
    this.#age(added);
    return { link: `${this.#options.url()}/#/password-reset/${token}`, expiresAt };
  }

  /**
   * Creates a link for an administrator, which replaces the user's other links, and sends it by
   * e-mail if possible. Users without a password get an invitation. The caller checks that the user
   * exists and may have a password.
   */
  async create(name: string): Promise<PasswordLink> {
    const { users, log, sendMail } = this.#options;
    const invitation = users.get(name)?.password === undefined;
    const { link, expiresAt } = await this.#add(
      name,
      invitation ? { invitation } : {},
      ({ principal }) => principal !== name,
    );
    const mailed = await Promise.resolve(sendMail?.({ to: name, link, expiresAt, invitation }))
      .then((sent) => sendMail !== undefined && sent !== false)
      .catch((error: Error) => {
        log?.warn({ principal: name, error: error.message }, 'a password link was not mailed');
        return false;
      });
    return { expiresAt, mailed, ...(mailed ? {} : { link }) };
  }

  /** Returns until when the newest link of each user is valid, ISO 8601 UTC. */
  async pending(): Promise<ReadonlyMap<string, string>> {
    await this.#list.refresh();
    return new Map(
      this.#list.items
        .filter((reset) => !this.#isOver(reset))
        .map(({ principal, expiresAt }) => [principal, expiresAt]),
    );
  }

  /**
   * Returns what a token is for. Throws a refusal: 404 for an unknown token, 410 for a used or
   * expired one.
   */
  async check(token: string): Promise<PasswordLinkTarget> {
    const { principal, expiresAt, invitation = false } = await this.#find(token);
    return { name: principal, expiresAt, invitation };
  }

  #isOver(reset: Stored): boolean {
    return reset.used || !(this.#age(reset) < validMs(reset));
  }

  /** Time since the link was made, in ms. */
  #age({ hash: key, expiresAt, invitation }: Stored): number {
    const since = Date.parse(expiresAt) - validMs({ invitation });
    return this.#ages.of(`${key} ${expiresAt}`, since);
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
    // Before the password is stored: the page may make another call at once, and sessions from
    // before the password are over.
    const passwordSet = Date.now();
    if (own !== undefined) await sessions?.renew(own, principal, passwordSet);
    try {
      await users.set(principal, { password, passwordSet });
    } catch (error) {
      await this.#list
        .update((resets) =>
          resets.map((reset) => (ended.includes(reset.hash) ? { ...reset, used: false } : reset)),
        )
        .catch(() => {});
      throw error;
    }
    await sessions?.endPrincipal(principal, own);
    log?.info({ event: 'password-set', principal }, 'password set with a reset link');
  }
}
