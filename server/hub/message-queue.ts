/** Messages of one socket: handled in order, limited in rate and in bytes that wait. */
import type { WebSocket } from 'ws';

/** Limits of the messages of one socket. */
export interface MessageLimits {
  /** Sustained limit of messages per second; five times as many may arrive at once. */
  readonly rate: number;
  /** The socket is not read while more bytes than this are waiting. */
  readonly maxWaitingBytes: number;
}

/**
 * Passes the messages of a socket to `handle` one at a time; `undefined` stands for a binary one.
 * `handle` must not reject. Returns a function that resolves when the messages so far are handled.
 */
export function handleInOrder(
  socket: WebSocket,
  { rate, maxWaitingBytes }: MessageLimits,
  handle: (text: string | undefined) => Promise<void>,
): () => Promise<void> {
  const burst = rate * 5;
  let budget = burst;
  // A clock that is set back must not close the socket.
  let last = performance.now();
  let queue = Promise.resolve();
  let waiting = 0;
  socket.on('message', (raw, binary) => {
    if (socket.readyState !== socket.OPEN) return;
    const now = performance.now();
    budget = Math.min(burst, budget + ((now - last) / 1000) * rate) - 1;
    last = now;
    if (budget < 0) return socket.close(1008, 'too many messages');
    const { length } = raw as Buffer;
    const text = binary ? undefined : (raw as Buffer).toString('utf8');
    // A client that sends faster than its messages are handled is paused, so that they do not pile
    // up in memory.
    waiting += length;
    if (waiting > maxWaitingBytes) socket.pause();
    queue = queue
      .then(() => handle(text))
      .then(() => {
        waiting -= length;
        if (socket.isPaused && waiting <= maxWaitingBytes) socket.resume();
      });
  });
  return () => queue;
}
