import type { Cell } from 'tiding/model';
import { formatInteger } from '../../numbers.ts';
import { resultText } from '../../text.ts';
import type { ColumnView } from './columns.ts';
import { CellText } from './grid-row.tsx';

/** Rows that are printed; of more a line says how many are left out. */
const printedRows = 500;

interface PrintTableProps {
  columns: readonly ColumnView[];
  /** Rows shown now. */
  count: number;
  rowAt: (position: number) => readonly (Cell | undefined)[] | undefined;
}

/** A table on paper: all of its rows as they are sorted and filtered, in the page's flow. */
export function PrintTable({ columns, count, rowAt }: PrintTableProps) {
  return (
    <div className="print-table">
      <table>
        <thead><tr>{columns.map(({ index, name, type }) => <th key={index} className={type === 'number' ? 'right' : undefined}>{name}</th>)}</tr></thead>
        <tbody>
          {Array.from({ length: Math.min(count, printedRows) }, (_, position) => (
            <tr key={position}>
              {columns.map((column) => <td key={column.index} className={column.type === 'number' ? 'right' : undefined}><CellText column={column} cell={rowAt(position)?.[column.index]} /></td>)}
            </tr>
          ))}
        </tbody>
      </table>
      {count > printedRows && <p className="grid-empty">{resultText.table.notPrinted(formatInteger(count - printedRows))}</p>}
    </div>
  );
}
