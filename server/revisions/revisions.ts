/** Checkpoints of notes: create, list, read and restore. */
import { HEAD_REVISION, noteInRevision, noteIsBusy, versionChange } from '@tiding/client/notebook';
import { Refusal } from '../base/errors.ts';
import { parseUntrustedBytes } from '../base/json.ts';
import { fileParts, withOutputs } from '../hub/output-parts.ts';
import type { NoteEditor } from '../notes/editor.ts';
import { readNote, type StoredNote } from '../notes/note.ts';
import { authorOf, RevisionStore, type StoredCheckpoint } from './store.ts';

const MAX_MESSAGE = 10_000;

/** Returns the text of a note in a checkpoint, in parts. */
export async function revisionParts(note: StoredNote): Promise<Buffer[]> {
  const parts = await fileParts(note, () => noteInRevision(note));
  return [...parts, Buffer.from('\n')];
}

/** Creates, lists and restores checkpoints. */
export class RevisionService {
  readonly store: RevisionStore;
  readonly #editor: NoteEditor;

  constructor(dataFolder: string, editor: NoteEditor) {
    this.store = new RevisionStore(dataFolder);
    this.#editor = editor;
  }

  /**
   * Commits the current note. Returns `undefined` if nothing has changed since its last checkpoint.
   */
  async checkpoint(
    note: StoredNote,
    message: string,
    principal: string,
  ): Promise<StoredCheckpoint | undefined> {
    if (message.length > MAX_MESSAGE)
      throw new Refusal(400, `A commit message may have at most ${MAX_MESSAGE} characters.`);
    return this.store.exclusive(async () => {
      const head = await this.store.head();
      const id = await this.store.commit(new Map([[note.id, await revisionParts(note)]]), {
        message: message.replaceAll('\0', '').trim(),
        author: authorOf(principal),
        parents: head ? [head] : [],
      });
      if (id === undefined) return undefined;
      await this.store.move(id);
      return (await this.store.history(note.id)).find((revision) => revision.id === id);
    });
  }

  /** Returns the note's checkpoints, newest first. */
  async list(note: StoredNote): Promise<StoredCheckpoint[]> {
    return this.store.exclusive(async () => [...(await this.store.history(note.id))]);
  }

  /** Returns the note at a checkpoint; `undefined` if there is no such checkpoint. */
  async read(note: StoredNote, revisionId: string): Promise<StoredNote | undefined> {
    if (revisionId === HEAD_REVISION) return note;
    const bytes = await this.store.exclusive(async () => {
      const known = (await this.store.history(note.id)).some(({ id }) => id === revisionId);
      return known ? this.store.read(revisionId, note.id) : undefined;
    });
    return bytes && readNote(await parseUntrustedBytes(bytes), note.id);
  }

  /**
   * Restores a checkpoint's content. Returns `false` if there is no such checkpoint. Throws while
   * the note is running.
   */
  async restore(note: StoredNote, revisionId: string, isBusy: () => boolean): Promise<boolean> {
    const version = await this.read(note, revisionId);
    if (!version) return false;
    // Everybody is sent the note.
    return withOutputs(version, async () => {
      if (isBusy()) throw noteIsBusy();
      await this.#editor.make(note, versionChange(note, version, this.#editor.rules));
      return true;
    });
  }

  /** Resolves when nothing is being written. */
  close(): Promise<void> {
    return this.store.close();
  }
}
