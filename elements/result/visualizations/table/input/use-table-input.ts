import { isAbsent } from '@tiding/client/model';
import {
  type ClipboardEvent,
  type KeyboardEvent,
  type MouseEvent,
  type PointerEvent,
  type RefObject,
  useRef,
  useState,
} from 'react';
import { useEvent } from '../../../../runtime/hooks.ts';
import type { BuiltInVisualizationProps } from '../../contract.ts';
import { headerOf } from '../grid/grid-head.tsx';
import type { GridLayout } from '../layout/use-grid-layout.tsx';
import type { RowWindow } from '../layout/use-row-window.ts';
import type { TableRows } from '../state/use-table-rows.ts';
import { cellCopying } from './cell-copying.ts';
import {
  type CellPosition,
  type CellSelection,
  moveSelection,
  selectedRange,
} from './selection.ts';
import type { OpenedPanel, useColumnActions } from './use-column-actions.ts';
import { usePickedRow } from './use-picked-row.ts';

interface TableInputProps {
  box: RefObject<HTMLDivElement | null>;
  rows: TableRows;
  layout: GridLayout;
  view: RowWindow;
  actions: ReturnType<typeof useColumnActions>;
  onSelect: BuiltInVisualizationProps['onSelect'];
  announce: (message: string) => void;
  open: (panel: OpenedPanel) => void;
  /** Opens the search bar. */
  search: () => void;
}

/** Width in px by which a key press resizes a column. */
const resizeStep = 10;

/**
 * Handles keyboard, pointer and clipboard events of the grid, and keeps the selection and the
 * picked row, on the current page.
 */
export function useTableInput({
  box,
  rows,
  layout,
  view,
  actions,
  onSelect,
  announce,
  open,
  search,
}: TableInputProps) {
  const { source, count, rowAt } = rows;
  const { columns, widths, rowHeight } = layout;
  const [selection, setSelection] = useState<CellSelection | null>(null);
  const dragging = useRef<'cells' | 'rows' | null>(null);
  const [picked, pick] = usePickedRow(rows, onSelect, announce);
  const room = (box.current?.clientHeight ?? 0) - view.head - view.foot;
  const extent = {
    rows: count,
    columns: columns.length,
    page: Math.max(1, Math.floor(room / rowHeight) - 1),
  };
  const columnAt = (position: number): number => columns[position]?.index ?? -1;
  const { copy, textOf } = cellCopying({ source, rowAt, columnAt, announce });
  const reveal = useEvent(({ row, column }: CellPosition) => {
    view.showRow(row);
    view.showColumn(column);
  });
  const onSort = useEvent(actions.onSort);
  const onMenu = useEvent(
    (position: number, anchor: Element | null = headerOf(box.current, position)) => {
      if (columns[position] && anchor) open({ what: 'menu', position, anchor });
    },
  );
  const openCell = ({ row, column }: CellPosition): void => {
    if (columns[column] && !isAbsent(source, source.value(rowAt(row), columnAt(column), 1)))
      open({ what: 'cell', position: column, row });
  };

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
      copy(selectedRange(selection, extent));
    } else if (ctrl && !shiftKey && !altKey && key.toLowerCase() === 'f') search();
    else if (altKey && (key === 'ArrowLeft' || key === 'ArrowRight')) {
      const by = (key === 'ArrowRight') === !rtl ? 1 : -1;
      if (shiftKey) {
        const column = active.column + by;
        if (column < 0 || column >= extent.columns) return true;
        actions.moveBy(active.column, by);
        setSelection({ active: { row: active.row, column }, anchor: { row: active.row, column } });
      } else actions.resizeTo(active.column, (widths[active.column] ?? 0) + by * resizeStep);
    } else if (
      (altKey && key === 'ArrowDown') ||
      key === 'ContextMenu' ||
      (shiftKey && key === 'F10')
    )
      onMenu(active.column);
    else if (active.row === -1 && (key === 'Enter' || key === ' ')) onSort(active.column, shiftKey);
    else if (active.row >= 0 && key === 'Enter' && ctrl)
      pick(picked === active.row ? null : active.row);
    else if (
      active.row >= 0 &&
      active.row < extent.rows &&
      ((key === 'Enter' && !shiftKey) || key === 'F2')
    )
      openCell(active);
    else if (key === 'Escape' && picked !== null) pick(null);
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
      if (!event.shiftKey) pick(picked === number ? null : number);
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
    if (place && place.row >= 0) openCell(place);
  });
  const onCopy = useEvent((event: ClipboardEvent<HTMLElement>): void => {
    // Text selected inside a cell is copied by the browser.
    if (
      !selection ||
      (event.target instanceof HTMLElement && event.target.localName === 'input') ||
      String(getSelection() ?? '') !== ''
    )
      return;
    event.clipboardData.setData('text/plain', textOf(selectedRange(selection, extent)));
    event.preventDefault();
  });
  const onFocus = useEvent((event: { target: unknown; currentTarget: unknown }): void => {
    if (event.target !== event.currentTarget) return;
    const first = { row: extent.rows > 0 ? 0 : -1, column: 0 };
    setSelection((old) => old ?? { active: first, anchor: first });
  });
  const goTo = ({ row, column }: CellPosition): void => {
    const place = { row: rows.openPageOf(row), column };
    setSelection({ active: place, anchor: place });
    requestAnimationFrame(() => reveal(place));
  };
  return {
    active: selection?.active,
    range:
      selection && selection.active.row >= (selection.span === 'columns' ? -1 : 0)
        ? selectedRange(selection, extent)
        : null,
    picked,
    onSort,
    onMenu,
    goTo,
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

/** The selection, the picked row and the event handlers of the grid. */
export type TableInput = ReturnType<typeof useTableInput>;

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
