import type { JsonObject } from '../../protocol/define.ts';
import type { Form } from '../../protocol/objects.ts';
import { parseJson } from '../json-object.ts';
import { type FormTemplate, type FormType, parseForms, type TextForm } from './form-templates.ts';

/** The forms in a text, in order of first appearance. */
export interface CollectedForms {
  /** Forms of the paragraph (`${…}`), by name. */
  readonly forms: Readonly<Record<string, TextForm>>;
  /** Forms of the whole note (`$${…}`), by name. */
  readonly noteForms: Readonly<Record<string, TextForm>>;
}

/** Whether a template contains more than a name, so that a later bare `${name}` refers to it. */
const isDefinition = (form: TextForm): boolean =>
  form.options !== undefined || form.defaultValue !== '' || form.type !== 'TextBox';

function formsByName(templates: readonly FormTemplate[], noteWide: boolean): Map<string, TextForm> {
  const forms = new Map<string, TextForm>();
  for (const template of templates) {
    if (template.noteWide !== noteWide) continue;
    const known = forms.get(template.form.name);
    if (!known || (!isDefinition(known) && isDefinition(template.form)))
      forms.set(template.form.name, template.form);
  }
  return forms;
}

/**
 * Collects the forms of a text by name, in order of first appearance (as in Zeppelin 0.8.2). If
 * several templates have the same name, the first one with a default or options is used. Zeppelin
 * uses the last one.
 */
export function collectForms(text: string): CollectedForms {
  const templates = parseForms(text);
  return {
    forms: Object.fromEntries(formsByName(templates, false)),
    noteForms: Object.fromEntries(formsByName(templates, true)),
  };
}

function valueText(form: TextForm, value: unknown): string {
  if (Array.isArray(value)) {
    // Values that are no longer offered are dropped unless none would remain (as in Zeppelin
    // 0.8.2).
    const offered = value.filter((item) => form.options?.some(({ value }) => value === item));
    return (offered.length > 0 ? offered : value).map(String).join(form.argument ?? ',');
  }
  if (value === undefined || value === null) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/**
 * Escapes a text so that {@link substituteForms} returns it unchanged: `\${` instead of each `${`.
 * Without forms and `\${`, it stays as it is.
 */
export const escapeForms = (text: string): string =>
  text.includes('\\${') || parseForms(text).length > 0 ? text.replaceAll('${', '\\${') : text;

/** Removes the backslash of each `\${`. */
export const unescapeForms = (text: string): string => text.replaceAll('\\${', '${');

/**
 * Returns the text to send to the interpreter: each template is replaced by its value, and `\${` by
 * `${`. A value comes from `params` (from `noteParams` for a form of the note), or else from the
 * form's default. Lists are joined with the form's delimiter or `,`. Templates inside values are
 * not replaced.
 */
export function substituteForms(
  text: string,
  params: JsonObject = {},
  noteParams: JsonObject = {},
): string {
  const templates = parseForms(text);
  const forms = formsByName(templates, false);
  const noteForms = formsByName(templates, true);
  let result = '';
  let from = 0;
  for (const { form, noteWide, start, end } of templates) {
    const values = noteWide ? noteParams : params;
    // The template's own default takes precedence over that of the definition with the same name.
    const definition = isDefinition(form)
      ? form
      : ((noteWide ? noteForms : forms).get(form.name) ?? form);
    const value = Object.hasOwn(values, form.name) ? values[form.name] : definition.defaultValue;
    result += unescapeForms(text.slice(from, start)) + valueText(definition, value);
    from = end;
  }
  return result + unescapeForms(text.slice(from));
}

const FORM_TYPES: ReadonlyMap<string, FormType> = new Map<string, FormType>([
  ['textbox', 'TextBox'],
  ['input', 'TextBox'],
  ['password', 'Password'],
  ['select', 'Select'],
  ['checkbox', 'CheckBox'],
]);

/**
 * Normalizes the type of a form: notes up to 0.7 use `input`, `select` and `checkbox`, and REST
 * responses of 0.8.2 have no type. Without a known type, a list as default means check boxes,
 * options mean a select, and anything else a text box. Other fields are kept.
 */
export function normalizeForm<F extends Form>(form: F): F & { type: FormType; hidden: boolean } {
  const known = FORM_TYPES.get((form.type ?? '').toLowerCase());
  const guessed = Array.isArray(form.defaultValue)
    ? 'CheckBox'
    : form.options
      ? 'Select'
      : 'TextBox';
  return { ...form, type: known ?? guessed, hidden: form.hidden ?? false };
}

/** Declared type of a parameter of a package or a job. */
export type ParamType = 'int' | 'float' | 'boolean' | 'string' | 'JSON';

/**
 * Converts a parameter value to its declared type, or returns `fallback` if that is not possible
 * (specification): int and float use the leading number, boolean accepts `true` and `false`, JSON
 * is parsed, string and unknown types are returned unchanged.
 */
export function coerceParam(value: unknown, type: string, fallback: unknown): unknown {
  if (value === undefined || value === null) return fallback;
  switch (type) {
    case 'int':
    case 'float': {
      const number =
        type === 'int' ? Number.parseInt(String(value), 10) : Number.parseFloat(String(value));
      return Number.isFinite(number) ? number : fallback;
    }
    case 'boolean': {
      const text = String(value).trim();
      return text === 'true' ? true : text === 'false' ? false : fallback;
    }
    case 'JSON':
      return typeof value === 'string' ? parseJson(value, fallback) : value;
    default:
      return value;
  }
}
