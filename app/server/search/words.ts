/** Texts as words, for the index and for marks. */

/** Letters and digits; in scripts without spaces between words each character counts as one. */
const WORD =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]|(?:(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}])[\p{L}\p{N}\p{M}])+/gu;
/** Longer words, such as encoded data, are cut here. */
const MAX_WORD = 64;

/** A word of a text with its place. */
export interface Word {
  readonly word: string;
  readonly start: number;
  readonly end: number;
}

/** Words of a text in order; everything else separates. */
export function* wordsOf(text: string): Iterable<Word> {
  for (const { 0: word, index } of text.matchAll(WORD))
    yield { word, start: index, end: index + word.length };
}

/** A word as it is compared: without case and accents, in one spelling, cut. */
export const fold = (word: string): string =>
  word
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .normalize('NFC')
    .toLowerCase()
    .slice(0, MAX_WORD);

/** The text with `<B>…</B>` around the words that `isHit` takes. Nothing is escaped. */
export function mark(text: string, isHit: (word: string) => boolean): string {
  let marked = '';
  let at = 0;
  for (const { word, start, end } of wordsOf(text)) {
    if (!isHit(fold(word))) continue;
    marked += `${text.slice(at, start)}<B>${text.slice(start, end)}</B>`;
    at = end;
  }
  return marked + text.slice(at);
}

/** Characters of an excerpt. */
const EXCERPT = 600;
/** Characters that stand before its first hit. */
const BEFORE = 200;

/** The text around its first hit, in whole lines where they are short; all of a short text. */
export function excerpt(text: string, isHit: (word: string) => boolean): string {
  if (text.length <= EXCERPT) return text;
  let first = 0;
  for (const { word, start } of wordsOf(text)) {
    if (!isHit(fold(word))) continue;
    first = start;
    break;
  }
  const earliest = Math.max(0, first - BEFORE);
  const line = text.indexOf('\n', earliest);
  const start = earliest === 0 ? 0 : line >= 0 && line < first ? line + 1 : first;
  const cut = text.slice(start, start + EXCERPT);
  const end = start + EXCERPT >= text.length ? -1 : cut.lastIndexOf('\n');
  // Not in the middle of a character.
  return (end > first - start + 100 ? cut.slice(0, end) : cut).replace(/[\ud800-\udbff]$/, '');
}
