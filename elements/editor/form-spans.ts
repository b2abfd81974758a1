import { parseForms } from 'tiding/model';
import type { Span } from './overlay.ts';

/** Longer texts are not searched for forms. */
const searchLimit = 100_000;

/** Where forms are written in a text: `${name=default,a|b}` and its kin. */
export function formSpans(text: string): Span[] {
  if (text.length > searchLimit || !text.includes('${')) return [];
  return parseForms(text).map(({ start, end }) => ({
    from: start,
    to: end,
    className: 'tok-form',
  }));
}
