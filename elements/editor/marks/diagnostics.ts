/**
 * Errors of the last run in an open editor: underlined, marked in the gutter, and shown on hover
 * and with F8. Mistakes found by a checker are underlined and shown in the same way.
 */
import {
  type Diagnostic,
  forEachDiagnostic,
  nextDiagnostic,
  previousDiagnostic,
  setDiagnostics,
} from '@codemirror/lint';
import { type EditorState, RangeSet, StateEffect, StateField } from '@codemirror/state';
import { Decoration, EditorView, GutterMarker, gutterLineClass, keymap } from '@codemirror/view';
import type { CodeDiagnostic } from '@tiding/client/protocol';
import type { LineError } from './error-lines.ts';

class ErrorNumber extends GutterMarker {
  override elementClass = 'error-number';
}
const errorNumber = new ErrorNumber();
const errorLine = Decoration.line({ class: 'error-line' });

const setErrors = StateEffect.define<readonly number[]>();

/** Start offsets of the lines with an error. */
const lines = StateField.define<RangeSet<GutterMarker>>({
  create: () => RangeSet.empty,
  update(value, transaction) {
    let next = value.map(transaction.changes);
    for (const effect of transaction.effects)
      if (effect.is(setErrors))
        next = RangeSet.of(
          effect.value.map((from) => errorNumber.range(from)),
          true,
        );
    return next;
  },
  provide: (field) => [
    gutterLineClass.from(field),
    EditorView.decorations.from(field, (value) => {
      const marks = [];
      for (const cursor = value.iter(); cursor.value; cursor.next())
        marks.push(errorLine.range(cursor.from));
      return Decoration.set(marks);
    }),
  ],
});

const extensions = [
  lines,
  keymap.of([{ key: 'F8', run: nextDiagnostic, shift: previousDiagnostic, stopPropagation: true }]),
];

function diagnosticOf(
  state: EditorState,
  { line: number, message }: LineError,
): Diagnostic | undefined {
  if (number < 1 || number > state.doc.lines) return undefined;
  const line = state.doc.line(number);
  const from = line.from + Math.max(0, line.text.search(/\S/));
  return {
    from,
    to: Math.max(from, line.from + line.text.trimEnd().length),
    severity: 'error',
    message,
  };
}

/** `source` of the mistakes of a checker. Errors of runs have none. */
const CHECKER = 'ruff';

/** Returns the errors or the mistakes that an editor shows, where edits have moved them. */
function shown(state: EditorState, ofChecker: boolean): Diagnostic[] {
  const found: Diagnostic[] = [];
  forEachDiagnostic(state, (diagnostic, from, to) => {
    if ((diagnostic.source === CHECKER) === ofChecker) found.push({ ...diagnostic, from, to });
  });
  return found;
}

function show(view: EditorView, diagnostics: readonly Diagnostic[]): void {
  if (!view.state.field(lines, false))
    view.dispatch({ effects: StateEffect.appendConfig.of(extensions) });
  view.dispatch(setDiagnostics(view.state, diagnostics));
}

/** Replaces the errors shown in an editor. */
export function showErrors(view: EditorView, errors: readonly LineError[]): void {
  const diagnostics = errors
    .map((error) => diagnosticOf(view.state, error))
    .filter((found) => found !== undefined);
  if (diagnostics.length === 0 && shown(view.state, false).length === 0) return;
  show(view, [...diagnostics, ...shown(view.state, true)]);
  view.dispatch({
    effects: setErrors.of(diagnostics.map(({ from }) => view.state.doc.lineAt(from).from)),
  });
}

/** Replaces the mistakes shown in an editor. */
export function showMistakes(view: EditorView, mistakes: readonly CodeDiagnostic[]): void {
  const { doc } = view.state;
  const offset = (number: number, column: number): number => {
    const line = doc.line(Math.max(1, Math.min(number, doc.lines)));
    return Math.min(line.from + Math.max(0, column - 1), line.to);
  };
  const diagnostics = mistakes.map((mistake): Diagnostic => {
    const { line, column, endLine, endColumn, message, code } = mistake;
    const from = offset(line, column);
    return {
      from,
      to: Math.max(from, offset(endLine, endColumn)),
      severity: code === undefined ? 'error' : 'warning',
      message: code === undefined ? message : `${message} (${code})`,
      source: CHECKER,
    };
  });
  if (diagnostics.length === 0 && shown(view.state, true).length === 0) return;
  show(view, [...shown(view.state, false), ...diagnostics]);
}
