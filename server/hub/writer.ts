/** Writes to connections, bounds what waits for them, and drops those that do not read. */
import type { Limits } from '../base/limits.ts';
import type { LiveConnection } from './connection.ts';
import type { Frame, FrameEnding } from './frame.ts';
import { ENTRY_BYTES, QueuedBytes } from './queued-bytes.ts';

/** A connection that has not taken a fragment for this long, in ms, is slow. */
const SLOW_MS = 1_000;
/** Grace period between the close frame to a slow client and the end of its socket, in ms. */
const DROP_MS = 5_000;
/** Time for writing in one turn of the event loop, in ms; the rest is written in later turns. */
const TURN_MS = 2;
/** If more messages than this wait for a turn, some are counted for their connections instead. */
const MAX_PENDING = 20_000;
const PENDING_AT_ONCE = 100;
/** Requests of a connection wait while more bytes of its answers than this are unread. */
export const MAX_UNREAD_ANSWERS = 65_536;

/** Limits of waiting bytes. */
export type QueueLimits = Pick<
  Limits,
  'maxQueuedBytes' | 'maxUserQueuedBytes' | 'maxEmbedQueuedBytes' | 'maxServerQueuedBytes'
>;

/** How a message is written. `isAnswer`: it is sent to this connection only. */
interface WriteOptions extends FrameEnding {
  readonly isAnswer?: boolean;
}

/** A message that waits for one connection. */
interface Message {
  readonly frame: Frame;
  /** Its fragments that were not handed to the system yet are those from `at`. */
  readonly fragments: readonly (readonly Buffer[])[];
  at: number;
  /** Whether it is sent to this connection only. */
  readonly isAnswer: boolean;
}

/** The messages that wait for one connection. */
interface Queue {
  readonly counters: readonly QueuedBytes[];
  /** The message that is being sent. */
  current: Message | undefined;
  /** Whether the system has not taken all of the last fragment, and since when. */
  isBlocked: boolean;
  since: number;
  readonly next: Message[];
  /** Bytes of `next`. */
  bytes: number;
  /** Bytes of answers. */
  answers: number;
  /** Called when the answers are read, or the connection has ended. */
  readonly onRead: (() => void)[];
}

/** Writes messages to connections. */
export class ConnectionWriter {
  readonly #limits: QueueLimits;
  readonly #onDrop: () => void;
  readonly #server: QueuedBytes;
  /** Counters of the users, tokens and issuers for whom messages wait. */
  readonly #counters = new Map<string, QueuedBytes>();
  readonly #queues = new Map<LiveConnection, Queue>();
  /** Messages that wait for the next turn of the event loop. */
  readonly #pending: [LiveConnection, Frame, WriteOptions][] = [];
  /** Bytes of the answers among them. */
  readonly #pendingAnswers = new Map<LiveConnection, number>();
  /** Connections that read, and wait for the next turn of the event loop. */
  readonly #ready = new Set<LiveConnection>();
  /** Time that was used for writing in this turn of the event loop, in ms. */
  #spent = 0;
  #turn: NodeJS.Immediate | undefined;

  /** `onDrop` is called for each connection that is dropped because it does not read. */
  constructor(limits: QueueLimits, onDrop: () => void) {
    this.#limits = limits;
    this.#onDrop = onDrop;
    this.#server = new QueuedBytes('', limits.maxServerQueuedBytes);
  }

