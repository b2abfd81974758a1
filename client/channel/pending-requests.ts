/** Matches replies and errors to the requests of a channel. */
import type { Deferred } from '../core/abort.ts';
import { refusedError, TidingError } from '../core/errors.ts';
import { type ReceivedMessage, type SentOp, sentOperations } from '../protocol/index.ts';

/**
 * Returns the answer that a message contains; `undefined` or `false` if it contains none.
 * `isReply`: the message has the id of the request, or the server puts none on its replies.
 */
export type RequestMatch<Answer> = (
  message: ReceivedMessage,
  isReply: boolean,
) => Answer | undefined | false;

/** A request that waits for its reply. */
export interface PendingRequest {
  op: SentOp;
  data: unknown;
  msgId: string;
  /** If the server puts message ids on its replies, only a reply with this request's id counts. */
  exact: boolean;
  match: RequestMatch<unknown>;
  deferred: Deferred<unknown>;
}

/**
 * How long an error without an id may be attributed to a message, in ms. Servers of generation A
 * often don't reply at all.
 */
const EXPECTED_MS = 30_000;

/** The pending requests of one channel. */
export class PendingRequests {
  readonly #waiting = new Set<PendingRequest>();
  /** Sent messages that are not settled yet, oldest first. */
  readonly #expected = new Map<string, { op: SentOp; id: string | undefined; time: number }>();

  add(waiting: PendingRequest): void {
    this.#waiting.add(waiting);
  }

  delete(waiting: PendingRequest): void {
    this.#waiting.delete(waiting);
    this.#expected.delete(waiting.msgId);
  }

  /** Returns the request with this id. */
  find(msgId: string): PendingRequest | undefined {
    return [...this.#waiting].find((waiting) => waiting.msgId === msgId);
  }

  /** Registers a sent message: an error without an id may belong to it until it is settled. */
  expect(op: SentOp, data: unknown, msgId: string): void {
    const { id, noteId } = data as { id?: string; noteId?: string };
    this.#expected.set(msgId, { op, id: id ?? noteId, time: performance.now() });
  }

  /** The message with this id was answered. */
  settle(msgId: string): void {
    this.#expected.delete(msgId);
  }

  /** Nothing that was sent so far will be answered any more. */
  forget(): void {
    this.#expected.clear();
  }

  /**
   * Adds the request's id and operation to an error, with the text for users as its `info`. Apache
   * Zeppelin sends no ids, but handles the messages of a socket in order and reports each failure,
   * so the error belongs to the oldest unanswered message.
   */
  attribute(received: ReceivedMessage & { op: 'ERROR_INFO' | 'AUTH_INFO' }): typeof received {
    const message =
      received.op === 'ERROR_INFO' && received.data.message !== undefined
        ? { ...received, data: { ...received.data, info: received.data.message } }
        : received;
    const { data } = message;
    if (message.msgId !== undefined) return message;
    const recent = [...this.#expected].filter(
      ([, { time }]) => performance.now() - time < EXPECTED_MS,
    );
    // A failed NEW_NOTE is reported twice.
    if (
      data.info?.startsWith('Failed to create note.') &&
      recent.every(([, { op }]) => op !== 'NEW_NOTE')
    )
      return message;
    const found = recent.find(
      ([, { op, id }]) =>
        data.op === undefined ||
        (op === data.op && (data.id === undefined || id === undefined || data.id === id)),
    );
    if (!found) return message;
    const [msgId, { op, id }] = found;
    this.#expected.delete(msgId);
    return { ...message, msgId, data: { ...data, op, ...(id === undefined ? {} : { id }) } };
  }

  /**
   * Settles the requests that a message answers. `named`: the server puts message ids on its
   * replies.
   */
  answer(message: ReceivedMessage, named: boolean): void {
    if (message.op === 'SESSION_LOGOUT') {
      for (const { op, deferred } of this.#waiting) {
        deferred.reject(
          new TidingError('signed-out', message.data.info ?? 'The session has ended.', {
            operation: op,
          }),
        );
      }
      return;
    }
    if (message.op === 'ERROR_INFO' || message.op === 'AUTH_INFO') {
      const waiting = message.msgId === undefined ? undefined : this.find(message.msgId);
      if (!waiting) return;
      const { info = '' } = message.data;
      waiting.deferred.reject(
        // A Tiding server of an older version than this client answers so.
        info.startsWith('Unknown operation: ')
          ? new TidingError('unsupported', info, { operation: waiting.op, cause: message.data })
          : refusedError(message, waiting.op),
      );
      return;
    }
    for (const waiting of this.#waiting) {
      const isReply = !named || message.msgId === waiting.msgId;
      if (waiting.exact && !isReply) continue;
      const answer = waiting.match(message, isReply);
      if (answer !== undefined && answer !== false) waiting.deferred.resolve(answer);
    }
  }

  /**
   * Handles a broken connection. Returns the idempotent requests, which can be sent again, and all
   * of them if the server `isFull` and has therefore handled none. The others fail with
   * `unknown-outcome`, and their callers have to find out what happened. `isQueued`: whether a
   * message has not been sent yet.
   */
  lost(isQueued: (msgId: string) => boolean, isFull = false): PendingRequest[] {
    const lost = [...this.#waiting].filter(({ msgId }) => !isQueued(msgId));
    if (isFull) return lost;
    for (const waiting of lost.filter(({ op }) => !sentOperations[op].idempotent)) {
      this.#fail(waiting, 'unknown-outcome', 'the connection broke before the reply arrived.');
    }
    return lost.filter(({ op }) => sentOperations[op].idempotent);
  }

  /** Rejects all requests because the channel or the session ended. */
  failAll(code: 'closed' | 'signed-out', text: string): void {
    for (const waiting of this.#waiting) this.#fail(waiting, code, text);
  }

  #fail(
    waiting: PendingRequest,
    code: 'closed' | 'signed-out' | 'unknown-outcome',
    text: string,
  ): void {
    this.#waiting.delete(waiting);
    waiting.deferred.reject(
      new TidingError(code, `${waiting.op}: ${text}`, { operation: waiting.op }),
    );
  }
}
