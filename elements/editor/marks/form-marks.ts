import { type EditorState, Facet, RangeSetBuilder } from '@codemirror/state';
import { Decoration, type DecorationSet, ViewPlugin, type ViewUpdate } from '@codemirror/view';
import { formSpans } from './form-spans.ts';

/** Mode of the editor, which tells whether its text has forms. */
export const formLanguage = Facet.define<string | undefined, string | undefined>({
  combine: ([language]) => language,
});

const mark = Decoration.mark({ class: 'tok-form' });

/** Highlights forms in the code while they are typed. */
export const formMarks = ViewPlugin.define(
  (view) => ({
    marks: marksOf(view.state),
    update(update: ViewUpdate) {
      const { startState, state } = update;
      if (update.docChanged || startState.facet(formLanguage) !== state.facet(formLanguage))
        this.marks = marksOf(state);
    },
  }),
  { decorations: (plugin) => plugin.marks },
);

function marksOf(state: EditorState): DecorationSet {
  const builder = new RangeSetBuilder<Decoration>();
  for (const { from, to } of formSpans(state.doc.toString(), state.facet(formLanguage)))
    builder.add(from, to, mark);
  return builder.finish();
}
