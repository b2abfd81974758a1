import type { CellValue } from '@tiding/client/model';
import { entities } from '../../../parts/entities.ts';

const mark = /^%html\s?/;

/**
 * Whether a cell contains HTML (`%html`). The grid shows such cells as plain text; opening one
 * renders it in a sandboxed frame.
 */
export function isHtmlCell(value: CellValue): value is string {
  return typeof value === 'string' && mark.test(value);
}

/** Returns the HTML of such a cell. */
export const htmlOfCell = (value: string): string => value.replace(mark, '');

/** Returns the text of an HTML cell without tags. */
export function textOfHtmlCell(value: string): string {
  return htmlOfCell(value)
    .replace(/<(script|style)\b[\s\S]*?<\/\1\s*>/gi, ' ')
    .replace(/<!--[\s\S]*?-->|<[^>]*>?/g, ' ')
    .replace(
      /&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w+));/gi,
      (all, decimal?: string, hex?: string, name?: string) => {
        if (name !== undefined) return Object.hasOwn(entities, name) ? entities[name]! : all;
        const code = decimal === undefined ? Number.parseInt(hex!, 16) : Number(decimal);
        return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : all;
      },
    )
    .replace(/\s+/g, ' ')
    .trim();
}
