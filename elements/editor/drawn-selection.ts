import { Compartment, EditorState, type Extension } from '@codemirror/state';
import { drawSelection } from '@codemirror/view';

const layers = new Compartment();
const none: Extension = [];

/**
 * Draws what is selected, which the browser can't do for several ranges and does not do without the
 * focus. A single cursor is the browser's: a drawn one costs a second layout of the page per key.
 */
export const drawnSelection: Extension = [
  layers.of(none),
  EditorState.transactionExtender.of(({ startState, newSelection: { ranges, main } }) => {
    const isDrawn = ranges.length > 1 || !main.empty;
    if (isDrawn === (layers.get(startState) !== none)) return null;
    return { effects: layers.reconfigure(isDrawn ? drawSelection() : none) };
  }),
];
