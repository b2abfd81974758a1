import { codeFolding, foldGutter, foldKeymap, foldService } from '@codemirror/language';
import type { EditorState, Extension } from '@codemirror/state';
import { keymap } from '@codemirror/view';
import { editorText } from '../text/editor.ts';

/** Lines looked at for the end of a block. */
const farthest = 5_000;

const indentOf = (text: string): number => (/\S/.test(text) ? text.search(/\S/) : -1);

/** A block by its indentation: a line and the deeper ones below it. For languages whose parser knows no blocks. */
function blockAt(state: EditorState, lineStart: number): { from: number; to: number } | null {
  const first = state.doc.lineAt(lineStart);
  const own = indentOf(first.text);
  if (own < 0) return null;
  let last = first;
  for (
    let number = first.number + 1;
    number <= Math.min(state.doc.lines, first.number + farthest);
    number += 1
  ) {
    const line = state.doc.line(number);
    const indent = indentOf(line.text);
    if (indent >= 0 && indent <= own) break;
    if (indent > own) last = line;
  }
  return last.number > first.number ? { from: first.to, to: last.to } : null;
}

/** Folds by indentation; part of the languages that have none of their own. */
export const indentFolds: Extension = foldService.of(blockAt);

/** The word that stands for what is folded, as a button. */
function placeholder(_view: unknown, onclick: (event: Event) => void): HTMLElement {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'cm-foldPlaceholder';
  button.textContent = '…';
  button.title = editorText.unfold;
  button.setAttribute('aria-label', editorText.folded);
  button.onclick = onclick;
  return button;
}

/** Folding by keys: Ctrl+Shift+[ and ], Ctrl+Alt+[ and ] for all. */
export const folding: Extension = [
  codeFolding({ placeholderDOM: placeholder }),
  keymap.of(foldKeymap.map((binding) => ({ ...binding, stopPropagation: true }))),
];

function marker(open: boolean): HTMLElement {
  const mark = document.createElement('span');
  mark.className = open ? 'fold-mark' : 'fold-mark closed';
  mark.title = open ? editorText.fold : editorText.unfold;
  return mark;
}

/** The marks beside the line numbers. */
export const foldMarks: Extension = foldGutter({ markerDOM: marker });
