import { memo, type CSSProperties } from 'react';
import { texts } from '../../../text/table.ts';
import { formatInteger } from '../../numbers.ts';
import { resultText } from '../../text.ts';
import type { ColumnView } from './columns.ts';
import { shownLength } from './formats.ts';
import { isMarkup, markupWords } from './markup.ts';
import { isAbsent, type RowSource } from './row-source.ts';

/** Least room for the numbers of rows, px; a narrower gutter stays empty. */
export const leastNumbers = 22;

/** A column that is in the window now. */
export interface VisibleColumn {
  /** Its position among the columns shown. */
  readonly index: number;
  readonly start: number;
  readonly size: number;
  /** It stays at the start while others scroll. */
  readonly pinned: boolean;
}

interface GridRowProps {
  id: string;
  source: RowSource;
  /** Number of the row in the source. */
  row: number;
  /** Position among the rows shown. */
  position: number;
  /** Number of the row for assistive technology, headers counted. */
  rowIndex: number;
  top: number;
  columns: readonly ColumnView[];
  visible: readonly VisibleColumn[];
  /** Room before the first column, for the row's number. */
  numberWidth: number;
  /** Selected columns of this row, both ends included; -1 for none. */
  from: number;
  to: number;
  /** Active column of this row; -1 for none. */
  active: number;
  /** The last row; what comes below has a line of its own. */
  last: boolean;
  /** The reader has told others about this row. */
  chosen: boolean;
  /** Text to mark, in lower case. */
  needle: string;
}

/** One row of the grid, of which only the columns in the window exist. */
export const GridRow = memo(function GridRow({
  id,
  source,
  row,
  position,
  rowIndex,
  top,
  columns,
  visible,
  numberWidth,
  from,
  to,
  active,
  last,
  chosen,
  needle,
}: GridRowProps) {
  return (
    <div
      role="row"
      aria-rowindex={rowIndex}
      aria-selected={chosen}
      className={['grid-row', last && 'last', chosen && 'chosen'].filter(Boolean).join(' ')}
      style={{ transform: `translateY(${top}px)` }}
    >
      {numberWidth > 0 && (
        <div
          className="grid-number"
          aria-hidden="true"
          style={{ width: numberWidth }}
          data-row-number={position}
        >
          {numberWidth >= leastNumbers && formatInteger(row + 1)}
        </div>
      )}
      {visible.map(({ index, start, size, pinned }) => {
        const column = columns[index]!;
        const selected = index >= from && index <= to;
        return (
          <div
            key={column.index}
            id={`${id}-${position}-${index}`}
            role="gridcell"
            aria-colindex={index + 1}
            aria-selected={selected}
            className={cellClass(column, pinned, selected, index === active)}
            style={cellStyle(start, size)}
            data-column={index}
            data-row={position}
          >
            <CellText source={source} column={column} row={row} needle={needle} />
          </div>
        );
      })}
    </div>
  );
});

/** A cell as it is shown. */
export function CellText({
  source,
  column,
  row,
  needle = '',
}: {
  source: RowSource;
  column: ColumnView;
  row: number;
  needle?: string;
}) {
  const value = source.value(row, column.index, shownLength + 1);
  if (value === null) return <i className="grid-null">{resultText.table.null}</i>;
  if (isAbsent(source, value)) return null;
  if (isMarkup(value))
    return (
      <span className="grid-markup" title={texts.grid.markupCell}>
        <Marked text={markupWords(value).slice(0, shownLength)} needle={needle} />
      </span>
    );
  const text = column.format(value);
  const shown = needle === '' ? text : <Marked text={text} needle={needle} />;
  return text.length > 24 ? <span title={text}>{shown}</span> : shown;
}

/** A text with what is searched marked in it. */
function Marked({ text, needle }: { text: string; needle: string }) {
  const at = needle === '' ? -1 : text.toLowerCase().indexOf(needle);
  if (at < 0) return text;
  return (
    <>
      {text.slice(0, at)}
      <mark>{text.slice(at, at + needle.length)}</mark>
      {text.slice(at + needle.length)}
    </>
  );
}

function cellClass(
  column: ColumnView,
  pinned: boolean,
  selected: boolean,
  active: boolean,
): string {
  return [
    'grid-cell',
    pinned && 'pinned',
    column.type === 'number' && 'right',
    selected && 'selected',
    active && 'active',
  ]
    .filter(Boolean)
    .join(' ');
}

/** Place of a cell in its row. */
export function cellStyle(start: number, size: number): CSSProperties {
  return { insetInlineStart: start, width: size };
}
