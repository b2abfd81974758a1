import { useRef, useState, type ClipboardEvent, type KeyboardEvent, type PointerEvent } from 'react';
import type { Cell } from 'tiding/model';
import { moveSelection, rangeOf, type Extent, type Place, type Selection } from './cells.ts';

interface GridInput {
  extent: Extent;
  /** Brings a cell into the window. */
  reveal: (place: Place) => void;
  /** Enter or blank on a header. */
  onSort: (column: number) => void;
  cell: (row: number, column: number) => Cell | undefined;
}

/** Active cell and selection by keys and pointer, and what of it is copied. */
export function useGridInput({ extent, reveal, onSort, cell }: GridInput) {
  const [selection, setSelection] = useState<Selection | null>(null);
  const dragging = useRef(false);

  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    if (event.target !== event.currentTarget) return;
    const now = selection ?? { active: { row: 0, column: 0 }, anchor: { row: 0, column: 0 } };
    if (event.key.toLowerCase() === 'c' && (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey) {
      // Where the clipboard is not to be had (an insecure page) the browser's own copy event comes instead.
      if (!selection || !navigator.clipboard || String(getSelection() ?? '') !== '') return;
      void navigator.clipboard.writeText(copyText(selection, extent, cell)).catch(() => {});
    } else if (now.active.row === -1 && (event.key === 'Enter' || event.key === ' ')) onSort(now.active.column);
    else if (event.key === 'Escape' && selection && (selection.active.row !== selection.anchor.row || selection.active.column !== selection.anchor.column)) {
      setSelection({ active: selection.active, anchor: selection.active });
    } else {
      const next = moveSelection(now, event, extent);
      if (!next) return;
      setSelection(next);
      reveal(next.active);
    }
    event.preventDefault();
    event.stopPropagation();
  };
  const onPointerDown = (event: PointerEvent<HTMLElement>): void => {
    const place = placeOf(event.target);
    if (!place || event.button !== 0) return;
    dragging.current = place.row >= 0;
    setSelection((old) => ({ active: place, anchor: event.shiftKey && old ? old.anchor : place }));
  };
  const onPointerMove = (event: PointerEvent<HTMLElement>): void => {
    if (!dragging.current || event.buttons !== 1) return;
    const place = placeOf(event.target);
    if (!place || place.row < 0) return;
    setSelection((old) => {
      if (!old || (old.active.row === place.row && old.active.column === place.column)) return old;
      // Cells are selected now, not the text in them.
      getSelection()?.removeAllRanges();
      return { active: place, anchor: old.anchor };
    });
  };
  const onPointerUp = (): void => {
    dragging.current = false;
  };
  const onCopy = (event: ClipboardEvent<HTMLElement>): void => {
    // Text the reader marked inside a cell is copied as it is.
    if (!selection || (event.target instanceof HTMLElement && event.target.localName === 'input') || String(getSelection() ?? '') !== '') return;
    event.clipboardData.setData('text/plain', copyText(selection, extent, cell));
    event.preventDefault();
  };
  const onFocus = (event: { target: unknown; currentTarget: unknown }): void => {
    if (event.target !== event.currentTarget) return;
    const first = { row: extent.rows > 0 ? 0 : -1, column: 0 };
    setSelection((old) => old ?? { active: first, anchor: first });
  };
  return { selection, handlers: { onKeyDown, onPointerDown, onPointerMove, onPointerUp, onCopy, onFocus } };
}

function placeOf(target: EventTarget | null): Place | null {
  const element = target instanceof Element ? target.closest<HTMLElement>('[data-column][data-row]') : null;
  return element ? { row: Number(element.dataset['row']), column: Number(element.dataset['column']) } : null;
}

/** Selected cells as tab-separated text, the values as they came. */
export function copyText(selection: Selection, extent: Extent, cell: GridInput['cell']): string {
  const { top, bottom, left, right } = rangeOf(selection);
  const lines: string[] = [];
  for (let row = top; row <= Math.min(bottom, extent.rows - 1); row++) {
    const cells: string[] = [];
    for (let column = left; column <= right; column++) cells.push(String(cell(row, column) ?? ''));
    lines.push(cells.join('\t'));
  }
  return lines.join('\n');
}
