import type { Value } from './row-source.ts';

const mark = /^%html\s?/;

/** Whether a cell holds markup: it is shown as words, and drawn only when it is opened, in a frame. */
export function isMarkup(value: Value): value is string {
  return typeof value === 'string' && mark.test(value);
}

/** The markup of such a cell. */
export const markupOf = (value: string): string => value.replace(mark, '');

const entities: Record<string, string> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
};

/** The words of a cell with markup. */
export function markupWords(value: string): string {
  return markupOf(value)
    .replace(/<(script|style)\b[^]*?<\/\1\s*>/gi, ' ')
    .replace(/<!--[^]*?-->|<[^>]*>?/g, ' ')
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
