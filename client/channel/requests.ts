/** What a channel has sent and waits for: which reply answers which request, and whose an error is. */
import type { Deferred } from '../core/abort.ts';
import { TidingError } from '../errors.ts';
import { loadedWire } from '../loaded.ts';
import type { SentOp } from '../protocol/index.ts';
import type { Received } from './decode.ts';

/** A request that waits for its answer. */
export interface Waiting {
  op: SentOp;
  data: unknown;
  msgId: string;
  /** Only a reply that names this request will do, where the server names them. */
  exact: boolean;
  match: (message: Received) => unknown;
  deferred: Deferred<unknown>;
}

/** How long a message without an answer may be what an error is about, in ms: servers of generation A are often silent. */
const EXPECTED_MS = 30_000;

/** The requests of one channel. */
export class Requests {
  readonly #waiting = new Set<Waiting>();
  /** Whatever was sent and is not settled yet, oldest first. */
  readonly #expected = new Map<string, { op: SentOp; id: string | undefined; time: number }>();

  add(waiting: Waiting): void {
    this.#waiting.add(waiting);
  }

  delete(waiting: Waiting): void {
    this.#waiting.delete(waiting);
    this.#expected.delete(waiting.msgId);
  }

  /** The request of that id. */
  find(msgId: string): Waiting | undefined {
    return [...this.#waiting].find((waiting) => waiting.msgId === msgId);
  }

  /** An error that names nobody may be this message's own, until it is settled. */
  expect(op: SentOp, data: unknown, msgId: string): void {
    const { id, noteId } = data as { id?: string; noteId?: string };
    this.#expected.set(msgId, { op, id: id ?? noteId, time: Date.now() });
  }

  /** What was sent under this id has had its answer. */
  settle(msgId: string): void {
    this.#expected.delete(msgId);
  }

  /** Nothing that was sent will be answered any more. */
  forget(): void {
    this.#expected.clear();
  }

  /**
   * An error with the name of what it answers. Upstream names nothing, but handles a socket's messages in their order and
   * tells of each failure: the error is that of the oldest that has had no answer.
   */
  attribute<Message extends Received & { op: 'ERROR_INFO' | 'AUTH_INFO' }>(
    message: Message,
  ): Message {
    const { data } = message;
    if (message.msgId !== undefined) return message;
    const recent = [...this.#expected].filter(([, { time }]) => Date.now() - time < EXPECTED_MS);
    // A failing NEW_NOTE tells twice.
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

  /** Settles whom a message answers. `named`: the server puts the id of a message on its replies. */
  answer(message: Received, named: boolean): void {
    if (message.op === 'SESSION_LOGOUT') {
      for (const { op, deferred } of this.#waiting) {
        deferred.reject(
          new TidingError('signed-out', message.data.info ?? 'the session is over', {
            operation: op,
          }),
        );
      }
      return;
    }
    if (message.op === 'ERROR_INFO' || message.op === 'AUTH_INFO') {
      const waiting = message.msgId === undefined ? undefined : this.find(message.msgId);
      const code = message.op === 'AUTH_INFO' ? 'forbidden' : 'server';
      waiting?.deferred.reject(
        new TidingError(code, message.data.info ?? 'the server refused', {
          operation: waiting.op,
          cause: message.data,
        }),
      );
      return;
    }
    for (const waiting of this.#waiting) {
      if (waiting.exact && named && message.msgId !== waiting.msgId) continue;
      const answer = waiting.match(message);
      if (answer !== undefined) waiting.deferred.resolve(answer);
    }
  }

  /**
   * The connection broke: those to be sent once more, since they change nothing twice; the others fail, and what has
   * happened is for their callers to find out. `isQueued`: has not left yet.
   */
  lost(isQueued: (msgId: string) => boolean): Waiting[] {
    const { sentOperations } = loadedWire();
    const lost = [...this.#waiting].filter(({ msgId }) => !isQueued(msgId));
    for (const waiting of lost.filter(({ op }) => !sentOperations[op].idempotent)) {
      this.#fail(waiting, 'unknown-outcome', 'the connection broke before the answer came');
    }
    return lost.filter(({ op }) => sentOperations[op].idempotent);
  }

  /** Nothing will be answered any more. */
  failAll(code: 'closed', text: string): void {
    for (const waiting of this.#waiting) this.#fail(waiting, code, text);
  }

  #fail(waiting: Waiting, code: 'closed' | 'unknown-outcome', text: string): void {
    this.#waiting.delete(waiting);
    waiting.deferred.reject(
      new TidingError(code, `${waiting.op}: ${text}`, { operation: waiting.op }),
    );
  }
}
