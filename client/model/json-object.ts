import type { JsonObject } from '../protocol/define.ts';

/** Whether a value is a JSON object: neither a list nor `null`. */
export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns the value if it is a JSON object; anything else becomes an empty one. */
export const jsonObjectOf = (value: unknown): JsonObject => (isJsonObject(value) ? value : {});

/** Whether two values serialize to the same JSON. */
export const isSameJson = (a: unknown, b: unknown): boolean =>
  JSON.stringify(a) === JSON.stringify(b);

/** Parses JSON. Returns `otherwise` for a text that is none. @internal */
export function parseJson(text: string, otherwise?: unknown): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return otherwise;
  }
}
