import type { Channel } from '../channel/channel.ts';
import type { ClientEvent, ClientEvents } from '../core/events.ts';
import type { ClientState } from '../core/state.ts';
import type { StateStore } from '../core/store.ts';
import type { Journal } from '../journal/journal.ts';
import type { SentOp } from '../protocol/index.ts';
import type { RestCall } from '../rest/rest-client.ts';
import type { SessionApi } from './session.ts';

/**
 * Services that the parts of a client share: the event bus, the store and the way to the server.
 * Passed to every area's constructor.
 */
export interface ClientContext {
  readonly server: string;
  readonly store: StateStore<ClientState, ClientEvent>;
  readonly call: RestCall;
  readonly journal: Journal;
  readonly autosave: number;
  readonly timeout: number;
  readonly session: SessionApi;
  /** Whether the server supports an operation. */
  supports(op: SentOp): boolean;
  /** Passes an event through the reducers, then to the listeners. */
  emit(event: ClientEvent): void;
  on<Name extends keyof ClientEvents>(name: Name, listener: ClientEvents[Name]): () => void;
  /**
   * Creates a channel to this client's server with its identity. Messages are emitted as events
   * with `noteId`.
   */
  channel(noteId: string | undefined): Channel;
  /** Returns the channel for lists, opened on first use. */
  lobby(): Promise<Channel>;
  /** Resolves when the server's version is known; asks for it once. */
  ready(): Promise<void>;
  /** Saves the drafts of all open notes. Resolves with whether everything is saved. */
  saveAll(): Promise<boolean>;
  /** Reconnects all channels with the current identity. */
  reconnect(): void;
}
