/**
 * Every change of a note goes through here: change, store, tell, in that order. What is told is on the disk; what the
 * disk does not take is as before.
 */
import { isRunning, normalizePath, TextHistory, type TextEdit } from 'tiding/model';
import type { Bag, Paragraph, ParagraphConfig } from 'tiding/protocol';
import { noSuchParagraph, Refusal } from '../errors.ts';
import type { Hub } from '../hub.ts';
import { limitsOf, type Limits } from '../limits.ts';
import { addValue, changeValues, isValueOf, RemovedValues, valuesOf } from './bound-values.ts';
import {
  checkText,
  idPattern,
  newParagraph,
  readParagraph,
  wireDate,
  wireNote,
  type StoredNote,
  type StoredParagraph,
} from './note.ts';
import type { NoteRepository } from './repository.ts';

/** What a commit, a run or a copy brings. */
export interface Content extends TextEdit {
  title?: string | undefined;
  paragraph?: string | undefined;
  config?: ParagraphConfig | undefined;
  params?: Bag | undefined;
}

type NoteLimits = Pick<Limits, 'maxParagraphs' | 'maxTextBytes'>;

/** How many earlier texts of a paragraph are kept to merge late edits with. */
const HISTORY = 100;
/** Characters of them, of all paragraphs together: the oldest go first. */
const HISTORY_LENGTH = 16 * 2 ** 20;

/** Removed paragraphs whose values are kept, and characters of those: the oldest go first. */
const REMOVED = 100;
const REMOVED_LENGTH = 4 * 2 ** 20;

/** What a run leaves in a paragraph. */
const OUTPUT = [
  'results',
  'status',
  'errorMessage',
  'dateStarted',
  'dateFinished',
  'tookMs',
] as const;

/** Remembers the fields of some objects. The answer, called after a change, makes what takes that change back. */
function remember(objects: readonly object[]): () => () => void {
  const fields = objects.map((object) => ({ object: object as Bag, before: { ...object } as Bag }));
  return () => {
    const changed = fields.flatMap(({ object, before }) =>
      [...new Set([...Object.keys(before), ...Object.keys(object)])]
        .filter((key) => object[key] !== before[key])
        .map((key) => ({ object, before, key })),
    );
    return () => {
      for (const { object, before, key } of changed) {
        if (Object.hasOwn(before, key)) object[key] = before[key];
        else delete object[key];
      }
    };
  };
}

/** A text of a paragraph, with its number and whose it is. */
export type TextVersion = Pick<StoredParagraph, 'text' | 'rev' | 'author' | 'authorSeq'>;

const versionOf = ({ text, rev, author, authorSeq }: StoredParagraph): TextVersion => ({
  text,
  rev,
  author,
  authorSeq,
});

/** Texts of a paragraph that are being stored: told in the order in which they were made. */
interface Untold {
  /** What was told last. */
  told: TextVersion;
  /** Number of the last of them. */
  newest: number;
  count: number;
}

/** See the head of this file. */
export class Editor {
  readonly #notes: NoteRepository;
  readonly #hub: Hub;
  readonly #texts = new TextHistory(HISTORY, HISTORY_LENGTH);
  readonly #removed = new RemovedValues(REMOVED, REMOVED_LENGTH);
  readonly #untold = new WeakMap<StoredParagraph, Untold>();
  /** Changes of the order of paragraphs that are yet to be told: the last of each note. */
  readonly #telling = new Map<string, Promise<void>>();
  /** Told after a paragraph or a note changed, for the job list. */
  onChange: (note: StoredNote) => void = () => {};

  /** How large a note may be. */
  readonly limits: NoteLimits;

  constructor(notes: NoteRepository, hub: Hub, limits: NoteLimits = limitsOf()) {
    this.limits = limits;
    this.#notes = notes;
    this.#hub = hub;
  }

  /** The paragraph; refuses with 404. */
  paragraph(note: StoredNote, id: string): StoredParagraph {
    const paragraph = note.paragraphs.find((entry) => entry.id === id);
    if (!paragraph) throw noSuchParagraph(id);
    return paragraph;
  }

