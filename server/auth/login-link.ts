/**
 * The one-time sign-in link that the server prints at startup, for the first administrator. It
 * works once, for one day.
 */
import { randomBytes, timingSafeEqual } from 'node:crypto';

const VALID_MS = 24 * 3_600_000;

/** The token of the link, in memory only. */
export class LoginLink {
  #token: Buffer | undefined;
  #until = 0;

  /** Creates a new token; the previous one no longer works. */
  renew(): string {
    const token = randomBytes(24).toString('base64url');
    this.#token = Buffer.from(token);
    this.#until = performance.now() + VALID_MS;
    return token;
  }

  /** Returns whether `token` is valid, and uses it up if it is. */
  use(token: string): boolean {
    const given = Buffer.from(token);
    const good =
      this.#token !== undefined &&
      performance.now() < this.#until &&
      given.length === this.#token.length &&
      timingSafeEqual(given, this.#token);
    if (good) this.#token = undefined;
    return good;
  }
}
