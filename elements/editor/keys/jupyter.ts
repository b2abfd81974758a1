import { type Extension, Prec } from '@codemirror/state';
import { type Command, EditorView, keymap } from '@codemirror/view';
import { editorCallbacks } from '../callbacks.ts';
import { bindAll, commonKeys, contained, jupyterTabKeys, lowKeys } from './bindings.ts';
import { causingKey } from './last-key.ts';

/** Escape leaves the code; before that, it closes an open list of completions. */
const leave: Command = (view) => {
  const { onLeave } = view.state.facet(editorCallbacks)();
  onLeave?.();
  return onLeave !== undefined;
};

/** Long enough for everybody; another key than Tab ends it. */
const UNTIL_A_KEY_MS = 86_400_000;

/**
 * Tab passes through code that was reached by Tab, until another key is pressed there: Escape leads
 * to command mode, from which Tab would come back forever.
 */
const passing = EditorView.domEventHandlers({
  focus(_, view) {
    view.setTabFocusMode(causingKey() === 'Tab' ? UNTIL_A_KEY_MS : false);
  },
});

/** Keys of Jupyter while the cursor is in the code. The note handles those of command mode. */
export const jupyterEditorKeys: Extension = [
  Prec.highest([
    contained,
    passing,
    keymap.of([...commonKeys, ...bindAll([{ key: 'Escape', run: leave }]), ...jupyterTabKeys]),
  ]),
  keymap.of(lowKeys),
];
