/** From a text frame to an event: never an exception, whatever the text. */
import * as z from 'zod/mini';
import { ProtocolError } from '../errors.ts';
import {
  receivedOperations,
  serverFrame,
  type ReceivedOp,
  type Receives,
} from '../protocol/index.ts';

// Compiled validators would need `new Function`, which a strict page policy forbids.
z.config({ jitless: true });

/** A message of the protocol. */
export type Received = {
  [Op in ReceivedOp]: { op: Op; data: Receives[Op]; msgId: string | undefined };
}[ReceivedOp];
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

/** Levels of nesting in a frame; no note of this family comes near, and deeper ones would break what writes JSON again. */
export const MAX_DEPTH = 500;

/** What JSON can say and a state cannot hold: `1e999` reads as Infinity and would be written as null. */
function faultOf(value: unknown, depth: number): string | undefined {
  if (typeof value === 'number')
    return Number.isFinite(value) ? undefined : 'with a number that is none';
  if (typeof value !== 'object' || value === null) return undefined;
  if (depth >= MAX_DEPTH) return `nested deeper than ${MAX_DEPTH} levels`;
  if (Array.isArray(value)) {
    for (const each of value) {
      const fault = faultOf(each, depth + 1);
      if (fault !== undefined) return fault;
    }
    return undefined;
  }
  for (const key in value) {
    const fault = faultOf((value as Record<string, unknown>)[key], depth + 1);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

/** Decodes one frame. */
export function decode(text: unknown): Decoded {
  if (typeof text !== 'string')
    return { kind: 'error', error: new ProtocolError('a frame that is not text') };
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (cause) {
    return {
      kind: 'error',
      error: new ProtocolError(`a frame that is not JSON: ${String(cause)}`),
    };
  }
  const fault = faultOf(json, 0);
  if (fault !== undefined) return { kind: 'error', error: new ProtocolError(`a frame ${fault}`) };
  const frame = serverFrame.safeParse(json);
  if (!frame.success)
    return { kind: 'error', error: new ProtocolError('a frame without an operation') };
  const { op, data = {}, msgId } = frame.data;
  if (!Object.hasOwn(receivedOperations, op)) return { kind: 'unknown', message: { op, data } };
  const parsed = receivedOperations[op as ReceivedOp].safeParse(data);
  if (!parsed.success) {
    const issues = parsed.error.issues.map(
      (issue) => `${issue.path.join('.').slice(0, 200)}: ${issue.message.slice(0, 500)}`,
    );
    return {
      kind: 'error',
      error: new ProtocolError(`${op} does not fit the protocol: ${issues[0] ?? ''}`, op, issues),
    };
  }
  return { kind: 'message', message: { op, data: parsed.data, msgId } as Received };
}
