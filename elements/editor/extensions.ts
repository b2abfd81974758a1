import { closeBrackets } from '@codemirror/autocomplete';
import { history } from '@codemirror/commands';
import {
  bracketMatching,
  indentOnInput,
  indentUnit,
  syntaxHighlighting,
  type LanguageSupport,
} from '@codemirror/language';
import {
  Annotation,
  Compartment,
  EditorState,
  RangeSetBuilder,
  type Extension,
} from '@codemirror/state';
import {
  Decoration,
  drawSelection,
  dropCursor,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  highlightSpecialChars,
  lineNumbers,
  rectangularSelection,
  ViewPlugin,
  type DecorationSet,
  type ViewUpdate,
} from '@codemirror/view';
import { completion } from './completion.ts';
import { highlighter, magicEnd } from './highlight.ts';
import { editorHooks } from './hooks.ts';
import { folding, foldMarks } from './folding.ts';
import { formMarks } from './form-marks.ts';
import { defaultKeys } from './keys.ts';
import { languageName } from './languages.ts';
import { indentOf } from './manners.ts';
import { isMac } from './platform.ts';
import { pageFollows } from './scroll.ts';
import { findMarks } from './spans.ts';

/** Marks a change that came from outside; it is not reported back. */
export const fromOutside = Annotation.define<boolean>();

const magicMark = Decoration.mark({ class: 'tok-magic' });

/** Colours the interpreter magic of the first line, whatever the language makes of it. */
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
    update.state.facet(editorHooks)().onChange(update.state.doc.toString());
  }),
  EditorView.domEventHandlers({
    blur: (_event, view) => view.state.facet(editorHooks)().onBlur?.(),
    focus: (_event, view) => view.state.facet(editorHooks)().onFocus?.(),
  }),
];

/**
 * Typing over a selection is done here and not by the browser: Chromium keeps the look of what it deletes in an inline
 * style, which the page's policy reports as a violation.
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
    // Others have a say first (closing brackets puts a pair around the selection).
    if (
      !state.facet(EditorView.inputHandler).some((handle) => handle(view, from, to, text, insert))
    )
      view.dispatch(insert());
    return true;
  },
});

/** What every editor has; one array, so that its parts are resolved once. */
export const sharedExtensions: Extension = [
  highlightSpecialChars(),
  history(),
  drawSelection(),
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
  highlightActiveLine(),
  highlightActiveLineGutter(),
  completion,
  folding,
  typeOver,
  reports,
];

const language = new Compartment();
const numbers = new Compartment();
const access = new Compartment();
const naming = new Compartment();
const keys = new Compartment();
const noGutter = EditorView.editorAttributes.of({ class: 'without-numbers' });

/** The parts of an editor that change while it lives, each in its own compartment; all editors share the compartments. */
export const changing = {
  language,
  numbers,
  access,
  naming,
  keys,
  lineNumbers: (shown: boolean): Extension => (shown ? [lineNumbers(), foldMarks] : noGutter),
  usualKeys: defaultKeys,
  /* Read-only still takes the focus: keys and copying go on working while the paragraph runs. */
  readOnly: (on: boolean): Extension => [
    EditorState.readOnly.of(on),
    EditorView.contentAttributes.of(on ? { 'aria-readonly': 'true' } : {}),
  ],
  /** Name, and what is wrong, for screen readers. */
  label: (text: string, errors = ''): Extension =>
    EditorView.contentAttributes.of({
      'aria-label': text,
      tabindex: '0',
      ...(errors === '' ? {} : { 'aria-invalid': 'true', 'aria-description': errors }),
    }),
  languageOf: (name: string | undefined, support: LanguageSupport | null): Extension =>
    support ? [support, indentUnit.of(indentOf(languageName(name)))] : [],
} as const;
