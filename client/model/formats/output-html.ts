/** Results as HTML, for files that other programs read. */
import { type Cell, parseTable } from '../tables/table.ts';

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
};

/** Escapes text for HTML, also within double quotes. */
export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"]/g, (char) => ESCAPES[char]!);

/** Formats a table as HTML, like Jupyter. */
export function tableHtml(data: string): string {
  const { columns, rows } = parseTable(data);
  const cell = (value: Cell) => `<td>${escapeHtml(String(value))}</td>`;
  const head = columns.map(({ name }) => `<th>${escapeHtml(name)}</th>`).join('');
  const body = rows.map((cells) => `<tr>${cells.map(cell).join('')}</tr>`).join('');
  return `<table><thead><tr>${head}</tr></thead><tbody>${body}</tbody></table>`;
}

/**
 * Detects the type of an image by its first bytes, because an output says only that it is an image.
 */
export function imageType(data: string): string {
  const named = /^data:(image\/\w+);base64,/.exec(data)?.[1];
  return (
    named ??
    (data.startsWith('/9j/') ? 'image/jpeg' : data.startsWith('R0lG') ? 'image/gif' : 'image/png')
  );
}
