import { formatInteger } from '../../numbers.ts';
import { resultText } from '../../text.ts';
import type { ColumnView } from './columns.ts';
import { CellText } from './grid-row.tsx';
import type { RowSource } from './row-source.ts';

/** Rows that are printed; of more a line says how many are left out. */
const printedRows = 500;
/** Columns beyond these do not fit on any paper. */
const printedColumns = 100;

interface PrintTableProps {
  source: RowSource;
  columns: readonly ColumnView[];
  /** Rows shown now. */
  count: number;
  rowAt: (position: number) => number;
}

/** A table on paper: all of its rows as they are sorted and filtered, in the page's flow. */
export function PrintTable({ source, columns, count, rowAt }: PrintTableProps) {
  const shown = columns.slice(0, printedColumns);
  return (
    <div className="print-table">
      <table>
        <thead>
          <tr>
            {shown.map(({ index, name, type }) => (
              <th key={index} className={type === 'number' ? 'right' : undefined}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {Array.from({ length: Math.min(count, printedRows) }, (_, position) => (
            <tr key={position}>
              {shown.map((column) => (
                <td key={column.index} className={column.type === 'number' ? 'right' : undefined}>
                  <CellText source={source} column={column} row={rowAt(position)} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {count > printedRows && (
        <p className="grid-empty">
          {resultText.table.notPrinted(formatInteger(count - printedRows))}
        </p>
      )}
    </div>
  );
}
