/**
 * Changes of a text as data: they can be combined, and two changes of the same text can be put in
 * an order without losing or repeating a character.
 */
import { diffMain } from 'diff-match-patch-es';
import { commonLength } from './text-lines.ts';
import { isSubsequence } from './text-merge.ts';

/**
 * A change of a text, from start to end: a number keeps that many characters, and `[n, text]`
 * inserts the text and deletes the `n` characters after it. Lengths are in UTF-16 code units. It
 * covers the whole text, as the JSON form of CodeMirror's change sets does.
 */
export type TextChange = (number | [deleted: number, inserted: string])[];

/** Maximum number of sections in a change that is sent with an edit. */
const MAX_SENT_SECTIONS = 5_000;
/**
 * Maximum number of inserted characters in a change that is sent with an edit. The message contains
 * the text too, and must not become twice as large.
 */
const MAX_SENT_LENGTH = 100_000;
/** Time limit of a comparison, in ms. Beyond it, larger pieces count as replaced. */
const DIFF_MS = 100;
/** Longest text in which words or characters are compared. In longer texts, lines are. */
const MAX_PRECISE_LENGTH = 100_000;

/** Reads a change piece by piece: at each position first the insertion, then the range. */
class Steps {
  readonly #change: TextChange;
  #at = 0;
  /** What is left of the current section. */
  length = 0;
  inserted = '';
  /** Whether the range of the current section is kept. */
  kept = true;

  constructor(change: TextChange) {
    this.#change = change;
    this.#settle();
  }

  /** Whether nothing is left. */
  get done(): boolean {
    return this.length === 0 && this.inserted === '';
  }

  /** Takes the first characters of the insertion, by default all. */
  insert(length = this.inserted.length): string {
    const text = this.inserted.slice(0, length);
    this.inserted = this.inserted.slice(length);
    this.#settle();
    return text;
  }

  /** Takes the first characters of the range. */
  take(length: number): void {
    this.length -= length;
    this.#settle();
  }

  /** Moves to the next section with content if the current one is used up. */
  #settle(): void {
    while (this.done && this.#at < this.#change.length) {
      const section = this.#change[this.#at++]!;
      this.kept = typeof section === 'number';
      [this.length, this.inserted] = typeof section === 'number' ? [section, ''] : section;
    }
  }
}

/** Joins insertions, and ranges that are kept or deleted, into a change. */
class ChangeBuilder {
  readonly change: TextChange = [];

  replace(length: number, inserted: string): void {
    const last = this.change.at(-1);
    if (length === 0 && inserted === '') return;
    if (typeof last !== 'object') return void this.change.push([length, inserted]);
    last[0] += length;
    last[1] += inserted;
  }

  keep(length: number): void {
    const last = this.change.at(-1);
    if (typeof last === 'number') this.change[this.change.length - 1] = last + length;
    else if (length > 0) this.change.push(length);
  }

  /** Adds a range as it is in another change. */
  range(length: number, kept: boolean): void {
    if (kept) this.keep(length);
    else this.replace(length, '');
  }
}

/** Returns the change of a text of this length that changes nothing. */
export function emptyTextChange(length: number): TextChange {
  return length === 0 ? [] : [length];
}

/** Returns the length of the texts that a change applies to. */
function lengthBefore(change: TextChange): number {
  return change.reduce<number>(
    (sum, section) => sum + (typeof section === 'number' ? section : section[0]),
    0,
  );
}

/**
 * Applies a change to a text. Returns `undefined` if the change is for a text of another length.
 */
export function applyTextChange(text: string, change: TextChange): string | undefined {
  if (lengthBefore(change) !== text.length) return undefined;
  let [result, at] = ['', 0];
  for (const section of change) {
    if (typeof section === 'number') result += text.slice(at, (at += section));
    else {
      result += section[1];
      at += section[0];
    }
  }
  return result;
}

/** Returns one change that has the effect of `first` followed by `second`. */
export function composeTextChanges(first: TextChange, second: TextChange): TextChange {
  const [a, b] = [new Steps(first), new Steps(second)];
  const result = new ChangeBuilder();
  for (;;) {
    if (b.inserted !== '') result.replace(0, b.insert());
    else if (a.inserted === '' && a.length > 0 && !a.kept) {
      result.replace(a.length, '');
      a.take(a.length);
    } else {
      const some = Math.min(a.inserted.length || a.length, b.length);
      if (some === 0) return result.change;
      if (a.inserted === '') {
        result.range(some, b.kept);
        a.take(some);
      } else {
        const inserted = a.insert(some);
        if (b.kept) result.replace(0, inserted);
      }
      b.take(some);
    }
  }
}

