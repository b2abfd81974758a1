/** Writes to connections, and drops those that do not read. */
import type { LiveConnection } from './connection.ts';
import type { SharedFrame } from './frame.ts';

/** Grace period between the close frame to a slow client and discarding its queue, in ms. */
const DROP_MS = 5_000;
/**
 * Messages of at least this many bytes are large: a page with an embedded library, or a note with
 * several.
 */
const LARGE = 2 ** 20;
/** Bytes of large messages that may be queued in addition to all other messages. */
const MOST_LARGE = 64 * 2 ** 20;
/** Writes messages to connections. */
export class ConnectionWriter {
  readonly #maxQueued: number;
  readonly #onDrop: () => void;
  /** Queued bytes of large messages, by socket. */
  readonly #large = new WeakMap<object, number>();

  /** `maxQueued` is the number of bytes that may be queued for a connection. */
  constructor(maxQueued: number, onDrop: () => void) {
    this.#maxQueued = maxQueued;
    this.#onDrop = onDrop;
  }

  /** Writes a text to one connection. */
  write(connection: LiveConnection, text: string): void {
    if (this.#takes(connection, text.length)) connection.socket.send(text);
  }

  /**
   * Writes a shared frame directly to the stream. The WebSocket library would frame it again for
   * every connection and write header and payload separately. This is safe because the library
   * neither compresses nor fragments messages here, so a frame may be inserted between any two of
   * its frames.
   */
  writeShared(connection: LiveConnection, frame: SharedFrame): void {
    if (this.#takes(connection, frame.bytes.length)) connection.stream.write(frame.bytes);
  }

  /** Returns whether a connection accepts more data; drops it if it does not read. */
  #takes({ socket, stream }: LiveConnection, bytes: number): boolean {
    if (socket.readyState !== socket.OPEN) return false;
    const waits = stream.writableLength;
    // A single message that is almost as large as the limit (a note full of pages) is no sign of a
    // slow reader, nor are the messages queued behind it.
    const large = waits === 0 ? 0 : (this.#large.get(socket) ?? 0);
    if (bytes > LARGE) this.#large.set(socket, large + bytes);
    else if (waits === 0) this.#large.delete(socket);
    if (waits <= this.#maxQueued + Math.min(large, MOST_LARGE)) return true;
    this.#onDrop();
    socket.close(1013, 'too slow');
    setTimeout(() => socket.terminate(), DROP_MS).unref();
    return false;
  }
}
