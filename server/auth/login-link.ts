/**
 * The one-time sign-in link that the server prints at startup, for the first administrator. It
 * works once, for one day.
 */
import { randomBytes, timingSafeEqual } from 'node:crypto';

const VALID_MS = 24 * 3_600_000;

/** The token of the link, in memory only. */
export class LoginLink {
  #token: Buffer | undefined;
  #expiresAt = 0;

  /** Creates a new token; the previous one no longer works. */
  renew(): string {
    const token = randomBytes(24).toString('base64url');
    this.#token = Buffer.from(token);
    this.#expiresAt = performance.now() + VALID_MS;
    return token;
  }

  /** Returns whether `token` is valid. A valid token works only once. */
  use(token: string): boolean {
    const candidate = Buffer.from(token);
    const isValid =
      this.#token !== undefined &&
      performance.now() < this.#expiresAt &&
      candidate.length === this.#token.length &&
      timingSafeEqual(candidate, this.#token);
    if (isValid) this.#token = undefined;
    return isValid;
  }
}
