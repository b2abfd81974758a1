import { StateEffect, StateField, type Extension } from '@codemirror/state';
import { Decoration, EditorView, type DecorationSet } from '@codemirror/view';
import type { Mark } from './overlay.ts';

const found = Decoration.mark({ class: 'find-match' });
const current = Decoration.mark({ class: 'find-match find-current' });

const setMarks = StateEffect.define<readonly Mark[]>();

/** Find marks of an open editor; they move with the text until the owner sets others. */
const field = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(marks, transaction) {
    let next = marks.map(transaction.changes);
    for (const effect of transaction.effects)
      if (effect.is(setMarks)) next = toDecorations(effect.value, transaction.newDoc.length);
    return next;
  },
  provide: (own) => EditorView.decorations.from(own),
});

function toDecorations(marks: readonly Mark[], length: number): DecorationSet {
  const shown = marks.filter(({ from, to }) => from < to && to <= length);
  return Decoration.set(
    shown.map((mark) => (mark.current ? current : found).range(mark.from, mark.to)),
    true,
  );
}

/** What shows find marks. */
export const findMarks: Extension = field;

/** Shows these marks in place of those before; reports nothing. */
export function showMarks(view: EditorView, marks: readonly Mark[]): void {
  if (marks.length === 0 && view.state.field(field).size === 0) return;
  view.dispatch({ effects: setMarks.of(marks) });
}

/** Marks of a text as the editor counts, for which every line end is one character. */
export function marksInEditor(text: string, marks: readonly Mark[]): readonly Mark[] {
  if (!text.includes('\r')) return marks;
  const place = (offset: number): number =>
    offset - (text.slice(0, offset).match(/\r\n/g)?.length ?? 0);
  return marks.map((mark) => ({ ...mark, from: place(mark.from), to: place(mark.to) }));
}
