import { emacsStyleKeymap } from '@codemirror/commands';
import { type Extension, Prec } from '@codemirror/state';
import { keymap } from '@codemirror/view';
import { bindAll, commonKeys, contained, cutKeys, lowKeys, tabKeys } from './bindings.ts';
import { searchKeys } from './incremental-search.ts';

/**
 * Emacs keys: cursor movement with Ctrl+B, F, N, P, A, E; Ctrl+K and Ctrl+Y cut and paste the rest
 * of the line; Ctrl+S searches.
 */
export const emacsKeys: Extension = [
  Prec.highest([contained, keymap.of([...commonKeys, ...tabKeys, ...cutKeys(true)])]),
  Prec.high(keymap.of(bindAll([...emacsStyleKeymap, ...searchKeys]))),
  keymap.of(lowKeys),
];
