/** Objects whose fields are not agreed on, as names with values. */
import type { Bag } from '../protocol/define.ts';

/** A field of such an object. */
export interface BagEntry {
  /** As it came; of an object in the object dotted: `driver.count`. */
  readonly key: string;
  /** The key in words: `Max workers per cluster`. */
  readonly words: string;
  /** What it says; of a list its entries in one text. */
  readonly value: string | number | boolean;
}

/** `maxWorkersPerCluster` as `Max workers per cluster`. */
export function keyWords(key: string): string {
  const words = key
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .split(/[\s._-]+/)
    .filter(Boolean)
    .map((word) => (/^[A-Z\d]{2,}$/.test(word) ? word : word.toLowerCase()))
    .join(' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** All fields that say something; lists are told by their entries, one level of objects by their fields, deeper ones as JSON. */
export function bagEntries(bag: Readonly<Bag> | undefined): readonly BagEntry[] {
  return entries(bag ?? {}, '');
}

function entries(bag: Readonly<Record<string, unknown>>, above: string): BagEntry[] {
  return Object.entries(bag).flatMap(([name, value]): BagEntry[] => {
    const key = above + name;
    if (
      value === null ||
      (typeof value === 'number' && !Number.isFinite(value)) ||
      value === undefined ||
      value === '' ||
      (Array.isArray(value) && value.length === 0)
    )
      return [];
    if (typeof value === 'object' && !Array.isArray(value) && above === '')
      return entries(value as Record<string, unknown>, `${key}.`);
    return [
      {
        key,
        words: keyWords(key),
        value:
          typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
            ? value
            : Array.isArray(value)
              ? value.map(said).join(', ')
              : said(value),
      },
    ];
  });
}

function said(value: unknown): string {
  if (typeof value === 'object' && value !== null) {
    const { name } = value as { name?: unknown };
    if (typeof name === 'string') return name;
    try {
      return JSON.stringify(value);
    } catch {
      // Of a host's own making: payloads that were JSON have no circles.
      return '…';
    }
  }
  return String(value);
}
