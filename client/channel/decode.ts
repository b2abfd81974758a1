/** From a text frame to an event: never an exception, whatever the text. */
import * as z from 'zod/mini';
import { ProtocolError } from '../errors.ts';
import { receivedOperations, serverFrame, type ReceivedOp, type Receives } from '../protocol/index.ts';

// Compiled validators would need `new Function`, which a strict page policy forbids.
z.config({ jitless: true });

/** A message of the protocol. */
export type Received = { [Op in ReceivedOp]: { op: Op; data: Receives[Op]; msgId: string | undefined } }[ReceivedOp];
/** A message whose operation this client does not know. */
export interface UnknownOperation {
  op: string;
  data: unknown;
}
/** What a frame turned out to be. */
export type Decoded =
  | { kind: 'message'; message: Received }
  | { kind: 'unknown'; message: UnknownOperation }
  | { kind: 'error'; error: ProtocolError };

/** Decodes one frame. */
export function decode(text: unknown): Decoded {
  if (typeof text !== 'string') return { kind: 'error', error: new ProtocolError('a frame that is not text') };
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (cause) {
    return { kind: 'error', error: new ProtocolError(`a frame that is not JSON: ${String(cause)}`) };
  }
  const frame = serverFrame.safeParse(json);
  if (!frame.success) return { kind: 'error', error: new ProtocolError('a frame without an operation') };
  const { op, data = {}, msgId } = frame.data;
  if (!Object.hasOwn(receivedOperations, op)) return { kind: 'unknown', message: { op, data } };
  const parsed = receivedOperations[op as ReceivedOp].safeParse(data);
  if (!parsed.success) {
    const issues = parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
    return { kind: 'error', error: new ProtocolError(`${op} does not fit the protocol: ${issues[0] ?? ''}`, op, issues) };
  }
  return { kind: 'message', message: { op, data: parsed.data, msgId } as Received };
}
