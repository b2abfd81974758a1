import { Facet } from '@codemirror/state';
import type { TextChange } from '@tiding/client/changes';
import type { CodeDiagnostic } from '@tiding/client/protocol';

export interface CompletionEntry {
  /** Text shown in the list. */
  readonly name: string;
  /** Text to insert. */
  readonly value: string;
  /** Kind or origin, shown next to the name. */
  readonly meta?: string;
}

/**
 * Callbacks from an editor to its owner. They are read when the event occurs, so owners may pass
 * new functions on each render.
 */
export interface EditorCallbacks {
  /** `from` is the text before the change; the owner's text may be newer. */
  onChange(text: string, from?: string, change?: TextChange): void;
  onBlur?(): void;
  onFocus?(): void;
  /** Shift+Enter was pressed. */
  onRun?(): void;
  /** The user leaves the code for command mode (Escape with the keys of Jupyter). */
  onLeave?(): void;
  /** Receives every key first. Return true if the key was handled; it then goes no further. */
  onKey?(event: KeyboardEvent): boolean;
  complete?(text: string, offset: number): Promise<readonly CompletionEntry[]>;
  /** Returns the magics of the interpreters, without `%`: `sql`, `python.ipython`. */
  magics?(): Promise<readonly string[]>;
  /** Returns the documentation at an offset of a text. `hover`: asked by the resting pointer. */
  inspect?(text: string, offset: number, hover: boolean): Promise<string | undefined>;
  /** Returns the mistakes in a text; undefined if it could not be checked. */
  check?(text: string): Promise<readonly CodeDiagnostic[] | undefined>;
  /** `TAB` if Tab requests completion outside leading whitespace (setting of the language). */
  completionKey?: string | undefined;
  /**
   * The interpreter provides completion. If it returns entries, the language's own words are not
   * added.
   */
  completionSupport?: boolean | undefined;
  /** The cursor is about to leave past the first or last line. */
  onEdge?(edge: 'up' | 'down'): void;
}

/** Facet that gives shared extensions access to the hooks of their editor. */
export const editorCallbacks = Facet.define<() => EditorCallbacks, () => EditorCallbacks>({
  combine: (values) => values[0] ?? (() => ({ onChange: () => {} })),
});