  /**
   * Changes a note, and some paragraphs of it, and stores it. Where either fails, the fields are as before: `act` sets
   * fields of the note and of `paragraphs` and changes nothing inside their values.
   */
  async change(
    note: StoredNote,
    paragraphs: readonly StoredParagraph[],
    act: () => void,
  ): Promise<void> {
    const undo = remember([note, ...paragraphs]);
    try {
      act();
    } catch (error) {
      undo()();
      throw error;
    }
    await this.#notes.save(note, undo());
  }

  /** Stores the note, then tells its watchers of the paragraph. */
  async publish(note: StoredNote, paragraph: StoredParagraph, msgId?: string): Promise<void> {
    await this.#notes.save(note);
    this.tell(note, paragraph, msgId);
  }

  /** Tells the watchers of the note how a paragraph stands. */
  tell(note: StoredNote, paragraph: StoredParagraph, msgId?: string): void {
    const untold = this.#untold.get(paragraph);
    // Nobody hears of a text before those it was made from: what he sent himself may be among them.
    this.#hub.tellNote(
      note.id,
      'PARAGRAPH',
      {
        paragraph: untold?.newest === paragraph.rev ? { ...paragraph, ...untold.told } : paragraph,
      },
      { msgId },
    );
    this.onChange(note);
  }

  /** Changes a note, stores it and sends it whole. */
  async changeNote(
    note: StoredNote,
    act: () => void,
    paragraphs: readonly StoredParagraph[] = [],
  ): Promise<void> {
    await this.change(note, paragraphs, act);
    await this.quiet(note);
    this.#hub.tellNote(note.id, 'NOTE', { note: wireNote(note) });
    this.onChange(note);
  }

  /**
   * Takes over text, title, config and params. A text made from an older version is merged with what others wrote
   * since; throws {@link TextConflict} where that cannot be done. Config is merged, params are replaced, as upstream does. How it is
   * shown makes no result outdated: only another text or other values do (upstream: whatever is saved).
   */
  apply(paragraph: StoredParagraph, content: Content, user: string): void {
    const { text, settings } = paragraph;
    if (content.paragraph !== undefined) this.setText(paragraph, content.paragraph, content);
    if (content.title !== undefined) paragraph.title = content.title;
    if (content.config) paragraph.config = { ...paragraph.config, ...content.config };
    if (content.params) paragraph.settings = { ...paragraph.settings, params: content.params };
    paragraph.user = user;
    const hasOtherValues =
      paragraph.settings !== settings &&
      JSON.stringify(paragraph.settings?.params) !== JSON.stringify(settings?.params);
    if (paragraph.text !== text || hasOtherValues) paragraph.dateUpdated = wireDate();
  }

  /** Replaces the text, merging with what others wrote since `baseRev`; see {@link apply}. */
  setText(paragraph: StoredParagraph, mine: string, edit: TextEdit): void {
    this.#texts.set(paragraph, mine, edit, (text) => checkText(text, this.limits));
  }

  /** Replaces the text without a question; the earlier one is kept, so that an edit made from it is merged. */
  replaceText(paragraph: StoredParagraph, text: string): void {
    this.#texts.replace(paragraph, text);
  }

  /** The text of a version, as long as it is remembered. */
  textAt(paragraph: StoredParagraph, rev: number): string | undefined {
    return this.#texts.textAt(paragraph, rev);
  }

  /** Saves an edit. */
  async commit(
    note: StoredNote,
    id: string,
    content: Content,
    user: string,
    msgId?: string,
  ): Promise<StoredParagraph> {
    const paragraph = this.paragraph(note, id);
    await this.changeText(
      note,
      paragraph,
      () => this.apply(paragraph, content, user),
      () => this.tell(note, paragraph, msgId),
    );
    return paragraph;
  }

  /** Changes a paragraph by `act`, which may give it another text, and stores it. `tell` is called when it is its turn, with the text that was made. */
  async changeText(
    note: StoredNote,
    paragraph: StoredParagraph,
    act: () => void,
    tell: (made: TextVersion) => void,
  ): Promise<void> {
    const untold = this.#untold.get(paragraph) ?? {
      told: versionOf(paragraph),
      newest: paragraph.rev,
      count: 0,
    };
    this.#untold.set(paragraph, untold);
    untold.count += 1;
    try {
      let made = untold.told;
      await this.change(note, [paragraph], () => {
        act();
        made = versionOf(paragraph);
        untold.newest = made.rev;
      });
      untold.told = made;
      tell(made);
    } finally {
      untold.count -= 1;
      if (untold.count === 0) this.#untold.delete(paragraph);
    }
  }

  /**
   * Changes which paragraphs there are, and their values. Such changes are told in the order in which they were made, each when it is stored and
   * those before it are told: places are those of the change before.
   */
  async #arrange(
    note: StoredNote,
    next: Partial<Pick<StoredNote, 'paragraphs' | 'angularObjects'>>,
    tell: () => void,
  ): Promise<void> {
    const before = this.#telling.get(note.id);
    const stored = this.change(note, [], () => Object.assign(note, next));
    const told = Promise.allSettled([stored, before]).then(([{ status }]) => {
      if (status === 'fulfilled') tell();
      if (this.#telling.get(note.id) === told) this.#telling.delete(note.id);
    });
    this.#telling.set(note.id, told);
    await stored;
    await told;
    this.onChange(note);
  }

  /** Resolves at a moment at which all that has changed in the order of paragraphs is told: who reads the note then hears of nothing twice. */
  async quiet(note: StoredNote): Promise<void> {
    for (let telling = this.#telling.get(note.id); telling; telling = this.#telling.get(note.id))
      await telling;
  }

  /** Inserts a paragraph; text preset to the magic of the one before, as upstream does. */
  async insert(
    note: StoredNote,
    index: number,
    init: { text?: string; title?: string; config?: Bag; params?: Bag; user: string },
    preset = false,
  ): Promise<StoredParagraph> {
    if (!Number.isInteger(index) || index < 0 || index > note.paragraphs.length)
      throw new Refusal(400, `there is no place ${index} in this note`);
    if (note.paragraphs.length >= this.limits.maxParagraphs)
      throw new Refusal(400, `a note holds at most ${this.limits.maxParagraphs} paragraphs`);
    const magic = preset
      ? /^\s*(%[\w.]+)/.exec(note.paragraphs[index - 1]?.text ?? '')?.[1]
      : undefined;
    const paragraph = newParagraph({ ...init, text: init.text ?? (magic ? `${magic}\n` : '') });
    checkText(paragraph.text, this.limits);
    if (init.params) paragraph.settings = { ...paragraph.settings, params: init.params };
    await this.#arrange(note, { paragraphs: note.paragraphs.toSpliced(index, 0, paragraph) }, () =>
      this.#hub.tellNote(note.id, 'PARAGRAPH_ADDED', { paragraph, index }),
    );
    return paragraph;
  }

  /** Puts a removed paragraph back under its id, with the values that were bound to it; of one that is there, the output that was cleared. */
  async restore(
    note: StoredNote,
    index: number,
    given: Paragraph,
    user: string,
    msgId?: string,
  ): Promise<void> {
    if (!idPattern.test(given.id))
      throw new Refusal(400, 'TIDING_RESTORE_PARAGRAPH: no id of a paragraph');
    const paragraph = readParagraph(given);
    checkText(paragraph.text, this.limits);
    const there = note.paragraphs.find(({ id }) => id === given.id);
    if (there) {
      if (isRunning(there.status) || there.results)
        throw new Refusal(409, 'the paragraph has another output by now');
      await this.change(note, [there], () => {
        for (const key of OUTPUT)
          if (paragraph[key] !== undefined) (there as unknown as Bag)[key] = paragraph[key];
      });
      return this.tell(note, there, msgId);
    }
    if (!Number.isInteger(index) || index < 0 || index > note.paragraphs.length)
      throw new Refusal(400, `there is no place ${index} in this note`);
    if (note.paragraphs.length >= this.limits.maxParagraphs)
      throw new Refusal(400, `a note holds at most ${this.limits.maxParagraphs} paragraphs`);
    // Pages that still know it must not take it for older than what they know.
    Object.assign(paragraph, { rev: paragraph.rev + 1, user });
    // A page may have bound one again meanwhile.
    const bound = valuesOf(note, paragraph.id);
    const values = this.#removed
      .of(note.id, paragraph.id)
      .filter(
        ({ entry: { name } }) => !bound.some(({ entry }) => isValueOf(entry, name, paragraph.id)),
      );
    await this.#arrange(
      note,
      {
        paragraphs: note.paragraphs.toSpliced(index, 0, paragraph),
        angularObjects: values.reduce(addValue, note.angularObjects),
      },
      () => {
        this.#hub.tellNote(note.id, 'PARAGRAPH_ADDED', { paragraph, index });
        for (const { group, entry } of values)
          this.#hub.tellNote(note.id, 'ANGULAR_OBJECT_UPDATE', {
            angularObject: entry,
            interpreterGroupId: group,
            noteId: note.id,
            paragraphId: paragraph.id,
          });
      },
    );
  }

  /** Moves a paragraph; refuses a place outside the note. */
  async move(note: StoredNote, id: string, index: number): Promise<void> {
    const paragraph = this.paragraph(note, id);
    if (!Number.isInteger(index) || index < 0 || index >= note.paragraphs.length) {
      throw new Refusal(400, `newIndex ${index} is out of bounds`);
    }
    await this.#arrange(
      note,
      {
        paragraphs: note.paragraphs
          .filter((entry) => entry !== paragraph)
          .toSpliced(index, 0, paragraph),
      },
      () => this.#hub.tellNote(note.id, 'PARAGRAPH_MOVED', { id, index }),
    );
  }

  /** Refuses where the text is another than who asks has seen: nobody's typing goes unseen. */
  checkSeen(paragraph: StoredParagraph, rev: number | undefined): void {
    if (rev !== undefined && paragraph.rev > rev)
      throw new Refusal(409, 'the paragraph was changed meanwhile');
  }

  /** Removes a paragraph and its values; the last one stays. `rev`: as {@link checkSeen}. */
  async remove(note: StoredNote, id: string, rev?: number): Promise<void> {
    this.checkSeen(this.paragraph(note, id), rev);
    if (note.paragraphs.length === 1)
      throw new Refusal(400, "All the paragraphs can't be deleted.");
    const values = valuesOf(note, id);
    const angularObjects = changeValues(note.angularObjects, (entry) =>
      entry.paragraphId === id ? undefined : entry,
    );
    await this.#arrange(
      note,
      { paragraphs: note.paragraphs.filter((entry) => entry.id !== id), angularObjects },
      () => {
        this.#removed.keep(note.id, id, values);
        for (const {
          entry: { name },
        } of values)
          this.#hub.tellNote(note.id, 'ANGULAR_OBJECT_REMOVE', {
            name,
            noteId: note.id,
            paragraphId: id,
          });
        this.#hub.tellNote(note.id, 'PARAGRAPH_REMOVED', { id });
      },
    );
  }

  /** Clears outputs of some paragraphs (they must not run). */
  clearOutputs(paragraphs: readonly StoredParagraph[]): void {
    for (const paragraph of paragraphs) {
      delete paragraph.results;
      delete paragraph.errorMessage;
      delete paragraph.runtimeInfos;
    }
  }

  /** Renames a note. Refuses a name that another note has. */
  async rename(note: StoredNote, path: string): Promise<void> {
    const name = normalizePath(path);
    if (name === note.name) return;
    if (this.#notes.all().some((other) => other !== note && other.name === name)) {
      throw new Refusal(409, `Note '/${name}' existed`);
    }
    await this.changeNote(note, () => (note.name = name));
  }
}
