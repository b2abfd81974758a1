import { ArrowDown, ArrowUp, Calendar, ChevronDown } from 'lucide-react';
import { memo } from 'react';
import { texts } from '../../../text/table.ts';
import { Icon } from '../../../ui/button.tsx';
import { formatInteger } from '../../numbers.ts';
import { resultText } from '../../text.ts';
import type { ColumnView } from './columns.ts';
import { cellStyle, type VisibleColumn } from './grid-row.tsx';
import type { Sort } from './sort.ts';
import type { ColumnDrag } from './use-column-drag.ts';

interface GridHeadProps {
  id: string;
  columns: readonly ColumnView[];
  visible: readonly VisibleColumn[];
  numberWidth: number;
  sorts: readonly Sort[];
  onSort: (position: number, add: boolean) => void;
  onMenu: (position: number, anchor: Element) => void;
  drag: ColumnDrag;
  /** Active column while the header is active; -1 else. */
  active: number;
}

/** The header: a click (or Enter on the active cell) sorts, with Shift by one more column; it is dragged to another place. */
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
            className={headClass(
              column,
              pinned,
              sort !== undefined,
              index === active,
              index === drag.moving,
            )}
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
                aria-label={texts.grid.priority(formatInteger(place + 1))}
                data-priority={place + 1}
              />
            )}
            <button
              type="button"
              className="grid-menu-button"
              tabIndex={-1}
              aria-label={texts.grid.columnMenu(column.name)}
              title={texts.grid.columnMenu(column.name)}
              onPointerDown={(event) => event.stopPropagation()}
              onClick={(event) => {
                event.stopPropagation();
                // The button is there only while the pointer is; the menu stays with the header.
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

function headClass(
  column: ColumnView,
  pinned: boolean,
  sorted: boolean,
  active: boolean,
  moving: boolean,
): string {
  return [
    'grid-cell head',
    pinned && 'pinned',
    column.type === 'number' && 'right',
    sorted && 'sorted',
    active && 'active',
    moving && 'moving',
  ]
    .filter(Boolean)
    .join(' ');
}

/** A letter for the kind of a column; the words are for those who do not see it. */
function TypeMark({ type }: { type: ColumnView['type'] }) {
  return (
    <>
      <span className="grid-type" aria-hidden="true">
        {type === 'number' ? '#' : type === 'date' ? <Icon of={Calendar} size="xs" /> : 'A'}
      </span>
      <span className="visually-hidden">{resultText.table.types[type]} </span>
    </>
  );
}
