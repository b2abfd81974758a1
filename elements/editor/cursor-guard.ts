import type { Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';

/**
 * Puts the browser's cursor back where the editor has it. Within 200 ms of the focus, CodeMirror
 * (6.43) leaves it at the start of the text when a line is redrawn, and the next letter goes there.
 */
export const cursorGuard: Extension = EditorView.updateListener.of(({ view }) => {
  const { head, empty } = view.state.selection.main;
  if (!empty || head === 0 || view.composing || !view.hasFocus) return;
  // Chromium has a selection for each shadow root.
  const root = view.root as DocumentOrShadowRoot & { getSelection?(): Selection | null };
  const selection = root.getSelection?.();
  const at = selection?.focusNode;
  if (!at || !view.contentDOM.contains(at) || view.posAtDOM(at, selection.focusOffset) !== 0)
    return;
  const { node, offset } = view.domAtPos(head);
  selection.collapse(node, offset);
});
