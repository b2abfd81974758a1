import { isolateHistory } from '@codemirror/commands';
import { EditorSelection } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { keyChoice } from './keys/key-choice.ts';
import { isMac } from './keys/platform.ts';
import { changesBetween } from './text-sync.ts';

/** Cursor position: a point in the window, an offset in the text, or its start or end. */
export type CursorTarget =
  | { readonly x: number; readonly y: number }
  | { readonly offset: number }
  | 'start'
  | 'end';

/** Imperative handle of an editor, open or closed. */
export interface EditorHandle {
  /** Takes the focus, with the cursor at a place or where it was. */
  focus(place?: CursorTarget): void;
  /** Scrolls a range into view, below the bars, without taking the focus or moving the cursor. */
  reveal(from: number, to: number): void;
  /**
   * Replaces the selection with text, or appends it if the editor was never opened. Like typed
   * text, it is reported and can be undone. Returns false if the editor is read-only.
   */
  insert(text: string): boolean;
  /**
   * Inserts text at the cursor, without replacing the selection or taking the focus. Returns false
   * if the editor is closed or read-only.
   */
  insertAtCursor(text: string): boolean;
  /**
   * Replaces the whole text. Like typed text, it is reported and can be undone. Returns false if
   * the editor is closed or read-only.
   */
  replace(text: string): boolean;
  /** Selected range as offsets; `null` if the editor is closed. */
  selection(): { readonly from: number; readonly to: number } | null;
  /**
   * Opens the search inside this editor if its key set has one (Emacs, Mac); returns whether it
   * does.
   */
  search(): boolean;
  /**
   * Offset of the character at a point in the window; `null` outside the text of an open editor.
   */
  offsetAt(x: number, y: number): number | null;
}

/** Vertical margin for the bars above and the find box, in px. */
const REVEAL_MARGIN = 160;

/** Focuses without scrolling the page, because the place is already visible. */
export function focusAt(view: EditorView, place: CursorTarget | undefined): void {
  if (place !== undefined)
    view.dispatch({ selection: EditorSelection.cursor(offsetOf(view, place)) });
  view.focus();
}

function offsetOf(view: EditorView, place: CursorTarget): number {
  if (place === 'start') return 0;
  if (place === 'end') return view.state.doc.length;
  return 'offset' in place
    ? Math.max(0, Math.min(place.offset, view.state.doc.length))
    : (view.posAtCoords(place, false) ?? 0);
}

export function handleOf(view: EditorView): EditorHandle {
  return {
    focus: (place) => focusAt(view, place),
    reveal(from, to) {
      const end = view.state.doc.length;
      view.dispatch({
        effects: EditorView.scrollIntoView(
          EditorSelection.range(Math.min(to, end), Math.min(from, end)),
          { yMargin: REVEAL_MARGIN },
        ),
      });
    },
    insert(text) {
      if (view.state.readOnly) return false;
      view.dispatch(view.state.replaceSelection(text), {
        userEvent: 'input.paste',
        scrollIntoView: true,
      });
      return true;
    },
    insertAtCursor(text) {
      if (view.state.readOnly) return false;
      const { head, empty } = view.state.selection.main;
      view.dispatch({
        changes: { from: head, insert: text },
        ...(empty ? { selection: EditorSelection.cursor(head + text.length) } : {}),
        userEvent: 'input.paste',
      });
      return true;
    },
    replace(text) {
      if (view.state.readOnly) return false;
      const changes = changesBetween(view.state.doc.toString(), text);
      view.dispatch({ changes, annotations: isolateHistory.of('full') });
      return true;
    },
    search() {
      if (!isMac && keyChoice.get().keys !== 'emacs') return false;
      void import('./keys/incremental-search.ts').then(({ openSearch }) => openSearch(view));
      return true;
    },
    selection: () => ({ from: view.state.selection.main.from, to: view.state.selection.main.to }),
    offsetAt(x, y) {
      const { left, right, top, bottom } = view.contentDOM.getBoundingClientRect();
      return x < left || x > right || y < top || y > bottom ? null : view.posAtCoords({ x, y });
    },
  };
}
