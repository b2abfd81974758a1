import { Facet } from '@codemirror/state';

/** One entry of a completion list as the server gives it. */
export interface CompletionEntry {
  /** What the list shows. */
  readonly name: string;
  /** What is inserted. */
  readonly value: string;
  /** Kind or origin, shown beside the name. */
  readonly meta?: string;
}

/** What an editor tells its owner. Read at the moment of the event, so that owners may pass new functions each render. */
export interface EditorHooks {
  /** `from`: the text that was changed; the owner may have another by then. */
  onChange(text: string, from?: string): void;
  onBlur?(): void;
  onFocus?(): void;
  /** Shift+Enter. */
  onRun?(): void;
  /** First look at every key; true = handled, and the key goes no further. */
  onKey?(event: KeyboardEvent): boolean;
  /** Entries for a text and an offset into it. */
  complete?(text: string, offset: number): Promise<readonly CompletionEntry[]>;
  /** `TAB` where Tab asks for completion behind leading blanks (setting of the language). */
  completionKey?: string | undefined;
  /** The interpreter completes: where it knows something, the language's own words are not offered beside it. */
  completionSupport?: boolean | undefined;
  /** The cursor wants to leave over the first or the last line. */
  onEdge?(edge: 'up' | 'down'): void;
}

/** Gives the shared extensions their editor's hooks. */
export const editorHooks = Facet.define<() => EditorHooks, () => EditorHooks>({
  combine: (values) => values[0] ?? (() => ({ onChange: () => {} })),
});
