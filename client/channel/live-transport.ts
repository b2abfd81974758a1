/** Chooses between WebSocket and REST for a client's live channels. */
import type { RestCall } from '../rest/rest-client.ts';
import { type Connection, type Transport, webSocketTransport } from './transport.ts';

/** Number of sockets that must fail in a row, none ever having opened, before REST is tried. */
const FAILURES = 3;
/** Interval between WebSocket attempts while WebSockets are blocked, in ms. */
const TRY_AGAIN_MS = 60_000;
/** Time limit for opening a socket, in ms. */
const TRY_MS = 15_000;

/** Value of `ClientOptions.live`. */
export type LiveMode = 'auto' | 'socket' | 'rest';

interface LiveTransportOptions {
  readonly choice: LiveMode;
  readonly socket: Transport | undefined;
  readonly call: RestCall;
  /** Address of the live channel. */
  readonly url: string;
  /** Called when WebSockets turn out to be blocked. Connections opened from now on use REST. */
  onBlocked(): void;
}

/** The transport of a client's channels. `close` ends its background attempts. */
interface LiveTransport {
  readonly transport: Transport;
  close(): void;
}

/** Creates the transport that {@link ClientOptions.live} asks for. */
export function liveTransport({
  choice,
  socket = webSocketTransport,
  call,
  url,
  onBlocked,
}: LiveTransportOptions): LiveTransport {
  const rest = restLater(call);
  if (choice !== 'auto') return { transport: choice === 'rest' ? rest : socket, close() {} };
  let blocked = false;
  let opened = false;
  let failures = 0;
  let asking = false;
  let closed = false;
  let again: ReturnType<typeof setInterval> | undefined;
  let trial: Connection | undefined;
  /** Callbacks that give up the sockets that have not opened yet. */
  const pending = new Set<(counts: boolean) => void>();

  /** A socket did not open. Checks over REST whether the server is reachable at all. */
  const failed = () => {
    failures += 1;
    if (opened || blocked || asking || closed || failures < FAILURES) return;
    asking = true;
    call('version')
      .then(
        () => {
          if (opened || closed) return;
          blocked = true;
          again = setInterval(tryAgain, TRY_AGAIN_MS);
          // In Node.js, an idle client must not keep a finished script alive.
          (again as { unref?: () => void }).unref?.();
          for (const giveUp of [...pending]) giveUp(false);
          onBlocked();
        },
        () => {},
      )
      .finally(() => (asking = false));
  };

  const tryAgain = () => {
    if (trial) return;
    const done = () => {
      clearTimeout(limit);
      trial = undefined;
    };
    const limit = setTimeout(() => {
      const late = trial;
      done();
      late?.close();
    }, TRY_MS);
    (limit as { unref?: () => void }).unref?.();
    try {
      const connection = socket(url, {
        onOpen() {
          // Connections over REST stay as they are; new connections use the socket.
          blocked = false;
          opened = true;
          clearInterval(again);
          done();
          queueMicrotask(() => connection.close());
        },
        onMessage() {},
        onClose: done,
      });
      trial = connection;
    } catch {
      done();
    }
  };

  const transport: Transport = (address, events) => {
    if (blocked) return rest(address, events);
    let over = false;
    // Some proxies neither pass nor refuse a socket, so the first one gets a short time limit.
    const limit = opened ? undefined : setTimeout(() => giveUp(true), TRY_MS);
    const settled = () => {
      clearTimeout(limit);
      pending.delete(giveUp);
    };
    const end = (code: number, reason: string) => {
      if (over) return;
      over = true;
      settled();
      events.onClose(code, reason);
    };
    let connection: Connection | undefined;
    const giveUp = (counts: boolean) => {
      settled();
      connection?.close();
      end(1006, 'the socket did not open');
      if (counts) failed();
    };
    pending.add(giveUp);
    try {
      const made = socket(address, {
        onOpen() {
          if (over) return;
          opened = true;
          settled();
          events.onOpen();
        },
        onMessage: (text) => over || events.onMessage(text),
        onClose(code, reason) {
          const counts = !over && pending.has(giveUp);
          end(code, reason);
          if (counts) failed();
        },
      });
      connection = made;
      return {
        ...(made.pause && made.resume
          ? { pause: () => made.pause?.(), resume: () => made.resume?.() }
          : {}),
        send: (text) => made.send(text),
        close(code, reason) {
          // Closed by the caller: this does not mean that sockets are blocked.
          settled();
          made.close(code, reason);
          end(code ?? 1000, reason ?? '');
        },
      };
    } catch (error) {
      settled();
      failed();
      throw error;
    }
  };
  return {
    transport,
    close() {
      closed = true;
      clearInterval(again);
      trial?.close();
    },
  };
}

/** Channels over REST. Few pages need them, so the code is loaded on demand. */
function restLater(call: RestCall): Transport {
  return (url, events) => {
    let inner: Connection | undefined;
    let over = false;
    const end = (code: number, reason: string) => {
      if (over) return;
      over = true;
      events.onClose(code, reason);
    };
    import('./rest-transport.ts').then(
      ({ restTransport }) => {
        if (!over) inner = restTransport(call)(url, events);
      },
      () => end(1006, 'a part of the client could not be loaded'),
    );
    return {
      namesReplies: false,
      send: (text) => inner?.send(text),
      close(code = 1000, reason = '') {
        if (inner) inner.close(code, reason);
        else end(code, reason);
      },
    };
  };
}
