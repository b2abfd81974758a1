import type { Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { keepInView } from './scroll.ts';

/** Scrolls the page when an open editor scrolls the cursor or a search match into view. */
export const pageFollows: Extension = EditorView.scrollHandler.of((view, range) => {
  // Lines do not wrap, and lines that are not rendered have a position too.
  const { top, height } = view.lineBlockAt(range.head);
  keepInView(view.dom, view.documentTop + top, view.documentTop + top + height);
  // The editor still handles horizontal scrolling.
  return false;
});
