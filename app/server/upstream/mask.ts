/** What upstream's answers and frames must not carry to a browser, should it ever be in them: written over, byte for byte. */
import { Transform } from 'node:stream';

const STAR = 0x2a;
/** Shorter ones are no secrets, and would be found everywhere. */
const LEAST = 8;

/** Writes secrets over with stars of the same length, so that no length changes. */
export class Mask {
  readonly #secrets: Buffer[];

  constructor(secrets: readonly string[]) {
    this.#secrets = secrets
      .filter((secret) => secret.length >= LEAST && secret !== 'anonymous')
      .map((secret) => Buffer.from(secret));
  }

  /** Changes the bytes in place, and hands them back. */
  over(bytes: Buffer): Buffer {
    for (const secret of this.#secrets) {
      for (let at = bytes.indexOf(secret); at >= 0; at = bytes.indexOf(secret, at + secret.length))
        bytes.fill(STAR, at, at + secret.length);
    }
    return bytes;
  }

  /** The same for a stream, also where a secret lies across two pieces. */
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
