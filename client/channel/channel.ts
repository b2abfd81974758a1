/**
 * A reconnecting connection to the live channel of a server. A socket of this protocol belongs to
 * one note at a time, so a client has one channel per open note and one for the lists.
 */

import { EventEmitter } from 'eventemitter3';
import { type CallOptions, type Deferred, deferred } from '../core/abort.ts';
import { isTidingError, TidingError } from '../core/errors.ts';
import { requireKnown } from '../core/known-options.ts';
import type { ChannelState } from '../core/state.ts';
import {
  DEFAULT_MAX_MESSAGE_BYTES,
  PING_INTERVAL_MS,
  TOO_MANY_CONNECTIONS,
  UNANSWERED,
} from '../protocol/constants.ts';
import type { Identity, Sends, SentOp } from '../protocol/index.ts';
import { defaultBackoff } from './backoff.ts';
import type { ChannelEvents, ChannelOptions } from './channel-options.ts';
import { decodeFrame } from './decode.ts';
import { encodeMessage, type OutgoingMessage } from './encode.ts';
import { Liveness } from './liveness.ts';
import { type PendingRequest, PendingRequests, type RequestMatch } from './pending-requests.ts';
import { type Connection, webSocketTransport } from './transport.ts';

/** Options of {@link Channel.request}. */
export interface ChannelRequestOptions extends CallOptions {
  /**
   * Requires the request's id on the reply if the server supports that. Set it if `match` could
   * also accept a message caused by someone else.
   */
  matchId?: boolean;
  /**
   * The reply identifies its request and may never arrive: the request neither waits for others nor
   * holds them up.
   */
  unordered?: boolean;
}

/** Default time limit of a request, in ms. */
const REQUEST_TIMEOUT_MS = 15_000;
/** Codes with which a server refuses a connection: a policy, or a limit that is reached. */
const REFUSAL_CODES: ReadonlySet<number> = new Set([1008, 1013, TOO_MANY_CONNECTIONS]);
/** Maximum number of messages kept while disconnected. Further messages are refused. */
const QUEUE_LIMIT = 100;
const CLOSE_OTHERS = ' Close notes or pages that you no longer need.';
/** An operation without side effects that every server answers quickly. PING is never answered. */
const PROBE = 'LIST_CONFIGURATIONS';

/**
 * A reconnecting connection to the live channel of a server, with requests and replies. The channel
 * knows messages, not notes: its owner decides with `greeting` what is sent after each (re)connect.
 */
