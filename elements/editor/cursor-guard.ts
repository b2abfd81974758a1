import type { Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';

/** Time after the focus in which the cursor is always guarded, in ms, also on a slow page. */
const GUARDED_MS = 3_000;
const focusedAt = new WeakMap<EditorView, number>();

/**
 * Puts the browser's cursor back where the editor has it. Within 200 ms of the focus, CodeMirror
 * (6.43) leaves it at the start of the text when a line is redrawn, and the next letter goes there.
 * Later, only changes of the text are followed: for others, reading the browser's selection would
 * make it lay out the page.
 */
export const cursorGuard: Extension = EditorView.updateListener.of(
  ({ view, docChanged, focusChanged }) => {
    if (focusChanged && view.hasFocus) focusedAt.set(view, performance.now());
    const isLater = performance.now() - (focusedAt.get(view) ?? -Infinity) > GUARDED_MS;
    if (isLater && !docChanged) return;
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
  },
);
