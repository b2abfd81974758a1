/**
 * All events of a client: received operations under their name on the wire, and the client's own
 * events in lower case. The reducers read the same events, so every state change goes through an
 * event.
 */

import type { TextChange } from '../model/text/text-change.ts';
import type {
  EditorSetting,
  InterpreterSetting,
  JsonObject,
  Note,
  Paragraph,
  ParagraphConfig,
  ReceivedMessage,
  ReceivedOp,
  Receives,
  Ticket,
} from '../protocol/index.ts';
import type { HttpError, ProtocolError } from './errors.ts';
import type {
  ChannelState,
  Conflict,
  NoteEntry,
  SentText,
  ServerState,
  SignOutReason,
} from './state.ts';

/** A received operation, as listeners of `client.on` get it. */
export interface ReceivedEvent<Op extends ReceivedOp = ReceivedOp> {
  /** Name of the operation on the wire, for example `PARAGRAPH`. Narrow the union by this field. */
  readonly type: Op;
  /**
   * Payload, validated against the protocol. Fields that the protocol does not define are kept,
   * untyped.
   */
  readonly data: Receives[Op];
  /**
   * Id of the note on whose channel the message arrived; `undefined` if it arrived on a channel
   * without a note.
   */
  readonly noteId: string | undefined;
  /**
   * Id of the message that this one answers. Tiding servers set it on all replies, Apache Zeppelin
   * on few.
   */
  readonly msgId: string | undefined;
}

