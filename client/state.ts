/** The state of a client: one tree, no state outside it. Views read it through selectors and never write it. */
import type { ChannelState } from './channel/channel.ts';
import type { SharedValue } from './note/scripting.ts';
import type { Output } from './paragraph/outputs.ts';
import type { AccessToken, Bag, Form, InterpreterBinding, InterpreterSetting, JobEntry, NoteConfig, Paragraph, Ticket } from './protocol/index.ts';

/** A note in the list. `path` is the whole name without a leading slash, whichever generation the server speaks. */
export interface NoteEntry {
  readonly id: string;
  readonly path: string;
}

/** A conflict between what was typed here and what the server holds. Nothing is lost: both texts are kept. */
export interface Conflict {
  /** What the server holds. */
  readonly theirs: string;
  /** What both started from, where it is known. */
  readonly base: string | undefined;
}

/** A paragraph as this client sees it: the server's fields, and apart from them what is typed and not acknowledged. */
export interface ParagraphState {
  readonly id: string;
  /** The server's fields; `text` is what the server holds. */
  readonly server: Paragraph;
  /** Unsaved text; absent = nothing unsaved. Never touched by an incoming paragraph. */
  readonly draft: string | undefined;
  /** What the draft was made from. */
  readonly base: { readonly text: string; readonly rev: number | undefined } | undefined;
  /** Id under which the draft is committed: what the server has from the same author is our own earlier typing. */
  readonly author: string | undefined;
  /** Texts sent and not acknowledged, oldest first: an answer with one of them is our own echo. */
  readonly inFlight: readonly string[];
  readonly conflict: Conflict | undefined;
  /** Why the last commit was refused, in the server's words; the draft stays. */
  readonly commitError: string | undefined;
  /** Somebody removed the paragraph at the server while text of it was unsaved here: it stays until that is dropped. */
  readonly removed: boolean;
  readonly outputs: readonly Output[];
  /** `old`: of the run before; `streaming`: of the run that goes on; `final`: complete, late appends are dropped. */
  readonly outputPhase: 'old' | 'streaming' | 'final';
  /** Percent, while RUNNING. */
  readonly progress: number;
}

/** An open note. */
export interface NoteState {
  readonly id: string;
  readonly connection: ChannelState;
  /** `missing`: the server has no such note, or not for this user (`error` says which). */
  readonly phase: 'loading' | 'ready' | 'missing';
  readonly error: string | undefined;
  readonly path: string;
  readonly config: NoteConfig;
  readonly info: Bag;
  readonly params: Bag;
  readonly forms: Readonly<Record<string, Form>>;
  readonly order: readonly string[];
  readonly paragraphs: Readonly<Record<string, ParagraphState>>;
  /** The whole note runs paragraph by paragraph; edits are held back until it ends where the server says so. */
  readonly sequential: boolean;
  /** More than one has the note open: what is typed is sent as patches at once. */
  readonly collaborative: boolean;
  readonly collaborators: readonly string[];
  readonly bindings: readonly InterpreterBinding[] | undefined;
  /** Values that the note's interpreters and pages share, by paragraph and name. */
  readonly shared: Readonly<Record<string, SharedValue>>;
}

/** Who is signed in. */
export interface SessionState {
  /** `unknown` until the ticket was asked for. */
  readonly phase: 'unknown' | 'signed-in' | 'signed-out';
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
  /** Calls that a Tiding in front of it adds, as `METHOD /path`. */
  readonly also?: readonly string[] | undefined;
}

/** The whole. */
export interface ClientState {
  readonly connection: ChannelState;
  readonly server: ServerState | undefined;
  readonly session: SessionState;
  /** Absent until the first list came. Trashed notes are in it. */
  readonly notes: readonly NoteEntry[] | undefined;
  readonly open: Readonly<Record<string, NoteState>>;
  readonly configurations: Bag | undefined;
  readonly interpreters: readonly InterpreterSetting[] | undefined;
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
  interpreters: undefined,
  tokens: undefined,
  jobs: undefined,
};

/** The text a user sees and runs: the draft, else the server's. */
export function paragraphText(paragraph: ParagraphState): string {
  return paragraph.draft ?? paragraph.server.text ?? '';
}
