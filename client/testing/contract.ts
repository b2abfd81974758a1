/** What a test hands to the memory server: its notes, people and interpreters. */
import type { Completion, EditorSetting, NoteConfig, Paragraph } from '../protocol/index.ts';

/** Where a run's output goes. After its end, and after a cancel, nothing more is taken. */
export interface MemoryOutput {
  /** Text as an interpreter prints it: a line that starts with `%html ` or `%table ` begins an output of that type. */
  text(text: string): void;
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
  run: MemoryRun;
  /** Completions at `cursor` of `script`. */
  complete?(script: string, cursor: number): readonly Completion[] | Promise<readonly Completion[]>;
  editor?: EditorSetting;
}

/** A paragraph to begin with; a bare text is one with that text. Without `id` it is numbered. One that is RUNNING runs until the test pushes its end. */
export type MemoryParagraph = Partial<Pick<Paragraph, 'id' | 'title' | 'text' | 'config' | 'settings' | 'results' | 'status' | 'user'>>;

/** A note to begin with. `path` without a leading slash; without `owner` it is everybody's. */
export interface MemoryNote {
  id?: string;
  path: string;
  paragraphs?: readonly (string | MemoryParagraph)[];
  config?: NoteConfig;
  owner?: string;
}

/** Somebody who may sign in; `token` also by `auth: { token }`. A bare text is a password. */
export interface MemoryUser {
  password: string;
  roles?: readonly string[];
  token?: string;
}

/** A frame as the server got it. */
export interface MemoryFrame {
  readonly op: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly principal: string;
  readonly msgId: string | undefined;
  /** The note its connection had open. */
  readonly noteId: string | undefined;
}

/** What a memory server starts with. */
export interface MemoryServerOptions {
  /** Default `http://memory.test`. Nothing is asked of any network. */
  server?: string;
  notes?: readonly MemoryNote[];
  /** By magic without `%`; the first is the default of every note. Default: `%text`, which prints its script. */
  interpreters?: Readonly<Record<string, MemoryRun | MemoryInterpreter>>;
  /** By name. Without any, everybody is `anonymous` and signed in. */
  users?: Readonly<Record<string, string | MemoryUser>>;
  /** Sees each frame before the server does; `true`: the test answers it, by `push`, and the server does nothing. */
  intercept?: (frame: MemoryFrame) => boolean | void;
}
