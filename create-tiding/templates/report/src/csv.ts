import type { ArrowTable } from '@tiding/client';
import { arrowFormat, hasArrowValue } from '@tiding/client/model';

const field = (text: string): string =>
  /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;

/** Writes all rows of a table as CSV. A missing value is empty. */
export function toCsv(table: ArrowTable): string {
  const lines = [table.schema.fields.map(({ name }) => field(String(name))).join(',')];
  for (const { numRows, data } of table.batches) {
    const columns = data.children.map((cells) => {
      const read = arrowFormat(cells.type).text(cells);
      return (row: number) => (hasArrowValue(cells, row) ? field(read(row)) : '');
    });
    for (let row = 0; row < numRows; row += 1)
      lines.push(columns.map((read) => read(row)).join(','));
  }
  return `${lines.join('\r\n')}\r\n`;
}
