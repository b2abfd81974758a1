import { type EditorState, RangeSetBuilder } from '@codemirror/state';
import { Decoration, type DecorationSet, ViewPlugin, type ViewUpdate } from '@codemirror/view';
import { formSpans } from './form-spans.ts';

const mark = Decoration.mark({ class: 'tok-form' });

/** Highlights forms in the code while they are typed. */
export const formMarks = ViewPlugin.define(
  (view) => ({
    marks: marksOf(view.state),
    update(update: ViewUpdate) {
      if (update.docChanged) this.marks = marksOf(update.state);
    },
  }),
  { decorations: (plugin) => plugin.marks },
);

function marksOf({ doc }: EditorState): DecorationSet {
  const builder = new RangeSetBuilder<Decoration>();
  for (const { from, to } of formSpans(doc.toString())) builder.add(from, to, mark);
  return builder.finish();
}
