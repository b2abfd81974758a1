/** Values of forms and the paragraphs that they are for. */
import type { Form } from '../../protocol/objects.ts';
import { collectForms } from './form-values.ts';

/** What is known of the forms of a paragraph: its text, and the forms of its last run. */
export interface FormSource {
  /** Text of the paragraph. */
  readonly text: string;
  /** Forms of its last run, by name. */
  readonly forms?: Readonly<Record<string, Form>> | null | undefined;
}

/** A name in quotes. Code creates forms with such names: `z.input("year", 2020)`. */
const quotedName = /(["'])((?:(?!\1)[^\\\n]){1,200})\1/g;

/** Returns the forms of a paragraph by name, of its last run and of its text. */
export const formsOf = ({ text, forms }: FormSource): Readonly<Record<string, Form>> => ({
  ...forms,
  ...collectForms(text).forms,
});

const quotedNames = (text: string): ReadonlySet<string> =>
  new Set([...text.matchAll(quotedName)].map(([, , name]) => name!));

/** Returns the forms of the last run that the code of a paragraph may create again. */
export function codeForms({ text, forms }: FormSource): Record<string, Form> {
  const quoted = quotedNames(text);
  return Object.fromEntries(Object.entries(forms ?? {}).filter(([name]) => quoted.has(name)));
}

/** Returns the values that are for a form of a paragraph, or for one that its code may create. */
export function paramsFor(
  source: FormSource,
  params: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const forms = formsOf(source);
  const quoted = quotedNames(source.text);
  return Object.fromEntries(
    Object.entries(params).filter(([name]) => Object.hasOwn(forms, name) || quoted.has(name)),
  );
}
