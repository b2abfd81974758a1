import type { Range } from './cells.ts';
import { runInSlices, runNow } from './order.ts';
import type { RowSource } from './row-source.ts';
import { plainText } from './value-text.ts';

/** So many cells are put together at once, so that the browser still knows who asked. */
const atOnce = 100_000;

export interface Copied {
  source: RowSource;
  range: Range;
  rowAt: (position: number) => number;
  columnAt: (position: number) => number;
}

/** A value as data: what copies and files hold. */
export function cellText(source: RowSource, row: number, column: number): string {
  const value = source.value(row, column);
  return value === null ? source.nullText : plainText(value, source.columns[column]!);
}

/** A field of tab-separated text, quoted where it would else be taken for several. */
const field = (text: string): string =>
  /["\t\r\n]/.test(text) && (/[\t\r\n]/.test(text) || text.startsWith('"'))
    ? `"${text.replaceAll('"', '""')}"`
    : text;

/** Cells as tab-separated lines, values as they came; with pauses. */
export function* copyText({ source, range, rowAt, columnAt }: Copied): Generator<void, string> {
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

/** Puts cells on the clipboard; resolves to whether that went well. */
export async function copyCells(copied: Copied): Promise<boolean> {
  const { top, bottom, left, right } = copied.range;
  const cells = (bottom - top + 1) * (right - left + 1);
  try {
    const text =
      cells <= atOnce
        ? runNow(copyText(copied))
        : await new Promise<string>((resolve, reject) =>
            runInSlices(copyText(copied), resolve, reject),
          );
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
