import type { Note } from '@tiding/client';
import { createViewStore } from '../../runtime/store.ts';
import type { ParagraphViewport } from '../paragraph-viewport.ts';
import { scrollToTop } from '../scroll-to-top.ts';
import type { Editors } from './editors.ts';

/** Which paragraph has the focus. */
interface FocusState {
  /** Id of the paragraph that keyboard shortcuts act on. */
  readonly focused: string | undefined;
  /** Id of a paragraph that was just added on this page; its editor takes the cursor. */
  readonly added: string | undefined;
}

/** The focused paragraph and the cursor of a note page. */
export class ParagraphFocus {
  readonly state = createViewStore<FocusState>({ focused: undefined, added: undefined });
  readonly #note: Note;
  readonly #editors: Editors;
  readonly #viewport: ParagraphViewport;
  #cursor: { readonly id: string; readonly offset: number } | undefined;

  constructor(note: Note, editors: Editors, viewport: ParagraphViewport) {
    this.#note = note;
    this.#editors = editors;
    this.#viewport = viewport;
  }

  get id(): string | undefined {
    return this.state.get().focused;
  }

  /** Makes a paragraph the target of keyboard shortcuts. */
  readonly set = (id: string): void => this.state.set({ focused: id });

  /** Records the cursor position and sends it to other users of the note. */
  readonly setCursor = (id: string, anchor: number, head: number): void => {
    this.#cursor = { id, offset: head };
    this.#note.announce({ paragraphId: id, anchor, head });
  };

  /** Last cursor position in a paragraph's text; `undefined` if the cursor was elsewhere. */
  cursorIn(id: string | undefined): number | undefined {
    return this.#cursor?.id === id ? this.#cursor?.offset : undefined;
  }

  /** Focuses a paragraph and scrolls it to the top, below the bars. */
  readonly scrollTo = (id: string): void => {
    this.set(id);
    const element = this.#viewport.element(id);
    if (element) scrollToTop(element);
  };

  /** Brings a paragraph into view, without the focus. */
  readonly show = (id: string): void => {
    this.#viewport.element(id)?.scrollIntoView({ block: 'nearest' });
  };

  /** Focuses a paragraph itself, not its editor: its keys are those of command mode. */
  readonly select = (id: string): void => {
    this.set(id);
    const element = this.#viewport.element(id);
    element?.scrollIntoView({ block: 'nearest' });
    element?.focus({ preventScroll: true });
  };

  /**
   * Moves the focus to a neighbour and the cursor into its editor, or focuses the paragraph itself
   * if its editor is hidden.
   */
  readonly moveFrom = (from: string | undefined, direction: 'up' | 'down'): void => {
    const { order } = this.#note.state;
    const at = from === undefined ? -1 : order.indexOf(from);
    const id = order[direction === 'up' ? at - 1 : at + 1];
    if (id === undefined) return;
    this.set(id);
    const element = this.#viewport.element(id);
    element?.scrollIntoView({ block: 'nearest' });
    const editor = this.#editors.get(id);
    if (editor) editor.focus(direction === 'up' ? 'end' : 'start');
    else element?.focus({ preventScroll: true });
  };
}
