import { parseForms, textWithForms } from '@tiding/client/model';
import type { Span } from './overlay.ts';

/** Longer texts are not searched for forms, in characters. */
const MAX_LENGTH = 100_000;

/** Returns the ranges of forms in the text of a paragraph, such as `${name=default,a|b}`. */
export function formSpans(text: string, language: string | undefined): Span[] {
  if (text.length > MAX_LENGTH || !text.includes('${')) return [];
  return parseForms(textWithForms(text, language)).map(({ start, end }) => ({
    from: start,
    to: end,
    className: 'tok-form',
  }));
}
