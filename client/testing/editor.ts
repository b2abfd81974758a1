/** Edits of paragraphs: merged with what others wrote since, or refused as a conflict, as the server does. */
import { isRunning } from '../model/status.ts';
import { TextHistory, type TextEdit } from '../model/text-history.ts';
import type { Bag, ParagraphConfig } from '../protocol/index.ts';
import { now, Refusal, type StoredNote, type StoredParagraph, type World } from './world.ts';

/** What an edit or a run carries. */
export interface Content extends TextEdit {
  title?: string | undefined;
  paragraph?: string | undefined;
  config?: ParagraphConfig | undefined;
  params?: Bag | undefined;
}

/** See the head of this file. */
export class MemoryEditor {
  readonly #world: World;
  readonly #texts = new TextHistory();

  constructor(world: World) {
    this.#world = world;
  }

  /** Takes an edit over; throws {@link TextConflict}. */
  apply(paragraph: StoredParagraph, content: Content, user: string): void {
    if (content.paragraph !== undefined) this.#texts.set(paragraph, content.paragraph, content);
    if (content.title !== undefined) paragraph.title = content.title;
    if (content.config) paragraph.config = { ...paragraph.config, ...content.config };
    if (content.params) paragraph.settings = { ...paragraph.settings, params: content.params };
    paragraph.user = user;
    paragraph.dateUpdated = now();
  }

  /** The text of a version. */
  textAt(paragraph: StoredParagraph, rev: number): string | undefined {
    return this.#texts.textAt(paragraph, rev);
  }

  /** Inserts a paragraph; `preset`: with the magic of the one before it. */
  insert(
    note: StoredNote,
    index: number,
    init: Partial<StoredParagraph>,
    preset = false,
  ): StoredParagraph {
    if (!Number.isInteger(index) || index < 0 || index > note.paragraphs.length)
      throw new Refusal(400, `there is no place ${index} in this note`);
    const magic = preset
      ? /^\s*(%[\w.]+)/.exec(note.paragraphs[index - 1]?.text ?? '')?.[1]
      : undefined;
    const paragraph = this.#world.newParagraph({
      ...init,
      text: init.text ?? (magic ? `${magic}\n` : ''),
    });
    note.paragraphs = note.paragraphs.toSpliced(index, 0, paragraph);
    this.#world.tellNote(note.id, 'PARAGRAPH_ADDED', { paragraph, index });
    return paragraph;
  }

  move(note: StoredNote, id: string, index: number): void {
    const paragraph = this.#world.paragraph(note, id);
    if (!Number.isInteger(index) || index < 0 || index >= note.paragraphs.length)
      throw new Refusal(400, `newIndex ${index} is out of bounds`);
    note.paragraphs = note.paragraphs
      .filter((entry) => entry !== paragraph)
      .toSpliced(index, 0, paragraph);
    this.#world.tellNote(note.id, 'PARAGRAPH_MOVED', { id, index });
  }

  remove(note: StoredNote, id: string): void {
    this.#world.paragraph(note, id);
    if (note.paragraphs.length === 1)
      throw new Refusal(400, "All the paragraphs can't be deleted.");
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
    if ([...this.#world.notes.values()].some((other) => other !== note && other.name === name))
      throw new Refusal(409, `Note '/${name}' existed`);
    note.name = name;
    this.#world.tellWhole(note);
  }
}
