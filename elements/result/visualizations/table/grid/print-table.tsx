import { resultText } from '../../../../text/results/result.ts';
import { formatInteger } from '../../../parts/numbers.ts';
import { PRINTED_ROWS } from '../../../parts/use-printing.ts';
import type { RowSource } from '../../../rows/row-source.ts';
import type { ColumnView } from '../layout/columns.ts';
import { CellText } from './grid-row.tsx';

/** More columns don't fit on paper. */
const printedColumns = 100;

interface PrintTableProps {
  source: RowSource;
  columns: readonly ColumnView[];
  /** Number of rows shown. */
  count: number;
  rowAt: (position: number) => number;
}

/** Print version of the table: the sorted and filtered rows in normal page flow. */
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
          {Array.from({ length: Math.min(count, PRINTED_ROWS) }, (_, position) => (
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
      {count > PRINTED_ROWS && (
        <p className="grid-empty">
          {resultText.table.notPrinted(formatInteger(count - PRINTED_ROWS))}
        </p>
      )}
    </div>
  );
}