/** The client's own events, by name. */
export interface LocalEvents {
  /**
   * The connection state of the client (`noteId` is `undefined`) or of a note's channel changed.
   */
  connection: { state: ChannelState; noteId: string | undefined };
  /**
   * WebSockets fail while REST works. The client continues over REST and retries a WebSocket from
   * time to time.
   */
  'live-blocked': Record<never, never>;
  /** The server's version and features are known. Emitted once, before any other request. */
  server: { server: ServerState };
  /**
   * The server's public configuration was loaded: product name, ways to sign in, features
   * (specification: `magpieConfig`).
   */
  magpieConfig: { config: JsonObject };
  /** A session started, or its ticket was renewed. */
  'signed-in': { ticket: Ticket };
  /**
   * The session ended: by logout, by the server, or because a call was answered with 405
   * (specification: `session_logout`). `reason` is set if the token can't be used any more; without
   * it, a client with a token requests another one. `renewing` is set if the client is already
   * requesting another ticket: `signed-in` or `renewal-failed` follows.
   */
  session_logout: {
    info: string | undefined;
    reason?: SignOutReason | undefined;
    renewing?: boolean | undefined;
  };
  /** The server ended the session, and the client did not get another ticket. */
  'renewal-failed': Record<never, never>;
  /**
   * Signing in or out continues at another address; the page should navigate there. If
   * `appendCurrent` is set, append the page's own address as plain, unencoded text, as Apache
   * Zeppelin does.
   */
  redirect: { address: string; appendCurrent: boolean };
  /**
   * The single sign-on session ends with a GET of this address. Then the page should navigate home.
   */
  'logout-elsewhere': { address: string };
  /** A REST call returned an error status (specification: `httpResponseError`). */
  httpResponseError: { error: HttpError };
  /** A message violated the protocol. The state is unchanged. */
  'protocol-error': { error: ProtocolError; noteId: string | undefined };
  /** A message has an operation that this client does not know. */
  'unknown-operation': { op: string; data: unknown; noteId: string | undefined };
  /** A note was opened and is being loaded. */
  'note-opened': { noteId: string };
  /** The last user of an open note closed it, and its state is discarded. */
  'note-closed': { noteId: string };
  /**
   * The note does not exist, or the user may not read it. `error` says which, in the server's words
   * if it sent any.
   */
  'note-missing': { noteId: string; error: string };
  /**
   * A revision of a note was loaded. `noteId` is the key under which it is open, `note` its
   * content.
   */
  'revision-read': { noteId: string; note: Note };
  /** The list of notes was reloaded. Paths are normalized across server generations. */
  'notes-listed': { notes: readonly NoteEntry[] };
  /**
   * A package was enabled, disabled or configured by this client. Views of packages should reload
   * them.
   */
  'packages-changed': Record<never, never>;
  /** The interpreter settings were reloaded. */
  'interpreters-listed': { settings: readonly InterpreterSetting[] };
  /** The user edited a paragraph. `author` is the random id under which the text will be saved. */
  edited: {
    noteId: string;
    paragraphId: string;
    text: string;
    author: string;
    /** What was typed into the visible text, if known. */
    change?: TextChange | undefined;
  };
  /**
   * Unsaved text of an earlier session was found in the journal, together with the text it is based
   * on and the commit that was in flight (`sent`).
   */
  'draft-restored': {
    noteId: string;
    paragraphId: string;
    text: string;
    baseText: string;
    baseRev: number | undefined;
    author: string | undefined;
    /** What was typed, if known; see `ParagraphState.change`. */
    change?: TextChange | undefined;
    sent?: SentText | undefined;
  };
  /** The user discarded a draft. */
  'draft-discarded': { noteId: string; paragraphId: string };
  /** The user kept their own text in a conflict. The next commit is based on the server's text. */
  'draft-kept': { noteId: string; paragraphId: string };
  /**
   * A draft is being sent to the server, numbered if it has an author. It remains a draft until it
   * is acknowledged.
   */
  'commit-sent': { noteId: string; paragraphId: string; text: string; seq?: number | undefined };
  /**
   * The commit with this number was answered: it is part of the known server text. `change`: what
   * others have changed, as a change of the committed text.
   */
  'commit-answered': {
    noteId: string;
    paragraphId: string;
    seq: number | undefined;
    change?: TextChange | undefined;
  };
  /** The server's text changed by a patch of any user, including this client. */
  patched: {
    noteId: string;
    paragraphId: string;
    text: string;
    rev: number | undefined;
    author: string | undefined;
    /** Change from the server's previous text, if known. */
    change?: TextChange | undefined;
  };
  /** The server refused a commit for the reason in `error`. The text remains a draft. */
  'commit-refused': { noteId: string; paragraphId: string; error: string };
  /** The draft and the server's text can't be merged. The state keeps both. */
  conflict: { noteId: string; paragraphId: string; conflict: Conflict };
  /**
   * A run of a paragraph was requested. It is shown as pending until the server reports its status.
   */
  'run-requested': { noteId: string; paragraphId: string };
  /**
   * A spell running in this client changed a paragraph. Needed because the server notifies only the
   * other clients.
   */
  'spell-told': { noteId: string; paragraphId: string; change: Partial<Paragraph> };
  /** The run did not start. `before` is the paragraph to restore. */
  'run-refused': { noteId: string; paragraphId: string; before: Paragraph };
  /**
   * This client changed the presentation of a paragraph. `config` is the complete configuration.
   */
  configured: { noteId: string; paragraphId: string; config: ParagraphConfig };
  /**
   * The server sent editor settings for a magic, or for a text without one. They are stored with
   * the next save of a text with this magic.
   */
  'editor-setting': {
    noteId: string;
    paragraphId: string;
    magic: string | undefined;
    setting: EditorSetting;
  };
  /**
   * This client set a shared value of an interpreter. Needed because the server notifies only the
   * other clients.
   */
  'shared-value-set': {
    noteId: string;
    name: string;
    value: unknown;
    paragraphId: string | undefined;
    interpreterGroupId: string;
  };
  /** This client set values of a paragraph's forms. `params` contains all values. */
  'params-changed': {
    noteId: string;
    paragraphId: string;
    params: Readonly<Record<string, unknown>>;
  };
}

/** One of the client's own events, with its name in `type`. */
export type LocalEvent = {
  [Name in keyof LocalEvents]: { type: Name } & LocalEvents[Name];
}[keyof LocalEvents];
/** Any received operation, with its name in `type`. */
export type AnyReceivedEvent = { [Op in ReceivedOp]: ReceivedEvent<Op> }[ReceivedOp];
/** Any event of a client. */
export type ClientEvent = AnyReceivedEvent | LocalEvent;

/** Event objects by event name, as listeners get them. `event` stands for every event. */
export type EventPayloads = { [Op in ReceivedOp]: ReceivedEvent<Op> } & {
  [Name in keyof LocalEvents]: { type: Name } & LocalEvents[Name];
} & { event: ClientEvent };

/** Listener types by event name, as `client.on(name, listener)` takes them. */
export type ClientEvents = { [Name in keyof EventPayloads]: (event: EventPayloads[Name]) => void };

/** Converts a message of a channel to an event. */
export function receivedEvent(
  message: ReceivedMessage,
  noteId: string | undefined,
): AnyReceivedEvent {
  return { type: message.op, data: message.data, noteId, msgId: message.msgId } as AnyReceivedEvent;
}
