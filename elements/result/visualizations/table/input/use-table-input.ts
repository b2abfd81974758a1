import { isAbsent } from '@tiding/client/model';
import type { RefObject } from 'react';
import { useEvent } from '../../../../runtime/hooks.ts';
import type { RowOrder } from '../../../rows/row-order.ts';
import type { RowSource } from '../../../rows/row-source.ts';
import type { BuiltInVisualizationProps } from '../../contract.ts';
import { headerOf } from '../grid/grid-head.tsx';
import type { GridLayout } from '../layout/use-grid-layout.tsx';
import type { RowWindow } from '../layout/use-row-window.ts';
import type { usePaging } from '../state/use-paging.ts';
import { cellCopying } from './cell-copying.ts';
import { type CellPosition, selectedRange } from './selection.ts';
import type { OpenedPanel, useColumnActions } from './use-column-actions.ts';
import { useGridInput } from './use-grid-input.ts';
import { usePickedRow } from './use-picked-row.ts';

interface TableInput {
  box: RefObject<HTMLDivElement | null>;
  source: RowSource;
  order: RowOrder;
  layout: GridLayout;
  view: RowWindow;
  paging: ReturnType<typeof usePaging>;
  actions: ReturnType<typeof useColumnActions>;
  /** Heights in px of the header rows and the footer. */
  head: number;
  foot: number;
  onSelect: BuiltInVisualizationProps['onSelect'];
  announce: (message: string) => void;
  open: (panel: OpenedPanel) => void;
  /** Opens the search bar. */
  search: () => void;
}

/** Selection, picked row and keys of a table, on its current page. */
export function useTableInput({
  box,
  source,
  order,
  layout,
  view,
  paging,
  actions,
  head,
  foot,
  onSelect,
  announce,
  open,
  search,
}: TableInput) {
  const { columns, widths, rowHeight } = layout;
  const { start, count, rowAt } = paging;
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
  const columnAt = (position: number): number => columns[position]?.index ?? -1;
  const [picked, pick] = usePickedRow({ source, order, start, rowAt, onSelect, announce });
  const { selection, setSelection, handlers } = useGridInput({
    extent: {
      rows: count,
      columns: columns.length,
      page: Math.max(
        1,
        Math.floor(((box.current?.clientHeight ?? 0) - head - foot) / rowHeight) - 1,
      ),
    },
    reveal,
    onSort,
    onMenu,
    chosen: picked,
    onMove: actions.moveBy,
    onResize: (position, by) => actions.resizeTo(position, (widths[position] ?? 0) + by),
    onOpen: ({ row, column }) =>
      columns[column] &&
      !isAbsent(source, source.value(rowAt(row), columnAt(column), 1)) &&
      open({ what: 'cell', position: column, row }),
    onChoose: pick,
    onSearch: search,
    ...cellCopying({ source, rowAt, columnAt, announce }),
  });
  const active = selection?.active;
  const range =
    selection && selection.active.row >= (selection.span === 'columns' ? -1 : 0)
      ? selectedRange(selection, { rows: count, columns: columns.length })
      : null;
  const goTo = ({ row, column }: CellPosition): void => {
    const place = { row: paging.openPageOf(row), column };
    setSelection({ active: place, anchor: place });
    requestAnimationFrame(() => reveal(place));
  };
  return { active, range, picked, handlers, onSort, onMenu, goTo };
}
