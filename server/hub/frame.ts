/** Messages as WebSocket frames. */
import type { ReceivedOp, Receives } from '@tiding/client/protocol';

/**
 * A message for several connections. It is encoded and framed once, and slow readers share the same
 * buffer.
 */
export class SharedFrame {
  readonly text: string;
  #bytes: Buffer | undefined;

  constructor(text: string) {
    this.text = text;
  }

  /** The complete WebSocket frame. */
  get bytes(): Buffer {
    return (this.#bytes ??= encodeFrame(this.text));
  }
}

/** Serializes an operation as the text of a message. */
export function encodeMessage<Op extends ReceivedOp>(
  op: Op,
  data: Receives[Op],
  msgId?: string,
): string {
  return JSON.stringify({
    op,
    data,
    ticket: 'anonymous',
    principal: 'anonymous',
    roles: '',
    ...(msgId ? { msgId } : {}),
  });
}

/** Encodes a text as one unmasked, uncompressed WebSocket frame (RFC 6455, 5.2). */
export function encodeFrame(text: string): Buffer {
  const length = Buffer.byteLength(text);
  const start = length < 126 ? 2 : length < 65_536 ? 4 : 10;
  const bytes = Buffer.allocUnsafeSlow(start + length);
  bytes[0] = 0x81;
  bytes[1] = length < 126 ? length : length < 65_536 ? 126 : 127;
  if (start === 4) bytes.writeUInt16BE(length, 2);
  if (start === 10) bytes.writeBigUInt64BE(BigInt(length), 2);
  bytes.write(text, start);
  return bytes;
}

/** Adds the id of the answered message to an encoded frame. */
export const withId = (text: string, msgId: string): string =>
  `${text.slice(0, -1)},"msgId":${JSON.stringify(msgId)}}`;
