/** Explains a form in the text of an interpreter whose text has none. */
import { parseForms, textWithForms } from '@tiding/client/model';

/** Returns the hint for a run that failed; `undefined` if the text has no such form. */
export function codeFormHint(text: string, language: string | null | undefined) {
  const form = parseForms(text).find(({ form: { defaultValue } }) => defaultValue !== '')?.form;
  if (!form || textWithForms(text, language) !== '') return undefined;
  const { name } = form;
  return (
    `\${${name}=…} is code here, not a form. Call z.input('${name}', default), or write ` +
    '(form=simple) after the magic.'
  );
}
