/** Messages as WebSocket frames, whose bytes all recipients share. */
import { randomUUID } from 'node:crypto';
import type { ReceivedOp, Receives } from '@tiding/client/protocol';
import { outputPart } from './output-parts.ts';

/** Payloads of at most this many bytes are written together with their header. */
const SMALL_BYTES = 16_384;
/** Stands for a long output in the JSON text of a message. Random, so that no text contains it. */
const MARK = randomUUID();

/** A message that is encoded once, for any number of connections. */
export class Frame {
  /** The payload. Long outputs are the same buffers in every frame. */
  readonly parts: readonly Buffer[];
  /** Length of the payload. */
  readonly bytes: number;
  readonly #plain: readonly Buffer[];

  constructor(parts: readonly Buffer[]) {
    this.bytes = parts.reduce((sum, { length }) => sum + length, 0);
    this.#plain = framed(parts, this.bytes);
    const [whole] = this.#plain;
    this.parts = this.#plain.length > 1 ? parts : [whole!.subarray(whole!.length - this.bytes)];
  }

  /** The complete frame, with the id of the message that it answers. */
  buffers(msgId?: string): readonly Buffer[] {
    if (msgId === undefined) return this.#plain;
    const tail = Buffer.from(`,"msgId":${JSON.stringify(msgId)}}`);
    // Replaces the closing brace of the payload.
    const parts = [...this.parts.slice(0, -1), this.parts.at(-1)!.subarray(0, -1), tail];
    return framed(parts, this.bytes - 1 + tail.length);
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

/** Frames a payload without masking and compression (RFC 6455, 5.2). */
function framed(parts: readonly Buffer[], length: number): readonly Buffer[] {
  const size = length < 126 ? 2 : length < 65_536 ? 4 : 10;
  const header = Buffer.alloc(size);
  header[0] = 0x81;
  header[1] = length < 126 ? length : length < 65_536 ? 126 : 127;
  if (size === 4) header.writeUInt16BE(length, 2);
  if (size === 10) header.writeBigUInt64BE(BigInt(length), 2);
  return length <= SMALL_BYTES ? [Buffer.concat([header, ...parts])] : [header, ...parts];
}

/** Encodes a message. */
export function encodeMessage<Op extends ReceivedOp>(op: Op, data: Receives[Op]): Frame {
  const outputs: Buffer[] = [];
  const text = JSON.stringify({
    op,
    data: markOutputs(data, outputs),
    ticket: 'anonymous',
    principal: 'anonymous',
    roles: '',
  });
  if (outputs.length === 0) return new Frame([bytesOf(text)]);
  const [first, ...rest] = text.split(`"${MARK}"`);
  return new Frame([bytesOf(first!), ...rest.flatMap((next, at) => [outputs[at]!, bytesOf(next)])]);
}

/** Unlike `Buffer.from`, never keeps a pool of other buffers alive. */
function bytesOf(text: string): Buffer {
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text));
  bytes.write(text);
  return bytes;
}

/** Copies a value with a mark for each long output, and collects the outputs in `found`. */
function markOutputs(value: unknown, found: Buffer[]): unknown {
  if (typeof value !== 'object' || value === null) return value;
  let copy: Record<string, unknown> | undefined;
  for (const [key, before] of Object.entries(value)) {
    const part = key === 'data' ? outputPart(value as { data: unknown }) : undefined;
    if (part) found.push(part);
    const after = part ? MARK : markOutputs(before, found);
    if (after === before) continue;
    copy ??= (Array.isArray(value) ? [...value] : { ...value }) as Record<string, unknown>;
    copy[key] = after;
  }
  return copy ?? value;
}
