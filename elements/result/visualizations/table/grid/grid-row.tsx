import { isAbsent, isUtc, plainText } from '@tiding/client/model';
import { type CSSProperties, memo } from 'react';
import { formatInteger } from '../../../parts/numbers.ts';
import type { RowSource } from '../../../rows/row-source.ts';
import { resultText } from '../../../texts.ts';
import { CELL_TEXT_CHARACTERS } from '../layout/cell-formats.ts';
import type { ColumnView } from '../layout/columns.ts';
import { gridTexts } from '../texts.ts';
import { isHtmlCell, textOfHtmlCell } from './cell-html.ts';

/** Minimum width for row numbers, in px; a narrower gutter stays empty. */
export const MIN_ROW_NUMBER_WIDTH_PX = 22;

/** A column inside the visible part of the grid. */
export interface VisibleColumn {
  /** Position among the shown columns. */
  readonly index: number;
  readonly start: number;
  readonly size: number;
  /** Whether the column stays in place during horizontal scrolling. */
  readonly pinned: boolean;
}

interface GridRowProps {
  id: string;
  source: RowSource;
  /** Index of the row in the source. */
  row: number;
  /** Position among the rows shown. */
  position: number;
  /** 1-based row index for assistive technology, including header rows. */
  rowIndex: number;
  top: number;
  columns: readonly ColumnView[];
  visible: readonly VisibleColumn[];
  /** Width in px of the gutter with row numbers. */
  numberWidth: number;
  /** First and last selected column of this row; -1 if none. */
  from: number;
  to: number;
  /** Active column of this row; -1 if none. */
  active: number;
  /** Whether this is the last row, which has no bottom border. */
  last: boolean;
  /** Whether the user picked this row and the host page was notified. */
  chosen: boolean;
  /** Search term to highlight, in lower case. */
  needle: string;
}

/** One row of the grid. Only the columns in the visible part are rendered. */
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
          {numberWidth >= MIN_ROW_NUMBER_WIDTH_PX && numberText(source, row)}
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

/** The number of a row in the table, from 1; empty while the row is loaded from the server. */
function numberText({ remote }: RowSource, row: number): string {
  const number = remote ? remote.numberOf(row) : row;
  return number === undefined ? '' : formatInteger(number + 1);
}

/** Renders the value of a cell. */
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
  const value = source.value(row, column.index, CELL_TEXT_CHARACTERS + 1);
  if (value === null) return <i className="grid-null">{resultText.table.null}</i>;
  if (isAbsent(source, value)) return null;
  if (isHtmlCell(value))
    return (
      <span className="grid-markup" title={gridTexts.markupCell}>
        <Marked text={textOfHtmlCell(value).slice(0, CELL_TEXT_CHARACTERS)} needle={needle} />
      </span>
    );
  const whole = column.format(value);
  // A row has one line.
  const text = whole.replace(/\r\n|[\n\r]/g, '\u23ce');
  const shown = needle === '' ? text : <Marked text={text} needle={needle} />;
  const { column: of } = column;
  // Whoever reads times of another zone needs both.
  const title =
    of.timezone && !isUtc(of.timezone)
      ? `${plainText(value, of)}\n${plainText(value, { ...of, timezone: 'UTC' })}`
      : whole;
  return title.length > 24 || text !== whole ? <span title={title}>{shown}</span> : shown;
}

/** Text with the first occurrence of the search term highlighted. */
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

/** Inline style that positions a cell in its row. */
export function cellStyle(start: number, size: number): CSSProperties {
  return { insetInlineStart: start, width: size };
}
