import { RangeSetBuilder, type EditorState } from '@codemirror/state';
import { Decoration, ViewPlugin, type DecorationSet, type ViewUpdate } from '@codemirror/view';
import { formSpans } from './form-spans.ts';

const mark = Decoration.mark({ class: 'tok-form' });

/** Colours the forms that are written into the code, as they are typed. */
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
