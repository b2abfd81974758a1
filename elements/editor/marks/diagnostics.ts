/**
 * Errors of the last run in an open editor: underlined, marked in the gutter, and shown on hover
 * and with F8.
 */
import {
  type Diagnostic,
  diagnosticCount,
  nextDiagnostic,
  previousDiagnostic,
  setDiagnostics,
} from '@codemirror/lint';
import { type EditorState, RangeSet, StateEffect, StateField } from '@codemirror/state';
import { Decoration, EditorView, GutterMarker, gutterLineClass, keymap } from '@codemirror/view';
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

/** Replaces the errors shown in an editor. */
export function showErrors(view: EditorView, errors: readonly LineError[]): void {
  const diagnostics = errors
    .map((error) => diagnosticOf(view.state, error))
    .filter((found) => found !== undefined);
  if (diagnostics.length === 0 && diagnosticCount(view.state) === 0) return;
  if (!view.state.field(lines, false))
    view.dispatch({ effects: StateEffect.appendConfig.of(extensions) });
  view.dispatch(setDiagnostics(view.state, diagnostics));
  view.dispatch({
    effects: setErrors.of(diagnostics.map(({ from }) => view.state.doc.lineAt(from).from)),
  });
}
