import { closeBrackets } from '@codemirror/autocomplete';
import { history } from '@codemirror/commands';
import {
  bracketMatching,
  indentOnInput,
  indentUnit,
  type LanguageSupport,
  syntaxHighlighting,
} from '@codemirror/language';
import {
  Annotation,
  Compartment,
  EditorState,
  type Extension,
  RangeSetBuilder,
} from '@codemirror/state';
import {
  Decoration,
  type DecorationSet,
  dropCursor,
  EditorView,
  highlightActiveLineGutter,
  highlightSpecialChars,
  lineNumbers,
  rectangularSelection,
  ViewPlugin,
  type ViewUpdate,
} from '@codemirror/view';
import { editorCallbacks } from './callbacks.ts';
import { completionList } from './completion.ts';
import { cursorGuard } from './cursor-guard.ts';
import { drawnSelection } from './drawn-selection.ts';
import { hint, hintView } from './hint.ts';
import { inspection } from './inspection.ts';
import { defaultKeys } from './keys/bindings.ts';
import { isMac } from './keys/platform.ts';
import { folding, foldMarks } from './languages/folding.ts';
import { highlighter } from './languages/highlighter.ts';
import { indentOf } from './languages/indent-units.ts';
import { languageName } from './languages/language-name.ts';
import { findMarks } from './marks/find-marks.ts';
import { formLanguage, formMarks } from './marks/form-marks.ts';
import { magicEnd } from './marks/highlight.ts';
import { pageFollows } from './page-follows.ts';
import { textChangeOf } from './text-sync.ts';
import { editorTexts } from './texts.ts';

/** Marks a change that came from outside and is not reported back. */
export const fromOutside = Annotation.define<boolean>();

const magicMark = Decoration.mark({ class: 'tok-magic' });

/** Highlights the interpreter magic of the first line, regardless of the language. */
const magic = ViewPlugin.define(
  (view) => ({
    marks: magicMarks(view.state),
    update(update: ViewUpdate) {
      if (update.docChanged) this.marks = magicMarks(update.state);
    },
  }),
  { decorations: (plugin) => plugin.marks },
);

function magicMarks(state: EditorState): DecorationSet {
  const end = magicEnd(state.doc.line(1).text);
  const builder = new RangeSetBuilder<Decoration>();
  if (end > 0) builder.add(0, end, magicMark);
  return builder.finish();
}

const reports: Extension = [
  EditorView.updateListener.of((update) => {
    if (
      !update.docChanged ||
      update.transactions.every((transaction) => transaction.annotation(fromOutside))
    )
      return;
    const change = textChangeOf(update.changes);
    update.state.facet(editorCallbacks)().onChange(update.state.doc.toString(), undefined, change);
  }),
  EditorView.domEventHandlers({
    blur: (_event, view) => view.state.facet(editorCallbacks)().onBlur?.(),
    focus: (_event, view) => view.state.facet(editorCallbacks)().onFocus?.(),
  }),
];

/**
 * Handles typing over a selection instead of the browser: Chromium keeps the style of deleted text
 * in an inline style, which the page's content security policy reports as a violation.
 */
const typeOver = EditorView.domEventHandlers({
  beforeinput(event, view) {
    const { state } = view;
    if (
      event.inputType !== 'insertText' ||
      event.data === null ||
      state.readOnly ||
      state.selection.ranges.every((range) => range.empty)
    )
      return false;
    event.preventDefault();
    const { from, to } = state.selection.main;
    const text = event.data;
    const insert = () =>
      state.update(state.replaceSelection(text), { userEvent: 'input.type', scrollIntoView: true });
    // Let other input handlers run first, such as closing brackets around a selection.
    if (
      !state.facet(EditorView.inputHandler).some((handle) => handle(view, from, to, text, insert))
    )
      view.dispatch(insert());
    return true;
  },
});

/** Extensions of every editor, in one array so that they are resolved only once. */
export const sharedExtensions: Extension = [
  highlightSpecialChars(),
  history(),
  drawnSelection,
  dropCursor(),
  EditorState.allowMultipleSelections.of(true),
  EditorView.clickAddsSelectionRange.of(
    (event) => event.altKey || (isMac ? event.metaKey : event.ctrlKey),
  ),
  rectangularSelection({ eventFilter: (event) => event.altKey && event.shiftKey }),
  EditorState.tabSize.of(4),
  indentOnInput(),
  syntaxHighlighting(highlighter),
  magic,
  formMarks,
  findMarks,
  pageFollows,
  bracketMatching(),
  closeBrackets(),
  highlightActiveLineGutter(),
  inspection,
  folding,
  typeOver,
  hintView,
  cursorGuard,
  reports,
];

const language = new Compartment();
const numbers = new Compartment();
const access = new Compartment();
const naming = new Compartment();
const keys = new Compartment();
const completion = new Compartment();
const hinting = new Compartment();
const noGutter = EditorView.editorAttributes.of({ class: 'without-numbers' });

/**
 * Parts of an editor that change while it is mounted, each in its own compartment. All editors
 * share the compartments.
 */
export const changing = {
  language,
  numbers,
  access,
  naming,
  keys,
  completion,
  completionList,
  hinting,
  hint: (text: string): Extension => hint.of(text),
  lineNumbers: (shown: boolean): Extension => (shown ? [lineNumbers(), foldMarks] : noGutter),
  usualKeys: defaultKeys,
  /*
   * A read-only editor can still take the focus, so that keys and copying work while the paragraph
   * runs.
   */
  readOnly: (on: boolean): Extension => [
    EditorState.readOnly.of(on),
    EditorView.contentAttributes.of(on ? { 'aria-readonly': 'true' } : {}),
  ],
  /** Accessible name and error description. */
  label: (text: string, errors = ''): Extension =>
    EditorView.contentAttributes.of({
      'aria-label': text,
      tabindex: '0',
      'aria-description': [errors, editorTexts.leave].filter(Boolean).join(' '),
      ...(errors === '' ? {} : { 'aria-invalid': 'true' }),
    }),
  languageOf: (name: string | undefined, support: LanguageSupport | null): Extension => [
    formLanguage.of(name),
    support ? [support, indentUnit.of(indentOf(languageName(name)))] : [],
  ],
} as const;
