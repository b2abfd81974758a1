/** The state of a client: one immutable tree. Views read it through selectors. */
import type { TextChange } from '../model/text/text-change.ts';
import type {
  AccessToken,
  EditorSetting,
  Form,
  InterpreterBinding,
  InterpreterSetting,
  JobEntry,
  JsonObject,
  NoteConfig,
  Paragraph,
  Presence,
  Ticket,
  TokenFailure,
} from '../protocol/index.ts';
import type { Output } from './outputs.ts';

/** A note in the list of notes. */
export interface NoteEntry {
  /** Id of the note. */
  readonly id: string;
  /** Folders and name joined by `/`, without a leading slash, for servers of both generations. */
  readonly path: string;
}

/**
 * A conflict between the draft and the server's text. Both texts are kept until the user decides.
 */
export interface Conflict {
  /** The server's text. */
  readonly theirs: string;
  /** The text that both sides started from, if known. */
  readonly base: string | undefined;
}

/** A text that was sent to the server but not yet acknowledged. */
export interface SentText {
  /** The complete text. */
  readonly text: string;
  /**
   * Sequence number among the commits of the draft's author; `undefined` if the draft has no
   * author.
   */
  readonly seq: number | undefined;
  /** Change from the draft's base to this text, if known. */
  readonly change?: TextChange | undefined;
}

/** A paragraph in this client: the server's fields, and separately the user's unsaved text. */
export interface ParagraphState {
  /** Unique within its note. */
  readonly id: string;
  /** The paragraph as the server has it; `text` is the server's text. */
  readonly server: Paragraph;
  /**
   * Unsaved text, or `undefined` if everything is saved. Incoming paragraphs never overwrite it.
   */
  readonly draft: string | undefined;
  /** The server's text and revision that the draft is based on. */
  readonly base: { readonly text: string; readonly rev: number | undefined } | undefined;
  /**
   * What was typed: the change to the draft from the text in flight, or else from `base`. Absent if
   * it is not known; then the texts are compared. Unused if the server does not number its texts.
   */
  readonly change?: TextChange | undefined;
  /**
   * Id under which the draft is committed. Incoming text with the same author is this client's own
   * earlier edit.
   */
  readonly author: string | undefined;
  /**
   * Texts that were sent but not yet acknowledged, oldest first. If the server numbers its texts,
   * there is at most one, based on `base`: until it is acknowledged, nobody can tell how much of it
   * the server's text contains, so changes by others are merged only then.
   */
  readonly inFlight: readonly SentText[];
  /**
   * Set while the draft and the server's text can't be merged. If the server numbers its texts,
   * only a draft whose base is unknown can't be.
   */
  readonly conflict: Conflict | undefined;
  /**
   * Why the server refused the last commit, in the server's words. The text is still in `draft`.
   */
  readonly commitError: string | undefined;
  /**
   * The paragraph was removed on the server while it had a draft here. It stays in the state until
   * the draft is discarded.
   */
  readonly removed: boolean;
  /** Editor settings that the server sent for a magic, or for a text without one. */
  readonly editor?:
    | { readonly magic: string | undefined; readonly setting: EditorSetting }
    | undefined;
  /** Outputs of the run that `outputPhase` describes. */
  readonly outputs: readonly Output[];
  /**
   * `old`: outputs of the previous run; `streaming`: of the current run; `final`: complete, late
   * appends are ignored.
   */
  readonly outputPhase: 'old' | 'streaming' | 'final';
  /** Progress in percent while the status is RUNNING. */
  readonly progress: number;
}

/**
 * State of a channel. `waiting`: the connection broke and the next attempt is scheduled. `closed`
 * is final.
 */
export type ChannelState = 'idle' | 'connecting' | 'open' | 'waiting' | 'closed';

/**
 * A value shared between a note's pages and interpreters. Without `paragraphId`, it belongs to the
 * whole note.
 */
export interface SharedValue {
  /** Unique within its paragraph, or among the values of the note. */
  readonly name: string;
  /** Any JSON value. */
  readonly value: unknown;
  /** Id of the paragraph that it belongs to; `undefined` for the whole note. */
  readonly paragraphId: string | undefined;
  /**
   * Opaque id that is sent back to the server with a change. `undefined` if this page set the value
   * and the server has not confirmed it yet.
   */
  readonly interpreterGroupId: string | undefined;
}

