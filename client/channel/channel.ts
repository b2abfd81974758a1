/**
 * One connection to the live channel of a server.
 *
 * A socket of this protocol belongs to one note at a time, so a channel is an object and never a singleton: a client
 * has one per open note and one for the lists. The channel knows frames, not notes: what to send first after each
 * (re)connect is its owner's `greeting`.
 */
import { EventEmitter } from 'eventemitter3';
import { deferred, type CallOptions, type Deferred } from '../core/abort.ts';
import { TidingError, type ProtocolError } from '../errors.ts';
import { loadedWire, loadWire } from '../loaded.ts';
import { DEFAULT_MAX_MESSAGE_BYTES, PING_INTERVAL_MS, UNANSWERED } from '../protocol/constants.ts';
import type { Identity, SentOp, Sends } from '../protocol/index.ts';
import { defaultBackoff, type Backoff } from './backoff.ts';
import type { Received, UnknownOperation } from './decode.ts';
import { Requests, type Waiting } from './requests.ts';
import { webSocketTransport, type Connection, type Transport } from './transport.ts';

/** `waiting`: the connection broke and the next try is scheduled. `closed` is final. */
export type ChannelState = 'idle' | 'connecting' | 'open' | 'waiting' | 'closed';

/** Events of a channel. */
export interface ChannelEvents {
  state: (state: ChannelState) => void;
  message: (message: Received) => void;
  unknown: (message: UnknownOperation) => void;
  'protocol-error': (error: ProtocolError) => void;
}

/** What a channel is made of. */
export interface ChannelOptions {
  /** Address of the live channel, `ws:` or `wss:`. */
  url: string;
  /** Asked at each connect, so that a renewed ticket is used. Rejecting keeps the channel waiting. */
  identity: () => Promise<Identity>;
  transport?: Transport | undefined;
  backoff?: Backoff | undefined;
  /** Bytes; a longer frame is refused before it is sent. */
  maxMessageBytes?: number | undefined;
  /** Why the server cannot take an operation: thrown by `send`, before anything is sent. */
  refuse?: ((op: SentOp) => TidingError | undefined) | undefined;
  /** Whether the server puts the id of a message on its replies. Where it does not, one request is on the wire at a time. */
  named?: (() => boolean) | undefined;
  /** How many messages are kept while the connection is away (default 100); one more is refused. */
  queueLimit?: number | undefined;
}

/** Options of a request. */
export interface RequestOptions extends CallOptions {
  /** What `match` takes for the answer may as well be the work of somebody else: the reply must name this request, where the server does that. */
  exact?: boolean;
  /** The answer says itself what it answers, and may never come: the request waits for no turn and takes none from others. */
  aside?: boolean;
}

/** Default time limit of a request in ms. */
export const REQUEST_TIMEOUT_MS = 15_000;
/** A connection that is not open by then is given up, in ms: one that is accepted and never answered says nothing of it. */
export const CONNECT_TIMEOUT_MS = 10_000;
/** After something was sent, nothing at all has been heard for so long: is the other side still there? In ms. */
export const SILENCE_MS = 15_000;
/** Who is asked whether he is there answers within this time, or the connection is replaced, in ms. */
export const PROBE_TIMEOUT_MS = 5_000;
/** What every server answers at once, and what changes nothing: PING is never answered. */
const PROBE = 'LIST_CONFIGURATIONS';

