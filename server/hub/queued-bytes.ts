/** Bytes that wait to be read by the connections of one user, token or issuer, or of the server. */
import type { LiveConnection } from './connection.ts';
import type { Frame } from './frame.ts';

/** Memory of a waiting message of one connection besides its payload, in bytes. */
export const ENTRY_BYTES = 256;

/** Counts waiting bytes. A payload that several connections wait for counts once. */
export class QueuedBytes {
  readonly name: string;
  readonly #limit: number;
  readonly #counts = new Map<Buffer, number>();
  /** Connections that have not read everything, the one that has waited longest first. */
  readonly waiting = new Set<LiveConnection>();
  bytes = 0;
  /** Bytes of a message that is larger than the limit. */
  #excess = 0;

  constructor(name: string, limit: number) {
    this.name = name;
    this.#limit = limit;
  }

  /** Whether a message fits. Any does if nothing else waits, and it is not counted then. */
  fits({ parts }: Frame): boolean {
    let bytes = this.bytes + ENTRY_BYTES;
    for (const part of parts) if (!this.#counts.has(part)) bytes += part.length;
    return bytes <= this.#limit + this.#excess || this.waiting.size === 0;
  }

  add({ parts }: Frame): void {
    const isAlone = this.waiting.size === 0;
    this.bytes += ENTRY_BYTES;
    for (const part of parts) {
      const count = this.#counts.get(part) ?? 0;
      this.#counts.set(part, count + 1);
      if (count === 0) this.bytes += part.length;
    }
    if (isAlone && this.bytes > this.#limit) this.#excess = this.bytes;
  }

  remove({ parts }: Frame): void {
    this.bytes -= ENTRY_BYTES;
    for (const part of parts) {
      const count = this.#counts.get(part)!;
      if (count > 1) this.#counts.set(part, count - 1);
      else this.#counts.delete(part);
      if (count === 1) this.bytes -= part.length;
    }
    if (this.bytes <= this.#limit) this.#excess = 0;
  }
}
