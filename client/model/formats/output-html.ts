/** Results as HTML, for files that other programs read. */
import { cellText } from '../rows/cell-text.ts';
import { textRows, textTableOf } from '../rows/text-rows.ts';
import type { TypedRows } from '../rows/typed-rows.ts';

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
};

/** Escapes text for HTML, also within double quotes. */
export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"]/g, (char) => ESCAPES[char]!);

/** Formats a table as HTML, like Jupyter. Without stored rows, it has those in the text. */
export function tableHtml(data: string, rows: TypedRows = textRows(textTableOf(data), [])): string {
  const cell = (row: number, column: number): string =>
    rows.value(row, column, 1) === null
      ? '<i>null</i>'
      : escapeHtml(cellText(rows, row, column)).replace(/\r?\n/g, '<br>');
  const line = (row: number): string =>
    `<tr>${rows.columns.map((_, at) => `<td>${cell(row, at)}</td>`).join('')}</tr>`;
  const head = rows.columns.map(({ name }) => `<th>${escapeHtml(name)}</th>`).join('');
  const body = Array.from({ length: rows.length }, (_, row) => line(row)).join('');
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
