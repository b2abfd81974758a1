/** New passwords for who forgot theirs: one-time tokens, stored as hashes in `password-resets.json`. */
import { createHash, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { Refusal } from '../errors.ts';
import { SharedList } from '../files.ts';
import type { Logger } from '../log.ts';
import { weakness } from './passwords.ts';
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

/** A letter with a link that sets a new password; `to` is the user's name, which may be an address. */
export interface ResetMail {
  /** Name of the user who asked. */
  to: string;
  /** Address of the page that sets the new password, with its one-time token: a secret. */
  link: string;
  /** ISO 8601 UTC. */
  expiresAt: string;
}
/** Delivers the letter; `false`: there is no address. Where none is delivered, the link goes to the server's log, for the administrator to hand on. */
export type SendMail = (mail: ResetMail) => Promise<boolean | void>;

/** What it works with. `url`: address of the server's pages, never taken from a request: whoever asks may write anything into its headers. */
interface Parts {
  folder: string;
  users: Users;
  sessions: Sessions;
  log: Logger;
  url: () => string;
  sendMail?: SendMail | undefined;
}

const VALID_MS = 1_800_000;
/** A token is remembered this much longer, in ms, to tell who comes late that it is used or expired. */
const REMEMBERED_MS = 7 * 24 * 3_600_000;
const WINDOW_MS = 600_000;
const PREFIX = 'tdr_';
const hash = (token: string) => createHash('sha256').update(token).digest('base64url');
const isOver = ({ used, expiresAt }: Stored) => used || !(Date.parse(expiresAt) > Date.now());
const gone = () => new Refusal(410, 'This link has been used or has expired. Ask for a new one.');

/** The password resets of a data folder. */
export class PasswordResets {
  readonly #list: SharedList<Stored>;
  readonly #parts: Parts;
  readonly #perUser = new RateLimit(5, WINDOW_MS);
  readonly #perAddress = new RateLimit(20, WINDOW_MS);

  constructor(parts: Parts) {
    this.#list = new SharedList(join(parts.folder, 'password-resets.json'), 'resets');
    this.#parts = parts;
  }

  /**
   * Asks for a link. What is done, and whether anything is, is decided after this returns: neither the answer nor its time
   * tells whether there is such a user. Refuses with 429.
   */
  request(name: string, address: string): void {
    if (!this.#perAddress.take(address) || !this.#perUser.take(name))
      throw new Refusal(429, 'Too many requests for a new password. Try again in ten minutes.');
    setImmediate(
      () =>
        void this.#start(name).catch((error: Error) =>
          this.#parts.log.error({ error: error.message }, 'a password reset could not be started'),
        ),
    );
  }

  async #start(name: string): Promise<void> {
    const { users, log, url, sendMail } = this.#parts;
    await users.refresh();
    const user = users.get(name);
    // Who signs in at the identity provider has no password there is a way around it by.
    if (!user || (user.sso && user.password === undefined)) return;
    const token = PREFIX + randomBytes(32).toString('base64url');
    const expiresAt = new Date(Date.now() + VALID_MS).toISOString();
    await this.#list.update((resets) => [
      ...resets.filter((reset) => Date.now() - Date.parse(reset.expiresAt) < REMEMBERED_MS),
      { hash: hash(token), principal: name, expiresAt, used: false },
    ]);
    const link = `${url()}/#/password-reset/${token}`;
    if (sendMail && (await sendMail({ to: name, link, expiresAt })) !== false) return;
    // The log is the only place where the link is: a level that leaves warnings out shall not swallow it.
    log[log.isLevelEnabled('warn') ? 'warn' : 'fatal'](
      { event: 'password-reset', principal: name, link, expiresAt },
      'a new password was asked for: hand this link on, once you know that it was this person',
    );
  }

  /** When the token ends, ISO 8601 UTC. Refuses with 404 what is unknown, with 410 what is used or expired. */
  async check(token: string): Promise<string> {
    return (await this.#find(token)).expiresAt;
  }

  async #find(token: string): Promise<Stored> {
    await this.#list.refresh();
    const wanted = hash(token);
    const reset = this.#list.items.find((candidate) => candidate.hash === wanted);
    if (!reset) throw new Refusal(404, 'This link is not known. Ask for a new one.');
    if (isOver(reset) || !this.#parts.users.get(reset.principal)) throw gone();
    return reset;
  }

  /** Sets the password, and ends the user's sessions and other links. Refuses as {@link check} does, and with 400 a password that is weak. */
  async use(token: string, password: string): Promise<void> {
    const { users, sessions, log } = this.#parts;
    await users.refresh();
    const { hash: key, principal } = await this.#find(token);
    const weak = weakness(password, principal);
    if (weak) throw new Refusal(400, weak);
    // Used before it is done: of two that come at once, one does it.
    let ended: readonly string[] = [];
    await this.#list.update((resets) => {
      const mine = resets.find((reset) => reset.hash === key);
      if (!mine || isOver(mine)) return resets;
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
    await sessions.endPrincipal(principal);
    log.info({ event: 'password-set', principal }, 'a new password was set by a link');
  }
}
