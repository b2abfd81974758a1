/** Checkpoints of notes: made, listed, read, and set as the note's content again. */
import { isRunning } from 'tiding/model';
import type { Bag } from 'tiding/protocol';
import { Refusal } from '../errors.ts';
import { parse } from '../json.ts';
import type { Editor } from '../notes/editor.ts';
import {
  newParagraph,
  readNote,
  serializeNote,
  type StoredNote,
  type StoredParagraph,
} from '../notes/note.ts';
import { authorOf, RevisionStore, type Revision } from './store.ts';

/** Id of the note as it stands. */
export const HEAD = 'Head';
/** Upstream's words where there is nothing to commit. */
export const NOTHING_TO_COMMIT =
  "Couldn't checkpoint note revision: possibly no changes found or storage doesn't support versioning. Please check the logs for more details.";
/** Upstream's words where a revision cannot become the note's content. */
export const NOT_SET =
  "Couldn't set note to the given revision. Please check the logs for more details.";
const MAX_MESSAGE = 10_000;

/** The fields in one order, whatever happened to the object: equal notes are equal texts. */
const ordered = (object: object): Bag =>
  Object.fromEntries(Object.entries(object).sort(([a], [b]) => (a < b ? -1 : 1)));

/** The note as it is committed: upstream's format, without what only a running server means by it. */
export function revisionText(note: StoredNote): string {
  const {
    bindings: _bindings,
    info: _info,
    ...rest
  } = JSON.parse(serializeNote(note)) as StoredNote;
  const paragraphs = rest.paragraphs.map(
    ({ rev: _rev, author: _author, authorSeq: _seq, ...paragraph }) =>
      ordered(isRunning(paragraph.status) ? { ...paragraph, status: 'READY' } : paragraph),
  );
  return `${JSON.stringify(ordered({ ...rest, paragraphs }), null, 2)}\n`;
}

/**
 * Replaces the content of a note by that of another version of it: paragraphs, forms and their values. Its name, its
 * schedule and who may do what stay. For use inside an edit, see `Editor.change`.
 */
export function replaceContent(note: StoredNote, version: StoredNote, editor: Editor): void {
  const current = new Map(note.paragraphs.map((paragraph) => [paragraph.id, paragraph]));
  const paragraphs = version.paragraphs.map((wanted): StoredParagraph => {
    const paragraph = current.get(wanted.id);
    // Whoever still types in a removed paragraph that comes back must not be taken for someone who has seen it.
    if (!paragraph) return { ...wanted, rev: Date.now() };
    editor.setText(paragraph, wanted.text, {});
    const { rev, author, authorSeq } = paragraph;
    const fields = paragraph as unknown as Bag;
    for (const key of Object.keys(fields)) if (!(key in wanted)) delete fields[key];
    return Object.assign(
      paragraph,
      wanted,
      { rev },
      author === undefined ? {} : { author },
      authorSeq === undefined ? {} : { authorSeq },
    );
  });
  note.paragraphs = paragraphs.length > 0 ? paragraphs : [newParagraph()];
  note.noteParams = version.noteParams;
  note.noteForms = version.noteForms;
}

/** See the head of this file. */
export class Revisions {
  readonly store: RevisionStore;
  readonly #editor: Editor;

  constructor(dataFolder: string, editor: Editor) {
    this.store = new RevisionStore(dataFolder);
    this.#editor = editor;
  }

  /** Commits a note as it is. `undefined`: nothing changed since its last checkpoint. */
  async checkpoint(
    note: StoredNote,
    message: string,
    principal: string,
  ): Promise<Revision | undefined> {
    if (message.length > MAX_MESSAGE)
      throw new Refusal(400, `a commit message has at most ${MAX_MESSAGE} characters`);
    return this.store.exclusive(async () => {
      const head = await this.store.head();
      const id = await this.store.commit(new Map([[note.id, revisionText(note)]]), {
        message: message.replaceAll('\0', '').trim(),
        author: authorOf(principal),
        parents: head ? [head] : [],
      });
      if (id === undefined) return undefined;
      await this.store.move(id);
      return (await this.store.history(note.id)).find((revision) => revision.id === id);
    });
  }

  /** The note's checkpoints, newest first. */
  async list(note: StoredNote): Promise<Revision[]> {
    return this.store.exclusive(async () => [...(await this.store.history(note.id))]);
  }

  /** The note as it was; `undefined` where it has no such checkpoint. */
  async read(note: StoredNote, revisionId: string): Promise<StoredNote | undefined> {
    if (revisionId === HEAD) return note;
    const text = await this.store.exclusive(async () => {
      const known = (await this.store.history(note.id)).some(({ id }) => id === revisionId);
      return known ? this.store.read(revisionId, note.id) : undefined;
    });
    return text === undefined ? undefined : readNote(parse(text), note.id);
  }

  /** Makes an old content the current one. `false`: there is no such checkpoint. Refuses while the note runs. */
  async restore(note: StoredNote, revisionId: string, isBusy: () => boolean): Promise<boolean> {
    const version = await this.read(note, revisionId);
    if (!version) return false;
    if (isBusy()) throw new Refusal(409, 'the note is running');
    await this.#editor.changeNote(
      note,
      () => {
        if (version !== note) replaceContent(note, version, this.#editor);
      },
      note.paragraphs,
    );
    return true;
  }

  /** Resolves when nothing is being written. */
  close(): Promise<void> {
    return this.store.close();
  }
}
