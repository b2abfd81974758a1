import type { Cell, TableData } from './table.ts';

const cellText = (cell: Cell | undefined): string => String(cell ?? '').replace(/[\t\n]/g, ' ');

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
