import type { Backoff } from './channel/backoff.ts';
import type { LiveMode } from './channel/live-transport.ts';
import type { Transport } from './channel/transport.ts';
import type { NoteEntry } from './core/state.ts';
import type { Scheduler } from './core/store.ts';
import type { Journal } from './journal/journal.ts';
import type { EndpointAnswer, JsonObject, Ticket } from './protocol/index.ts';
import type { ClientAuth } from './rest/token-provider.ts';

/**
 * Answers that a page has before its first call, for example because the server wrote them into the
 * document. They are in the state at once and are not requested again.
 */
export interface InitialAnswers {
  /** Answer of the call `version`. */
  readonly version: EndpointAnswer<'version'>;
  /** Answer of the call `ticket`. */
  readonly ticket: Ticket;
  /** Answer of the call `magpieConfig`. */
  readonly config: JsonObject;
  /** The list of notes. A view that shows it should call `notes.list()` to receive changes. */
  readonly notes?: readonly NoteEntry[] | undefined;
}

/** Options of {@link createClient}. */
export interface ClientOptions {
  /**
   * Address of the server including its context path, for example `http://127.0.0.1:8080`. The
   * client appends `/api` and `/ws`.
   */
  server: string;
  /** How the client authenticates. Default: `'cookie'`. */
  auth?: ClientAuth;
  /**
   * Storage for unsaved text until the server has acknowledged it. Default: memory. Pages usually
   * pass {@link indexedDbJournal}.
   */
  journal?: Journal;
  /**
   * Decides when the store notifies its subscribers. Default: in the next macrotask. Pages usually
   * pass `requestAnimationFrame`.
   */
  scheduler?: Scheduler;
  /**
   * Delay between the last keystroke and saving the draft, in ms. Default: 10 000. With 0, drafts
   * are saved only by `commit`.
   */
  autosave?: number;
  /** Time limit in ms of calls that don't set their own. Default: 15 000. */
  timeout?: number;
  /** Implementation of `fetch` for REST calls. Default: the platform's. */
  fetch?: typeof fetch;
  /** Opens live connections. Default: the platform's WebSocket. */
  transport?: Transport;
  /**
   * How open notes receive changes.
   *
   * - `auto` (default): by WebSocket. If three sockets in a row fail while REST works, the client
   * switches to REST and emits `live-blocked`.
   * - `socket`: always by WebSocket.
   * - `rest`: always by polling REST calls, for networks that block WebSockets. Changes by other
   * users arrive later, and some operations are refused.
   */
  live?: LiveMode;
  /**
   * Delay before each reconnect attempt. Default: {@link defaultBackoff}, 0.5 s doubling to 30 s,
   * with jitter.
   */
  backoff?: Backoff;
  /** Answers of the server that the page already has. */
  initial?: InitialAnswers;
}

/** Default delay between an edit and saving it automatically, in ms (specification). */
export const DEFAULT_AUTOSAVE_MS = 10_000;
