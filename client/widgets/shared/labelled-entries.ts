/** Converts objects with unspecified fields to labels and values. */
import type { JsonObject } from '../../protocol/define.ts';

/** A field of an object with unspecified fields. */
export interface LabelledEntry {
  /** Name of the field. Fields of a nested object are dotted: `driver.count`. */
  readonly key: string;
  /** The key as a label: `Max workers per cluster`. */
  readonly label: string;
  /** The value. The items of a list are joined to one text. */
  readonly value: string | number | boolean;
}

/**
 * Converts a camel-case key to a label.
 *
 * @example
 * keyWords('maxWorkersPerCluster'); // 'Max workers per cluster'
 */
export function keyLabel(key: string): string {
  const words = key
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .split(/[\s._-]+/)
    .filter(Boolean)
    .map((word) => (/^[A-Z\d]{2,}$/.test(word) ? word : word.toLowerCase()))
    .join(' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/**
 * Lists all fields that have a value. Lists are joined, nested objects become dotted fields, and
 * deeper levels are JSON.
 */
export function labelledEntries(
  object: Readonly<JsonObject> | undefined,
): readonly LabelledEntry[] {
  return entries(object ?? {}, '');
}

function entries(object: Readonly<Record<string, unknown>>, above: string): LabelledEntry[] {
  return Object.entries(object).flatMap(([name, value]): LabelledEntry[] => {
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
        label: keyLabel(key),
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
      // Only objects made by the page can be circular; payloads were JSON.
      return '…';
    }
  }
  return String(value);
}
