/** Values of forms that a caller passes to a run. */
import { TidingError } from '../core/errors.ts';
import { type ParagraphState, paragraphText } from '../core/state.ts';
import {
  type FormSource,
  formSource,
  formsOf,
  paramsFor,
  textForms,
} from '../model/notes/form-params.ts';
import { coerceParam, type ParamType } from '../model/notes/form-values.ts';
import type { Form } from '../protocol/index.ts';
import { configForText } from './paragraph/editor-config.ts';

type Params = Record<string, unknown>;

/** Options that an error names. */
const MAX_NAMED = 20;

/** Type that a form declares by its default value. Texts are passed on as they are. */
function declaredType(defaultValue: unknown): ParamType {
  if (typeof defaultValue === 'number') return 'float';
  if (typeof defaultValue === 'boolean') return 'boolean';
  return typeof defaultValue === 'object' && defaultValue !== null ? 'JSON' : 'string';
}

/** What a paragraph's state says about its forms. */
export function currentFormSource(paragraph: ParagraphState): FormSource {
  const text = paragraphText(paragraph);
  return formSource({ ...paragraph.server, text, config: configForText(paragraph, text) });
}

/**
 * Divides the values of a run into those for forms of the paragraphs, and converted ones for forms
 * of the whole note. `replaced` are stored values of the note that become the defaults of their
 * forms. Throws `protocol` for a name that no form has, and for a value that its form doesn't
 * offer.
 */
export function dividedParams(
  paragraphs: readonly ParagraphState[],
  params: Params = {},
  replaced: Params = {},
): { own: Params; ofNote: Params | undefined } {
  // With an embed token for results, the text and its forms are not known here.
  if (paragraphs.every((paragraph) => paragraphText(paragraph) === ''))
    return { own: params, ofNote: undefined };
  const noteForms = Object.assign(
    {},
    ...paragraphs.map((each) => textForms(currentFormSource(each)).noteForms),
  ) as Readonly<Record<string, Form>>;
  const own = Object.assign(
    {},
    ...paragraphs.map((each) => paramsFor(currentFormSource(each), params)),
  ) as Params;
  const offered = paragraphs.map((each) => textForms(currentFormSource(each)).forms);
  for (const forms of [noteForms, ...offered]) requireOffered(forms, params);
  const defaults = Object.entries(noteForms)
    .filter(([name]) => Object.hasOwn(replaced, name))
    .map(([name, { defaultValue }]) => [name, defaultValue ?? ''] as const);
  const ofNote = [
    ...defaults,
    ...Object.entries(params).filter(([name]) => Object.hasOwn(noteForms, name)),
  ];
  for (const name of Object.keys(params)) {
    if (Object.hasOwn(own, name) || Object.hasOwn(noteForms, name)) continue;
    const names = new Set([
      ...paragraphs.flatMap((each) => Object.keys(formsOf(currentFormSource(each)))),
      ...Object.keys(noteForms),
    ]);
    const hint = names.size === 0 ? 'There are no forms' : `The forms are ${[...names].join(', ')}`;
    throw new TidingError('protocol', `There is no form '${name}'. ${hint}.`, {
      operation: 'RUN_PARAGRAPH',
    });
  }
  return {
    own,
    ofNote: ofNote.length > 0 ? converted(noteForms, Object.fromEntries(ofNote)) : undefined,
  };
}

/** Throws `protocol` for a value that is not among the options of its form. */
function requireOffered(forms: Readonly<Record<string, Form>>, params: Params): void {
  for (const [name, value] of Object.entries(params)) {
    const options = Object.hasOwn(forms, name) ? forms[name]?.options : undefined;
    if (!options) continue;
    const offered = options.map((option) => String(option.value));
    const wrong = [value].flat().find((each) => !offered.includes(String(each)));
    if (wrong === undefined) continue;
    const all = offered.slice(0, MAX_NAMED).join(', ');
    throw new TidingError(
      'protocol',
      `The form '${name}' doesn't offer '${String(wrong)}'. Its options are ` +
        `${all}${offered.length > MAX_NAMED ? ', …' : ''}.`,
      { operation: 'RUN_PARAGRAPH' },
    );
  }
}

/**
 * Converts values to the types that a paragraph's forms declare, or to the default where that is
 * not possible.
 */
export const convertedParams = (paragraph: ParagraphState, params: Params): Params =>
  converted(formsOf(currentFormSource(paragraph)), params);

function converted(forms: Readonly<Record<string, Form>>, params: Params): Params {
  return Object.fromEntries(
    Object.entries(params).map(([name, value]) => {
      const form = Object.hasOwn(forms, name) ? forms[name] : undefined;
      if (form?.type === 'CheckBox' && !Array.isArray(value)) return [name, [value]];
      if (form?.defaultValue === undefined || form.options) return [name, value];
      const { defaultValue } = form;
      return [name, coerceParam(value, declaredType(defaultValue), defaultValue)];
    }),
  );
}
