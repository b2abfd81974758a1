/** Values of forms that a caller passes to a run. */
import { TidingError } from '../errors.ts';
import { type FormSource, formsOf, paramsFor } from '../model/notes/form-params.ts';
import { coerceParam, collectForms, type ParamType } from '../model/notes/form-values.ts';
import { type ParagraphState, paragraphText } from '../state.ts';

type Params = Record<string, unknown>;

/** Type that a form declares by its default value. Texts are passed on as they are. */
function declaredType(defaultValue: unknown): ParamType {
  if (typeof defaultValue === 'number') return 'float';
  if (typeof defaultValue === 'boolean') return 'boolean';
  return typeof defaultValue === 'object' && defaultValue !== null ? 'JSON' : 'string';
}

/** What a paragraph's state says about its forms. */
export const formSource = (paragraph: ParagraphState): FormSource => ({
  text: paragraphText(paragraph),
  forms: paragraph.server.settings?.forms,
});

/** Throws `protocol` if one of the names is for none of the paragraphs. */
export function checkParamNames(paragraphs: readonly ParagraphState[], params: Params): void {
  // With an embed token for results, the text and its forms are not known here.
  if (paragraphs.every((paragraph) => paragraphText(paragraph) === '')) return;
  for (const name of Object.keys(params)) {
    if (paragraphs.some((each) => Object.hasOwn(paramsFor(formSource(each), { [name]: 0 }), name)))
      continue;
    const isOfNote = paragraphs.some((each) =>
      Object.hasOwn(collectForms(paragraphText(each)).noteForms, name),
    );
    const names = [
      ...new Set(paragraphs.flatMap((each) => Object.keys(formsOf(formSource(each))))),
    ];
    const hint = isOfNote
      ? 'It is a form of the whole note: use note.setParams'
      : names.length === 0
        ? 'There are no forms'
        : `The forms are ${names.join(', ')}`;
    throw new TidingError('protocol', `There is no form '${name}'. ${hint}.`, {
      operation: 'RUN_PARAGRAPH',
    });
  }
}

/**
 * Converts values to the types that their forms declare, or to the default where that is not
 * possible.
 */
export function convertedParams(paragraph: ParagraphState, params: Params): Params {
  const forms = formsOf(formSource(paragraph));
  return Object.fromEntries(
    Object.entries(params).map(([name, value]) => {
      const form = Object.hasOwn(forms, name) ? forms[name] : undefined;
      if (form?.defaultValue === undefined || form.options) return [name, value];
      const { defaultValue } = form;
      return [name, coerceParam(value, declaredType(defaultValue), defaultValue)];
    }),
  );
}
