import { formatInteger } from '../../../parts/numbers.ts';
import { PRINTED_ROWS } from '../../../parts/use-printing.ts';
import type { RowSource } from '../../../rows/row-source.ts';
import { resultText } from '../../../texts.ts';
import type { ColumnView } from '../layout/columns.ts';
import { CellText } from './grid-row.tsx';

/** Cells of a table that are printed: of many rows, fewer columns. */
const MAX_CELLS = 100_000;
/** Width of the paper in px, inside the margins of A4. */
const PAPER_PX = 660;
/** Longer cells are wrapped at this width in px, so that more columns are beside each other. */
const WRAPPED_PX = 120;

interface PrintTableProps {
  source: RowSource;
  columns: readonly ColumnView[];
  /** Number of rows shown. */
  count: number;
  rowAt: (position: number) => number;
}

/** Splits columns into parts as wide as the paper. Each part begins with the first column. */
export function printedParts<Column extends { readonly width: number }>(
  columns: readonly Column[],
): Column[][] {
  const parts: Column[][] = [];
  let room = 0;
  for (const column of columns) {
    const width = Math.min(column.width, WRAPPED_PX);
    if (parts.length === 0 || room < width) {
      const [first] = parts[0] ?? [];
      parts.push(first ? [first] : []);
      room = PAPER_PX - (first ? Math.min(first.width, WRAPPED_PX) : 0);
    }
    parts.at(-1)!.push(column);
    room -= width;
  }
  return parts;
}

/** Print version of the table: the sorted and filtered rows in normal page flow. */
export function PrintTable({ source, columns, count, rowAt }: PrintTableProps) {
  const rows = Math.min(count, PRINTED_ROWS);
  const shown = columns.slice(0, Math.floor(MAX_CELLS / Math.max(1, rows)));
  return (
    <div className="print-table">
      {printedParts(shown).map((part, at) => (
        <table key={at}>
          <thead>
            <tr>
              {part.map(({ index, name, type }) => (
                <th key={index} className={type === 'number' ? 'right' : undefined}>
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {Array.from({ length: rows }, (_, position) => (
              <tr key={position}>
                {part.map((column) => (
                  <td key={column.index} className={column.type === 'number' ? 'right' : undefined}>
                    <CellText source={source} column={column} row={rowAt(position)} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      ))}
      {count > PRINTED_ROWS && (
        <p className="grid-empty small-text dim">
          {resultText.table.notPrinted(formatInteger(count - PRINTED_ROWS))}
        </p>
      )}
      {columns.length > shown.length && (
        <p className="grid-empty small-text dim">
          {resultText.table.columnsNotPrinted(formatInteger(columns.length - shown.length))}
        </p>
      )}
    </div>
  );
}
