/** Properties of interpreter settings. */
import type { InterpreterProperty } from './contract.ts';

/** Returns a property that is empty by default. */
export const property = (
  name: string,
  type: InterpreterProperty['type'],
  description: string,
  more: Partial<InterpreterProperty> = {},
): InterpreterProperty => ({ name, type, defaultValue: '', description, ...more });

/** The check of a checkbox. */
export const flag = (value: string): string | undefined =>
  ['', 'true', 'false'].includes(value) ? undefined : 'must be true or false';

/** Returns a check that accepts an empty value. */
export const optional =
  (check: (value: string) => string | undefined) =>
  (value: string): string | undefined =>
    value === '' ? undefined : check(value);
