/**
 * Server-side versions of texts: each edit names the revision it is based on and is merged with
 * changes by others since.
 */
import { mergeText } from './text-merge.ts';

/** A text with its revision. */
export interface NumberedText {
  /** Id of the paragraph. */
  readonly id: string;
  /** The current text. */
  text: string;
  /** Revision number; increases with each change of the text. */
  rev: number;
  /** Random id of the client that wrote the text, if it sent one. */
  author?: string | undefined;
  /** Sequence number of that author's last edit. */
  authorSeq?: number | undefined;
}

/** A text with its revision and author, without the paragraph. */
export type TextRevision = Pick<NumberedText, 'text' | 'rev' | 'author' | 'authorSeq'>;

function assignText(paragraph: NumberedText, { text, rev, author, authorSeq }: TextRevision): void {
  paragraph.text = text;
  paragraph.rev = rev;
  if (author === undefined) delete paragraph.author;
  else paragraph.author = author;
  if (authorSeq === undefined) delete paragraph.authorSeq;
  else paragraph.authorSeq = authorSeq;
}

/** What an edit is based on. Without `baseRev` it replaces the current text. */
export interface TextEdit {
  /** Revision of the text that was edited. */
  readonly baseRev?: number | undefined;
  /** Random id of the client. */
  readonly author?: string | undefined;
  /**
   * Increases with each edit of an author. Identifies edits that a dead connection delivers late.
   */
  readonly authorSeq?: number | undefined;
}

/** The edit could not be merged; nothing was written. */
export class TextConflict extends Error {
  /** The current text. */
  readonly paragraph: NumberedText;
  /** The text that the edit was based on, if it is still remembered. */
  readonly baseText: string | undefined;

  /** @internal */
  constructor(paragraph: NumberedText, baseText: string | undefined) {
    super('The paragraph was changed by another user.');
    this.paragraph = paragraph;
    this.baseText = baseText;
  }
}

interface Earlier {
  readonly text: string;
  readonly author: string | undefined;
  readonly authorSeq: number | undefined;
  readonly rev: number;
  /** Map in which it is remembered. */
  readonly among: Map<number, Earlier>;
}

/** Remembers earlier texts of paragraphs for as long as the paragraphs are in memory. */
export class TextHistory {
  readonly #keep: number;
  readonly #keepLength: number;
  readonly #texts = new WeakMap<NumberedText, Map<number, Earlier>>();
  /**
   * Remembered texts of all paragraphs, oldest first, and their total length; used only if there is
   * a limit.
   */
  readonly #oldest = new Set<Earlier>();
  #length = 0;

  /**
   * `keep`: number of earlier texts to remember per paragraph. `keepLength`: number of characters
   * to remember for all paragraphs together.
   */
  constructor(keep = Infinity, keepLength = Infinity) {
    this.#keep = keep;
    this.#keepLength = keepLength;
  }

  /** Returns the text of a revision if it is still remembered. */
  textAt(paragraph: NumberedText, rev: number): string | undefined {
    return rev === paragraph.rev ? paragraph.text : this.#texts.get(paragraph)?.get(rev)?.text;
  }

  /**
   * Replaces the text, merging with changes by others since `baseRev`. Throws {@link TextConflict}
   * if that is not possible, or the error that `check` throws for the resulting text; then nothing
   * has changed.
   */
  set(
    paragraph: NumberedText,
    mine: string,
    edit: TextEdit,
    check: (text: string) => void = () => {},
  ): void {
    const next = this.merge(paragraph, mine, edit, check);
    if (next) assignText(paragraph, next);
  }

  /**
   * Returns the text that {@link set} would store; `undefined` if the edit changes nothing. The
   * paragraph stays as it is. Its current text is remembered for later edits.
   */
  merge(
    paragraph: NumberedText,
    mine: string,
    { baseRev, author, authorSeq }: TextEdit,
    check: (text: string) => void = () => {},
  ): TextRevision | undefined {
    // An edit that was sent again because its reply was lost, or that a dead connection delivered
    // late, is already part of the text.
    if (this.#has(paragraph, baseRev, author, authorSeq)) return undefined;
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
    if (text === theirs) return undefined;
    check(text);
    return this.#next(paragraph, text, author, authorSeq);
  }

  /** Whether the changes since `baseRev` include this edit of the author, or a later one. */
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

  /**
   * Replaces the text unconditionally. The earlier text is remembered, so that edits based on it
   * can be merged.
   */
  replace(paragraph: NumberedText, text: string, author?: string, authorSeq?: number): void {
    assignText(paragraph, this.#next(paragraph, text, author, authorSeq));
  }

  /** Remembers the current text, and returns the one that follows. */
  #next(
    paragraph: NumberedText,
    text: string,
    author: string | undefined,
    authorSeq: number | undefined,
  ): TextRevision {
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
    return { text, rev: paragraph.rev + 1, author, authorSeq };
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
   * Whether all changes since `baseRev` are earlier edits by the same author whose replies were
   * lost: then the later text wins, and nobody else's changes are overwritten.
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
