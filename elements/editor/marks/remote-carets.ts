/** Cursors and selections of other users in an editor; they move with the text. */
import { type Extension, type Range, StateEffect, StateField } from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView, WidgetType } from '@codemirror/view';

/** Cursor of another user: UTF-16 offsets into the editor's text; `color` is from 0 to 7. */
export interface Caret {
  readonly id: string;
  readonly name: string;
  readonly color: number;
  readonly anchor: number;
  readonly head: number;
}

/** Cursors shown in an editor, and a callback for this user's cursor. */
export interface EditorPresence {
  readonly carets: readonly Caret[];
  /** Called when this user's cursor or selection moves. */
  onSelect(anchor: number, head: number): void;
}

class CaretWidget extends WidgetType {
  readonly #caret: Caret;

  constructor(caret: Caret) {
    super();
    this.#caret = caret;
  }

  override eq(other: CaretWidget): boolean {
    return (
      this.#caret.id === other.#caret.id &&
      this.#caret.name === other.#caret.name &&
      this.#caret.color === other.#caret.color
    );
  }

  override toDOM(): HTMLElement {
    const caret = document.createElement('span');
    caret.className = `caret person-${this.#caret.color}`;
    const name = caret.appendChild(document.createElement('span'));
    name.className = 'caret-name';
    name.textContent = this.#caret.name;
    // Names of other users are announced elsewhere. A screen reader must not encounter them in the
    // middle of a word.
    caret.setAttribute('aria-hidden', 'true');
    return caret;
  }

  override ignoreEvent(): boolean {
    return true;
  }
}

const setCarets = StateEffect.define<readonly Caret[]>();

function marksOf(carets: readonly Caret[], length: number): DecorationSet {
  const within = (offset: number) => Math.max(0, Math.min(offset, length));
  const marks: Range<Decoration>[] = carets.flatMap((caret) => {
    const [anchor, head] = [within(caret.anchor), within(caret.head)];
    const at = Decoration.widget({ widget: new CaretWidget(caret), side: 1 }).range(head);
    return anchor === head
      ? [at]
      : [
          Decoration.mark({ class: `caret-selection person-${caret.color}` }).range(
            Math.min(anchor, head),
            Math.max(anchor, head),
          ),
          at,
        ];
  });
  return Decoration.set(marks, true);
}

const caretField = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(marks, { changes, effects, state }) {
    let next = marks.map(changes);
    for (const effect of effects)
      if (effect.is(setCarets)) next = marksOf(effect.value, state.doc.length);
    return next;
  },
  provide: (field) => EditorView.decorations.from(field),
});

/**
 * Extension that shows other users' cursors and reports this user's. `onSelect` is read at each
 * move.
 */
export function presenceExtension(
  onSelect: () => EditorPresence['onSelect'] | undefined,
): Extension {
  return [
    caretField,
    EditorView.updateListener.of(({ selectionSet, focusChanged, view }) => {
      if (!(selectionSet || focusChanged) || !view.hasFocus) return;
      const { anchor, head } = view.state.selection.main;
      onSelect()?.(anchor, head);
    }),
  ];
}

/** Replaces the cursors shown in an editor. */
export function showCarets(view: EditorView, carets: readonly Caret[]): void {
  view.dispatch({ effects: setCarets.of(carets) });
}
