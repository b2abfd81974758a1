import {
  useRef,
  useState,
  type ClipboardEvent,
  type KeyboardEvent,
  type MouseEvent,
  type PointerEvent,
} from 'react';
import {
  moveSelection,
  rangeOf,
  type Extent,
  type Place,
  type Range,
  type Selection,
} from './cells.ts';
import { useEvent } from '../../../runtime/hooks.ts';

interface GridInput {
  extent: Extent;
  /** Brings a cell into the window. */
  reveal: (place: Place) => void;
  /** Enter or blank on a header. */
  onSort: (column: number, add: boolean) => void;
  onMenu: (column: number) => void;
  onMove: (column: number, by: -1 | 1) => void;
  onResize: (column: number, by: number) => void;
  /** Opens a cell: Enter, F2, a double click. */
  onOpen: (place: Place) => void;
  /** Chooses a row for the page around; null takes that back. */
  onChoose: (row: number | null) => void;
  chosen: number | null;
  onSearch: () => void;
  copy: (range: Range) => void;
  textOf: (range: Range) => string;
}

/** Width that a key changes a column by, px. */
const resizeStep = 10;

/** Active cell and selection by keys and pointer, and what the keys do to cells, columns and rows. */
export function useGridInput(input: GridInput) {
  const { extent, reveal } = input;
  const [selection, setSelection] = useState<Selection | null>(null);
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
  /** Whether a key did something else than move. */
  const act = (
    event: KeyboardEvent<HTMLElement>,
    { active, anchor, span }: Selection,
    rtl: boolean,
  ): boolean => {
    const { key, shiftKey, altKey } = event;
    const ctrl = event.ctrlKey || event.metaKey;
    if (ctrl && !shiftKey && !altKey && key.toLowerCase() === 'c') {
      // Where the clipboard is not to be had (an insecure page) the browser's own copy event comes instead.
      if (!selection || !navigator.clipboard || String(getSelection() ?? '') !== '') return false;
      input.copy(rangeOf(selection, extent));
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
    // A header with Control is the whole column.
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
      // Cells are selected now, not the text in them.
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
    // Text the reader marked inside a cell is copied as it is.
    if (
      !selection ||
      (event.target instanceof HTMLElement && event.target.localName === 'input') ||
      String(getSelection() ?? '') !== ''
    )
      return;
    event.clipboardData.setData('text/plain', input.textOf(rangeOf(selection, extent)));
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

function placeOf(target: EventTarget | null): Place | null {
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
