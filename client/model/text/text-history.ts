/**
 * Server-side versions of texts: each edit names the revision it is based on and is rebased over
 * the changes by others since, in the order in which the server receives them.
 */
import {
  applyTextChange,
  composeTextChanges,
  diffDeadline,
  diffTexts,
  diffWords,
  emptyTextChange,
  isSendable,
  mapTextChange,
  type TextChange,
} from './text-change.ts';

/** Number of authors per paragraph whose last sequence number is stored with it. */
export const MAX_AUTHORS = 32;
/** Limit for the changes that one edit is rebased over, as their total number of sections. */
const MAX_SECTIONS = 100_000;

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
  /**
   * Sequence numbers of the last edits by recent authors and their users, the latest last. Stored
   * with the paragraph, so that an edit sent again after a restart of the server is applied once.
   */
  authorSeqs?: Readonly<Record<string, number>> | undefined;
}

/** A text with its revision and authors, without the paragraph. */
export type TextRevision = Pick<
  NumberedText,
  'text' | 'rev' | 'author' | 'authorSeq' | 'authorSeqs'
>;

/** What became of an edit. */
export interface RebasedEdit {
  /** The new text; `undefined` if the edit changes nothing or was applied before. */
  readonly revision: TextRevision | undefined;
  /** Change from the text before to the new one. */
  readonly step: TextChange;
  /** Change from the author's text to the new one; `undefined` if it is not known exactly. */
  readonly reply: TextChange | undefined;
}

function assignText(
  paragraph: NumberedText,
  { text, rev, author, authorSeq, authorSeqs }: TextRevision,
): void {
  paragraph.text = text;
  paragraph.rev = rev;
  if (authorSeqs) paragraph.authorSeqs = authorSeqs;
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
   * Name of the user. Authors of different users differ, so that nobody can send an edit that
   * counts as one of another user's client.
   */
  readonly user?: string | undefined;
  /**
   * Increases with each edit of an author. Identifies edits that a dead connection delivers late.
   */
  readonly authorSeq?: number | undefined;
  /**
   * The change from the base to the edited text, as it was typed. Without it, or if it doesn't fit
   * the texts, the texts are compared.
   */
  readonly changes?: TextChange | undefined;
}

/**
 * The changes since the base of the edit are no longer remembered, so only the author's client can
 * merge it. Nothing was written.
 */
export class TextConflict extends Error {
  /** The current text. */
  readonly paragraph: NumberedText;

  /** @internal */
  constructor(paragraph: NumberedText) {
    super('The paragraph was changed by another user.');
    this.paragraph = paragraph;
  }
}

/** What identifies an edit. */
type AuthoredEdit = Pick<TextEdit, 'author' | 'user' | 'authorSeq'>;

interface Earlier {
  readonly text: string;
  readonly rev: number;
  /** The edit that replaced it. */
  readonly next: AuthoredEdit;
  /** Change to the next text; computed when it is first needed. */
  change: TextChange | undefined;
  /** The edit as its author sent it, and the revision that it was based on. */
  readonly sent: { readonly baseRev: number; readonly change: TextChange } | undefined;
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

  /**
   * Returns the changes that lead from a revision to the current text, oldest first, if they are
   * still remembered.
   */
  changesSince(paragraph: NumberedText, rev: number): readonly TextChange[] | undefined {
    return this.#since(paragraph, rev, diffDeadline())?.map(({ change }) => change!);
  }

  /** Returns the text of a revision if it is still remembered. */
  textAt(paragraph: NumberedText, rev: number): string | undefined {
    return rev === paragraph.rev ? paragraph.text : this.#texts.get(paragraph)?.get(rev)?.text;
  }

  /**
   * Replaces the text, merging with changes by others since `baseRev`. Throws {@link TextConflict}
   * if those are no longer remembered, or the error that `check` throws for the resulting text;
   * then nothing has changed.
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

  /** Returns the text that {@link set} would store; `undefined` if the edit changes nothing. */
  merge(
    paragraph: NumberedText,
    mine: string,
    edit: TextEdit,
    check: (text: string) => void = () => {},
  ): TextRevision | undefined {
    return this.rebase(paragraph, mine, edit, check).revision;
  }

  /**
   * Rebases an edit over the changes by others since its base. Its text comes before text that
   * others inserted at the same position, so that words that two users type at one place are not
   * mixed. All inserted text is kept. The paragraph stays as it is. Its current text is remembered
   * for later edits.
   */
  rebase(
    paragraph: NumberedText,
    mine: string,
    edit: TextEdit,
    check: (text: string) => void = () => {},
  ): RebasedEdit {
    const { changes } = edit;
    const { text: theirs, rev } = paragraph;
    const baseRev = edit.baseRev ?? rev;
    const unchanged = { revision: undefined, step: emptyTextChange(theirs.length) };
    const deadline = diffDeadline();
    const earlier = this.#since(paragraph, baseRev, deadline);
    const landed = hasLanded(paragraph, edit, earlier ?? []);
    // Without a record of what was typed, the same text is taken for the same edit.
    if (mine === theirs && (landed || !changes))
      return { ...unchanged, reply: emptyTextChange(mine.length) };
    const base = this.textAt(paragraph, baseRev);
    if (!earlier || base === undefined) {
      if (landed) return { ...unchanged, reply: undefined };
      throw new TextConflict(paragraph);
    }
    const sent =
      changes && isSendable(changes) && applyTextChange(base, changes) === mine
        ? changes
        : diffWords(base, mine, false, deadline);
    const { others, own } = separate(base, sent, mine, edit, earlier, theirs, deadline);
    // An edit that was sent again because its reply was lost, or that a dead connection delivered
    // late, is already part of the text.
    if (landed) return { ...unchanged, reply: others };
    const step = mapTextChange(own, others, true);
    const reply = mapTextChange(others, own, false);
    const text = applyTextChange(theirs, step) ?? theirs;
    if (text === theirs) return { ...unchanged, reply };
    check(text);
    const revision = this.#next(paragraph, text, edit, step, { baseRev, change: sent });
    return { revision, step, reply };
  }

