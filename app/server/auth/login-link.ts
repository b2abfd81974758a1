/** The one-time login link that the server prints at its start: works once, for the first administrator, for a day. */
import { randomBytes, timingSafeEqual } from 'node:crypto';

const VALID_MS = 24 * 3_600_000;

/** A link's token, in memory only. */
export class LoginLink {
  #token: Buffer | undefined;
  #until = 0;

  /** A new token; an earlier one no longer works. */
  renew(): string {
    const token = randomBytes(24).toString('base64url');
    this.#token = Buffer.from(token);
    this.#until = Date.now() + VALID_MS;
    return token;
  }

  /** Whether `token` is the one; then it is used up. */
  use(token: string): boolean {
    const given = Buffer.from(token);
    const good =
      this.#token !== undefined &&
      Date.now() < this.#until &&
      given.length === this.#token.length &&
      timingSafeEqual(given, this.#token);
    if (good) this.#token = undefined;
    return good;
  }
}
