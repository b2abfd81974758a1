import {
  acceptCompletion,
  closeCompletion,
  completionStatus,
  moveCompletionSelection,
  startCompletion,
} from '@codemirror/autocomplete';
import { closeBracketsKeymap } from '@codemirror/autocomplete';
import {
  defaultKeymap,
  historyKeymap,
  indentLess,
  indentMore,
  insertTab,
} from '@codemirror/commands';
import { getIndentUnit, language } from '@codemirror/language';
import { selectNextOccurrence } from '@codemirror/search';
import { EditorSelection, Prec, type Extension, type Text } from '@codemirror/state';
import { EditorView, keymap, type Command, type KeyBinding } from '@codemirror/view';
import { editorHooks } from './hooks.ts';
import { isMac } from './platform.ts';

const run: Command = (view) => {
  closeCompletion(view);
  view.state.facet(editorHooks)().onRun?.();
  return true;
};

/** Indents as the language does: to the next stop, in blanks; plain text gets a tab. */
const indent: Command = (view) => {
  const { state } = view;
  if (!state.facet(language)) return insertTab(view);
  const unit = getIndentUnit(state);
  const { head } = state.selection.main;
  const blanks = unit - ((head - state.doc.lineAt(head).from) % unit);
  view.dispatch(state.replaceSelection(' '.repeat(blanks)), {
    scrollIntoView: true,
    userEvent: 'input',
  });
  return true;
};

/**
 * Tab: takes an open entry, indents in leading blanks and selections; else asks for completion where the setting of the
 * language has Tab as its key, and indents where it has not.
 */
const tab: Command = (view) => {
  if (completionStatus(view.state) === 'active') return acceptCompletion(view);
  if (view.state.readOnly) return false;
  const { main, ranges } = view.state.selection;
  if (ranges.length > 1 || !main.empty) return indentMore(view);
  const line = view.state.doc.lineAt(main.head);
  const blank = line.text.slice(0, main.head - line.from).trim() === '';
  const { complete, completionKey } = view.state.facet(editorHooks)();
  return blank || !complete || completionKey?.toUpperCase() !== 'TAB'
    ? indent(view)
    : startCompletion(view);
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
/** Ctrl+K: cuts the line, in Emacs' manner the rest of it. Several in a row gather. */
const cutLine =
  (rest: boolean): Command =>
  (view) => {
    if (view.state.readOnly) return false;
    const { state } = view;
    const line = state.doc.lineAt(state.selection.main.head);
    const from = rest ? state.selection.main.head : line.from;
    const to = rest && from < line.to ? line.to : Math.min(line.to + 1, state.doc.length);
    if (from === to) return true;
    const text = state.sliceDoc(from, to);
    cut.text = cut.after === state.doc ? cut.text + text : text;
    view.dispatch({
      changes: { from, to },
      selection: EditorSelection.cursor(from),
      userEvent: 'delete.cut',
      scrollIntoView: true,
    });
    cut.after = view.state.doc;
    return true;
  };

/** Ctrl+Y: puts cut lines before the line of the cursor, in Emacs' manner at the cursor. */
const pasteLine =
  (rest: boolean): Command =>
  (view) => {
    if (view.state.readOnly || cut.text === '') return !view.state.readOnly;
    const { state } = view;
    const from = rest
      ? state.selection.main.head
      : state.doc.lineAt(state.selection.main.head).from;
    const insert = rest || cut.text.endsWith('\n') ? cut.text : `${cut.text}\n`;
    view.dispatch({
      changes: { from, insert },
      selection: EditorSelection.cursor(from + insert.length),
      userEvent: 'input.paste',
      scrollIntoView: true,
    });
    return true;
  };

/** A key the editor takes does not reach the shortcuts of the page. */
export const bindAll = (bindings: readonly KeyBinding[]): KeyBinding[] =>
  bindings.map((binding) => ({ ...binding, stopPropagation: true }));

/** In every set: what belongs to the note and to completion. */
export const commonKeys: readonly KeyBinding[] = bindAll([
  { key: 'Escape', run: closeCompletion },
  { key: 'Enter', run: acceptCompletion, shift: run },
  { key: 'ArrowDown', run: moveCompletionSelection(true) },
  { key: 'ArrowUp', run: moveCompletionSelection(false) },
  { key: 'PageDown', run: moveCompletionSelection(true, 'page') },
  { key: 'PageUp', run: moveCompletionSelection(false, 'page') },
  { key: 'Ctrl-.', run: startCompletion },
  { key: 'ArrowUp', run: edge('up') },
  { key: 'ArrowDown', run: edge('down') },
]);

/** Tab and its way back. */
export const tabKeys: readonly KeyBinding[] = bindAll([
  { key: 'Tab', run: tab, shift: indentLess },
]);

/** Cutting and pasting lines, and the cursor over the edges; `rest`: in Emacs' manner. */
export const cutKeys = (rest: boolean): readonly KeyBinding[] =>
  bindAll([
    { key: 'Ctrl-k', run: cutLine(rest) },
    { key: 'Ctrl-y', run: pasteLine(rest) },
    { key: 'Ctrl-p', run: edge('up') },
    { key: 'Ctrl-n', run: edge('down') },
  ]);

/** What an owner takes first goes no further. */
export const contained: Extension = EditorView.domEventHandlers({
  keydown(event, view) {
    if (!view.state.facet(editorHooks)().onKey?.(event)) return false;
    event.preventDefault();
    event.stopPropagation();
    return true;
  },
});

/** What any editor has, below its set. Search has no key: the note searches all its paragraphs at once. */
export const lowKeys: readonly KeyBinding[] = bindAll([
  ...closeBracketsKeymap,
  { key: 'Mod-d', run: selectNextOccurrence, preventDefault: true },
  ...defaultKeymap,
  ...historyKeymap,
]);

/** The editor's own keys. */
export const defaultKeys: Extension = [
  Prec.highest([contained, keymap.of([...commonKeys, ...tabKeys, ...cutKeys(isMac)])]),
  keymap.of(lowKeys),
];
