import { cellText, runNow } from '@tiding/client/model';
import type { RowSource } from './row-source.ts';
import { runGenerator } from './run-generator.ts';

/**
 * Selections up to this many cells are converted synchronously: browsers allow clipboard access
 * only shortly after the user's key press.
 */
const atOnce = 100_000;

/** A rectangle of cells; both ends are included. */
export interface CellRange {
  readonly top: number;
  readonly bottom: number;
  readonly left: number;
  readonly right: number;
}

export interface CopyRequest {
  source: RowSource;
  range: CellRange;
  rowAt: (position: number) => number;
  columnAt: (position: number) => number;
}

/**
 * Escapes a field of tab-separated text. Fields with tabs or line breaks, or with a leading quote,
 * are quoted.
 */
const field = (text: string): string =>
  /["\t\r\n]/.test(text) && (/[\t\r\n]/.test(text) || text.startsWith('"'))
    ? `"${text.replaceAll('"', '""')}"`
    : text;

/**
 * Formats cells as tab-separated lines with exact values; yields regularly so that the page stays
 * responsive.
 */
export function* copyText({
  source,
  range,
  rowAt,
  columnAt,
}: CopyRequest): Generator<void, string> {
  const lines: string[] = [];
  for (let position = range.top; position <= range.bottom; position++) {
    if (position % 512 === 0) yield;
    const row = rowAt(position);
    const fields: string[] = [];
    for (let column = range.left; column <= range.right; column++)
      fields.push(field(cellText(source, row, columnAt(column))));
    lines.push(fields.join('\t'));
  }
  return lines.join('\n');
}

/** Writes cells to the clipboard. Resolves to false if that fails. */
export async function copyCells(copied: CopyRequest): Promise<boolean> {
  const { top, bottom, left, right } = copied.range;
  const cells = (bottom - top + 1) * (right - left + 1);
  try {
    const text =
      cells <= atOnce
        ? runNow(copyText(copied))
        : await new Promise<string>((resolve, reject) =>
            runGenerator(copyText(copied), resolve, reject),
          );
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
