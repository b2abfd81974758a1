/** What the parts of a client share: one bus, one store, one way to the server. */
import type { Channel } from './channel/channel.ts';
import type { Store } from './core/store.ts';
import type { ClientEvent, ClientEvents } from './events.ts';
import type { Journal } from './journal/journal.ts';
import type { SentOp } from './protocol/index.ts';
import type { Call } from './rest/http.ts';
import type { ClientState } from './state.ts';
import type { Session } from './session/session.ts';

/** Given to every part at its making. */
export interface Context {
  readonly server: string;
  readonly store: Store<ClientState, ClientEvent>;
  readonly call: Call;
  readonly journal: Journal;
  readonly autosave: number;
  readonly timeout: number;
  readonly session: Session;
  /** Whether the server has an operation. */
  supports(op: SentOp): boolean;
  /** Puts an event through the reducers, then on the bus. */
  emit(event: ClientEvent): void;
  on<Name extends keyof ClientEvents>(name: Name, listener: ClientEvents[Name]): () => void;
  /** A new channel of this client's server and identity; what it says is emitted under `noteId`. */
  channel(noteId: string | undefined): Channel;
  /** The channel of the lists; opened when first asked for. */
  lobby(): Promise<Channel>;
  /** Version and generation; asked for once. */
  ready(): Promise<void>;
  /** Saves unsaved text of every open note; says whether all of it is saved. */
  saveAll(): Promise<boolean>;
  /** All channels take the new identity. */
  reconnect(): void;
}
