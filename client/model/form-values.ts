/** Forms by name, their values, and the text with the values in it. */
import type { Bag } from '../protocol/define.ts';
import type { Form } from '../protocol/objects.ts';
import { type FormTemplate, type FormType, parseForms, type TextForm } from './forms.ts';

/** Forms by name in the order of the text: those of the paragraph and those of the note. */
export interface CollectedForms {
  /** Forms of the paragraph, by name (`${…}`). */
  readonly forms: Readonly<Record<string, TextForm>>;
  /** Forms of the whole note, by name (`$${…}`). */
  readonly noteForms: Readonly<Record<string, TextForm>>;
}

/** Whether a template says more than a name, so that a later bare `${name}` refers to it. */
const defines = (form: TextForm): boolean =>
  form.options !== undefined || form.defaultValue !== '' || form.type !== 'TextBox';

function byName(templates: readonly FormTemplate[], noteWide: boolean): Map<string, TextForm> {
  const forms = new Map<string, TextForm>();
  for (const template of templates) {
    if (template.noteWide !== noteWide) continue;
    const known = forms.get(template.form.name);
    if (!known || (!defines(known) && defines(template.form)))
      forms.set(template.form.name, template.form);
  }
  return forms;
}

/**
 * The forms of a text by name, in order of first appearance (upstream 0.8.2). Of several templates with one name the
 * first that has a default or choices counts; upstream takes the last.
 */
export function collectForms(text: string): CollectedForms {
  const templates = parseForms(text);
  return {
    forms: Object.fromEntries(byName(templates, false)),
    noteForms: Object.fromEntries(byName(templates, true)),
  };
}

function valueText(form: TextForm, value: unknown): string {
  if (Array.isArray(value)) {
    // Values that are no longer offered are dropped, unless nothing would be left (upstream 0.8.2).
    const offered = value.filter((one) => form.options?.some((option) => option.value === one));
    return (offered.length > 0 ? offered : value).map(String).join(form.argument ?? ',');
  }
  if (value === undefined || value === null) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/**
 * The text an interpreter is given: each template replaced by its value, `\${` by `${`. A value comes from `params` (from
 * `noteParams` for a form of the note), else from the form's default; lists are joined with the form's delimiter, or `,`.
 * Values are not searched for templates again.
 */
export function substituteForms(text: string, params: Bag = {}, noteParams: Bag = {}): string {
  const templates = parseForms(text);
  const forms = byName(templates, false);
  const noteForms = byName(templates, true);
  const plain = (from: number, to?: number): string =>
    text.slice(from, to).replaceAll('\\${', '${');
  let result = '';
  let from = 0;
  for (const { form, noteWide, start, end } of templates) {
    const values = noteWide ? noteParams : params;
    // The template's own default first, then that of the definition its name refers to.
    const definition = defines(form)
      ? form
      : ((noteWide ? noteForms : forms).get(form.name) ?? form);
    const value = Object.hasOwn(values, form.name) ? values[form.name] : definition.defaultValue;
    result += plain(from, start) + valueText(definition, value);
    from = end;
  }
  return result + plain(from);
}

const TYPES: ReadonlyMap<string, FormType> = new Map<string, FormType>([
  ['textbox', 'TextBox'],
  ['input', 'TextBox'],
  ['password', 'Password'],
  ['select', 'Select'],
  ['checkbox', 'CheckBox'],
]);

/**
 * A form with one of the four types: notes up to 0.7 say `input`, `select` and `checkbox`, and REST answers of 0.8.2 have
 * no type at all. Without a known type a list as default makes check boxes, options make a select, else it is a text
 * box. Other fields stay.
 */
export function normalizeForm<F extends Form>(form: F): F & { type: FormType; hidden: boolean } {
  const known = TYPES.get((form.type ?? '').toLowerCase());
  const guessed = Array.isArray(form.defaultValue)
    ? 'CheckBox'
    : form.options
      ? 'Select'
      : 'TextBox';
  return { ...form, type: known ?? guessed, hidden: form.hidden ?? false };
}

/** Declared type of a parameter of a package or a job. */
export type ParamType = 'int' | 'float' | 'boolean' | 'string' | 'JSON';

function parseJson(text: string, fallback: unknown): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return fallback;
  }
}

/**
 * A parameter value as its declared type, or `fallback` where it cannot be one (specification): int and float by their
 * leading number, boolean from `true` and `false`, JSON parsed, string and unknown types as they are.
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
