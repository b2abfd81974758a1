import { Prec, type Extension } from '@codemirror/state';
import { EditorView, keymap } from '@codemirror/view';
import { vim } from '@replit/codemirror-vim';
import { commonKeys, contained, lowKeys, tabKeys } from './keys.ts';

/** Escape changes Vim's mode; it leaves neither the editor nor anything around it. */
const escapeStays = EditorView.domEventHandlers({
  keydown(event) {
    if (event.key !== 'Escape') return false;
    event.preventDefault();
    event.stopPropagation();
    return true;
  },
});

/** Vim's keys. What belongs to the note comes first: running, completion, leaving over the edges by arrows. */
export const vimKeys: Extension = [
  Prec.highest([contained, keymap.of(commonKeys)]),
  Prec.high(vim()),
  Prec.default([escapeStays, keymap.of([...tabKeys, ...lowKeys])]),
];
