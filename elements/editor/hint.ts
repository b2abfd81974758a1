import { type Extension, Facet } from '@codemirror/state';
import {
  Decoration,
  type DecorationSet,
  EditorView,
  type Rect,
  ViewPlugin,
  type ViewUpdate,
  WidgetType,
} from '@codemirror/view';

/** Hint shown in a focused editor that has no code yet; empty for none. */
export const hint = Facet.define<string, string>({ combine: (values) => values[0] ?? '' });

/** Whether a text has no code: it is blank, or a magic with nothing below it. */
const withoutCode = /^\s*(?:%[\w.-]+[^\S\n]*\n\s*)?$/;
/** Texts longer than this have code; saves reading them. In characters. */
const LONGEST = 200;

/**
 * The hint is drawn by the style sheet, so that it is part neither of the text of the page nor of a
 * copied selection.
 */
class Hint extends WidgetType {
  readonly text: string;

  constructor(text: string) {
    super();
    this.text = text;
  }

  toDOM(): HTMLElement {
    const dom = document.createElement('span');
    dom.className = 'code-hint';
    dom.dataset['text'] = this.text;
    dom.setAttribute('aria-hidden', 'true');
    return dom;
  }

  override eq(other: Hint): boolean {
    return other.text === this.text;
  }

  /** The cursor stands before the hint and is as high as a line. */
  override coordsAt(dom: HTMLElement): Rect | null {
    const { left, top, bottom } = dom.getBoundingClientRect();
    return { left, right: left, top, bottom };
  }

  override ignoreEvent(): boolean {
    return false;
  }
}

function hintOf(view: EditorView): DecorationSet {
  const { state } = view;
  const text = state.facet(hint);
  const isShown =
    text !== '' &&
    view.hasFocus &&
    !state.readOnly &&
    state.doc.length <= LONGEST &&
    withoutCode.test(state.doc.toString());
  if (!isShown) return Decoration.none;
  const widget = Decoration.widget({ widget: new Hint(text), side: 1 });
  return Decoration.set([widget.range(state.doc.length)]);
}

const shownHint = ViewPlugin.define(
  (view) => ({
    decorations: hintOf(view),
    update(update: ViewUpdate) {
      if (update.focusChanged || update.transactions.length > 0)
        this.decorations = hintOf(update.view);
    },
  }),
  { decorations: (plugin) => plugin.decorations },
);

/** Shows the facet `hint` in an editor without code, and names it to screen readers. */
export const hintView: Extension = [
  shownHint,
  EditorView.contentAttributes.compute([hint], (state): Record<string, string> => {
    const text = state.facet(hint);
    return text === '' ? {} : { 'aria-placeholder': text };
  }),
];
