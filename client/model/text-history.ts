/** Texts that are numbered: an edit names the one it was made from, and is merged with what others wrote since. */
import { mergeText } from './merge.ts';

/** A text with its number. `author` is a random id: whose typing the text is. */
export interface NumberedText {
  /** Id of the paragraph. */
  readonly id: string;
  /** The text as it stands. */
  text: string;
  /** Grows with each change of the text. */
  rev: number;
  /** Whose typing the text is, where he says so. */
  author?: string | undefined;
  /** Number of that author's last edit. */
  authorSeq?: number | undefined;
}

/** What an edit says of itself; without `baseRev` it replaces what stands there. */
export interface TextEdit {
  /** Number of the text it was made from. */
  readonly baseRev?: number | undefined;
  /** Whose typing it is. */
  readonly author?: string | undefined;
  /** Grows with each edit of an author: one that a dead connection delivers late is told by it. */
  readonly authorSeq?: number | undefined;
}

/** The text cannot be merged; nothing was written. */
export class TextConflict extends Error {
  /** What stands there. */
  readonly paragraph: NumberedText;
  /** The text that the edit was made from, as long as it is remembered. */
  readonly baseText: string | undefined;

  /** @internal */
  constructor(paragraph: NumberedText, baseText: string | undefined) {
    super('the paragraph was changed by somebody else');
    this.paragraph = paragraph;
    this.baseText = baseText;
  }
}

interface Earlier {
  readonly text: string;
  readonly author: string | undefined;
  readonly authorSeq: number | undefined;
  readonly rev: number;
  /** Where it is remembered. */
  readonly among: Map<number, Earlier>;
}

/** The earlier texts of paragraphs, for as long as these are in memory. */
export class TextHistory {
  readonly #keep: number;
  readonly #keepLength: number;
  readonly #texts = new WeakMap<NumberedText, Map<number, Earlier>>();
  /** What is remembered of all paragraphs, oldest first, and how long it is; only where that has a limit. */
  readonly #oldest = new Set<Earlier>();
  #length = 0;

  /** `keep`: how many earlier texts of a paragraph are remembered. `keepLength`: how many characters of all paragraphs' together. */
  constructor(keep = Infinity, keepLength = Infinity) {
    this.#keep = keep;
    this.#keepLength = keepLength;
  }

  /** The text of a number, as long as it is remembered. */
  textAt(paragraph: NumberedText, rev: number): string | undefined {
    return rev === paragraph.rev ? paragraph.text : this.#texts.get(paragraph)?.get(rev)?.text;
  }

  /**
   * Replaces the text, merging with what others wrote since `baseRev`. Throws {@link TextConflict} where that cannot be
   * done, and what `check` throws of a text that will not do; then nothing has changed.
   */
  set(
    paragraph: NumberedText,
    mine: string,
    { baseRev, author, authorSeq }: TextEdit,
    check: (text: string) => void = () => {},
  ): void {
    // What was sent again since its answer was lost, and what a dead connection delivers late, is in the text already.
    if (this.#has(paragraph, baseRev, author, authorSeq)) return;
    const theirs = paragraph.text;
    let text = mine;
    if (
      baseRev !== undefined &&
      baseRev !== paragraph.rev &&
      mine !== theirs &&
      !this.#sameAuthor(paragraph, baseRev, author)
    ) {
      const base = this.#texts.get(paragraph)?.get(baseRev)?.text;
      const merged = base === undefined ? undefined : mergeText(base, mine, theirs);
      if (!merged || 'conflict' in merged) throw new TextConflict(paragraph, base);
      text = merged.text;
    }
    if (text === theirs) return;
    check(text);
    this.replace(paragraph, text, author, authorSeq);
  }

  /** Whether an author's edit, or a later one of his, is among what was written since `baseRev`. */
  #has(
    paragraph: NumberedText,
    baseRev: number | undefined,
    author: string | undefined,
    authorSeq: number | undefined,
  ): boolean {
    if (author === undefined || authorSeq === undefined) return false;
    const isIt = (text: Pick<NumberedText, 'author' | 'authorSeq'>) =>
      text.author === author && authorSeq <= (text.authorSeq ?? 0);
    if (isIt(paragraph)) return true;
    for (let rev = paragraph.rev - 1; rev > (baseRev ?? Infinity); rev -= 1) {
      const earlier = this.#texts.get(paragraph)?.get(rev);
      if (!earlier) return false;
      if (isIt(earlier)) return true;
    }
    return false;
  }

  /** Replaces the text without a question; the earlier one is remembered, so that an edit made from it is merged. */
  replace(paragraph: NumberedText, text: string, author?: string, authorSeq?: number): void {
    let texts = this.#texts.get(paragraph);
    if (!texts) this.#texts.set(paragraph, (texts = new Map()));
    this.#forget(texts.get(paragraph.rev));
    this.#remember({
      text: paragraph.text,
      author: paragraph.author,
      authorSeq: paragraph.authorSeq,
      rev: paragraph.rev,
      among: texts,
    });
    this.#forget(texts.get(paragraph.rev - this.#keep));
    paragraph.text = text;
    paragraph.rev += 1;
    if (author === undefined) delete paragraph.author;
    else paragraph.author = author;
    if (authorSeq === undefined) delete paragraph.authorSeq;
    else paragraph.authorSeq = authorSeq;
  }

  #remember(earlier: Earlier): void {
    earlier.among.set(earlier.rev, earlier);
    if (this.#keepLength === Infinity) return;
    this.#oldest.add(earlier);
    this.#length += earlier.text.length;
    for (const each of this.#oldest) {
      if (this.#length <= this.#keepLength) break;
      this.#forget(each);
    }
  }

  #forget(earlier: Earlier | undefined): void {
    if (earlier === undefined) return;
    earlier.among.delete(earlier.rev);
    if (this.#oldest.delete(earlier)) this.#length -= earlier.text.length;
  }

  /**
   * Whether everything since `baseRev` is the same author's earlier typing, whose answer was lost on the way: then the
   * later text stands, and nothing of anybody else's is written over.
   */
  #sameAuthor(paragraph: NumberedText, baseRev: number, author: string | undefined): boolean {
    if (author === undefined || baseRev > paragraph.rev || paragraph.author !== author)
      return false;
    for (let rev = baseRev + 1; rev < paragraph.rev; rev += 1) {
      if (this.#texts.get(paragraph)?.get(rev)?.author !== author) return false;
    }
    return true;
  }
}