  /** Returns the texts from a revision up to the current one, which is not included. */
  #since(paragraph: NumberedText, rev: number, deadline: number): readonly Earlier[] | undefined {
    if (rev > paragraph.rev) return undefined;
    const texts = this.#texts.get(paragraph);
    const earlier: Earlier[] = [];
    let sections = 0;
    for (let at = rev; at < paragraph.rev; at += 1) {
      const each = texts?.get(at);
      if (!each) return undefined;
      each.change ??= diffWords(each.text, this.textAt(paragraph, at + 1) ?? '', false, deadline);
      sections += each.change.length;
      if (sections > MAX_SECTIONS) return undefined;
      earlier.push(each);
    }
    return earlier;
  }

  /**
   * Replaces the text unconditionally. The earlier text is remembered, so that edits based on it
   * can be merged.
   */
  replace(paragraph: NumberedText, text: string, author?: string, authorSeq?: number): void {
    assignText(paragraph, this.#next(paragraph, text, { author, authorSeq }));
  }

  /** Remembers the current text, and returns the one that follows. */
  #next(
    paragraph: NumberedText,
    text: string,
    { author, user, authorSeq }: AuthoredEdit,
    change?: TextChange,
    sent?: Earlier['sent'],
  ): TextRevision {
    let texts = this.#texts.get(paragraph);
    if (!texts) this.#texts.set(paragraph, (texts = new Map()));
    this.#forget(texts.get(paragraph.rev));
    const { rev } = paragraph;
    const next = { author, user, authorSeq };
    this.#remember({ text: paragraph.text, rev, next, change, sent, among: texts });
    this.#forget(texts.get(rev - this.#keep));
    return { text, rev: rev + 1, author, authorSeq, authorSeqs: authorSeqsWith(paragraph, next) };
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
}

/** Returns the name of an author among all users; `undefined` for edits without an author. */
const nameOf = ({ author, user = '' }: AuthoredEdit): string | undefined =>
  author === undefined ? undefined : `${author} ${user}`;

/** Whether the text contains this edit of the author, or a later one. */
function hasLanded(
  { authorSeqs = {} }: NumberedText,
  edit: AuthoredEdit,
  earlier: readonly Earlier[],
): boolean {
  const { authorSeq } = edit;
  const name = nameOf(edit);
  if (name === undefined || authorSeq === undefined) return false;
  if (Object.hasOwn(authorSeqs, name)) return authorSeq <= authorSeqs[name]!;
  // Many others have edited since.
  return earlier.some(({ next }) => nameOf(next) === name && authorSeq <= (next.authorSeq ?? 0));
}

function authorSeqsWith(
  { authorSeqs }: NumberedText,
  edit: AuthoredEdit,
): NumberedText['authorSeqs'] {
  const name = nameOf(edit);
  if (name === undefined || edit.authorSeq === undefined) return authorSeqs;
  const others = Object.entries(authorSeqs ?? {}).filter(([other]) => other !== name);
  return Object.fromEntries([...others.slice(1 - MAX_AUTHORS), [name, edit.authorSeq]]);
}

/**
 * Returns what others have changed since the base of an edit, as a change of the author's text; and
 * the part of the edit that the current text lacks. They differ from the changes since the base if
 * the text contains earlier edits by the author whose replies were lost: the edit contains them
 * too, and they must not be applied twice.
 */
function separate(
  base: string,
  change: TextChange,
  mine: string,
  edit: AuthoredEdit,
  earlier: readonly Earlier[],
  current: string,
  deadline: number,
): { readonly others: TextChange; readonly own: TextChange } {
  const name = nameOf(edit);
  let known = base;
  let others = emptyTextChange(base.length);
  earlier.forEach(({ next, change: step = [], sent }, at) => {
    if (name === undefined || nameOf(next) !== name || sent?.baseRev !== earlier[0]!.rev) {
      others = composeTextChanges(others, step);
      return;
    }
    const text = applyTextChange(base, sent.change) ?? base;
    others = mapTextChange(
      others,
      known === base ? sent.change : diffTexts(known, text, deadline),
      false,
    );
    known = text;
    const after = earlier[at + 1]?.text ?? current;
    if (applyTextChange(known, others) !== after) others = diffWords(known, after, false, deadline);
  });
  return { others, own: known === base ? change : diffTexts(known, mine, deadline) };
}
