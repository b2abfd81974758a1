/** Values of forms from a page with an embed token: substituted text is code, so it may not be just any. */
import { parseForms } from 'tiding/model';
import type { Bag, Form } from 'tiding/protocol';
import type { Embed } from '../auth/embed-access.ts';
import { Refusal } from '../errors.ts';
import type { Content } from '../notes/editor.ts';
import type { StoredParagraph } from '../notes/note.ts';

const isOption = ({ options = [] }: Form, value: unknown): boolean =>
  options.some((option) => String(option.value) === String(value));

/** Whether a page that may not edit may choose this value: one of a list that the text itself has, or what stands there already. */
function mayChoose(form: Form, value: unknown, stored: unknown): boolean {
  if (JSON.stringify(value) === JSON.stringify(stored ?? form.defaultValue)) return true;
  return Array.isArray(value) ? value.every((each) => isOption(form, each)) : isOption(form, value);
}

/**
 * What is run for a page with a token: the token's values win over what is sent and what is stored. Without the right to
 * edit, a value is one of the options of its form; refuses another with 403.
 */
export function lockParams(
  paragraph: StoredParagraph,
  content: Content,
  { params: locked = {}, scope }: Embed,
): Content {
  const stored = (paragraph.settings?.params ?? {}) as Bag;
  if (scope === 'edit') return { ...content, params: { ...(content.params ?? stored), ...locked } };
  const chosen: Bag = {};
  for (const { form, noteWide } of parseForms(paragraph.text)) {
    const name = form.name ?? '';
    const value = content.params?.[name];
    if (noteWide || value === undefined || Object.hasOwn(locked, name)) continue;
    if (!mayChoose(form, value, stored[name]))
      throw new Refusal(
        403,
        `The value of '${name}' is not one that this page may choose.`,
        'forbidden',
      );
    chosen[name] = value;
  }
  return { ...content, params: { ...stored, ...chosen, ...locked } };
}
