/** Answers that are encoded and sent in pieces, between which other requests have their turn. */
import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import type { EndpointName } from '@tiding/client/protocol';
import { enveloped } from './rest-gate.ts';

/** Stands for a text in its envelope. Random, so that the envelope does not contain it. */
const MARK = randomUUID();

/** Returns a response with JSON that is encoded already. */
export const jsonResponse = (
  parts: Iterable<Buffer> | AsyncIterable<Buffer>,
  status = 200,
): Response =>
  new Response(Readable.toWeb(Readable.from(parts)) as ReadableStream, {
    status,
    headers: { 'Content-Type': 'application/json' },
  });

/** Returns the answer of a call whose body is a long text, as a string in the envelope. */
export function textResponse(name: EndpointName, parts: readonly Buffer[]): Response {
  const [head = '', tail = ''] = JSON.stringify(enveloped(name, 200, MARK)).split(MARK);
  async function* pieces() {
    yield Buffer.from(head);
    for (const part of parts) {
      await setImmediate();
      yield Buffer.from(JSON.stringify(part.toString()).slice(1, -1));
    }
    yield Buffer.from(tail);
  }
  return jsonResponse(pieces());
}
