import { ArrowDown, ArrowUp, Calendar } from 'lucide-react';
import { memo } from 'react';
import { Icon } from '../../../ui/button.tsx';
import { resultText } from '../../text.ts';
import type { ColumnView } from './columns.ts';
import { cellStyle, type VisibleColumn } from './grid-row.tsx';
import type { Sort } from './rows.ts';

const words = resultText.table;

interface GridHeadProps {
  id: string;
  columns: readonly ColumnView[];
  visible: readonly VisibleColumn[];
  sort: Sort | null;
  onSort: (position: number) => void;
  /** Active column while the header is active; -1 else. */
  active: number;
}

/** The header: a click (or Enter on the active cell) sorts. */
export const GridHead = memo(function GridHead({ id, columns, visible, sort, onSort, active }: GridHeadProps) {
  return (
    <div role="row" aria-rowindex={1} className="grid-row head">
      {visible.map(({ index, start, size }) => {
        const column = columns[index]!;
        const sorted = sort?.index === column.index ? sort.direction : undefined;
        return (
          <div
            key={index}
            id={`${id}--1-${index}`}
            role="columnheader"
            aria-colindex={index + 1}
            aria-sort={sorted}
            className={headClass(column, index, sorted !== undefined, index === active)}
            style={cellStyle(start, size)}
            title={column.name}
            onClick={() => onSort(index)}
            data-column={index}
            data-row={-1}
          >
            <TypeMark type={column.type} />
            <span className="grid-name">{column.name}</span>
            {sorted && <Icon of={sorted === 'ascending' ? ArrowUp : ArrowDown} size="xs" />}
          </div>
        );
      })}
    </div>
  );
});

function headClass(column: ColumnView, position: number, sorted: boolean, active: boolean): string {
  return ['grid-cell head', position === 0 && 'first', column.type === 'number' && 'right', sorted && 'sorted', active && 'active']
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
      <span className="visually-hidden">{words.types[type]} </span>
    </>
  );
}

interface FilterRowProps {
  columns: readonly ColumnView[];
  visible: readonly VisibleColumn[];
  filters: ReadonlyMap<number, string>;
  onFilter: (index: number, text: string) => void;
}

/** A field under each header; a row must contain what stands in all of them. */
export function FilterRow({ columns, visible, filters, onFilter }: FilterRowProps) {
  return (
    <div role="row" aria-rowindex={2} className="grid-row filter">
      {visible.map(({ index, start, size }) => {
        const column = columns[index]!;
        return (
          <div
            key={index}
            role="gridcell"
            aria-colindex={index + 1}
            className={index === 0 ? 'grid-cell filter first' : 'grid-cell filter'}
            style={cellStyle(start, size)}
          >
            <input
              type="search"
              className="grid-filter"
              aria-label={words.filterOf(column.name)}
              placeholder={words.filter}
              value={filters.get(column.index) ?? ''}
              onChange={(event) => onFilter(column.index, event.target.value)}
              autoComplete="off"
              spellCheck={false}
            />
          </div>
        );
      })}
    </div>
  );
}
