import type { RefObject } from 'react';
import type { EditorHandle } from '../../editor/handle.ts';

/** The editors on a note page, by paragraph id. */
export class Editors {
  readonly #handles = new Map<string, RefObject<EditorHandle | null>>();
  readonly #pauses = new Set<object>();
  #typed: { readonly id: string; readonly text: string } | undefined;

  /** Adds the editor of a paragraph. Returns a function that removes it. */
  add(id: string, handle: RefObject<EditorHandle | null>): () => void {
    this.#handles.set(id, handle);
    return () => void this.#handles.delete(id);
  }

  /** Whether the code of a paragraph is shown, in an open or closed editor. */
  has(id: string): boolean {
    return this.#handles.has(id);
  }

  /** Handle of a paragraph's editor; `undefined` if its code is hidden. */
  get(id: string | undefined): EditorHandle | undefined {
    return id === undefined ? undefined : (this.#handles.get(id)?.current ?? undefined);
  }

  /** Remembers the text that an editor has just reported. */
  setTyped(id: string, text: string): void {
    this.#typed = { id, text };
  }

  /** Whether a paragraph's text is what its editor reported last. */
  isTyped(id: string, text: string): boolean {
    return this.#typed?.id === id && this.#typed.text === text;
  }

  /** Whether leaving an editor must not save its text. */
  get isSavingPaused(): boolean {
    return this.#pauses.size > 0;
  }

  /**
   * Pauses saving while the user is asked about unsaved text. The dialog takes the focus out of the
   * editor, and that blur must not save the text. Returns a function that ends this pause.
   */
  pauseSaving(): () => void {
    const pause = {};
    this.#pauses.add(pause);
    return () => void this.#pauses.delete(pause);
  }
}
