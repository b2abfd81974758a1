import { type Extension, Prec } from '@codemirror/state';
import { type Command, keymap } from '@codemirror/view';
import { editorCallbacks } from '../callbacks.ts';
import { bindAll, commonKeys, contained, jupyterTabKeys, lowKeys } from './bindings.ts';

/** Escape leaves the code; before that, it closes an open list of completions. */
const leave: Command = (view) => {
  const { onLeave } = view.state.facet(editorCallbacks)();
  onLeave?.();
  return onLeave !== undefined;
};

/** Keys of Jupyter while the cursor is in the code. The note handles those of command mode. */
export const jupyterEditorKeys: Extension = [
  Prec.highest([
    contained,
    keymap.of([...commonKeys, ...bindAll([{ key: 'Escape', run: leave }]), ...jupyterTabKeys]),
  ]),
  keymap.of(lowKeys),
];
