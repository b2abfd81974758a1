/**
 * Options of select and checkbox fields. Their values can be any JSON value and are kept as they
 * are.
 */
import type { Form } from '@tiding/client/protocol';

type Option = NonNullable<Form['options']>[number];

/** Text of a value without a display name. */
export function valueText(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/**
 * Text of an option. A value in quotes, as SQL needs it (`'Web'`), is shown without them.
 */
export const optionText = ({ displayName, value }: Option): string =>
  displayName ?? valueText(value).replace(/^(['"])(.+)\1$/s, '$2');

/**
 * Whether two values are the same choice. `2` and `'2'` are, because older notes store all values
 * as text.
 */
export const sameOptionValue = (one: unknown, other: unknown): boolean =>
  valueText(one) === valueText(other);

/** Index of a value among options, preferring one of the same type; -1 if there is none. */
export function indexOfValue(options: readonly Option[], value: unknown): number {
  const exact = options.findIndex(
    (option) => typeof option.value === typeof value && sameOptionValue(option.value, value),
  );
  return exact >= 0 ? exact : options.findIndex((option) => sameOptionValue(option.value, value));
}
