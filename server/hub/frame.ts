/** Messages as WebSocket frames, whose bytes all recipients share. */
import type { ReceivedOp, Receives } from '@tiding/client/protocol';
import { jsonParts } from './output-parts.ts';

/** Payloads of at most this many bytes are written together with their header. */
const SMALL_BYTES = 16_384;
/**
 * Longer messages are sent in fragments of this many bytes. The system takes a fragment or the rest
 * of one in a short time, and control frames may be sent between them.
 */
const FRAGMENT_BYTES = 65_536;
/** First byte of a frame: its kind, and whether it ends its message (RFC 6455, 5.2). */
const [CONTINUATION, TEXT, PING, FINAL] = [0, 1, 9, 0x80];

/** What is added to a message for one connection. */
export interface FrameEnding {
  /** Id of the message that it answers. */
  readonly msgId?: string | undefined;
  /** Payload of a ping that is read when all but the last bytes of the message have arrived. */
  readonly ping?: string | undefined;
}

/** A message that is encoded once, for any number of connections. */
export class Frame {
  /** The payload. Long outputs are the same buffers in every frame. */
  readonly parts: readonly Buffer[];
  /** Length of the payload. */
  readonly bytes: number;
  /** The payload by fragments. */
  readonly #payloads: readonly (readonly Buffer[])[];
  readonly #plain: readonly (readonly Buffer[])[];
  /** The last fragment without the closing brace, if another one follows. */
  #open: readonly Buffer[] | undefined;

  constructor(parts: readonly Buffer[]) {
    this.parts = parts;
    this.bytes = lengthOf(parts);
    this.#payloads = divided(parts);
    const last = this.#payloads.length - 1;
    this.#plain = this.#payloads.map((payload, at) =>
      framed(payload, (at === 0 ? TEXT : CONTINUATION) | (at === last ? FINAL : 0)),
    );
  }

  /** The buffers of each fragment. With an ending, the closing brace is a fragment of its own. */
  fragments({ msgId, ping }: FrameEnding = {}): readonly (readonly Buffer[])[] {
    if (msgId === undefined && ping === undefined) return this.#plain;
    const payload = this.#payloads.at(-1)!;
    const start = [...payload.slice(0, -1), payload.at(-1)!.subarray(0, -1)];
    this.#open ??= framed(start, this.#payloads.length === 1 ? TEXT : CONTINUATION);
    const end = msgId === undefined ? '}' : `,"msgId":${JSON.stringify(msgId)}}`;
    const last = [
      ...(ping === undefined ? [] : framed([Buffer.from(ping)], PING | FINAL)),
      ...framed([Buffer.from(end)], CONTINUATION | FINAL),
    ];
    return [...this.#plain.slice(0, -1), [...this.#open, Buffer.concat(last)]];
  }

  /** Whether another frame has the same payload. */
  equals({ parts, bytes }: Frame): boolean {
    return (
      bytes === this.bytes &&
      parts.length === this.parts.length &&
      parts.every((part, at) => part === this.parts[at] || part.equals(this.parts[at]!))
    );
  }
}

const lengthOf = (parts: readonly Buffer[]): number =>
  parts.reduce((sum, { length }) => sum + length, 0);

/** Divides a payload into fragments. */
function divided(parts: readonly Buffer[]): Buffer[][] {
  const fragments: Buffer[][] = [[]];
  let room = FRAGMENT_BYTES;
  for (const part of parts)
    for (let at = 0; at < part.length; ) {
      if (room === 0) {
        fragments.push([]);
        room = FRAGMENT_BYTES;
      }
      const slice = part.subarray(at, at + room);
      fragments.at(-1)!.push(slice);
      at += slice.length;
      room -= slice.length;
    }
  return fragments;
}

/** Frames a fragment without masking and compression (RFC 6455, 5.2 and 5.4). */
function framed(payload: readonly Buffer[], kind: number): readonly Buffer[] {
  const length = lengthOf(payload);
  const size = length < 126 ? 2 : length < 65_536 ? 4 : 10;
  const header = Buffer.alloc(size);
  header[0] = kind;
  header[1] = length < 126 ? length : length < 65_536 ? 126 : 127;
  if (size === 4) header.writeUInt16BE(length, 2);
  if (size === 10) header.writeBigUInt64BE(BigInt(length), 2);
  return length <= SMALL_BYTES ? [Buffer.concat([header, ...payload])] : [header, ...payload];
}

/** Encodes a message. */
export function encodeMessage<Op extends ReceivedOp>(op: Op, data: Receives[Op]): Frame {
  return new Frame(jsonParts({ op, data, ticket: 'anonymous', principal: 'anonymous', roles: '' }));
}
