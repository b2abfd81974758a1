import { TidingError } from '../core/errors.ts';
import type { Identity, SentOp } from '../protocol/index.ts';

/** A message of a client, without the identity of its sender. */
export interface OutgoingMessage {
  op: SentOp;
  data: unknown;
  msgId: string;
}

/**
 * Encodes a message with the identity of its sender. Throws `too-large` if it has more than `limit`
 * bytes.
 */
export function encodeMessage(
  { op, data, msgId }: OutgoingMessage,
  identity: Identity | undefined,
  limit: number,
): string {
  const text = JSON.stringify({ op, data, ...identity, msgId });
  // UTF-8 needs at most three bytes per UTF-16 unit, so only messages that may exceed the limit are
  // measured.
  if (text.length * 3 > limit) {
    const size = new TextEncoder().encode(text).length;
    if (size > limit) {
      throw new TidingError(
        'too-large',
        `${op} is too large: it has ${size} bytes, the server accepts ${limit}.`,
        { operation: op },
      );
    }
  }
  return text;
}
