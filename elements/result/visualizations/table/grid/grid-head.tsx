import { ArrowDown, ArrowUp, Calendar, ChevronDown } from 'lucide-react';
import { memo } from 'react';
import { Icon } from '../../../../ui/button.tsx';
import { formatInteger } from '../../../parts/numbers.ts';
import type { ColumnSort } from '../../../rows/arrangement.ts';
import { resultText } from '../../../texts.ts';
import type { ColumnDrag } from '../input/use-column-drag.ts';
import type { ColumnView } from '../layout/columns.ts';
import { gridTexts } from '../texts.ts';
import { cellStyle, type VisibleColumn } from './grid-row.tsx';

/** Finds the rendered header of a column. */
export const headerOf = (box: HTMLElement | null, position: number): Element | null =>
  box?.querySelector(`.grid-cell.head[data-column="${position}"]`) ?? null;

interface GridHeadProps {
  id: string;
  columns: readonly ColumnView[];
  visible: readonly VisibleColumn[];
  numberWidth: number;
  sorts: readonly ColumnSort[];
  onSort: (position: number, add: boolean) => void;
  onMenu: (position: number, anchor: Element) => void;
  drag: ColumnDrag;
  /** Position of the active column if the header row is active; otherwise -1. */
  active: number;
}

/**
 * Header row. A click, or Enter on the active header, sorts; with Shift it adds a sort column.
 * Headers can be dragged to reorder columns.
 */
export const GridHead = memo(function GridHead({
  id,
  columns,
  visible,
  numberWidth,
  sorts,
  onSort,
  onMenu,
  drag,
  active,
}: GridHeadProps) {
  return (
    <div role="row" aria-rowindex={1} className="grid-row head">
      {numberWidth > 0 && (
        <div className="grid-number head" aria-hidden="true" style={{ width: numberWidth }} />
      )}
      {visible.map(({ index, start, size, pinned }) => {
        const column = columns[index]!;
        const place = sorts.findIndex((sort) => sort.column === column.index);
        const sort = sorts[place];
        return (
          <div
            key={column.index}
            id={`${id}--1-${index}`}
            role="columnheader"
            aria-colindex={index + 1}
            aria-sort={sort?.direction}
            className={[
              'grid-cell head',
              pinned && 'pinned',
              column.type === 'number' && 'right',
              sort && 'sorted',
              index === active && 'active',
              index === drag.moving && 'moving',
            ]
              .filter(Boolean)
              .join(' ')}
            style={cellStyle(start, size)}
            title={column.name}
            onClick={(event) => drag.isClick() && onSort(index, event.shiftKey)}
            onContextMenu={(event) => {
              event.preventDefault();
              onMenu(index, event.currentTarget);
            }}
            onPointerDown={(event) => drag.onMove(index, event)}
            data-column={index}
            data-row={-1}
          >
            <TypeMark type={column.type} />
            <span className="grid-name">{column.name}</span>
            {sort && <Icon of={sort.direction === 'ascending' ? ArrowUp : ArrowDown} size="xs" />}
            {sort && sorts.length > 1 && (
              <span
                className="grid-priority"
                role="img"
                aria-label={gridTexts.priority(formatInteger(place + 1))}
                data-priority={place + 1}
              />
            )}
            <button
              type="button"
              className="grid-menu-button"
              tabIndex={-1}
              aria-label={gridTexts.columnMenu(column.name)}
              title={gridTexts.columnMenu(column.name)}
              onPointerDown={(event) => event.stopPropagation()}
              onClick={(event) => {
                event.stopPropagation();
                // The button disappears when the pointer leaves, so the menu is anchored to the
                // header.
                onMenu(index, event.currentTarget.parentElement!);
              }}
            >
              <Icon of={ChevronDown} size="xs" />
            </button>
            <span
              className="grid-resize"
              aria-hidden="true"
              onPointerDown={(event) => drag.onResize(index, size, event)}
              onDoubleClick={() => drag.onFit(index)}
              onClick={(event) => event.stopPropagation()}
            />
          </div>
        );
      })}
    </div>
  );
});

/** Symbol for a column's type, with a text for screen readers. */
export function TypeMark({ type }: { type: ColumnView['type'] }) {
  return (
    <>
      <span className="grid-type" aria-hidden="true">
        {type === 'number' ? '#' : type === 'date' ? <Icon of={Calendar} size="xs" /> : 'A'}
      </span>
      <span className="visually-hidden">{resultText.table.types[type]} </span>
    </>
  );
}
