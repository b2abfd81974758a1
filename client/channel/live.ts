/** Socket or REST: which of them carries the live channel of a client. */
import type { Call } from '../rest/http.ts';
import { webSocketTransport, type Connection, type Transport } from './transport.ts';

/** See {@link ClientOptions.live}. */
export type LiveChoice = 'auto' | 'socket' | 'rest';

/** Sockets that fail, one after another and without one that ever opened, until REST is tried. */
const FAILURES = 3;
/** Where sockets are blocked, one is tried this often, in ms. */
const TRY_AGAIN_MS = 60_000;
/** It has this long to open, in ms. */
const TRY_MS = 15_000;

/** What the choice is made of. */
export interface LiveOptions {
  readonly choice: LiveChoice;
  readonly socket: Transport | undefined;
  readonly call: Call;
  /** Address of the live channel. */
  readonly url: string;
  /** Sockets are blocked; connections that are made from now on go over REST. */
  onBlocked(): void;
}

/** The transport of a client's channels, and the end of what it looks for in the background. */
export interface Live {
  readonly transport: Transport;
  close(): void;
}

/** Makes the transport; see {@link ClientOptions.live}. */
export function liveTransport({
  choice,
  socket = webSocketTransport,
  call,
  url,
  onBlocked,
}: LiveOptions): Live {
  const rest = restLater(call);
  if (choice !== 'auto') return { transport: choice === 'rest' ? rest : socket, close() {} };
  let blocked = false;
  let opened = false;
  let failures = 0;
  let asking = false;
  let closed = false;
  let again: ReturnType<typeof setInterval> | undefined;
  let trial: Connection | undefined;
  /** Ends of the sockets that are yet to open. */
  const pending = new Set<(counts: boolean) => void>();

  /** The socket does not open. Does the server answer at all? */
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
          // In Node a quiet client alone must not keep a finished script alive.
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
          // What goes over REST goes on there; who connects from now on has the socket.
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
    // Some proxies neither pass nor refuse a socket: what has never worked does not get long.
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
      end(1006, 'it does not open');
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
          // Who gives it up himself has not met a blocked one.
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

/** Channels over REST; the code is loaded when a page needs it, which few do. */
function restLater(call: Call): Transport {
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
