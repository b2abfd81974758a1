/** Options of a select or of check boxes: their values are anything that JSON has, and are kept as they are. */
import type { Form } from 'tiding/protocol';

type Option = NonNullable<Form['options']>[number];

/** How a value is shown that has no name of its own. */
export function valueText(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** How an option is shown. */
export const optionText = ({ displayName, value }: Option): string =>
  displayName ?? valueText(value);

/** Whether two values are the same choice: `2` and `'2'` are, as older notes write all values as text. */
export const sameValue = (one: unknown, other: unknown): boolean =>
  valueText(one) === valueText(other);

/** Place of a value among options, the one of its own type first; -1: it is none of them. */
export function placeOfValue(options: readonly Option[], value: unknown): number {
  const exact = options.findIndex(
    (option) => typeof option.value === typeof value && sameValue(option.value, value),
  );
  return exact >= 0 ? exact : options.findIndex((option) => sameValue(option.value, value));
}
