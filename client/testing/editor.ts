/** Edits of paragraphs: merged with what others wrote since, or refused as a conflict, as the server does. */
import { isRunning } from '../model/status.ts';
import { mergeText } from '../model/merge.ts';
import type { Bag, ParagraphConfig } from '../protocol/index.ts';
import { now, Refusal, type StoredNote, type StoredParagraph, type World } from './world.ts';

/** What an edit or a run carries. */
export interface Content {
  title?: string | undefined;
  paragraph?: string | undefined;
  config?: ParagraphConfig | undefined;
  params?: Bag | undefined;
  baseRev?: number | undefined;
  author?: string | undefined;
  authorSeq?: number | undefined;
}

/** A text whose base is gone and that does not merge. Nothing was written. */
export class TextConflict extends Error {
  readonly paragraph: StoredParagraph;
  readonly baseText: string | undefined;

  constructor(paragraph: StoredParagraph, baseText: string | undefined) {
    super('the paragraph was changed by somebody else');
    this.paragraph = paragraph;
    this.baseText = baseText;
  }
}

/** See the head of this file. */
export class MemoryEditor {
  readonly #world: World;
  readonly #history = new WeakMap<StoredParagraph, Map<number, { text: string; author: string | undefined }>>();

  constructor(world: World) {
    this.#world = world;
  }

  /** Takes an edit over; throws {@link TextConflict}. */
  apply(paragraph: StoredParagraph, content: Content, user: string): void {
    if (content.paragraph !== undefined) this.#setText(paragraph, content.paragraph, content);
    if (content.title !== undefined) paragraph.title = content.title;
    if (content.config) paragraph.config = { ...paragraph.config, ...content.config };
    if (content.params) paragraph.settings = { ...paragraph.settings, params: content.params };
    paragraph.user = user;
    paragraph.dateUpdated = now();
  }

  #setText(paragraph: StoredParagraph, mine: string, { baseRev, author, authorSeq }: Content): void {
    // A dead connection may deliver an author's commit after a later one of his.
    if (author !== undefined && author === paragraph.author && authorSeq !== undefined && authorSeq <= (paragraph.authorSeq ?? 0)) return;
    const history = this.#history.get(paragraph) ?? new Map<number, { text: string; author: string | undefined }>();
    const theirs = paragraph.text;
    let text = mine;
    if (baseRev !== undefined && baseRev !== paragraph.rev && mine !== theirs && !sameAuthor(paragraph, history, baseRev, author)) {
      const base = history.get(baseRev)?.text;
      const merged = base === undefined ? undefined : mergeText(base, mine, theirs);
      if (!merged || 'conflict' in merged) throw new TextConflict(paragraph, base);
      text = merged.text;
    }
    if (text === theirs) return;
    history.set(paragraph.rev, { text: theirs, author: paragraph.author });
    this.#history.set(paragraph, history);
    const { author: _author, authorSeq: _seq, ...rest } = paragraph;
    for (const key of ['author', 'authorSeq'] as const) delete paragraph[key];
    Object.assign(paragraph, { text, rev: rest.rev + 1, ...(author === undefined ? {} : { author }), ...(authorSeq === undefined ? {} : { authorSeq }) });
  }

  /** Inserts a paragraph; `preset`: with the magic of the one before it. */
  insert(note: StoredNote, index: number, init: Partial<StoredParagraph>, preset = false): StoredParagraph {
    if (!Number.isInteger(index) || index < 0 || index > note.paragraphs.length) throw new Refusal(400, `there is no place ${index} in this note`);
    const magic = preset ? /^\s*(%[\w.]+)/.exec(note.paragraphs[index - 1]?.text ?? '')?.[1] : undefined;
    const paragraph = this.#world.newParagraph({ ...init, text: init.text ?? (magic ? `${magic}\n` : '') });
    note.paragraphs = note.paragraphs.toSpliced(index, 0, paragraph);
    this.#world.tellNote(note.id, 'PARAGRAPH_ADDED', { paragraph, index });
    return paragraph;
  }

  move(note: StoredNote, id: string, index: number): void {
    const paragraph = this.#world.paragraph(note, id);
    if (!Number.isInteger(index) || index < 0 || index >= note.paragraphs.length) throw new Refusal(400, `newIndex ${index} is out of bounds`);
    note.paragraphs = note.paragraphs.filter((entry) => entry !== paragraph).toSpliced(index, 0, paragraph);
    this.#world.tellNote(note.id, 'PARAGRAPH_MOVED', { id, index });
  }

  remove(note: StoredNote, id: string): void {
    this.#world.paragraph(note, id);
    if (note.paragraphs.length === 1) throw new Refusal(400, "All the paragraphs can't be deleted.");
    note.paragraphs = note.paragraphs.filter((entry) => entry.id !== id);
    this.#world.tellNote(note.id, 'PARAGRAPH_REMOVED', { id });
  }

  /** Clears outputs; those that run keep theirs. */
  clear(paragraphs: readonly StoredParagraph[]): void {
    for (const paragraph of paragraphs) {
      if (isRunning(paragraph.status)) continue;
      delete paragraph.results;
      delete paragraph.errorMessage;
    }
  }

  rename(note: StoredNote, path: string): void {
    const name = this.#world.path(path);
    if ([...this.#world.notes.values()].some((other) => other !== note && other.name === name)) throw new Refusal(409, `Note '/${name}' existed`);
    note.name = name;
    this.#world.tellWhole(note);
  }
}

/** Whether everything since `baseRev` is the same author's earlier typing. */
function sameAuthor(paragraph: StoredParagraph, history: ReadonlyMap<number, { author: string | undefined }>, baseRev: number, author: string | undefined): boolean {
  if (author === undefined || baseRev > paragraph.rev || paragraph.author !== author) return false;
  for (let rev = baseRev + 1; rev < paragraph.rev; rev += 1) if (history.get(rev)?.author !== author) return false;
  return true;
}
