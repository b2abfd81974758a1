/** Splits texts into words, for the index and for highlighting. */

/** Scripts without spaces between words. */
const UNSPACED = String.raw`[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]`;
/** Letters and digits. In scripts without spaces each character counts as a word. */
const WORD = new RegExp(String.raw`${UNSPACED}|(?:(?!${UNSPACED})[\p{L}\p{N}\p{M}])+`, 'gu');
/** Longer words, such as encoded data, are truncated to this many characters. */
const MAX_WORD_LENGTH = 64;

/** A word with its position in the text. */
export interface Word {
  readonly word: string;
  readonly start: number;
  readonly end: number;
}

/** Yields the words of a text in order; all other characters are separators. */
export function* tokenizeText(text: string): Iterable<Word> {
  for (const { 0: word, index } of text.matchAll(WORD))
    yield { word, start: index, end: index + word.length };
}

/** Normalizes a word for comparison: lower case, no accents, one Unicode form, truncated. */
export const foldWord = (word: string): string =>
  word
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .normalize('NFC')
    .toLowerCase()
    .slice(0, MAX_WORD_LENGTH);

/** Surrounds the words accepted by `isHit` with `<B>…</B>`. Nothing is escaped. */
export function highlight(text: string, isHit: (word: string) => boolean): string {
  let marked = '';
  let copied = 0;
  for (const { word, start, end } of tokenizeText(text)) {
    if (!isHit(foldWord(word))) continue;
    marked += `${text.slice(copied, start)}<B>${text.slice(start, end)}</B>`;
    copied = end;
  }
  return marked + text.slice(copied);
}

/** Maximum length of an excerpt, in characters. */
const MAX_EXCERPT_LENGTH = 600;
/** Maximum number of characters before the first hit. */
const EXCERPT_LEAD = 200;

/**
 * Returns the part of a text around its first hit, cut at line breaks if lines are short. A short
 * text is returned unchanged.
 */
export function excerpt(text: string, isHit: (word: string) => boolean): string {
  if (text.length <= MAX_EXCERPT_LENGTH) return text;
  let first = 0;
  for (const { word, start } of tokenizeText(text)) {
    if (!isHit(foldWord(word))) continue;
    first = start;
    break;
  }
  const earliest = Math.max(0, first - EXCERPT_LEAD);
  const line = text.indexOf('\n', earliest);
  const start = earliest === 0 ? 0 : line >= 0 && line < first ? line + 1 : first;
  const part = text.slice(start, start + MAX_EXCERPT_LENGTH);
  const end = start + MAX_EXCERPT_LENGTH >= text.length ? -1 : part.lastIndexOf('\n');
  // Don't end with half a surrogate pair.
  return (end > first - start + 100 ? part.slice(0, end) : part).replace(/[\ud800-\udbff]$/, '');
}
