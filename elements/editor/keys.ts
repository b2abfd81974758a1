import { acceptCompletion, closeCompletion, completionStatus, moveCompletionSelection, startCompletion } from '@codemirror/autocomplete';
import { closeBracketsKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, historyKeymap, indentLess, indentMore, insertTab } from '@codemirror/commands';
import { EditorSelection, Prec, type Extension, type Text } from '@codemirror/state';
import { EditorView, keymap, type Command, type KeyBinding } from '@codemirror/view';
import { editorHooks } from './hooks.ts';

const run: Command = (view) => {
  closeCompletion(view);
  view.state.facet(editorHooks)().onRun?.();
  return true;
};

/** Tab: takes an open entry, indents in leading blanks and selections, else asks for completion. */
const tab: Command = (view) => {
  if (completionStatus(view.state) === 'active') return acceptCompletion(view);
  if (view.state.readOnly) return false;
  const { main, ranges } = view.state.selection;
  if (ranges.length > 1 || !main.empty) return indentMore(view);
  const line = view.state.doc.lineAt(main.head);
  const blank = line.text.slice(0, main.head - line.from).trim() === '';
  return blank || !view.state.facet(editorHooks)().complete ? insertTab(view) : startCompletion(view);
};

/** On the first or last line the cursor goes on to the neighbour. */
function edge(direction: 'up' | 'down'): Command {
  return (view) => {
    const { onEdge } = view.state.facet(editorHooks)();
    const { main, ranges } = view.state.selection;
    if (!onEdge || ranges.length > 1 || !main.empty) return false;
    const line = view.state.doc.lineAt(main.head).number;
    if (line !== (direction === 'up' ? 1 : view.state.doc.lines)) return false;
    onEdge(direction);
    return true;
  };
}

/** What the last cuts took, shared by all editors of the page as a clipboard is; `after` tells a row of cuts. */
const cut: { text: string; after: Text | null } = { text: '', after: null };
const isMac = typeof navigator !== 'undefined' && /Mac|iPhone|iPad/.test(navigator.platform);

/** Ctrl+K: cuts the line, on a Mac the rest of it. Several in a row gather. */
const cutLine: Command = (view) => {
  if (view.state.readOnly) return false;
  const { state } = view;
  const line = state.doc.lineAt(state.selection.main.head);
  const from = isMac ? state.selection.main.head : line.from;
  const to = isMac && from < line.to ? line.to : Math.min(line.to + 1, state.doc.length);
  if (from === to) return true;
  const text = state.sliceDoc(from, to);
  cut.text = cut.after === state.doc ? cut.text + text : text;
  view.dispatch({ changes: { from, to }, selection: EditorSelection.cursor(from), userEvent: 'delete.cut', scrollIntoView: true });
  cut.after = view.state.doc;
  return true;
};

/** Ctrl+Y: puts cut lines before the line of the cursor, on a Mac at the cursor. */
const pasteLine: Command = (view) => {
  if (view.state.readOnly || cut.text === '') return !view.state.readOnly;
  const { state } = view;
  const from = isMac ? state.selection.main.head : state.doc.lineAt(state.selection.main.head).from;
  const insert = isMac || cut.text.endsWith('\n') ? cut.text : `${cut.text}\n`;
  view.dispatch({ changes: { from, insert }, selection: EditorSelection.cursor(from + insert.length), userEvent: 'input.paste', scrollIntoView: true });
  return true;
};

const own: readonly KeyBinding[] = [
  { key: 'Escape', run: closeCompletion },
  { key: 'Enter', run: acceptCompletion, shift: run },
  { key: 'ArrowDown', run: moveCompletionSelection(true) },
  { key: 'ArrowUp', run: moveCompletionSelection(false) },
  { key: 'PageDown', run: moveCompletionSelection(true, 'page') },
  { key: 'PageUp', run: moveCompletionSelection(false, 'page') },
  { key: 'Ctrl-.', run: startCompletion },
  { key: 'Tab', run: tab, shift: indentLess },
  { key: 'Ctrl-k', run: cutLine },
  { key: 'Ctrl-y', run: pasteLine },
  { key: 'ArrowUp', run: edge('up') },
  { key: 'ArrowDown', run: edge('down') },
  { key: 'Ctrl-p', run: edge('up') },
  { key: 'Ctrl-n', run: edge('down') },
];

/** A key the editor took does not reach the shortcuts of the page; neither does one its owner took first. */
const containment: Extension = EditorView.domEventHandlers({
  keydown(event, view) {
    if (!view.state.facet(editorHooks)().onKey?.(event)) return false;
    event.preventDefault();
    event.stopPropagation();
    return true;
  },
});

const bound = (bindings: readonly KeyBinding[]): KeyBinding[] => bindings.map((binding) => ({ ...binding, stopPropagation: true }));

/** The editor's keys. Search has none: the note searches all its paragraphs at once. */
export const editorKeys: Extension = [
  Prec.highest([containment, keymap.of(bound(own))]),
  keymap.of(bound([...closeBracketsKeymap, ...defaultKeymap, ...historyKeymap])),
];
