import { Compartment, EditorState, type Extension } from '@codemirror/state';
import { drawSelection, highlightActiveLine } from '@codemirror/view';

const layers = new Compartment();
// A single cursor is the browser's: a drawn one costs a second layout of the page for each key.
const cursor: Extension = highlightActiveLine();
// The background of the line would cover the selection.
const selected: Extension = drawSelection();
const cursors: Extension = [selected, cursor];

/**
 * Draws what is selected, which the browser can't do for several ranges and does not do without the
 * focus, and otherwise highlights the cursor's line.
 */
export const drawnSelection: Extension = [
  layers.of(cursor),
  EditorState.transactionExtender.of(({ startState, newSelection: { ranges } }) => {
    const next = ranges.some(({ empty }) => !empty)
      ? selected
      : ranges.length > 1
        ? cursors
        : cursor;
    return layers.get(startState) === next ? null : { effects: layers.reconfigure(next) };
  }),
];
