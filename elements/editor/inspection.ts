import { type EditorState, type Extension, StateEffect, StateField } from '@codemirror/state';
import {
  type Command,
  EditorView,
  hoverTooltip,
  showTooltip,
  type Tooltip,
} from '@codemirror/view';
import { editorCallbacks } from './callbacks.ts';
import { editorTexts } from './texts.ts';

/** Time that the pointer rests on a name before its documentation is requested, in ms. */
const hoverTime = 500;

const show = StateEffect.define<Tooltip | null>();

/** The documentation requested by key. It goes when the text or the place of the cursor changes. */
const shown = StateField.define<Tooltip | null>({
  create: () => null,
  update(value, { effects, docChanged, selection }) {
    const effect = effects.find((one) => one.is(show));
    if (effect) return effect.value;
    return docChanged || selection ? null : value;
  },
  provide: (field) => showTooltip.from(field),
});

const ask = (state: EditorState, at: number, hover: boolean): Promise<string | undefined> =>
  state
    .facet(editorCallbacks)()
    .inspect?.(state.doc.toString(), at, hover)
    .catch(() => undefined) ?? Promise.resolve(undefined);

function tooltipOf(pos: number, text: string): Tooltip {
  return {
    pos,
    above: true,
    create: () => {
      const dom = document.createElement('div');
      dom.className = 'cm-inspection';
      // The text may be longer than the box, which is then scrolled with the keys too.
      dom.tabIndex = 0;
      dom.setAttribute('role', 'region');
      dom.setAttribute('aria-label', editorTexts.documentation);
      dom.textContent = text;
      return { dom };
    },
  };
}

/** Shows the documentation of the name at the cursor, or of the function that is called there. */
export const inspect: Command = (view) => {
  const { inspect: inspects } = view.state.facet(editorCallbacks)();
  if (!inspects) return false;
  const { doc, selection } = view.state;
  const { head } = selection.main;
  void ask(view.state, head, false).then((text) => {
    const isSame = view.state.doc === doc && view.state.selection.main.head === head;
    if (!isSame || !view.hasFocus) return;
    const found = text ?? editorTexts.noDocumentation;
    view.dispatch({
      effects: [
        show.of(tooltipOf(head, found)),
        // The focus stays in the code, so screen readers are told the first line.
        EditorView.announce.of(found.split('\n', 1)[0]!),
      ],
    });
  });
  return true;
};

/** Closes the documentation. Returns whether any was open. */
export const closeInspection: Command = (view) => {
  if (view.state.field(shown, false) == null) return false;
  view.dispatch({ effects: show.of(null) });
  return true;
};

const hover = hoverTooltip(
  async (view, pos) => {
    const { state } = view;
    const { completionSupport } = state.facet(editorCallbacks)();
    const name = state.readOnly || !completionSupport ? null : state.wordAt(pos);
    const text = name && (await ask(state, pos, true));
    return text ? { ...tooltipOf(name.from, text), end: name.to } : null;
  },
  { hoverTime, hideOnChange: true },
);

/** Documentation of names: on hover, and by the key that is bound to `inspect`. */
export const inspection: Extension = [shown, hover];