/** An open note. */
export interface NoteState {
  /** Id of the note. */
  readonly id: string;
  /** Connection state of the note's own channel. */
  readonly connection: ChannelState;
  /** `missing`: the note does not exist or the user may not read it; see `error`. */
  readonly phase: 'loading' | 'ready' | 'missing';
  /** Why the note is `missing`; otherwise `undefined`. */
  readonly error: string | undefined;
  /** Folders and name, without a leading slash; `''` until the note is loaded. */
  readonly path: string;
  /** Settings as the server stores them: schedule, layout, personalized mode. */
  readonly config: NoteConfig;
  /** Further data the server keeps about the note, for example why a schedule is invalid. */
  readonly info: JsonObject;
  /** Values of the note's own forms, by name. */
  readonly params: JsonObject;
  /** The note's own forms, by name. */
  readonly forms: Readonly<Record<string, Form>>;
  /** Ids of the paragraphs from top to bottom. */
  readonly order: readonly string[];
  /** Paragraphs by id. */
  readonly paragraphs: Readonly<Record<string, ParagraphState>>;
  /**
   * Whether the whole note is running paragraph by paragraph. On servers that report it, edits are
   * held back until the run ends.
   */
  readonly sequential: boolean;
  /** Whether the note is open more than once. If so, edits are sent immediately, as patches. */
  readonly collaborative: boolean;
  /** Names of the users who have the note open while it is collaborative; otherwise empty. */
  readonly collaborators: readonly string[];
  /**
   * Other viewers of the note and their cursors, by connection. Empty on servers that don't report
   * presence; `collaborators` has the names there.
   */
  readonly presence: Readonly<Record<string, Presence>>;
  /** Interpreter bindings of the note; `undefined` until requested. */
  readonly bindings: readonly InterpreterBinding[] | undefined;
  /**
   * Number of open threads of comments. Absent if the note never had comments, and on servers
   * without comments.
   */
  readonly openThreads?: number;
  /** Values shared between the note's interpreters and pages, by paragraph and name. */
  readonly shared: Readonly<Record<string, SharedValue>>;
}

/** State of the user's session. */
export interface SessionState {
  /** `unknown` until the ticket was requested. */
  readonly phase: 'unknown' | 'signed-in' | 'signed-out';
  /** Name, secret and roles of the user while signed in. */
  readonly ticket: Ticket | undefined;
  /** Message that the server sent when it ended the session. */
  readonly info: string | undefined;
  /**
   * Why the client's token can't be used any more. While it is set, nothing is sent; pending calls
   * have been rejected with `signed-out`. `session.renew()` tries again. `undefined` if the session
   * did not end because of a token, or a new token is being requested.
   */
  readonly reason: SignOutReason | undefined;
  /** Whether the client is requesting another ticket after the server ended the session. */
  readonly renewing: boolean;
}

/**
 * Why a token can't be used: the server's reason, or `source` if the function that returns tokens
 * failed.
 */
export type SignOutReason = TokenFailure | 'source';

/** What is known about the server. */
export interface ServerState {
  /** Protocol version of the server, for example `0.10.0`. */
  readonly version: string;
  /** Protocol generation: `A` for 0.8, `B` for 0.9 and later. */
  readonly generation: 'A' | 'B';
  /** Version of the Tiding server; `undefined` for other servers. */
  readonly tiding: string | undefined;
  /**
   * Whether replies carry the id of the message they answer, so that several requests may be in
   * flight at once.
   */
  readonly namesReplies: boolean;
  /** Whether the server reports who has a note open and where their cursors are. */
  readonly presence?: boolean | undefined;
  /** Whether the server restores removed paragraphs completely, including their outputs. */
  readonly restoresParagraphs?: boolean | undefined;
  /** Whether the server has a model that answers questions; see `client.assistant`. */
  readonly assistant?: boolean | undefined;
  /** REST calls, as `METHOD /path`, that a Tiding gateway in front of the server adds. */
  readonly gatewayCalls?: readonly string[] | undefined;
}

/** The complete state of a client. */
export interface ClientState {
  /** Connection state of the client's channels that belong to no note. */
  readonly connection: ChannelState;
  /** `undefined` until `connect` or the first call. */
  readonly server: ServerState | undefined;
  /** The user's session. */
  readonly session: SessionState;
  /** All notes, including those in the trash; `undefined` until the list was loaded. */
  readonly notes: readonly NoteEntry[] | undefined;
  /** Open notes by id. */
  readonly open: Readonly<Record<string, NoteState>>;
  /** Server configuration by key, as sent in CONFIGURATIONS_INFO; `undefined` until it was sent. */
  readonly configurations: JsonObject | undefined;
  /**
   * The server's public configuration: product name, ways to sign in, features; `undefined` until
   * requested.
   */
  readonly config: JsonObject | undefined;
  /** Interpreter settings; `undefined` until requested. */
  readonly interpreters: readonly InterpreterSetting[] | undefined;
  /** The user's access tokens; `undefined` until requested. */
  readonly tokens: readonly AccessToken[] | undefined;
  /** The job list while it is watched; otherwise `undefined`. */
  readonly jobs: readonly JobEntry[] | undefined;
}

/** State of a new client. */
export const initialState: ClientState = {
  connection: 'idle',
  server: undefined,
  session: {
    phase: 'unknown',
    ticket: undefined,
    info: undefined,
    reason: undefined,
    renewing: false,
  },
  notes: undefined,
  open: {},
  configurations: undefined,
  config: undefined,
  interpreters: undefined,
  tokens: undefined,
  jobs: undefined,
};

/** Returns a paragraph of a note by an id of unknown origin. Ids such as `constructor` are safe. */
export function paragraphOf(note: NoteState | undefined, id: string): ParagraphState | undefined {
  return note && Object.hasOwn(note.paragraphs, id) ? note.paragraphs[id] : undefined;
}

/**
 * Returns the text that the user sees and runs: the draft if there is one, otherwise the server's
 * text.
 */
export function paragraphText(paragraph: ParagraphState): string {
  return paragraph.draft ?? paragraph.server.text ?? '';
}
