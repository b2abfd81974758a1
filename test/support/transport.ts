/**
 * Simulates network faults on the client's side of a socket: it can be cut, delayed and counted.
 */
import { type Connection, type Transport, webSocketTransport } from '@tiding/client';

/** A transport whose connections a test can break. */
interface FaultyTransport {
  readonly transport: Transport;
  /** Breaks every open connection like a dead network: no further frames are sent or received. */
  cut(): void;
  /** While false, new connections fail immediately. */
  online: boolean;
  readonly opened: number;
}

/** Wraps the platform's socket, or another transport. */
export function faultyTransport(socket: Transport = webSocketTransport): FaultyTransport {
  const live = new Set<() => void>();
  const state: FaultyTransport & { opened: number } = {
    online: true,
    opened: 0,
    cut() {
      for (const end of [...live]) end();
    },
    transport(url, events, options) {
      let dead = false;
      if (!state.online) {
        setTimeout(() => events.onClose(1006, 'offline'), 1);
        return { send: () => {}, close: () => {} };
      }
      state.opened += 1;
      const end = () => {
        if (dead) return;
        dead = true;
        live.delete(end);
        inner.close(1000);
        events.onClose(1006, 'cut');
      };
      const inner: Connection = socket(
        url,
        {
          onOpen: () => dead || events.onOpen(),
          onMessage: (text) => dead || events.onMessage(text),
          onClose: (code, reason) => {
            live.delete(end);
            if (!dead) events.onClose(code, reason);
            dead = true;
          },
        },
        options,
      );
      live.add(end);
      return {
        send: (text) => dead || inner.send(text),
        close: (code, reason) => inner.close(code, reason),
      };
    },
  };
  return state;
}
