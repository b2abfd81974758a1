/**
 * Masks secrets in Zeppelin's responses and frames, byte for byte, in case they ever appear there.
 */
import { Transform } from 'node:stream';

const STAR = 0x2a;
/** Shorter strings are not secrets, and would match everywhere. */
const MIN_SECRET_LENGTH = 8;

/** Replaces secrets with asterisks of the same length, so that no length changes. */
export class SecretMask {
  readonly #secrets: Buffer[];

  constructor(secrets: readonly string[]) {
    this.#secrets = secrets
      .filter((secret) => secret.length >= MIN_SECRET_LENGTH && secret !== 'anonymous')
      .map((secret) => Buffer.from(secret));
  }

  /** Masks the buffer in place and returns it. */
  over(bytes: Buffer): Buffer {
    for (const secret of this.#secrets) {
      for (let at = bytes.indexOf(secret); at >= 0; at = bytes.indexOf(secret, at + secret.length))
        bytes.fill(STAR, at, at + secret.length);
    }
    return bytes;
  }

  /** Masks a stream, also across chunk boundaries. */
  stream(): Transform {
    const held = Math.max(0, ...this.#secrets.map(({ length }) => length - 1));
    let rest: Buffer = Buffer.alloc(0);
    return new Transform({
      transform: (chunk: Buffer, _encoding, done) => {
        const bytes = this.over(rest.length === 0 ? chunk : Buffer.concat([rest, chunk]));
        const ready = Math.max(0, bytes.length - held);
        rest = bytes.subarray(ready);
        done(null, bytes.subarray(0, ready));
      },
      flush: (done) => done(null, rest),
    });
  }
}
