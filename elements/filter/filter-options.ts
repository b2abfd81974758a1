/** The values that a filter offers. */

import type { PortalValue } from '../portal/signals.ts';
import { portalTexts } from '../portal/texts.ts';

/** A value of a filter, alone or with the text that is shown for it. */
export type FilterOption = PortalValue | { readonly value: PortalValue; readonly label: string };

const isValue = (given: unknown): given is PortalValue =>
  given === null ||
  typeof given === 'string' ||
  typeof given === 'boolean' ||
  (typeof given === 'number' && Number.isFinite(given));

/** Reads the property `options`; invalid entries are dropped. */
export function readOptions(given: unknown): FilterOption[] {
  if (!Array.isArray(given)) return [];
  return given.filter(
    (entry: unknown): entry is FilterOption =>
      isValue(entry) ||
      (typeof entry === 'object' &&
        entry !== null &&
        'value' in entry &&
        isValue(entry.value) &&
        'label' in entry &&
        typeof entry.label === 'string'),
  );
}

/** The value of an option. */
export const optionValue = (option: FilterOption): PortalValue =>
  typeof option === 'object' && option !== null ? option.value : option;

/** The text that is shown for an option. */
export function optionLabel(option: FilterOption): string {
  if (typeof option === 'object' && option !== null) return option.label;
  return option === null || option === '' ? portalTexts.missing : String(option);
}

/** Sorts distinct values: numbers by value, texts in the user's language, no value last. */
export function sortValues(values: Iterable<PortalValue>): PortalValue[] {
  const { compare } = new Intl.Collator(undefined, { numeric: true });
  return [...values].sort((a, b) =>
    a === null || b === null
      ? Number(a === null) - Number(b === null)
      : typeof a === 'number' && typeof b === 'number'
        ? a - b
        : compare(String(a), String(b)),
  );
}
