import { type Cell, type TableData, toCell } from './table.ts';

/**
 * Formats a number so that it is parsed as a number again: `0.5` and `0` would be parsed as text,
 * `.5` and `.0` are not.
 */
function numberText(value: number): string {
  const plain = Object.is(value, -0) ? '-0' : String(value);
  const [mantissa = '', exponent = '0'] = value.toExponential().split('e');
  const digits = mantissa.replace('.', '');
  const fraction = mantissa.split('.')[1]?.length ?? 0;
  const spellings = [
    plain,
    plain.replace(/^0\./, '.'),
    '.0',
    `${digits}e${Number(exponent) - fraction}`,
  ];
  return spellings.find((spelling) => Object.is(toCell(spelling), value)) ?? plain;
}

function cellText(cell: Cell | undefined): string {
  if (typeof cell === 'number') return numberText(cell);
  return (cell ?? '').replace(/[\t\n]/g, ' ');
}

/**
 * Converts a table to its text, the inverse of `parseTable`. Tabs and line breaks in cells become
 * spaces, because the format has no escapes. A row that would be parsed as an empty line or as the
 * comment mark gets a second, empty cell, which views don't show.
 */
export function tableToText(table: TableData): string {
  const lines = [table.columns.map((column) => cellText(column.name)).join('\t')];
  for (const row of table.rows) {
    const line = Array.from(row, cellText).join('\t');
    lines.push(line === '' || line === '<!--TABLE_COMMENT-->' ? `${line}\t` : line);
  }
  if (table.comment !== '') lines.push('<!--TABLE_COMMENT-->', table.comment);
  return lines.join('\n');
}
