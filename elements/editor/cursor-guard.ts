import type { Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';

/** Time after the focus in which the cursor is guarded, in ms; longer than CodeMirror's. */
const GUARDED_MS = 500;
const focusedAt = new WeakMap<EditorView, number>();

/**
 * Puts the browser's cursor back where the editor has it. Within 200 ms of the focus, CodeMirror
 * (6.43) leaves it at the start of the text when a line is redrawn, and the next letter goes there.
 * At other times, reading the browser's selection would only make it lay out the page.
 */
export const cursorGuard: Extension = EditorView.updateListener.of(({ view, focusChanged }) => {
  if (focusChanged && view.hasFocus) focusedAt.set(view, performance.now());
  if (performance.now() - (focusedAt.get(view) ?? -Infinity) > GUARDED_MS) return;
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
