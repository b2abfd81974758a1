/**
 * Form values sent by a page with an embed token. They are substituted into code, so they are
 * restricted.
 */
import { codeForms, formSource, parseForms, textWithForms } from '@tiding/client/model';
import type { ParagraphContent } from '@tiding/client/notebook';
import type { Form, JsonObject } from '@tiding/client/protocol';
import type { Embed } from '../auth/embed-access.ts';
import { Refusal } from '../base/errors.ts';
import type { StoredParagraph } from '../notes/note.ts';

const isOption = ({ options = [] }: Form, value: unknown): boolean =>
  options.some((option) => String(option.value) === String(value));

/**
 * Returns whether a page that may not edit may choose this value: one of the form's listed options,
 * or the stored value.
 */
function mayChoose(form: Form, value: unknown, stored: unknown): boolean {
  if (JSON.stringify(value) === JSON.stringify(stored ?? form.defaultValue)) return true;
  return Array.isArray(value) ? value.every((each) => isOption(form, each)) : isOption(form, value);
}

/**
 * Returns the forms in the text of a paragraph, and those that its code has created. A name may
 * have several forms in the text; a value must be allowed by all of them.
 */
function formsOf(paragraph: StoredParagraph): [string, Form][] {
  const source = formSource(paragraph);
  const inText = parseForms(textWithForms(source.text, source.language))
    .filter(({ noteWide }) => !noteWide)
    .map(({ form }): [string, Form] => [form.name, form]);
  const names = new Set(inText.map(([name]) => name));
  const created = Object.entries(codeForms(source));
  return [...inText, ...created.filter(([name]) => !names.has(name))];
}

/**
 * Returns the form values for a run from a page with an embed token. The token's values override
 * sent and stored ones. Without the permission to edit, a value must be one of its form's options;
 * any other is rejected with 403.
 */
export function lockParams(
  paragraph: StoredParagraph,
  content: ParagraphContent,
  { params: locked = {}, scope }: Embed,
): ParagraphContent {
  const stored = (paragraph.settings?.params ?? {}) as JsonObject;
  if (scope === 'edit') return { ...content, params: { ...(content.params ?? stored), ...locked } };
  const chosen: JsonObject = {};
  for (const [name, form] of formsOf(paragraph)) {
    const value = content.params?.[name];
    if (value === undefined || Object.hasOwn(locked, name)) continue;
    if (!mayChoose(form, value, stored[name]))
      throw new Refusal(403, `This page may not choose this value for '${name}'.`, 'forbidden');
    chosen[name] = value;
  }
  return { ...content, params: { ...stored, ...chosen, ...locked } };
}
