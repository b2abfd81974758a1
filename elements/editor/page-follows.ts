import type { Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { keepInView } from './scroll.ts';

/** Scrolls the page when an open editor scrolls the cursor or a search match into view. */
export const pageFollows: Extension = EditorView.scrollHandler.of((view, range, { x, y }) => {
  // Lines do not wrap, and lines that are not rendered have a position too.
  const { top, height } = view.lineBlockAt(range.head);
  const isVisible = keepInView(view.dom, view.documentTop + top, view.documentTop + top + height);
  // The editor still handles horizontal scrolling. Without any, it would ask each element around it
  // for its size, on every key.
  const { scrollWidth, clientWidth } = view.scrollDOM;
  const { left, right } = view.dom.getBoundingClientRect();
  return (
    isVisible &&
    x === 'nearest' &&
    y === 'nearest' &&
    scrollWidth <= clientWidth &&
    left >= 0 &&
    right <= window.innerWidth
  );
});
