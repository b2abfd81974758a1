import { type Extension, StateEffect, StateField } from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView } from '@codemirror/view';
import type { FindMark } from './overlay.ts';

const found = Decoration.mark({ class: 'find-match' });
const current = Decoration.mark({ class: 'find-match find-current' });

const setMarks = StateEffect.define<readonly FindMark[]>();

/** Find marks of an open editor. They move with the text until the owner sets new ones. */
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

function toDecorations(marks: readonly FindMark[], length: number): DecorationSet {
  const shown = marks.filter(({ from, to }) => from < to && to <= length);
  return Decoration.set(
    shown.map((mark) => (mark.current ? current : found).range(mark.from, mark.to)),
    true,
  );
}

export const findMarks: Extension = field;

/** Replaces the find marks of an editor. This is not reported as a change. */
export function showMarks(view: EditorView, marks: readonly FindMark[]): void {
  if (marks.length === 0 && view.state.field(field).size === 0) return;
  view.dispatch({ effects: setMarks.of(marks) });
}

/** Converts mark offsets to editor offsets: the editor counts every line end as one character. */
export function marksInEditor(text: string, marks: readonly FindMark[]): readonly FindMark[] {
  if (!text.includes('\r')) return marks;
  const place = (offset: number): number =>
    offset - (text.slice(0, offset).match(/\r\n/g)?.length ?? 0);
  return marks.map((mark) => ({ ...mark, from: place(mark.from), to: place(mark.to) }));
}