export class Channel extends EventEmitter<ChannelEvents> {
  state: ChannelState = 'idle';
  readonly #options: ChannelOptions;
  readonly #client = Math.random().toString(36).slice(2, 7).padEnd(5, '0');
  #connection: Connection | undefined;
  #identity: Identity | undefined;
  #attempt = 0;
  #counter = 0;
  #pauses = 0;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #ping: ReturnType<typeof setInterval> | undefined;
  /** Why the server refused the last connection, until it accepts one. */
  #refusal: TidingError | undefined;
  /** Drops the current connection as if it had broken. */
  #lost = () => {};
  readonly #liveness = new Liveness({
    probe: () => this.send(PROBE, {}, { queue: false }),
    giveUp: (reason) => this.#giveUp(reason),
  });
  #queue: OutgoingMessage[] = [];
  /**
   * Pending requests. If the server does not put ids on its replies, only one is in flight and the
   * others wait for their turn.
   */
  readonly #requests = new PendingRequests();
  #turn: Promise<void> = Promise.resolve();
  /** Called after each (re)connect to send the first messages, before those queued meanwhile. */
  greeting: () => unknown = () => {};

  constructor(options: ChannelOptions) {
    super();
    this.#options = options;
  }

  /** Connects, and reconnects until `close` is called. */
  open(): void {
    if (this.state === 'idle') void this.#connect();
  }

  /** Closes the channel permanently. Pending requests reject with code `closed`. */
  close(): void {
    if (this.state === 'closed') return;
    clearTimeout(this.#retry);
    this.#liveness.stop();
    this.#stopPing();
    this.#queue = [];
    this.#setState('closed');
    this.#connection?.close(1000, 'closed');
    this.#connection = undefined;
    this.#requests.failAll('closed', 'the channel was closed.');
  }

  /**
   * Reconnects immediately instead of waiting for the next attempt; call it when the network or the
   * user is back. A connection that seems open is probed, and replaced if there is no answer.
   */
  wake(): void {
    if (this.state === 'open') this.#liveness.probe();
    if (this.state !== 'waiting') return;
    clearTimeout(this.#retry);
    this.#attempt = 0;
    void this.#connect();
  }

  /** Drops the connection and opens a new one, for example with a new identity. */
  reconnect(): void {
    if (this.state === 'closed' || this.state === 'idle') return;
    this.#identity = undefined;
    this.#giveUp('reconnect');
    if (this.state === 'waiting') this.wake();
  }

  /** The session is over: rejects pending requests and reconnects when there is a new one. */
  signOut(message: string): void {
    this.#requests.failAll('signed-out', message);
    this.reconnect();
  }

  /** Resolves when the channel is open. */
  ready(options: CallOptions = {}): Promise<void> {
    if (this.state === 'open') return Promise.resolve();
    const done = deferred<void>('connect', options);
    const listen = (state: ChannelState) => {
      if (state === 'open') done.resolve();
      if (state === 'closed') done.reject(new TidingError('closed', 'The channel was closed.'));
    };
    this.on('state', listen);
    if (this.state === 'closed') listen('closed');
    return done.promise.finally(() => this.off('state', listen));
  }

  /**
   * Sends an operation, or queues it until the connection is back. Returns the message id, which
   * newer servers echo. Throws `too-large` for a message over the limit, `unsupported` if the
   * server lacks the operation, and `closed` after the channel was closed. With `expect`, an error
   * without an id may be attributed to this message until `settle` is called with its id.
   */
  send<Op extends SentOp>(
    op: Op,
    data: Sends[Op],
    options: { queue?: boolean; expect?: boolean } = {},
  ): string {
    const msgId = `${this.#client}-${++this.#counter}`;
    if (this.state === 'closed')
      throw new TidingError('closed', 'The channel is closed.', { operation: op });
    const refusal = this.#options.refuse?.(op);
    if (refusal) throw refusal;
    if (this.state === 'open' && this.#connection) {
      this.#write({ op, data, msgId });
      if (options.expect) this.#requests.expect(op, data, msgId);
    } else if (options.queue !== false) {
      const full = 'Not connected, and the queue of unsent messages is full.';
      if (this.#queue.length >= QUEUE_LIMIT)
        throw new TidingError('network', full, { operation: op });
      this.#encode({ op, data, msgId });
      this.#queue.push({ op, data, msgId });
    }
    return msgId;
  }

  /**
   * Stops reading from the server while a consumer of its output lags; a no-op on platforms that
   * can't. Each call needs a `resume`.
   */
  pause(): void {
    this.#pauses += 1;
    if (this.#pauses === 1) this.#connection?.pause?.();
  }

  /** Reverses one `pause`. */
  resume(): void {
    this.#pauses -= 1;
    if (this.#pauses === 0) this.#connection?.resume?.();
  }

  /** The message with this id was answered. */
  settle(msgId: string): void {
    this.#requests.settle(msgId);
  }

  /**
   * Sends an operation and waits for its reply: the first message for which `match` returns an
   * answer. Rejects with `server` (ERROR_INFO), `forbidden` (AUTH_INFO), `timeout`, `aborted`,
   * `closed`, `unknown-outcome` if the connection broke before the reply arrived, or
   * `too-many-connections` if the server accepted none within the time limit.
   */
  async request<Op extends SentOp, Answer>(
    op: Op,
    data: Sends[Op],
    match: RequestMatch<Answer>,
    { matchId: exact = false, unordered: aside = false, ...options }: ChannelRequestOptions = {},
  ): Promise<Answer> {
    requireKnown(options, ['signal', 'timeout'], op, false);
    const done = deferred<Answer>(op, { timeout: REQUEST_TIMEOUT_MS, ...options });
    if (!this.#named && !aside) {
      const before = this.#turn;
      let release = () => {};
      this.#turn = new Promise((resolve) => (release = resolve));
      // A request that is given up while it waits ends only its own turn, not that of the request
      // in flight.
      void Promise.allSettled([before, done.promise]).then(release);
      await Promise.race([before, done.promise.catch(() => {})]);
    }
    if (!done.settled) {
      const waiting: PendingRequest = {
        op,
        data,
        msgId: '',
        exact,
        match,
        deferred: done as Deferred<unknown>,
      };
      this.#requests.add(waiting);
      try {
        waiting.msgId = this.send(op, data, { expect: true });
      } catch (error) {
        done.reject(error);
      }
      const clear = () => {
        this.#requests.delete(waiting);
        // Given up before it was sent, so it must not be sent later.
        this.#queue = this.#queue.filter(({ msgId }) => msgId !== waiting.msgId);
      };
      done.promise.then(clear, clear);
    }
    return done.promise.catch((error: unknown) => {
      throw isTidingError(error, 'timeout') ? (this.#refusal ?? error) : error;
    });
  }

  get #named(): boolean {
    return this.#connection?.namesReplies !== false && (this.#options.repliesHaveIds?.() ?? false);
  }

  async #connect(): Promise<void> {
    this.#setState('connecting');
    try {
      this.#identity = await this.#options.identity();
    } catch (error) {
      const isSignedOut = isTidingError(error, 'signed-out');
      this.#wait(isSignedOut);
      if (isSignedOut) this.emit('refused', error);
      return;
    }
    if (this.state !== 'connecting') return;
    let over = false;
    let connection: Connection | undefined;
    const events = {
      onOpen: () => {
        // A transport may report `onOpen` before it returns the connection.
        if (!connection && !over) return queueMicrotask(events.onOpen);
        if (over || this.#connection !== connection) return;
        this.#liveness.stop();
        this.#setState('open');
        if (this.#pauses > 0) connection?.pause?.();
        this.#ping = setInterval(() => this.send('PING', {}), PING_INTERVAL_MS);
        // In Node.js, an idle channel must not keep a finished script alive.
        (this.#ping as { unref?: () => void }).unref?.();
        this.greeting();
        this.#flush();
      },
      onMessage: (text: unknown) => {
        if (!over && this.#connection === connection) this.#receive(text);
      },
      onClose: (code?: number, reason = '') => {
        over = true;
        if (this.#connection !== connection) return;
        this.#connection = undefined;
        this.#liveness.stop();
        this.#stopPing();
        this.#requests.forget();
        if (this.state === 'closed') return;
        const isFull = code === TOO_MANY_CONNECTIONS;
        this.#queue.unshift(
          ...this.#requests.lost(
            (msgId) => this.#queue.some((entry) => entry.msgId === msgId),
            isFull,
          ),
        );
        this.#wait();
        if (code === undefined || !REFUSAL_CODES.has(code)) return;
        const refusal = new TidingError(
          isFull ? 'too-many-connections' : 'server',
          `The server closed the connection: ${reason}.${isFull ? CLOSE_OTHERS : ''}`,
        );
        if (isFull) this.#refusal = refusal;
        this.emit('refused', refusal);
      },
    };
    try {
      connection = (this.#options.transport ?? webSocketTransport)(this.#options.url, events);
    } catch {
      // The platform refuses to create a socket, for example because of the page's content security
      // policy.
      over = true;
    }
    if (!over) {
      this.#connection = connection;
      this.#lost = events.onClose;
      this.#liveness.connecting();
    } else if (this.state === 'connecting') this.#wait();
  }

  /** Closes an unresponsive connection. The next attempt follows as after any other close. */
  #giveUp(reason: string): void {
    this.#connection?.close(1000, reason);
    // A half-open socket may never report its close.
    this.#lost();
  }

  #flush(): void {
    const queue = this.#queue;
    this.#queue = [];
    for (const { op, data, msgId } of queue) {
      try {
        this.#write({ op, data, msgId });
        if (this.#requests.find(msgId)) this.#requests.expect(op, data, msgId);
      } catch (error) {
        // Too large once the identity is added. The other messages must still be sent.
        this.#requests.find(msgId)?.deferred.reject(error);
      }
    }
  }

  /** Waits for the next attempt; if the session is over, only `wake` makes one. */
  #wait(isSignedOut = false): void {
    if (this.state === 'closed') return;
    this.#setState('waiting');
    if (isSignedOut) return;
    const delay = (this.#options.backoff ?? defaultBackoff)(this.#attempt++);
    this.#retry = setTimeout(() => void this.#connect(), delay);
  }

  #receive(text: unknown): void {
    this.#liveness.received();
    // A server that refuses a connection opens it first.
    this.#attempt = 0;
    this.#refusal = undefined;
    const decoded = decodeFrame(text);
    if (decoded.kind === 'error') this.emit('protocol-error', decoded.error);
    else if (decoded.kind === 'unknown') this.emit('unknown', decoded.message);
    else {
      const { message } = decoded;
      const isError = message.op === 'ERROR_INFO' || message.op === 'AUTH_INFO';
      // If the server puts ids on its replies, an error without one answers nothing.
      const named = isError && !this.#named ? this.#requests.attribute(message) : message;
      // Emit first, so that callers that await a reply find its effect in the store.
      this.emit('message', named);
      this.#requests.answer(named, this.#named);
    }
  }

  #encode(message: OutgoingMessage): string {
    const limit = this.#options.maxMessageBytes ?? DEFAULT_MAX_MESSAGE_BYTES;
    return encodeMessage(message, this.#identity, limit);
  }

  #write(message: OutgoingMessage): void {
    this.#connection?.send(this.#encode(message));
    if (!UNANSWERED.has(message.op)) this.#liveness.sent();
  }

  #stopPing(): void {
    clearInterval(this.#ping);
    this.#ping = undefined;
  }

  #setState(state: ChannelState): void {
    if (this.state === state || this.state === 'closed') return;
    this.state = state;
    this.emit('state', state);
  }
}
