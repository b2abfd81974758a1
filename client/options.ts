/** Options of a client. */
import type { Backoff } from './channel/backoff.ts';
import type { LiveChoice } from './channel/live.ts';
import type { Transport } from './channel/transport.ts';
import type { Scheduler } from './core/store.ts';
import type { Journal } from './journal/journal.ts';

/**
 * How the client proves who it is.
 *
 * - `cookie` (default): the session of the page; in Node the cookie that `login` brought.
 * - `{ token }`: an access token, sent as `Authorization: Bearer`; a function is asked again when it was refused.
 */
export type Auth = 'cookie' | { readonly token: string | (() => string | Promise<string>) };

/** Options of {@link createClient}. */
export interface ClientOptions {
  /** Address of the server with its context path, for example `http://127.0.0.1:8080`. `/api` and `/ws` follow it. */
  server: string;
  /** How the client proves who it is; default `cookie`. */
  auth?: Auth;
  /** Where typed text is kept until the server has acknowledged it. Default: memory. */
  journal?: Journal;
  /** When the store tells its subscribers; default the next macrotask. Pages pass the animation frame. */
  scheduler?: Scheduler;
  /** ms after the last keystroke until a draft is saved; default 10 000 (specification). 0 = only by `commit`. */
  autosave?: number;
  /** Time limit of a call in ms where the call names none; default 15 000. */
  timeout?: number;
  /** What REST calls are made with; default the platform's. */
  fetch?: typeof fetch;
  /** What live channels are made with; default the platform's WebSocket. */
  transport?: Transport;
  /**
   * How notes stay live. `socket`: by web socket. `rest`: by REST calls, where something between blocks sockets; what
   * others do comes later then, and some operations are refused. `auto` (default): by socket, unless it does not get
   * through three times while REST does (event `live-blocked`).
   */
  live?: LiveChoice;
  /** How long to wait before each try to connect again; default 0.5 s doubling to 30 s, jittered. */
  backoff?: Backoff;
}

/** ms after an edit until it is saved by itself (specification). */
export const AUTOSAVE_MS = 10_000;
