/** The socket interface that channels use. Tests and host applications may provide their own. */
import WebSocket from 'isomorphic-ws';

/** A connection that is opening or open. */
export interface Connection {
  /** Sends one text frame. Called only between `onOpen` and `onClose`. */
  send(text: string): void;
  /**
   * Closes the connection, even if it is still opening. `onClose` follows. The default code is
   * 1000.
   */
  close(code?: number, reason?: string): void;
  /**
   * `false` if replies on this connection never carry message ids, even if the server supports
   * them.
   */
  readonly namesReplies?: false;
  /**
   * Stops reading, so that the sender has to wait. Only where the platform supports it (Node.js).
   */
  pause?(): void;
  /** Continues reading after `pause`. */
  resume?(): void;
}

/** Callbacks of a connection. `onClose` is called exactly once. */
export interface ConnectionEvents {
  /** The connection is open and accepts frames. Called at most once. */
  onOpen(): void;
  /** A frame arrived, unmodified. Anything that is not JSON text is emitted as `protocol-error`. */
  onMessage(text: unknown): void;
  /**
   * The connection ended or could not be opened. Code and reason are those of the WebSocket close
   * event (1006: it broke).
   */
  onClose(code: number, reason: string): void;
}

/** Options of one connection. */
export interface ConnectionOptions {
  /** `Origin` header for clients outside a browser. Browsers set their own. */
  readonly origin?: string | undefined;
}

/** Opens a connection to a `ws:` or `wss:` address. */
export type Transport = (
  url: string,
  events: ConnectionEvents,
  options?: ConnectionOptions,
) => Connection;

/** Transport over the platform's WebSocket: the browser's, or the package `ws` in Node.js. */
export const webSocketTransport: Transport = (url, events, { origin } = {}) => {
  // Browsers ignore the third argument.
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
  // An error is always followed by a close event. In Node.js an unhandled error event would end the
  // process.
  socket.onerror = () => {};
  const { pause, resume } = socket as { pause?: () => void; resume?: () => void };
  return {
    ...(pause && resume
      ? { pause: () => pause.call(socket), resume: () => resume.call(socket) }
      : {}),
    send: (text) => socket.send(text),
    close: (code, reason) => {
      socket.close(code, reason);
      // A half-open socket may take minutes to report its end, so report the close immediately.
      close(code ?? 1000, reason ?? '');
    },
  };
};

/**
 * `Origin` that a program sends to a Zeppelin without a Tiding gateway in front: since 0.12.1
 * Zeppelin closes connections without one, and every version accepts this value. Tiding servers
 * need none from programs.
 */
const ZEPPELIN_ORIGIN = 'http://localhost';

/** Wraps a transport to send that `Origin` while `needed` returns true. */
export const withZeppelinOrigin =
  (transport: Transport = webSocketTransport, needed: () => boolean): Transport =>
  (url, events) =>
    transport(url, events, needed() ? { origin: ZEPPELIN_ORIGIN } : {});
