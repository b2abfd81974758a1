/** Options of the memory server: notes, users and interpreters. */
import type { Completion, EditorSetting, NoteConfig, Paragraph } from '../protocol/index.ts';

/** Output of a run. Ignored after the run has ended or was cancelled. */
export interface MemoryOutput {
  /**
   * Prints text like an interpreter. A line that starts with `%html ` or `%table ` begins an output
   * of that type.
   */
  text(text: string): void;
  /** Adds a complete HTML output. */
  html(html: string): void;
  /** Adds a table. Tabs and line breaks inside a cell become spaces. */
  table(columns: readonly string[], rows: readonly (readonly unknown[])[]): void;
  /** Sets the progress in percent, 0–100. */
  progress(percent: number): void;
  /** Aborts when the run is cancelled. The run ends as ABORT even if the signal is ignored. */
  readonly signal: AbortSignal;
}

/**
 * Runs a script, without its magic and with form values filled in. An error that it throws ends the
 * run as ERROR with its message.
 */
export type MemoryRun = (script: string, out: MemoryOutput) => void | Promise<void>;

/** An interpreter with optional completion, documentation and editor settings. */
export interface MemoryInterpreter {
  /** Runs a script. */
  run: MemoryRun;
  /** Returns completions at offset `cursor` of `script`. */
  complete?(script: string, cursor: number): readonly Completion[] | Promise<readonly Completion[]>;
  /** Returns the documentation of the name at offset `cursor` of `script`. */
  inspect?(script: string, cursor: number): string | undefined | Promise<string | undefined>;
  /** The reply to EDITOR_SETTING. */
  editor?: EditorSetting;
}

/**
 * An initial paragraph; a string is a paragraph with that text. Without `id` it is numbered. A
 * RUNNING paragraph runs until the test pushes its end.
 */
export type MemoryParagraph = Partial<
  Pick<Paragraph, 'id' | 'title' | 'text' | 'config' | 'settings' | 'results' | 'status' | 'user'>
>;

/**
 * An initial note. `path` has no leading slash; without `owner` everybody may do everything with
 * it.
 */
export interface MemoryNote {
  /** Note id. Default: numbered. */
  id?: string;
  /** Folders and name, joined by `/`. */
  path: string;
  /** Paragraphs from top to bottom. Default: one empty paragraph. */
  paragraphs?: readonly (string | MemoryParagraph)[];
  /** Note settings in addition to the look `default`. */
  config?: NoteConfig;
  /** User name of the only owner. Default: everybody. */
  owner?: string;
}

/** A user who may sign in, with `token` also by `auth: { token }`. A string is a password. */
export interface MemoryUser {
  /** The password, compared exactly. */
  password: string;
  /** Roles of the user. Default: none. */
  roles?: readonly string[];
  /** An access token of this user. */
  token?: string;
}

/** A frame as the server received it. */
export interface MemoryFrame {
  /** Name of the operation. */
  readonly op: string;
  /** The payload as the client sent it. */
  readonly data: Readonly<Record<string, unknown>>;
  /** User name of the sender. */
  readonly principal: string;
  /** Pass it as `msgId` to `push` to reply to this frame. */
  readonly msgId: string | undefined;
  /** Id of the note that its connection had open. */
  readonly noteId: string | undefined;
}

/**
 * Initial state of a memory server.
 *
 * @example
 * const server = memoryServer({ notes: [{ path: 'Hello', paragraphs: ['%text hi'] }] });
 */
export interface MemoryServerOptions {
  /** Base URL. Default: `http://memory.test`. No network requests are made. */
  server?: string;
  /** Initial notes. Default: none. */
  notes?: readonly MemoryNote[];
  /**
   * Interpreters by magic, without `%`; the first is the default of every note. Default: `%text`,
   * which prints its script.
   */
  interpreters?: Readonly<Record<string, MemoryRun | MemoryInterpreter>>;
  /** Users by name. Without any, everybody is signed in as `anonymous`. */
  users?: Readonly<Record<string, string | MemoryUser>>;
  /**
   * Called with each frame before the server handles it. Return `true` to skip the server's
   * handling and reply from the test with `push`.
   */
  intercept?: (frame: MemoryFrame) => boolean | void;
}