  /** Writes a message. */
  write(connection: LiveConnection, frame: Frame, options: WriteOptions = {}): void {
    // A broadcast to many connections takes several turns. Nothing is written before what waits.
    if (this.#spent < TURN_MS && this.#pending.length === 0)
      return this.#write(connection, frame, options);
    this.#pending.push([connection, frame, options]);
    if (options.isAnswer) this.#countPending(connection, frame.bytes);
    if (this.#pending.length > MAX_PENDING) this.#writePending(Infinity, PENDING_AT_ONCE);
    else this.#nextTurn();
  }

  /** Writes messages that wait, for at most this time in ms. */
  #writePending(limit: number, most = this.#pending.length): void {
    const began = performance.now();
    let written = 0;
    while (written < most && performance.now() - began < limit) {
      const [connection, frame, options] = this.#pending[written]!;
      if (options.isAnswer) this.#countPending(connection, -frame.bytes);
      this.#write(connection, frame, options);
      written += 1;
    }
    this.#pending.splice(0, written);
  }

  #countPending(connection: LiveConnection, bytes: number): void {
    const sum = (this.#pendingAnswers.get(connection) ?? 0) + bytes;
    if (sum > 0) this.#pendingAnswers.set(connection, sum);
    else this.#pendingAnswers.delete(connection);
  }

  #write(
    connection: LiveConnection,
    frame: Frame,
    { isAnswer = false, ...ending }: WriteOptions,
  ): void {
    const { socket } = connection;
    if (socket.readyState !== socket.OPEN) return;
    const message = { frame, fragments: frame.fragments(ending), at: 0, isAnswer };
    const before = this.#queues.get(connection);
    // Most messages never wait.
    if (!before && this.#spent < TURN_MS && message.fragments.length === 1) {
      if (this.#hand(connection, message)) return;
      const queue = this.#add(connection, message);
      if (queue) [queue.current, queue.isBlocked] = [message, true];
      return;
    }
    if (before?.isBlocked && performance.now() - before.since > SLOW_MS) {
      const bytes = before.bytes + frame.bytes + ENTRY_BYTES;
      if (before.next.length > 0 && bytes > this.#limits.maxQueuedBytes)
        return this.#drop(connection);
    }
    const queue = this.#add(connection, message);
    if (!queue) return;
    queue.next.push(message);
    queue.bytes += frame.bytes + ENTRY_BYTES;
    this.#continue(connection, queue);
  }

  /** Resolves when a connection has read its answers; `undefined` if it has. */
  answersRead(connection: LiveConnection): Promise<void> | undefined {
    const queue = this.#queues.get(connection);
    const pending = this.#pendingAnswers.get(connection) ?? 0;
    if (pending + (queue?.answers ?? 0) <= MAX_UNREAD_ANSWERS) return undefined;
    return queue && pending === 0
      ? new Promise((resolve) => queue.onRead.push(resolve))
      : new Promise<void>((resolve) => setImmediate(resolve)).then(() =>
          this.answersRead(connection),
        );
  }

  /** Forgets a connection, which has ended or is ended by the caller. */
  forget(connection: LiveConnection): void {
    const queue = this.#queues.get(connection);
    if (!queue) return;
    for (const message of [...(queue.current ? [queue.current] : []), ...queue.next])
      this.#uncount(queue, message);
    queue.next.length = 0;
    this.#queues.delete(connection);
    this.#ready.delete(connection);
    for (const counter of queue.counters) {
      counter.waiting.delete(connection);
      if (counter.waiting.size === 0) this.#counters.delete(counter.name);
    }
    queue.onRead.splice(0).forEach((resolve) => resolve());
  }

  /**
   * Hands a fragment to the system. Returns whether it took all of it at once.
   *
   * Frames go directly to the stream: the WebSocket library would frame them again for every
   * connection. This is safe because it does not compress, and sends only control frames here.
   */
  #hand(connection: LiveConnection, message: Message): boolean {
    const { stream } = connection;
    const began = performance.now();
    let isTaken = false;
    const buffers = message.fragments[message.at]!;
    message.at += 1;
    const last = buffers.length - 1;
    stream.cork();
    for (let at = 0; at < last; at += 1) stream.write(buffers[at]!);
    stream.write(buffers[last]!, () => {
      const queue = isTaken ? undefined : this.#queues.get(connection);
      if (queue?.current !== message) return;
      queue.isBlocked = false;
      this.#continue(connection, queue);
    });
    stream.uncork();
    isTaken = stream.writableLength === 0;
    this.#spent += performance.now() - began;
    this.#nextTurn();
    return isTaken;
  }

  /** Hands over what the system takes, within the time of this turn. */
  #continue(connection: LiveConnection, queue: Queue): void {
    const { socket } = connection;
    // No message may follow a close frame.
    if (socket.readyState !== socket.OPEN) return this.forget(connection);
    while (!queue.isBlocked) {
      const { current } = queue;
      if (current && current.at === current.fragments.length) {
        queue.current = undefined;
        this.#uncount(queue, current);
      } else if (!current && queue.next.length === 0) return this.forget(connection);
      else if (this.#spent >= TURN_MS) {
        this.#ready.add(connection);
        return this.#nextTurn();
      } else if (current) {
        queue.isBlocked = !this.#hand(connection, current);
        queue.since = performance.now();
      } else {
        queue.current = queue.next.shift()!;
        queue.bytes -= queue.current.frame.bytes + ENTRY_BYTES;
      }
    }
  }

