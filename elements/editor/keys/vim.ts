import { type Extension, Prec } from '@codemirror/state';
import { EditorView, keymap } from '@codemirror/view';
import { vim } from '@replit/codemirror-vim';
import { commonKeys, contained, lowKeys, tabKeys } from './bindings.ts';

/** Escape changes Vim's mode; it must not leave the editor or close anything around it. */
const escapeStays = EditorView.domEventHandlers({
  keydown(event) {
    if (event.key !== 'Escape') return false;
    event.preventDefault();
    event.stopPropagation();
    return true;
  },
});

/**
 * Vim keys. Keys of the note have priority: running, completion, leaving past the edges with arrow
 * keys.
 */
export const vimKeys: Extension = [
  Prec.highest([contained, keymap.of(commonKeys)]),
  Prec.high(vim()),
  Prec.default([escapeStays, keymap.of([...tabKeys, ...lowKeys])]),
];
