/**
 * The texts that clients of Zeppelin have seen. They send the whole text of a paragraph without
 * naming the text that the user edited, and keep unsaved text over changes by others. Their edits
 * would undo those changes.
 */
import { diffTexts, rebaseText, type TextHistory } from '@tiding/client/changes';
import type { ParagraphContent } from '@tiding/client/notebook';
import type { LiveConnection } from '../hub/hub.ts';
import type { StoredParagraph } from './note.ts';

/** Maximum number of texts that one edit is compared with. */
const MAX_COMPARED = 100;
/** Maximum time for the comparison, in ms. */
const COMPARISON_MS = 50;

/** A text that a client sent, as it was before it was merged with others' edits. */
interface SavedText {
  readonly text: string;
  readonly rev: number;
  readonly edits: number;
}

/** Number of characters that differ between two texts. */
const distance = (from: string, to: string, deadline: number): number =>
  diffTexts(from, to, deadline).reduce<number>(
    (sum, section) => sum + (typeof section === 'number' ? 0 : section[0] + section[1].length),
    0,
  );

/** What each connection has seen of its note. */
export class SeenTexts {
  readonly #texts: TextHistory;
  /** Edits when the connection loaded its note, and what it has saved since, by paragraph. */
  readonly #seen = new WeakMap<
    LiveConnection,
    { readonly edits: number; readonly saved: Map<string, SavedText> }
  >();

  constructor(texts: TextHistory) {
    this.#texts = texts;
  }

  /** Records that a connection has loaded a note. */
  loaded(connection: LiveConnection): void {
    this.#seen.set(connection, { edits: this.#texts.edits, saved: new Map() });
  }

  /**
   * Adds the base of an edit that names none: among the texts that the connection may show, the one
   * that differs least from the new text.
   */
  based<Content extends ParagraphContent>(
    connection: LiveConnection,
    paragraph: StoredParagraph,
    content: Content,
  ): Content {
    const { paragraph: text, baseRev } = content;
    const seen = this.#seen.get(connection);
    if (!seen || text === undefined || baseRev !== undefined) return content;
    const saved = seen.saved.get(paragraph.id);
    const deadline = Date.now() + COMPARISON_MS;
    let base: number | undefined;
    let least = Infinity;
    for (const each of this.#texts.seenSince(paragraph, saved?.edits ?? seen.edits, MAX_COMPARED)) {
      const difference = distance(each.text, text, deadline);
      if (difference < least) [base, least] = [each.rev, difference];
      if (difference === 0 || Date.now() > deadline) break;
    }
    const now = saved && this.#texts.textAt(paragraph, saved.rev);
    // The user continued from the own text, and has not received what it was merged with.
    if (now !== undefined && distance(saved!.text, text, deadline) < least)
      return { ...content, paragraph: rebaseText(saved!.text, text, now), baseRev: saved!.rev };
    return { ...content, baseRev: base };
  }

  /** Records the text that a connection has sent; the paragraph has it now. */
  saved(
    connection: LiveConnection,
    { id, rev }: StoredParagraph,
    { paragraph: text, baseRev }: ParagraphContent,
  ): void {
    if (text === undefined || baseRev !== undefined) return;
    this.#seen.get(connection)?.saved.set(id, { text, rev, edits: this.#texts.edits });
  }
}
