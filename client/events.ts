/**
 * Everything a client tells: received operations under their wire name, and the client's own events in lower case.
 * The same events are what the reducers read, so there is one way in.
 */
import type { ChannelState } from './channel/channel.ts';
import type { Received } from './channel/decode.ts';
import type { HttpError, ProtocolError } from './errors.ts';
import type {
  Bag,
  Note,
  Paragraph,
  ParagraphConfig,
  ReceivedOp,
  Receives,
  Ticket,
  InterpreterSetting,
} from './protocol/index.ts';
import type { Conflict, NoteEntry, SentText, ServerState } from './state.ts';

/** A received operation on the bus. `noteId` is the note whose channel it came on; absent on the lobby's. */
export interface ReceivedEvent<Op extends ReceivedOp = ReceivedOp> {
  /** Name of the operation on the wire, for example `PARAGRAPH`: the field to narrow by. */
  readonly type: Op;
  /** Its payload, checked against the protocol. Fields that the protocol does not name are in it, untyped. */
  readonly data: Receives[Op];
  /** Note on whose channel it came; `undefined` on that of the lists. */
  readonly noteId: string | undefined;
  /** Id of the message it answers, where the server names it (ours on all replies, upstream on few). */
  readonly msgId: string | undefined;
}

/** The client's own events, by name. */
export interface LocalEvents {
  /** The lobby's or a note's channel changed its state. */
  connection: { state: ChannelState; noteId: string | undefined };
  /** Web sockets do not get through, REST does: the client goes on over REST and looks for the socket now and then. */
  'live-blocked': Record<never, never>;
  /** Version and generation of the server are known: once, before anything else is asked. */
  server: { server: ServerState };
  /** What the server tells its pages is known: name, ways to sign in, features (specification: `magpieConfig`). */
  magpieConfig: { config: Bag };
  /** A session has begun, or goes on with a new ticket. */
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
  /** A note was opened here and is being loaded. */
  'note-opened': { noteId: string };
  /** The last user of a note here has closed it; its state is dropped. */
  'note-closed': { noteId: string };
  /** There is no such note, or not for this user; `error` says which, in the server's words where it has any. */
  'note-missing': { noteId: string; error: string };
  /** A revision of a note was opened and read; `noteId` is the key under which it is open, `note` the note as it was. */
  'revision-read': { noteId: string; note: Note };
  /** The list of notes came anew, with paths as this client has them. */
  'notes-listed': { notes: readonly NoteEntry[] };
  /** A package was turned on or off here, or set otherwise: whoever shows packages asks for them again. */
  'packages-changed': Record<never, never>;
  /** The interpreter settings came anew. */
  'interpreters-listed': { settings: readonly InterpreterSetting[] };
  /** Text was typed here; `author` is the random id under which it will be saved. */
  edited: { noteId: string; paragraphId: string; text: string; author: string };
  /** Unsaved text of an earlier time was found in the journal, with the text it was made from, and what was on its way (`sent`). */
  'draft-restored': {
    noteId: string;
    paragraphId: string;
    text: string;
    baseText: string;
    baseRev: number | undefined;
    author: string | undefined;
    sent?: SentText | undefined;
  };
  /** Unsaved text was dropped by its user. */
  'draft-discarded': { noteId: string; paragraphId: string };
  /** The user keeps the own text of a conflict: the next commit starts from the server's. */
  'draft-kept': { noteId: string; paragraphId: string };
  /** Unsaved text is on its way to the server, numbered where it has an author; it stays a draft until it is acknowledged. */
  'commit-sent': { noteId: string; paragraphId: string; text: string; seq?: number | undefined };
  /** What was sent under that number has been answered: it is in the text that the server is known to have. */
  'commit-answered': { noteId: string; paragraphId: string; seq: number | undefined };
  /** The server's text changed by a patch, somebody's or our own. */
  patched: {
    noteId: string;
    paragraphId: string;
    text: string;
    rev: number | undefined;
    author: string | undefined;
  };
  /** The server did not take a text, for the reason in `error`; it stays a draft. */
  'commit-refused': { noteId: string; paragraphId: string; error: string };
  /** Typed text and the server's text cannot be merged; both are kept in the state. */
  conflict: { noteId: string; paragraphId: string; conflict: Conflict };
  /** A run of a paragraph was asked for: it is shown as pending until the server tells. */
  'run-requested': { noteId: string; paragraphId: string };
  /** What a spell does with a paragraph on this client: it runs, it has ended and printed. The server tells the others alone. */
  'spell-told': { noteId: string; paragraphId: string; change: Partial<Paragraph> };
  /** The run did not start; `before` is the paragraph to go back to. */
  'run-refused': { noteId: string; paragraphId: string; before: Paragraph };
  /** The presentation of a paragraph was changed here; `config` is the whole of it. */
  configured: { noteId: string; paragraphId: string; config: ParagraphConfig };
  /** This client set a value that an interpreter has made: the server tells the others alone. */
  'shared-value-set': {
    noteId: string;
    name: string;
    value: unknown;
    paragraphId: string | undefined;
    interpreterGroupId: string;
  };
  /** Values of a paragraph's forms were set here; `params` are all of them. */
  'params-changed': {
    noteId: string;
    paragraphId: string;
    params: Readonly<Record<string, unknown>>;
  };
}

/** A local event with its name. */
export type LocalEvent = {
  [Name in keyof LocalEvents]: { type: Name } & LocalEvents[Name];
}[keyof LocalEvents];
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