/**
 * Rebases a change: returns what it does to the text that `over`, another change of the same text,
 * has made. Inserted text is always kept, and text that both deleted is deleted once. `isFirst`:
 * whether its insertions come before those of `over` at the same position. Both orders give the
 * same text: `over`, then `mapTextChange(change, over, f)`, is `change`, then
 * `mapTextChange(over, change, !f)`.
 */
export function mapTextChange(change: TextChange, over: TextChange, isFirst: boolean): TextChange {
  const [a, b] = [new Steps(change), new Steps(over)];
  const result = new ChangeBuilder();
  while (!a.done || !b.done) {
    if (a.inserted !== '' && (isFirst || b.inserted === '')) {
      result.replace(0, a.insert());
      continue;
    }
    if (b.inserted !== '') {
      result.keep(b.insert().length);
      continue;
    }
    const some = Math.min(a.length, b.length);
    if (some === 0) break;
    if (b.kept) result.range(some, a.kept);
    a.take(some);
    b.take(some);
  }
  return result.change;
}

/**
 * Returns where an offset is after a change. Text that is inserted right there comes after it; an
 * offset in deleted text moves to the end of what replaces it.
 */
export function mapOffset(offset: number, change: TextChange): number {
  let [before, after] = [0, 0];
  for (const section of change) {
    if (offset <= before) break;
    const [length, inserted] = typeof section === 'number' ? [section, ''] : section;
    const some = Math.min(length, offset - before);
    before += length;
    after += typeof section === 'number' ? some : inserted.length;
  }
  return after;
}

/** Whether a position is inside a surrogate pair. */
const splitsPair = (text: string, at: number): boolean =>
  /^[\uD800-\uDBFF][\uDC00-\uDFFF]$/.test(text.slice(Math.max(0, at - 1), at + 1));

/** Whether a change is small enough to be sent beside the text. */
export function isSendable(change: TextChange): boolean {
  if (change.length > MAX_SENT_SECTIONS) return false;
  let length = 0;
  for (const section of change) if (typeof section === 'object') length += section[1].length;
  return length <= MAX_SENT_LENGTH;
}

/** Number of code units that can stand for different tokens. */
const MAX_CODES = 0xffff;

/** Adds what turns one list of tokens into another: tokens are kept, or replaced as a whole. */
function addDiff(
  from: readonly string[],
  to: readonly string[],
  result: ChangeBuilder,
  replace: (deleted: string, inserted: string) => void,
  deadline: number,
): void {
  const codes = new Map<string, string>();
  const code = (token: string): string => {
    let found = codes.get(token);
    if (found === undefined) codes.set(token, (found = String.fromCharCode(codes.size)));
    return found;
  };
  const [before, after] = [from.map(code).join(''), to.map(code).join('')];
  if (codes.size > MAX_CODES) return replace(from.join(''), to.join(''));
  let [atFrom, atTo, deleted, inserted] = [0, 0, '', ''];
  const flush = (): void => {
    if (deleted !== '' || inserted !== '') replace(deleted, inserted);
    [deleted, inserted] = ['', ''];
  };
  // A time limit of 0 turns off shortcuts that don't find the shortest change.
  const diff = diffMain(before, after, { diffTimeout: 0 }, false, deadline);
  for (const [operation, { length }] of diff) {
    const [old, fresh] = [
      from.slice(atFrom, atFrom + length).join(''),
      to.slice(atTo, atTo + length).join(''),
    ];
    if (operation === 0) {
      flush();
      result.keep(old.length);
    } else if (operation === 1) inserted += fresh;
    else deleted += old;
    if (operation !== 1) atFrom += length;
    if (operation !== -1) atTo += length;
  }
  flush();
}

/** Compares two texts without their common start and end. */
function compare(
  before: string,
  after: string,
  grow: (start: number, kept: number) => readonly [start: number, kept: number],
  tokens: (text: string) => string[],
  replace: (result: ChangeBuilder, deleted: string, inserted: string) => void,
  deadline: number,
): TextChange {
  if (before === after) return emptyTextChange(before.length);
  const most = Math.min(before.length, after.length);
  let start = commonLength(before, after, most);
  if (splitsPair(before, start) || splitsPair(after, start)) start -= 1;
  let kept = commonLength(before, after, most - start, true);
  if (splitsPair(before, before.length - kept) || splitsPair(after, after.length - kept)) kept -= 1;
  const result = new ChangeBuilder();
  const isReplaced = start + kept < most;
  if (isReplaced) [start, kept] = grow(start, kept);
  result.keep(start);
  const [old, fresh] = [
    before.slice(start, before.length - kept),
    after.slice(start, after.length - kept),
  ];
  if (!isReplaced) replaceAll(result, old, fresh);
  else {
    const precisely = (deleted: string, inserted: string): void =>
      addDiff(
        tokens(deleted),
        tokens(inserted),
        result,
        (...piece) => replace(result, ...piece),
        deadline,
      );
    const roughly = (deleted: string, inserted: string): void =>
      isLong(deleted, inserted)
        ? replaceAll(result, deleted, inserted)
        : precisely(deleted, inserted);
    if (isLong(old, fresh)) addDiff(lines(old), lines(fresh), result, roughly, deadline);
    else precisely(old, fresh);
  }
  result.keep(kept);
  return result.change;
}

