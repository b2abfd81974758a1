/** The state of a client: one tree, no state outside it. Views read it through selectors and never write it. */
import type { ChannelState } from './channel/channel.ts';
import type { SharedValue } from './note/scripting.ts';
import type { Output } from './paragraph/outputs.ts';
import type {
  AccessToken,
  Bag,
  Form,
  InterpreterBinding,
  InterpreterSetting,
  JobEntry,
  NoteConfig,
  Paragraph,
  Presence,
  Ticket,
} from './protocol/index.ts';

/** A note in the list. `path` is the whole name without a leading slash, whichever generation the server speaks. */
export interface NoteEntry {
  /** Id of the note. */
  readonly id: string;
  /** Folders and name, joined by `/`. */
  readonly path: string;
}

/** A conflict between what was typed here and what the server holds. Nothing is lost: both texts are kept. */
export interface Conflict {
  /** What the server holds. */
  readonly theirs: string;
  /** What both started from, where it is known. */
  readonly base: string | undefined;
}

/** A text that was sent and is not answered yet. */
export interface SentText {
  /** The whole text. */
  readonly text: string;
  /** Its number among those of the draft's author; absent where that has none. */
  readonly seq: number | undefined;
}

/** A paragraph as this client sees it: the server's fields, and apart from them what is typed and not acknowledged. */
export interface ParagraphState {
  /** Unique within its note. */
  readonly id: string;
  /** The server's fields; `text` is what the server holds. */
  readonly server: Paragraph;
  /** Unsaved text; absent = nothing unsaved. Never touched by an incoming paragraph. */
  readonly draft: string | undefined;
  /** What the draft was made from. */
  readonly base: { readonly text: string; readonly rev: number | undefined } | undefined;
  /** Id under which the draft is committed: what the server has from the same author is our own earlier typing. */
  readonly author: string | undefined;
  /**
   * Texts sent and not answered, oldest first. Where the server numbers its texts that is one at most, made from `base`: until
   * it is answered nobody can tell what the server's text has of it, and what others write is merged with the answer.
   */
  readonly inFlight: readonly SentText[];
  /** Set while what is typed here and what the server holds do not merge. */
  readonly conflict: Conflict | undefined;
  /** Why the last commit was refused, in the server's words; the draft stays. */
  readonly commitError: string | undefined;
  /** Somebody removed the paragraph at the server while text of it was unsaved here: it stays until that is dropped. */
  readonly removed: boolean;
  /** Of the run that `outputPhase` tells. */
  readonly outputs: readonly Output[];
  /** `old`: of the run before; `streaming`: of the run that goes on; `final`: complete, late appends are dropped. */
  readonly outputPhase: 'old' | 'streaming' | 'final';
  /** Percent, while RUNNING. */
  readonly progress: number;
}

/** An open note. */
export interface NoteState {
  /** Id of the note. */
  readonly id: string;
  /** Of the note's own channel. */
  readonly connection: ChannelState;
  /** `missing`: the server has no such note, or not for this user (`error` says which). */
  readonly phase: 'loading' | 'ready' | 'missing';
  /** Why it is `missing`; else `undefined`. */
  readonly error: string | undefined;
  /** Without a leading slash; `''` until it is loaded. */
  readonly path: string;
  /** Settings as the server holds them: schedule, look, personalized mode. */
  readonly config: NoteConfig;
  /** What the server keeps beside the settings, for example why a schedule is not valid. */
  readonly info: Bag;
  /** Values of the note's own forms, by name. */
  readonly params: Bag;
  /** The note's own forms, by name. */
  readonly forms: Readonly<Record<string, Form>>;
  /** Ids of the paragraphs from top to bottom. */
  readonly order: readonly string[];
  /** By id. */
  readonly paragraphs: Readonly<Record<string, ParagraphState>>;
  /** The whole note runs paragraph by paragraph; edits are held back until it ends where the server says so. */
  readonly sequential: boolean;
  /** More than one has the note open: what is typed is sent as patches at once. */
  readonly collaborative: boolean;
  /** Names of those who have the note open, while it is collaborative; else empty. */
  readonly collaborators: readonly string[];
  /** The others on the note and their cursors, by connection; empty where the server does not tell (`collaborators` has names then). */
  readonly presence: Readonly<Record<string, Presence>>;
  /** Interpreter settings of the note; `undefined` until asked for. */
  readonly bindings: readonly InterpreterBinding[] | undefined;
  /** Values that the note's interpreters and pages share, by paragraph and name. */
  readonly shared: Readonly<Record<string, SharedValue>>;
}

/** Who is signed in. */
export interface SessionState {
  /** `unknown` until the ticket was asked for. */
  readonly phase: 'unknown' | 'signed-in' | 'signed-out';
  /** Name, secret and roles, while signed in. */
  readonly ticket: Ticket | undefined;
  /** What the server said when it ended the session. */
  readonly info: string | undefined;
}

/** What is known of the server. */
export interface ServerState {
  /** Version of the protocol's server, for example `0.10.0`. */
  readonly version: string;
  /** `A`: 0.8; `B`: 0.9 and later. */
  readonly generation: 'A' | 'B';
  /** Version of a Tiding server; absent on others. */
  readonly tiding: string | undefined;
  /** Its replies carry the id of the message they answer: several requests may be on the wire at once. */
  readonly namesReplies: boolean;
  /** It tells who is on a note, and where. */
  readonly presence?: boolean | undefined;
  /** It puts removed paragraphs back whole, with what they printed. */
  readonly restores?: boolean | undefined;
  /** Calls that a Tiding in front of it adds, as `METHOD /path`. */
  readonly also?: readonly string[] | undefined;
}

/** The whole. */
export interface ClientState {
  /** Of the channel of the lists. */
  readonly connection: ChannelState;
  /** Absent until `connect` or the first call. */
  readonly server: ServerState | undefined;
  /** Who is signed in. */
  readonly session: SessionState;
  /** Absent until the first list came. Trashed notes are in it. */
  readonly notes: readonly NoteEntry[] | undefined;
  /** Notes that are open here, by id. */
  readonly open: Readonly<Record<string, NoteState>>;
  /** What the server tells of its configuration (CONFIGURATIONS_INFO), by key. */
  readonly configurations: Bag | undefined;
  /** What the server tells its pages: name of the product, ways to sign in, features; absent until asked for. */
  readonly config: Bag | undefined;
  /** Interpreter settings; absent until listed. */
  readonly interpreters: readonly InterpreterSetting[] | undefined;
  /** Access tokens of the user; absent until listed. */
  readonly tokens: readonly AccessToken[] | undefined;
  /** The job list, while it is watched. */
  readonly jobs: readonly JobEntry[] | undefined;
}

/** Nothing known yet. */
export const initialState: ClientState = {
  connection: 'idle',
  server: undefined,
  session: { phase: 'unknown', ticket: undefined, info: undefined },
  notes: undefined,
  open: {},
  configurations: undefined,
  config: undefined,
  interpreters: undefined,
  tokens: undefined,
  jobs: undefined,
};

/** A paragraph of a note by an id that came from outside, where `constructor` and its like are ids as any other. */
export function paragraphOf(note: NoteState | undefined, id: string): ParagraphState | undefined {
  return note && Object.hasOwn(note.paragraphs, id) ? note.paragraphs[id] : undefined;
}

/** The text a user sees and runs: the draft, else the server's. */
export function paragraphText(paragraph: ParagraphState): string {
  return paragraph.draft ?? paragraph.server.text ?? '';
}
