/** Decodes text frames to messages. Never throws, whatever the text. */
import * as z from 'zod/mini';
import { ProtocolError } from '../core/errors.ts';
import {
  type ReceivedMessage,
  type ReceivedOp,
  receivedOperations,
  serverFrame,
} from '../protocol/index.ts';
import { withDamagedParagraphs } from './damaged-paragraphs.ts';

// Compiled validators would need `new Function`, which a strict content security policy forbids.
z.config({ jitless: true });

/** A message with an operation that this client does not know. */
export interface UnknownOperation {
  op: string;
  data: unknown;
}
type DecodedFrame =
  | { kind: 'message'; message: ReceivedMessage }
  | { kind: 'unknown'; message: UnknownOperation }
  | { kind: 'error'; error: ProtocolError };

/**
 * Maximum nesting of a frame. Notes are far below; deeper values would overflow the stack when
 * serialized again.
 */
export const MAX_FRAME_DEPTH = 500;

/**
 * Finds values that JSON can express but the state can't hold: `1e999` parses as Infinity and would
 * be serialized as null.
 */
function faultOf(value: unknown, depth: number): string | undefined {
  if (typeof value === 'number')
    return Number.isFinite(value) ? undefined : 'with a number that is not finite';
  if (typeof value !== 'object' || value === null) return undefined;
  if (depth >= MAX_FRAME_DEPTH) return `nested deeper than ${MAX_FRAME_DEPTH} levels`;
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

const failure = (message: string, op?: string, issues?: string[]): DecodedFrame => ({
  kind: 'error',
  error: new ProtocolError(message, op, issues),
});

/** Decodes one frame. */
export function decodeFrame(text: unknown): DecodedFrame {
  if (typeof text !== 'string') return failure('Received a frame that is not text.');
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (cause) {
    return failure(`Received a frame that is not JSON: ${String(cause)}`);
  }
  const fault = faultOf(json, 0);
  if (fault !== undefined) return failure(`Received a frame ${fault}.`);
  const frame = serverFrame.safeParse(json);
  if (!frame.success) return failure('Received a frame without an operation.');
  const { op, data = {}, msgId } = frame.data;
  if (!Object.hasOwn(receivedOperations, op)) return { kind: 'unknown', message: { op, data } };
  const schema = receivedOperations[op as ReceivedOp].data;
  let parsed = schema.safeParse(data);
  const readable = parsed.success ? undefined : withDamagedParagraphs(data);
  if (readable) parsed = schema.safeParse(readable);
  if (!parsed.success) {
    const issues = parsed.error.issues.map(
      (issue) => `${issue.path.join('.').slice(0, 200)}: ${issue.message.slice(0, 500)}`,
    );
    return failure(`${op} does not match the protocol: ${issues[0] ?? ''}`, op, issues);
  }
  return { kind: 'message', message: { op, data: parsed.data, msgId } as ReceivedMessage };
}
