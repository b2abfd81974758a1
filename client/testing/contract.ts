/** What a test hands to the memory server: its notes, people and interpreters. */
import type { Completion, EditorSetting, NoteConfig, Paragraph } from '../protocol/index.ts';

/** Where a run's output goes. After its end, and after a cancel, nothing more is taken. */
export interface MemoryOutput {
  /** Text as an interpreter prints it: a line that starts with `%html ` or `%table ` begins an output of that type. */
  text(text: string): void;
  /** An output of type HTML, whole. */
  html(html: string): void;
  /** One table; tabs and line breaks inside a cell become blanks. */
  table(columns: readonly string[], rows: readonly (readonly unknown[])[]): void;
  /** Percent, 0–100. */
  progress(percent: number): void;
  /** Aborts when the run is cancelled. The run ends as ABORT whether or not anybody listens. */
  readonly signal: AbortSignal;
}

/** Runs a script (without its magic, forms filled in). What it throws ends the run as ERROR with that message. */
export type MemoryRun = (script: string, out: MemoryOutput) => void | Promise<void>;

/** An interpreter with more than a run. */
export interface MemoryInterpreter {
  /** Runs a script. */
  run: MemoryRun;
  /** Completions at `cursor` of `script`. */
  complete?(script: string, cursor: number): readonly Completion[] | Promise<readonly Completion[]>;
  /** What EDITOR_SETTING answers. */
  editor?: EditorSetting;
}

/** A paragraph to begin with; a bare text is one with that text. Without `id` it is numbered. One that is RUNNING runs until the test pushes its end. */
export type MemoryParagraph = Partial<
  Pick<Paragraph, 'id' | 'title' | 'text' | 'config' | 'settings' | 'results' | 'status' | 'user'>
>;

/** A note to begin with. `path` without a leading slash; without `owner` it is everybody's. */
export interface MemoryNote {
  /** Default: numbered. */
  id?: string;
  /** Folders and name, joined by `/`. */
  path: string;
  /** From top to bottom; default one that is empty. */
  paragraphs?: readonly (string | MemoryParagraph)[];
  /** Settings of the note beside look `default`. */
  config?: NoteConfig;
  /** Name of the user who alone owns it; default: everybody does. */
  owner?: string;
}

/** Somebody who may sign in; `token` also by `auth: { token }`. A bare text is a password. */
export interface MemoryUser {
  /** Taken as it stands. */
  password: string;
  /** Default none. */
  roles?: readonly string[];
  /** An access token of this user. */
  token?: string;
}

/** A frame as the server got it. */
export interface MemoryFrame {
  /** Name of the operation. */
  readonly op: string;
  /** As the client sent it. */
  readonly data: Readonly<Record<string, unknown>>;
  /** Who sent it. */
  readonly principal: string;
  /** Name it as `msgId` in `push` to answer this very frame. */
  readonly msgId: string | undefined;
  /** The note its connection had open. */
  readonly noteId: string | undefined;
}

/** What a memory server starts with. */
export interface MemoryServerOptions {
  /** Default `http://memory.test`. Nothing is asked of any network. */
  server?: string;
  /** Default none. */
  notes?: readonly MemoryNote[];
  /** By magic without `%`; the first is the default of every note. Default: `%text`, which prints its script. */
  interpreters?: Readonly<Record<string, MemoryRun | MemoryInterpreter>>;
  /** By name. Without any, everybody is `anonymous` and signed in. */
  users?: Readonly<Record<string, string | MemoryUser>>;
  /** Sees each frame before the server does; `true`: the test answers it, by `push`, and the server does nothing. */
  intercept?: (frame: MemoryFrame) => boolean | void;
}