  /** In the next turn of the event loop, continues with the connections that are ready. */
  #nextTurn(): void {
    this.#turn ??= setImmediate(() => {
      this.#turn = undefined;
      this.#spent = 0;
      // Each kind has its share of a turn.
      this.#writePending(this.#ready.size > 0 ? TURN_MS / 2 : TURN_MS);
      for (const connection of this.#ready) {
        if (this.#spent >= TURN_MS) break;
        this.#ready.delete(connection);
        const queue = this.#queues.get(connection);
        if (queue) this.#continue(connection, queue);
      }
      if (this.#ready.size > 0 || this.#pending.length > 0) this.#nextTurn();
    });
  }

  /**
   * Counts a message that has to wait, and returns the queue of its connection. Ends connections
   * that have waited longer if a limit requires it; returns `undefined` if that is this one.
   */
  #add(connection: LiveConnection, message: Message): Queue | undefined {
    const { frame, isAnswer } = message;
    const counters = this.#queues.get(connection)?.counters ?? this.#countersOf(connection);
    for (const counter of counters)
      while (!counter.fits(frame))
        this.#cut((counter === this.#server ? this.#largest() : counter).waiting);
    const { socket } = connection;
    if (socket.readyState !== socket.OPEN) return undefined;
    let queue = this.#queues.get(connection);
    if (!queue) {
      const since = performance.now();
      const rest = { current: undefined, isBlocked: false, bytes: 0, answers: 0 };
      this.#queues.set(connection, (queue = { counters, since, next: [], onRead: [], ...rest }));
    }
    for (const counter of counters) {
      counter.add(frame);
      counter.waiting.add(connection);
      if (counter !== this.#server) this.#counters.set(counter.name, counter);
    }
    if (isAnswer) queue.answers += frame.bytes;
    return queue;
  }

  #uncount(queue: Queue, { frame, isAnswer }: Message): void {
    for (const counter of queue.counters) counter.remove(frame);
    if (!isAnswer) return;
    queue.answers -= frame.bytes;
    if (queue.answers <= MAX_UNREAD_ANSWERS) queue.onRead.splice(0).forEach((resolve) => resolve());
  }

  #countersOf({ person, address }: LiveConnection): QueuedBytes[] {
    const { maxUserQueuedBytes, maxEmbedQueuedBytes } = this.#limits;
    const of = (name: string, limit: number) =>
      this.#counters.get(name) ?? new QueuedBytes(name, limit);
    const who = person?.embed
      ? `token ${person.embed.jti}`
      : person
        ? `user ${person.principal}`
        : `address ${address}`;
    const { issuer } = person?.embed ?? {};
    return [
      of(who, maxUserQueuedBytes),
      ...(issuer ? [of(`issuer ${issuer.principal}`, maxEmbedQueuedBytes)] : []),
      this.#server,
    ];
  }

  /** The counter with most bytes, which has to make room for the others. */
  #largest(): QueuedBytes {
    let most = this.#server;
    for (const counter of this.#counters.values())
      if (most === this.#server || counter.bytes > most.bytes) most = counter;
    return most;
  }

  /** Ends the connection that has waited longest. A close frame would have to wait as well. */
  #cut([connection]: Iterable<LiveConnection>): void {
    if (!connection) return;
    this.#onDrop();
    this.forget(connection);
    connection.socket.terminate();
  }

  /** Closes a slow connection, whose client then connects and reads everything again. */
  #drop(connection: LiveConnection): void {
    this.#onDrop();
    this.forget(connection);
    connection.socket.close(1013, 'too slow');
    setTimeout(() => connection.socket.terminate(), DROP_MS).unref();
  }
}
