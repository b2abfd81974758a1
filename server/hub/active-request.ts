/** The request that the current code is handling, and what was sent meanwhile. */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { ReceivedOp } from '@tiding/client/protocol';
import type { LiveConnection } from './connection.ts';

/**
 * The request being handled. Messages sent to its connection meanwhile carry its `msgId`, so
 * clients can match replies.
 */
export interface ActiveRequest {
  readonly connection: LiveConnection;
  readonly msgId: string;
  /**
   * The request is finished: work that it started may continue, but its messages are no longer
   * replies.
   */
  over: boolean;
  /** Called with each message sent meanwhile, so that replies can be remembered. */
  onSent?: (told: SentNotification) => void;
}
/**
 * A message that was sent, either to the requesting connection or to all viewers of the note
 * `watchersOf`.
 */
export interface SentNotification {
  readonly op: ReceivedOp;
  readonly data: unknown;
  readonly watchersOf?: string;
}
/** The request that the current code is handling. */
export const activeRequest = new AsyncLocalStorage<ActiveRequest>();

/**
 * The request that a message sent now replies to; `undefined` if there is none or it is finished.
 */
export function currentAnswer(): ActiveRequest | undefined {
  const answer = activeRequest.getStore();
  return answer?.over === false ? answer : undefined;
}
