/** What the channel needs of a socket; the tests and hosts may bring their own. */
import WebSocket from 'isomorphic-ws';

/** An open or opening connection. */
export interface Connection {
  send(text: string): void;
  close(code?: number, reason?: string): void;
  /** `false`: replies carry no ids here, whatever the server says of itself. */
  readonly namesReplies?: false;
  /** Stops reading, so that the sender waits; where the platform can (Node). */
  pause?(): void;
  resume?(): void;
}

/** Callbacks of a connection; `onClose` comes exactly once. */
export interface ConnectionEvents {
  onOpen(): void;
  onMessage(text: unknown): void;
  onClose(code: number, reason: string): void;
}

/** Opens a connection to a `ws:` or `wss:` address. */
export type Transport = (url: string, events: ConnectionEvents) => Connection;

/** The platform's WebSocket: the browser's own, or `ws` in Node. */
export const webSocketTransport: Transport = (url, events) => {
  const socket = new WebSocket(url);
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
    ...(pause && resume ? { pause: () => pause.call(socket), resume: () => resume.call(socket) } : {}),
    send: (text) => socket.send(text),
    close: (code, reason) => {
      socket.close(code, reason);
      // A half-open socket may take minutes to report its end: the owner's decision counts at once.
      close(code ?? 1000, reason ?? '');
    },
  };
};
