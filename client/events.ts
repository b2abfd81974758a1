/**
 * Everything a client tells: received operations under their wire name, and the client's own events in lower case.
 * The same events are what the reducers read, so there is one way in.
 */
import type { ChannelState } from './channel/channel.ts';
import type { Received } from './channel/decode.ts';
import type { HttpError, ProtocolError } from './errors.ts';
import type { Paragraph, ParagraphConfig, ReceivedOp, Receives, Ticket, InterpreterSetting } from './protocol/index.ts';
import type { Conflict, NoteEntry, ServerState } from './state.ts';

/** A received operation on the bus. `noteId` is the note whose channel it came on; absent on the lobby's. */
export interface ReceivedEvent<Op extends ReceivedOp = ReceivedOp> {
  readonly type: Op;
  readonly data: Receives[Op];
  readonly noteId: string | undefined;
  readonly msgId: string | undefined;
}

/** The client's own events, by name. */
export interface LocalEvents {
  /** The lobby's or a note's channel changed its state. */
  connection: { state: ChannelState; noteId: string | undefined };
  /** Web sockets do not get through, REST does: the client goes on over REST and looks for the socket now and then. */
  'live-blocked': Record<never, never>;
  server: { server: ServerState };
  'signed-in': { ticket: Ticket };
  /** The session is over: by logout, by the server, or by a 405 (specification: `session_logout`). */
  session_logout: { info: string | undefined };
  /**
   * Signing in or out goes on at another address: the page goes there. With `appendCurrent` its own address is put behind,
   * as plain text, as upstream does.
   */
  redirect: { address: string; appendCurrent: boolean };
  /** The session of a single sign-on ends by a GET of this address; then the page goes home. */
  'logout-elsewhere': { address: string };
  /** Any HTTP error status (specification: `httpResponseError`). */
  httpResponseError: { error: HttpError };
  /** A message that does not fit the protocol; state is as before. */
  'protocol-error': { error: ProtocolError; noteId: string | undefined };
  /** An operation this client does not know. */
  'unknown-operation': { op: string; data: unknown; noteId: string | undefined };
  'note-opened': { noteId: string };
  'note-closed': { noteId: string };
  'note-missing': { noteId: string; error: string };
  'notes-listed': { notes: readonly NoteEntry[] };
  'interpreters-listed': { settings: readonly InterpreterSetting[] };
  edited: { noteId: string; paragraphId: string; text: string; author: string };
  'draft-restored': { noteId: string; paragraphId: string; text: string; baseText: string; baseRev: number | undefined; author: string | undefined };
  'draft-discarded': { noteId: string; paragraphId: string };
  /** The user keeps the own text of a conflict: the next commit starts from the server's. */
  'draft-kept': { noteId: string; paragraphId: string };
  'commit-sent': { noteId: string; paragraphId: string; text: string };
  /** The server's text changed by a patch, somebody's or our own. */
  patched: { noteId: string; paragraphId: string; text: string; rev: number | undefined; author: string | undefined };
  'commit-refused': { noteId: string; paragraphId: string; error: string };
  /** Typed text and the server's text cannot be merged; both are kept in the state. */
  conflict: { noteId: string; paragraphId: string; conflict: Conflict };
  'run-requested': { noteId: string; paragraphId: string };
  'run-refused': { noteId: string; paragraphId: string; before: Paragraph };
  configured: { noteId: string; paragraphId: string; config: ParagraphConfig };
  /** This client set a value that an interpreter has made: the server tells the others alone. */
  'shared-value-set': { noteId: string; name: string; value: unknown; paragraphId: string | undefined; interpreterGroupId: string };
  'params-changed': { noteId: string; paragraphId: string; params: Readonly<Record<string, unknown>> };
}

/** A local event with its name. */
export type LocalEvent = { [Name in keyof LocalEvents]: { type: Name } & LocalEvents[Name] }[keyof LocalEvents];
/** A received operation with its name. */
export type AnyReceivedEvent = { [Op in ReceivedOp]: ReceivedEvent<Op> }[ReceivedOp];
/** Whatever the reducers read. */
export type ClientEvent = AnyReceivedEvent | LocalEvent;

/** What a listener gets, by name of the event; `event` is every event, in order. */
export type EventPayloads = { [Op in ReceivedOp]: ReceivedEvent<Op> } & {
  [Name in keyof LocalEvents]: { type: Name } & LocalEvents[Name];
} & { event: ClientEvent };

/** Listeners by name of the event, as `client.on(name, listener)` takes them. */
export type ClientEvents = { [Name in keyof EventPayloads]: (event: EventPayloads[Name]) => void };

/** From a channel's message to an event. */
export function receivedEvent(message: Received, noteId: string | undefined): AnyReceivedEvent {
  return { type: message.op, data: message.data, noteId, msgId: message.msgId } as AnyReceivedEvent;
}
