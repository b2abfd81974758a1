/** What the channel needs of a socket; the tests and hosts may bring their own. */
import WebSocket from 'isomorphic-ws';

/** An open or opening connection. */
export interface Connection {
  /** Sends one text frame. Called between `onOpen` and `onClose` only. */
  send(text: string): void;
  /** Ends the connection, one that is still opening too; `onClose` follows. Code 1000 where none is given. */
  close(code?: number, reason?: string): void;
  /** `false`: replies carry no ids here, whatever the server says of itself. */
  readonly namesReplies?: false;
  /** Stops reading, so that the sender waits; where the platform can (Node). */
  pause?(): void;
  /** Reads on after `pause`. */
  resume?(): void;
}

/** Callbacks of a connection; `onClose` comes exactly once. */
export interface ConnectionEvents {
  /** The connection takes frames from now on; at most once. */
  onOpen(): void;
  /** A frame came, as the socket gave it. What is no text of JSON becomes a `protocol-error` on the bus. */
  onMessage(text: unknown): void;
  /** The connection has ended or was never made, with the code and words of the WebSocket close event (1006: it broke). */
  onClose(code: number, reason: string): void;
}

/** What a connection is opened with. */
export interface ConnectionOptions {
  /** `Origin` that a program names; that of a page is its browser's to say. */
  readonly origin?: string | undefined;
}

/** Opens a connection to a `ws:` or `wss:` address. */
export type Transport = (
  url: string,
  events: ConnectionEvents,
  options?: ConnectionOptions,
) => Connection;

/** The platform's WebSocket: the browser's own, or `ws` in Node. */
export const webSocketTransport: Transport = (url, events, { origin } = {}) => {
  // A browser's takes no third argument, and leaves it.
  const socket = origin === undefined ? new WebSocket(url) : new WebSocket(url, [], { origin });
  let closed = false;
  const close = (code: number, reason: string) => {
    if (closed) return;
    closed = true;
    events.onClose(code, reason);
  };
  socket.onopen = () => events.onOpen();
  socket.onmessage = (event: { data: unknown }) => events.onMessage(event.data);
  socket.onclose = (event: { code: number; reason: string }) => close(event.code, event.reason);
  // An error is always followed by a close; in Node an unhandled one would end the process.
  socket.onerror = () => {};
  const { pause, resume } = socket as { pause?: () => void; resume?: () => void };
  return {
    ...(pause && resume
      ? { pause: () => pause.call(socket), resume: () => resume.call(socket) }
      : {}),
    send: (text) => socket.send(text),
    close: (code, reason) => {
      socket.close(code, reason);
      // A half-open socket may take minutes to report its end: the owner's decision counts at once.
      close(code ?? 1000, reason ?? '');
    },
  };
};

/**
 * `Origin` that a program names to a Zeppelin with nothing of ours before it: since 0.12.1 that closes a channel which names none, and every
 * version takes this one. Ours needs none from programs.
 */
const ZEPPELIN_ORIGIN = 'http://localhost';

/** A transport that names it where that is needed. */
export const namingOrigin =
  (transport: Transport = webSocketTransport, needed: () => boolean): Transport =>
  (url, events) =>
    transport(url, events, needed() ? { origin: ZEPPELIN_ORIGIN } : {});
