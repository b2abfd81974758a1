import { memo, type CSSProperties } from 'react';
import { isMissing, type Cell } from 'tiding/model';
import { resultText } from '../../text.ts';
import type { ColumnView } from './columns.ts';

/** A column that is in the window now. */
export interface VisibleColumn {
  readonly index: number;
  readonly start: number;
  readonly size: number;
}

interface GridRowProps {
  id: string;
  row: readonly (Cell | undefined)[];
  /** Position among the rows shown. */
  position: number;
  /** Number of the row for assistive technology, headers counted. */
  rowIndex: number;
  top: number;
  columns: readonly ColumnView[];
  visible: readonly VisibleColumn[];
  /** Selected columns of this row, both ends included; -1 for none. */
  from: number;
  to: number;
  /** Active column of this row; -1 for none. */
  active: number;
  /** The last row; what comes below has a line of its own. */
  last: boolean;
}

const markup = /^%html\s?/;

/** One row of the grid, of which only the columns in the window exist. */
export const GridRow = memo(function GridRow({ id, row, position, rowIndex, top, columns, visible, from, to, active, last }: GridRowProps) {
  return (
    <div role="row" aria-rowindex={rowIndex} className={last ? 'grid-row last' : 'grid-row'} style={{ transform: `translateY(${top}px)` }}>
      {visible.map(({ index, start, size }) => {
        const column = columns[index]!;
        const selected = index >= from && index <= to;
        return (
          <div
            key={index}
            id={`${id}-${position}-${index}`}
            role="gridcell"
            aria-colindex={index + 1}
            aria-selected={selected}
            className={cellClass(column, index, selected, index === active)}
            style={cellStyle(start, size)}
            data-column={index}
            data-row={position}
          >
            <CellText column={column} cell={row[column.index]} />
          </div>
        );
      })}
    </div>
  );
});

/** A cell as it is shown. */
export function CellText({ column, cell }: { column: ColumnView; cell: Cell | undefined }) {
  if (cell === 'null') return <i className="grid-null">{resultText.table.null}</i>;
  if (isMissing(cell)) return null;
  if (typeof cell === 'string' && markup.test(cell)) return <span title={resultText.table.markup}>{cell.replace(markup, '')}</span>;
  const text = column.format(cell);
  return text.length > 24 ? <span title={text}>{text}</span> : text;
}

function cellClass(column: ColumnView, position: number, selected: boolean, active: boolean): string {
  return ['grid-cell', position === 0 && 'first', column.type === 'number' && 'right', selected && 'selected', active && 'active'].filter(Boolean).join(' ');
}

/** Place of a cell in its row. */
export function cellStyle(start: number, size: number): CSSProperties {
  return { left: start, width: size };
}
