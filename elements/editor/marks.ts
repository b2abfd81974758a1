/** Marks on stretches of code, drawn alike in the open editor and in the static text. */
import { StateEffect, StateField, type Extension } from '@codemirror/state';
import { Decoration, EditorView, type DecorationSet } from '@codemirror/view';
import { place, type Mark } from './mark.ts';

/** Replaces the marks of an editor. */
export const setMarks = StateEffect.define<readonly Mark[]>();

const match = Decoration.mark({ class: 'find-match' });
const current = Decoration.mark({ class: 'find-match find-current' });

/** Holds the marks; they move with the text until the owner gives new ones. */
export const markField: Extension = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(marks, transaction) {
    let next = marks.map(transaction.changes);
    for (const effect of transaction.effects) {
      if (!effect.is(setMarks)) continue;
      const { length } = transaction.newDoc;
      next = Decoration.set(effect.value.filter(({ from, to }) => from < to && to <= length).map(({ from, to, current: now }) => (now ? current : match).range(from, to)), true);
    }
    return next;
  },
  provide: (field) => EditorView.decorations.from(field),
});

/** Marks of a text as the editor counts, for which every line end is one character. */
export function marksInEditor(text: string, marks: readonly Mark[]): readonly Mark[] {
  return text.includes('\r') ? marks.map((mark) => ({ ...mark, from: place(text, mark.from), to: place(text, mark.to) })) : marks;
}
