import {
  type ClipboardEvent,
  type KeyboardEvent,
  type MouseEvent,
  type PointerEvent,
  useRef,
  useState,
} from 'react';
import { useEvent } from '../../../../runtime/hooks.ts';
import type { CellRange } from '../../../rows/copy-cells.ts';
import {
  type CellPosition,
  type CellSelection,
  type GridExtent,
  moveSelection,
  selectedRange,
} from './selection.ts';

interface GridInput {
  extent: GridExtent;
  /** Scrolls a cell into view. */
  reveal: (place: CellPosition) => void;
  /** Called for Enter or Space on a header. */
  onSort: (column: number, add: boolean) => void;
  onMenu: (column: number) => void;
  onMove: (column: number, by: -1 | 1) => void;
  onResize: (column: number, by: number) => void;
  /** Opens a cell; called for Enter, F2 or a double click. */
  onOpen: (place: CellPosition) => void;
  /** Picks a row for the host page; null clears the choice. */
  onChoose: (row: number | null) => void;
  chosen: number | null;
  onSearch: () => void;
  copy: (range: CellRange) => void;
  textOf: (range: CellRange) => string;
}

/** Width in px by which a key press resizes a column. */
const resizeStep = 10;

/** Handles keyboard, pointer and clipboard events of the grid and keeps the selection. */
export function useGridInput(input: GridInput) {
  const { extent, reveal } = input;
  const [selection, setSelection] = useState<CellSelection | null>(null);
  const dragging = useRef<'cells' | 'rows' | null>(null);

  const onKeyDown = useEvent((event: KeyboardEvent<HTMLElement>): void => {
    if (event.target !== event.currentTarget) return;
    const rtl = getComputedStyle(event.currentTarget).direction === 'rtl';
    const now = selection ?? { active: { row: 0, column: 0 }, anchor: { row: 0, column: 0 } };
    if (!act(event, now, rtl)) {
      const next = moveSelection(now, event, extent, rtl);
      if (!next) return;
      setSelection(next);
      reveal(next.active);
    }
    event.preventDefault();
    event.stopPropagation();
  });
  /**
   * Handles keys that do something other than move the selection. Returns whether the key was
   * handled.
   */
  const act = (
    event: KeyboardEvent<HTMLElement>,
    { active, anchor, span }: CellSelection,
    rtl: boolean,
  ): boolean => {
    const { key, shiftKey, altKey } = event;
    const ctrl = event.ctrlKey || event.metaKey;
    if (ctrl && !shiftKey && !altKey && key.toLowerCase() === 'c') {
      // Without the clipboard API (insecure pages), the browser's copy event is used instead.
      if (!selection || !navigator.clipboard || String(getSelection() ?? '') !== '') return false;
      input.copy(selectedRange(selection, extent));
    } else if (ctrl && !shiftKey && !altKey && key.toLowerCase() === 'f') input.onSearch();
    else if (altKey && (key === 'ArrowLeft' || key === 'ArrowRight')) {
      const by = (key === 'ArrowRight') === !rtl ? 1 : -1;
      if (shiftKey) {
        const column = active.column + by;
        if (column < 0 || column >= extent.columns) return true;
        input.onMove(active.column, by);
        setSelection({ active: { row: active.row, column }, anchor: { row: active.row, column } });
      } else input.onResize(active.column, by * resizeStep);
    } else if (
      (altKey && key === 'ArrowDown') ||
      key === 'ContextMenu' ||
      (shiftKey && key === 'F10')
    )
      input.onMenu(active.column);
    else if (active.row === -1 && (key === 'Enter' || key === ' '))
      input.onSort(active.column, shiftKey);
    else if (active.row >= 0 && key === 'Enter' && ctrl)
      input.onChoose(input.chosen === active.row ? null : active.row);
    else if (
      active.row >= 0 &&
      active.row < extent.rows &&
      ((key === 'Enter' && !shiftKey) || key === 'F2')
    )
      input.onOpen(active);
    else if (key === 'Escape' && input.chosen !== null) input.onChoose(null);
    else if (
      key === 'Escape' &&
      selection &&
      (span || active.row !== anchor.row || active.column !== anchor.column)
    )
      setSelection({ active, anchor: active });
    else return false;
    return true;
  };
  const onPointerDown = useEvent((event: PointerEvent<HTMLElement>): void => {
    if (event.button !== 0) return;
    const number = rowNumberOf(event.target);
    if (number !== null) {
      dragging.current = 'rows';
      const place = { row: number, column: 0 };
      setSelection((old) => ({
        active: place,
        anchor: event.shiftKey && old ? old.anchor : place,
        span: 'rows',
      }));
      if (!event.shiftKey) input.onChoose(input.chosen === number ? null : number);
      return;
    }
    const place = placeOf(event.target);
    if (!place) return;
    dragging.current = place.row >= 0 ? 'cells' : null;
    // Control and a click on a header select the whole column.
    const span = place.row < 0 && (event.ctrlKey || event.metaKey) ? 'columns' : undefined;
    setSelection((old) => ({
      active: place,
      anchor: event.shiftKey && old && place.row >= 0 ? old.anchor : place,
      span,
    }));
  });
  const onPointerMove = useEvent((event: PointerEvent<HTMLElement>): void => {
    if (!dragging.current || event.buttons !== 1) return;
    const number =
      dragging.current === 'rows'
        ? (rowNumberOf(event.target) ?? placeOf(event.target)?.row ?? -1)
        : null;
    const place = number !== null ? { row: number, column: 0 } : placeOf(event.target);
    if (!place || place.row < 0) return;
    setSelection((old) => {
      if (!old || (old.active.row === place.row && old.active.column === place.column)) return old;
      // Cells are being selected, so clear the browser's text selection.
      getSelection()?.removeAllRanges();
      return { active: place, anchor: old.anchor, span: old.span };
    });
  });
  const onPointerUp = useEvent((): void => {
    dragging.current = null;
  });
  const onDoubleClick = useEvent((event: MouseEvent<HTMLElement>): void => {
    const place = placeOf(event.target);
    if (place && place.row >= 0) input.onOpen(place);
  });
  const onCopy = useEvent((event: ClipboardEvent<HTMLElement>): void => {
    // Text selected inside a cell is copied by the browser.
    if (
      !selection ||
      (event.target instanceof HTMLElement && event.target.localName === 'input') ||
      String(getSelection() ?? '') !== ''
    )
      return;
    event.clipboardData.setData('text/plain', input.textOf(selectedRange(selection, extent)));
    event.preventDefault();
  });
  const onFocus = useEvent((event: { target: unknown; currentTarget: unknown }): void => {
    if (event.target !== event.currentTarget) return;
    const first = { row: extent.rows > 0 ? 0 : -1, column: 0 };
    setSelection((old) => old ?? { active: first, anchor: first });
  });
  return {
    selection,
    setSelection,
    handlers: {
      onKeyDown,
      onPointerDown,
      onPointerMove,
      onPointerUp,
      onDoubleClick,
      onCopy,
      onFocus,
    },
  };
}

function placeOf(target: EventTarget | null): CellPosition | null {
  const element =
    target instanceof Element ? target.closest<HTMLElement>('[data-column][data-row]') : null;
  return element
    ? { row: Number(element.dataset['row']), column: Number(element.dataset['column']) }
    : null;
}

function rowNumberOf(target: EventTarget | null): number | null {
  const element =
    target instanceof Element ? target.closest<HTMLElement>('[data-row-number]') : null;
  return element ? Number(element.dataset['rowNumber']) : null;
}