/** Returns the deadline of a comparison that begins now. Several comparisons may share one. */
export const diffDeadline = (): number => Date.now() + DIFF_MS;

const lines = (text: string): string[] => text.match(/[^\n]*\n|[^\n]+$/g) ?? [];

const isLong = (...texts: readonly string[]): boolean =>
  texts.some(({ length }) => length > MAX_PRECISE_LENGTH);

const replaceAll = (result: ChangeBuilder, deleted: string, inserted: string): void =>
  result.replace(deleted.length, inserted);

/**
 * Compares two texts and returns the shortest change between them: text that was only added to is
 * not replaced. It can't tell which of several equal characters was added or deleted, so a change
 * that is known from typing should be used instead. Very different long texts are compared less
 * precisely. `deadline`: from when on larger pieces count as replaced, in ms since 1970; by default
 * 100 ms from now.
 */
export function diffTexts(before: string, after: string, deadline = diffDeadline()): TextChange {
  return compare(before, after, (...ends) => ends, Array.from<string>, replaceAll, deadline);
}

const WORD_END = /[\p{L}\p{M}\p{N}_]*$/u;
const WORD_START = /^[\p{L}\p{M}\p{N}_]*/u;
/** Maximum length of the part of a word that is looked at, so that long lines cost little. */
const MAX_WORD = 100;
/** Words, and each other character by itself. */
const words = (text: string): string[] => text.match(/[\p{L}\p{M}\p{N}_]+|[\s\S]/gu) ?? [];

/**
 * Compares two texts if it is not known what was typed. A word of which some letters differ counts
 * as replaced, unless letters were only added or only deleted: its letters that remain may have
 * been typed again, so that a change by somebody else who deletes the old word must not delete
 * them. `isTyped`: the texts are before and after one edit, so that letters around it were not
 * typed. `deadline`: as for {@link diffTexts}.
 */
export function diffWords(
  before: string,
  after: string,
  isTyped = false,
  deadline = diffDeadline(),
): TextChange {
  const grow = (start: number, kept: number) =>
    [
      start - WORD_END.exec(before.slice(Math.max(0, start - MAX_WORD), start))![0].length,
      kept -
        WORD_START.exec(before.slice(before.length - kept, before.length - kept + MAX_WORD))![0]
          .length,
    ] as const;
  const ends = isTyped ? (...same: [number, number]) => same : grow;
  const replace = (result: ChangeBuilder, deleted: string, inserted: string): void => {
    if (!isSubsequence(deleted, inserted) && !isSubsequence(inserted, deleted))
      return replaceAll(result, deleted, inserted);
    for (const section of diffTexts(deleted, inserted, deadline)) {
      if (typeof section === 'number') result.keep(section);
      else result.replace(...section);
    }
  };
  return compare(before, after, ends, words, replace, deadline);
}

/**
 * Applies a change of an earlier text to the current one. Inserted text is always in the result;
 * deletions apply to what is left of the deleted text.
 *
 * @param from the text that was changed
 * @param changed the text after the change
 * @param now what others have made of `from` meanwhile
 */
export function rebaseText(from: string, changed: string, now: string): string {
  return rebaseEdit(from, changed, now).text;
}

/**
 * Like {@link rebaseText}, and returns also the change of the current text. `typed`: the change of
 * the earlier text, if it is known.
 */
export function rebaseEdit(
  from: string,
  changed: string,
  now: string,
  typed?: TextChange,
): { readonly text: string; readonly change: TextChange } {
  const deadline = diffDeadline();
  const own =
    typed && applyTextChange(from, typed) === changed
      ? typed
      : diffWords(from, changed, true, deadline);
  if (from === now) return { text: changed, change: own };
  const change = mapTextChange(own, diffTexts(from, now, deadline), true);
  return { text: applyTextChange(now, change) ?? changed, change };
}
