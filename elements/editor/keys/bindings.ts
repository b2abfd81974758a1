import {
  acceptCompletion,
  closeBracketsKeymap,
  closeCompletion,
  completionStatus,
  moveCompletionSelection,
  startCompletion,
} from '@codemirror/autocomplete';
import {
  defaultKeymap,
  historyKeymap,
  indentLess,
  indentMore,
  insertTab,
} from '@codemirror/commands';
import { getIndentUnit, language } from '@codemirror/language';
import { selectNextOccurrence } from '@codemirror/search';
import {
  EditorSelection,
  type EditorState,
  type Extension,
  Prec,
  type Text,
} from '@codemirror/state';
import { type Command, EditorView, type KeyBinding, keymap } from '@codemirror/view';
import { editorCallbacks } from '../callbacks.ts';
import { closeInspection, inspect } from '../inspection.ts';
import { isMac } from './platform.ts';

const runParagraph: Command = (view) => {
  closeCompletion(view);
  view.state.facet(editorCallbacks)().onRun?.();
  return true;
};

/** Indents to the next tab stop with spaces. Inserts a tab in plain text. */
const indentOrTab: Command = (view) => {
  const { state } = view;
  if (!state.facet(language)) return insertTab(view);
  const unit = getIndentUnit(state);
  const { head } = state.selection.main;
  const spaces = unit - ((head - state.doc.lineAt(head).from) % unit);
  view.dispatch(state.replaceSelection(' '.repeat(spaces)), {
    scrollIntoView: true,
    userEvent: 'input',
  });
  return true;
};

/** Whether only blanks are between the start of the line and the cursor, or a text is selected. */
const isIndentation = ({ doc, selection }: EditorState): boolean => {
  const { main, ranges } = selection;
  const line = doc.lineAt(main.head);
  return ranges.length > 1 || !main.empty || !/\S/.test(line.text.slice(0, main.head - line.from));
};

/**
 * Tab accepts an open completion entry and indents in leading whitespace and selections. Elsewhere
 * it requests completion if the language's setting says so, and indents otherwise.
 */
const handleTab: Command = (view) => {
  if (completionStatus(view.state) === 'active') return acceptCompletion(view);
  if (view.state.readOnly) return false;
  const { main, ranges } = view.state.selection;
  if (ranges.length > 1 || !main.empty) return indentMore(view);
  const { complete, completionKey } = view.state.facet(editorCallbacks)();
  return isIndentation(view.state) || !complete || completionKey?.toUpperCase() !== 'TAB'
    ? indentOrTab(view)
    : startCompletion(view);
};

/** Moves from the first or last line to the neighbouring editor. */
function leaveAtEdge(direction: 'up' | 'down'): Command {
  return (view) => {
    const { onEdge } = view.state.facet(editorCallbacks)();
    const { main, ranges } = view.state.selection;
    if (!onEdge || ranges.length > 1 || !main.empty) return false;
    const line = view.state.doc.lineAt(main.head).number;
    if (line !== (direction === 'up' ? 1 : view.state.doc.lines)) return false;
    onEdge(direction);
    return true;
  };
}

/**
 * Text of the last cuts, shared by all editors of the page like a clipboard. `after` is the
 * document after the last cut. The next cut is consecutive if the document is still the same.
 */
const cutBuffer: { text: string; after: Text | null } = { text: '', after: null };
/** Ctrl+K: cuts the line, or in Emacs mode the rest of it. Consecutive cuts accumulate. */
const cutLine =
  (emacs: boolean): Command =>
  (view) => {
    if (view.state.readOnly) return false;
    const { state } = view;
    const line = state.doc.lineAt(state.selection.main.head);
    const from = emacs ? state.selection.main.head : line.from;
    const to = emacs && from < line.to ? line.to : Math.min(line.to + 1, state.doc.length);
    if (from === to) return true;
    const text = state.sliceDoc(from, to);
    cutBuffer.text = cutBuffer.after === state.doc ? cutBuffer.text + text : text;
    view.dispatch({
      changes: { from, to },
      selection: EditorSelection.cursor(from),
      userEvent: 'delete.cut',
      scrollIntoView: true,
    });
    cutBuffer.after = view.state.doc;
    return true;
  };