/** See the head of this file. */
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
  /** Ends the connection in hand, as if it had broken. */
  #lost = () => {};
  /** Until the connection is open; then, after something was sent, until something is heard. */
  #watch: ReturnType<typeof setTimeout> | undefined;
  #probing = false;
  /** Connections in a row that ended because nothing was heard: on a slow line the patience grows. */
  #silent = 0;
  #queue: { op: SentOp; data: unknown; msgId: string }[] = [];
  /** The requests on the wire: one at a time, and others wait their turn, where the server does not name what it answers. */
  readonly #requests = new Requests();
  #turn: Promise<void> = Promise.resolve();
  /** Sent first after each (re)connect, before what was queued meanwhile. */
  greeting: () => unknown = () => {};

  constructor(options: ChannelOptions) {
    super();
    this.#options = options;
  }

  /** Connects, and keeps connecting until `close`. */
  open(): void {
    if (this.state === 'idle') void this.#connect();
  }

  /** Ends the channel for good; what waits for an answer rejects with code `closed`. */
  close(): void {
    if (this.state === 'closed') return;
    clearTimeout(this.#retry);
    this.#heard();
    this.#stopPing();
    this.#queue = [];
    this.#setState('closed');
    this.#connection?.close(1000, 'closed');
    this.#connection = undefined;
    this.#requests.failAll('closed', 'the channel was closed');
  }

  /**
   * The network is back, or the user came back to the page: tries again at once instead of waiting out the delay. A
   * connection that seems open is asked whether it still is, and replaced where no answer comes.
   */
  wake(): void {
    if (this.state === 'open') this.#probe();
    if (this.state !== 'waiting') return;
    clearTimeout(this.#retry);
    this.#attempt = 0;
    void this.#connect();
  }

  /** Drops the connection and connects anew, for example with a new identity. */
  reconnect(): void {
    if (this.state === 'closed' || this.state === 'idle') return;
    this.#identity = undefined;
    this.#giveUp('reconnect');
    if (this.state === 'waiting') this.wake();
  }

  /** Resolves when the channel is open. */
  ready(options: CallOptions = {}): Promise<void> {
    if (this.state === 'open') return Promise.resolve();
    const done = deferred<void>('connect', options);
    const listen = (state: ChannelState) => {
      if (state === 'open') done.resolve();
      if (state === 'closed') done.reject(new TidingError('closed', 'the channel was closed'));
    };
    this.on('state', listen);
    if (this.state === 'closed') listen('closed');
    return done.promise.finally(() => this.off('state', listen));
  }

  /**
   * Sends an operation, or keeps it until the connection is back. Returns the message id, which newer servers echo.
   * Throws `too-large` for a frame over the limit, `unsupported` where the server has no such operation, and `closed`
   * after the end. With `expect`, an error that names nobody may be its own, until `settle` is called with its id.
   */
  send<Op extends SentOp>(
    op: Op,
    data: Sends[Op],
    options: { queue?: boolean; expect?: boolean } = {},
  ): string {
    const msgId = `${this.#client}-${++this.#counter}`;
    if (this.state === 'closed')
      throw new TidingError('closed', 'the channel is closed', { operation: op });
    const refusal = this.#options.refuse?.(op);
    if (refusal) throw refusal;
    if (this.state === 'open' && this.#connection) {
      this.#write(op, data, msgId);
      if (options.expect) this.#requests.expect(op, data, msgId);
    } else if (options.queue !== false) {
      if (this.#queue.length >= (this.#options.queueLimit ?? 100)) {
        throw new TidingError('network', 'not connected, and too many messages wait already', {
          operation: op,
        });
      }
      this.#encode(op, data, msgId);
      this.#queue.push({ op, data, msgId });
    }
    return msgId;
  }

  /** Holds the server back while a reader of its output lags; nothing happens where the platform cannot. Each needs its `resume`. */
  pause(): void {
    this.#pauses += 1;
    if (this.#pauses === 1) this.#connection?.pause?.();
  }

  /** Takes a `pause` back. */
  resume(): void {
    this.#pauses -= 1;
    if (this.#pauses === 0) this.#connection?.resume?.();
  }

  /** What was sent under this id has had its answer. */
  settle(msgId: string): void {
    this.#requests.settle(msgId);
  }

  /**
   * Sends an operation and waits for its answer: the first message for which `match` returns something. Rejects with
   * `server` (ERROR_INFO), `forbidden` (AUTH_INFO), `timeout`, `aborted`, `closed`, or `unknown-outcome` when the
   * connection broke before the answer came.
   */
  async request<Op extends SentOp, Answer>(
    op: Op,
    data: Sends[Op],
    match: (message: Received) => Answer | undefined,
    { exact = false, aside = false, ...options }: RequestOptions = {},
  ): Promise<Answer> {
    const done = deferred<Answer>(op, { timeout: REQUEST_TIMEOUT_MS, ...options });
    if (!this.#named && !aside) {
      const before = this.#turn;
      let release = () => {};
      this.#turn = new Promise((resolve) => (release = resolve));
      // Who gives up while he waits ends his own turn, not that of the request on the wire.
      void Promise.allSettled([before, done.promise]).then(release);
      await Promise.race([before, done.promise.catch(() => {})]);
    }
    if (!done.settled) {
      const waiting: Waiting = {
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
        // Given up before it left: it must not happen later, when nobody expects it any more.
        this.#queue = this.#queue.filter(({ msgId }) => msgId !== waiting.msgId);
      };
      done.promise.then(clear, clear);
    }
    return done.promise;
  }

  get #named(): boolean {
    return this.#connection?.namesReplies !== false && (this.#options.named?.() ?? false);
  }

  async #connect(): Promise<void> {
    this.#setState('connecting');
    try {
      await loadWire();
      this.#identity = await this.#options.identity();
    } catch {
      this.#wait();
      return;
    }
    if (this.state !== 'connecting') return;
    let over = false;
    let connection: Connection | undefined;
    const events = {
      onOpen: () => {
        // One that is open from the start says so before it is handed over.
        if (!connection && !over) return queueMicrotask(events.onOpen);
        if (over || this.#connection !== connection) return;
        this.#attempt = 0;
        this.#heard();
        this.#setState('open');
        if (this.#pauses > 0) connection?.pause?.();
        this.#ping = setInterval(() => this.send('PING', {}), PING_INTERVAL_MS);
        // In Node a quiet channel alone must not keep a finished script alive.
        (this.#ping as { unref?: () => void }).unref?.();
        this.greeting();
        this.#flush();
      },
      onMessage: (text: unknown) => {
        if (!over && this.#connection === connection) this.#receive(text);
      },
      onClose: () => {
        over = true;
        if (this.#connection !== connection) return;
        this.#connection = undefined;
        this.#heard();
        this.#stopPing();
        this.#requests.forget();
        if (this.state === 'closed') return;
        this.#queue.unshift(
          ...this.#requests.lost((msgId) => this.#queue.some((entry) => entry.msgId === msgId)),
        );
        this.#wait();
      },
    };
    try {
      connection = (this.#options.transport ?? webSocketTransport)(this.#options.url, events);
    } catch {
      // The platform makes none at all, for example because of the page's policy.
      over = true;
    }
    if (!over) {
      this.#connection = connection;
      this.#lost = events.onClose;
      this.#watch = setTimeout(() => this.#giveUp('not open in time'), CONNECT_TIMEOUT_MS);
    } else if (this.state === 'connecting') this.#wait();
  }

  /** Ends a connection of which nothing is heard; the next is tried as after any other end. */
  #giveUp(reason: string): void {
    this.#connection?.close(1000, reason);
    // A half-open one may never tell of its end.
    this.#lost();
  }

  /** Something came: the other side is there. */
  #heard(): void {
    if (this.#watch !== undefined) clearTimeout(this.#watch);
    this.#watch = undefined;
    this.#probing = false;
  }

  /** Asks whether the other side is there. */
  #probe(): void {
    if (this.#probing) return;
    this.#heard();
    this.#probing = true;
    this.#watch = setTimeout(() => {
      this.#silent += 1;
      this.#giveUp('no answer');
    }, PROBE_TIMEOUT_MS * this.#patience);
    try {
      this.send(PROBE, {}, { queue: false });
    } catch {
      // What cannot even be sent gets no answer either: the time limit decides.
    }
  }

  get #patience(): number {
    return 2 ** Math.min(Math.max(0, this.#silent - 1), 4);
  }

  #flush(): void {
    const queue = this.#queue;
    this.#queue = [];
    for (const { op, data, msgId } of queue) {
      try {
        this.#write(op, data, msgId);
        if (this.#requests.find(msgId)) this.#requests.expect(op, data, msgId);
      } catch (error) {
        // With the identity it is over the limit: the others must go all the same.
        this.#requests.find(msgId)?.deferred.reject(error);
      }
    }
  }

  #wait(): void {
    if (this.state === 'closed') return;
    const delay = (this.#options.backoff ?? defaultBackoff)(this.#attempt++);
    this.#setState('waiting');
    this.#retry = setTimeout(() => void this.#connect(), delay);
  }

  #receive(text: unknown): void {
    this.#heard();
    this.#silent = 0;
    const decoded = loadedWire().decode(text);
    if (decoded.kind === 'error') this.emit('protocol-error', decoded.error);
    else if (decoded.kind === 'unknown') this.emit('unknown', decoded.message);
    else {
      const { message } = decoded;
      const named =
        message.op === 'ERROR_INFO' || message.op === 'AUTH_INFO'
          ? this.#requests.attribute(message)
          : message;
      // State first, then the caller: who awaits an answer finds it in the store.
      this.emit('message', named);
      this.#requests.answer(named, this.#named);
    }
  }

  #encode(op: SentOp, data: unknown, msgId: string): string {
    const text = JSON.stringify({ op, data, ...this.#identity, msgId });
    const limit = this.#options.maxMessageBytes ?? DEFAULT_MAX_MESSAGE_BYTES;
    // UTF-8 needs at most three bytes a UTF-16 unit: measure only what may be over.
    if (text.length * 3 > limit) {
      const size = new TextEncoder().encode(text).length;
      if (size > limit) {
        throw new TidingError('too-large', `${op} has ${size} bytes; the server takes ${limit}`, {
          operation: op,
        });
      }
    }
    return text;
  }

  #write(op: SentOp, data: unknown, msgId: string): void {
    this.#connection?.send(this.#encode(op, data, msgId));
    if (!UNANSWERED.has(op))
      this.#watch ??= setTimeout(() => this.#probe(), SILENCE_MS * this.#patience);
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
