import { EditorSelection } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { keyChoice } from './key-choice.ts';
import { isMac } from './platform.ts';

/** Where the cursor goes: a point of the window, an offset into the text, or an end of it. */
export type Place =
  | { readonly x: number; readonly y: number }
  | { readonly offset: number }
  | 'start'
  | 'end';

/** What others may do with an editor, open or not. */
export interface EditorHandle {
  /** Takes the cursor, at a place or where it was. */
  focus(place?: Place): void;
  /** Brings a stretch of the text into view, below the bars; takes neither focus nor cursor. */
  reveal(from: number, to: number): void;
  /** Puts text in the place of what is selected, or at the end where nobody has edited yet; as typed: it is reported and can be undone. Answers whether it may. */
  insert(text: string): boolean;
  /** What is selected, as offsets; `null` where only the text is shown. */
  selection(): { readonly from: number; readonly to: number } | null;
  /** Opens the search inside this editor where the keys have one (Emacs, a Mac); answers whether they have. */
  search(): boolean;
  /** Offset of the character at a point of the window; `null` outside of an open editor's text. */
  offsetAt(x: number, y: number): number | null;
}

/** Room for the bars above, and for the box of the search, in px. */
const REVEAL_MARGIN = 160;

/** Focuses without scrolling the page: the reader is looking at the place already. */
export function focusAt(view: EditorView, place: Place | undefined): void {
  if (place !== undefined)
    view.dispatch({ selection: EditorSelection.cursor(offsetOf(view, place)) });
  view.focus();
}

function offsetOf(view: EditorView, place: Place): number {
  if (place === 'start') return 0;
  if (place === 'end') return view.state.doc.length;
  return 'offset' in place
    ? Math.max(0, Math.min(place.offset, view.state.doc.length))
    : (view.posAtCoords(place, false) ?? 0);
}

/** The handle of an open editor. */
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
    search() {
      if (!isMac && keyChoice.get().keys !== 'emacs') return false;
      void import('./search.ts').then(({ openSearch }) => openSearch(view));
      return true;
    },
    selection: () => ({ from: view.state.selection.main.from, to: view.state.selection.main.to }),
    offsetAt(x, y) {
      const { left, right, top, bottom } = view.contentDOM.getBoundingClientRect();
      return x < left || x > right || y < top || y > bottom ? null : view.posAtCoords({ x, y });
    },
  };
}