/** Ctrl+Y: inserts cut lines before the cursor's line, or in Emacs mode at the cursor. */
const pasteLine =
  (emacs: boolean): Command =>
  (view) => {
    if (view.state.readOnly || cutBuffer.text === '') return !view.state.readOnly;
    const { state } = view;
    const from = emacs
      ? state.selection.main.head
      : state.doc.lineAt(state.selection.main.head).from;
    const insert = emacs || cutBuffer.text.endsWith('\n') ? cutBuffer.text : `${cutBuffer.text}\n`;
    view.dispatch({
      changes: { from, insert },
      selection: EditorSelection.cursor(from + insert.length),
      userEvent: 'input.paste',
      scrollIntoView: true,
    });
    return true;
  };

/** Stops the propagation of handled keys, so that they do not trigger the page's shortcuts. */
export const bindAll = (bindings: readonly KeyBinding[]): KeyBinding[] =>
  bindings.map((binding) => ({ ...binding, stopPropagation: true }));

/** Keys of every key set: running the paragraph, completion, and moving between editors. */
export const commonKeys: readonly KeyBinding[] = bindAll([
  { key: 'Escape', run: closeCompletion },
  { key: 'Escape', run: closeInspection },
  { key: 'Enter', run: acceptCompletion, shift: runParagraph },
  { key: 'ArrowDown', run: moveCompletionSelection(true) },
  { key: 'ArrowUp', run: moveCompletionSelection(false) },
  { key: 'PageDown', run: moveCompletionSelection(true, 'page') },
  { key: 'PageUp', run: moveCompletionSelection(false, 'page') },
  { key: 'Ctrl-.', run: startCompletion },
  { key: 'Ctrl-Shift-Space', run: inspect },
  { key: 'ArrowUp', run: leaveAtEdge('up') },
  { key: 'ArrowDown', run: leaveAtEdge('down') },
]);

/** Jupyter's Shift+Tab: documentation in code, and less indentation before it. */
const inspectOrOutdent: Command = (view) =>
  (!isIndentation(view.state) && inspect(view)) || indentLess(view);

const tabKeysWith = (shift: Command): readonly KeyBinding[] =>
  bindAll([{ key: 'Tab', run: handleTab, shift }]);
/** Tab and Shift+Tab. */
export const tabKeys = tabKeysWith(indentLess);
/** Tab and Shift+Tab as in Jupyter. */
export const jupyterTabKeys = tabKeysWith(inspectOrOutdent);

/**
 * Ctrl+K, Ctrl+Y, Ctrl+P and Ctrl+N: cut and paste lines, and move to a neighbouring editor.
 * `emacs` selects the behaviour of Emacs.
 */
export const cutKeys = (emacs: boolean): readonly KeyBinding[] =>
  bindAll([
    { key: 'Ctrl-k', run: cutLine(emacs) },
    { key: 'Ctrl-y', run: pasteLine(emacs) },
    { key: 'Ctrl-p', run: leaveAtEdge('up') },
    { key: 'Ctrl-n', run: leaveAtEdge('down') },
  ]);

/** Passes each key to the editor's `onKey` callback first, and stops those that it handles. */
export const contained: Extension = EditorView.domEventHandlers({
  keydown(event, view) {
    if (!view.state.facet(editorCallbacks)().onKey?.(event)) return false;
    event.preventDefault();
    event.stopPropagation();
    return true;
  },
});

/**
 * Keys of any editor, with lower priority than its key set. There is no key for search, because the
 * note searches all its paragraphs at once.
 */
export const lowKeys: readonly KeyBinding[] = bindAll([
  ...closeBracketsKeymap,
  { key: 'Mod-d', run: selectNextOccurrence, preventDefault: true },
  ...defaultKeymap,
  ...historyKeymap,
]);

export const defaultKeys: Extension = [
  Prec.highest([contained, keymap.of([...commonKeys, ...tabKeys, ...cutKeys(isMac)])]),
  keymap.of(lowKeys),
];
