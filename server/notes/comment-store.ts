/**
 * The comments on each note, in `comments.json` beside the note's file: it is deleted with the
 * note, stays in the trash, and is neither copied nor exported. It is read on demand, so that
 * memory holds only the number of open threads of notes that were opened.
 */
import { join } from 'node:path';
import { type CommentChange, checkCommentBytes, openThreads } from '@tiding/client/notebook';
import type { CommentThread } from '@tiding/client/protocol';
import { noSuchNote, Refusal, storageFailure } from '../base/errors.ts';
import { TasksByKey } from '../base/tasks-by-key.ts';
import type { Hub, LiveConnection } from '../hub/hub.ts';
import type { Logger } from '../logging/log.ts';
import { readJsonFile, stampOf, writeDurably } from '../storage/files.ts';

export class CommentStore {
  readonly #folder: string;
  readonly #log: Logger;
  /** Changes, by note. */
  readonly #changes = new TasksByKey();
  /** Number of open threads, by note, as of a stamp of the file. */
  readonly #open = new Map<string, { readonly stamp: string; readonly count: number }>();

  constructor(folder: string, log: Logger) {
    this.#folder = join(folder, 'notebook');
    this.#log = log;
  }

  /** Returns all threads on a note, oldest first. Throws a refusal if the file can't be read. */
  async of(noteId: string): Promise<readonly CommentThread[]> {
    await this.#changes.ended(noteId);
    return this.#read(noteId);
  }

  /** Returns the number of open threads; `undefined` if the note never had comments. */
  async openCount(noteId: string): Promise<number | undefined> {
    const stamp = stampOf(this.#file(noteId));
    if (stamp === '') return undefined;
    const known = this.#open.get(noteId);
    if (known?.stamp === stamp) return known.count;
    const count = openThreads(await this.of(noteId));
    this.#open.set(noteId, { stamp, count });
    return count;
  }

  /**
   * Makes a change and resolves with what `change` returned when it is stored. Changes of a note
   * are made one after another.
   */
  change<T extends CommentChange>(
    noteId: string,
    change: (threads: readonly CommentThread[]) => T,
  ): Promise<T> {
    return this.#changes.run(noteId, async () => {
      const result = change(await this.#read(noteId));
      const text = `${JSON.stringify(result.threads)}\n`;
      checkCommentBytes(Buffer.byteLength(text));
      await this.#write(noteId, text);
      this.#open.set(noteId, {
        stamp: stampOf(this.#file(noteId)),
        count: openThreads(result.threads),
      });
      return result;
    });
  }

  /** Forgets a removed note, whose file is removed with its folder. */
  forget(noteId: string): void {
    this.#open.delete(noteId);
  }

  /** Resolves when everything is written. */
  async settled(): Promise<void> {
    await this.#changes.ended();
  }

  #file(noteId: string): string {
    return join(this.#folder, noteId, 'comments.json');
  }

  async #write(noteId: string, text: string): Promise<void> {
    try {
      await writeDurably(this.#file(noteId), text);
    } catch (error) {
      // The note was removed meanwhile, together with its folder.
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') throw noSuchNote(noteId);
      this.#log.error(
        { note: noteId, error: (error as Error).message },
        'comments on a note could not be stored',
      );
      throw storageFailure(error);
    }
  }

  async #read(noteId: string): Promise<readonly CommentThread[]> {
    try {
      const stored = (await readJsonFile(this.#file(noteId))) ?? [];
      if (!Array.isArray(stored)) throw new Error('it is not a list');
      return stored as CommentThread[];
    } catch (error) {
      this.#log.error(
        { note: noteId, error: (error as Error).message },
        'the comments on a note cannot be read',
      );
      throw new Refusal(
        500,
        'The comments on this note cannot be read because their file is damaged. ' +
          'Ask an administrator to repair or delete the file comments.json of the note.',
      );
    }
  }
}

/** Sends the number of open threads to a page that has opened a note with comments. */
export async function sendOpenThreads(
  connection: LiveConnection,
  noteId: string,
  { comments, hub }: { readonly comments: CommentStore; readonly hub: Hub },
): Promise<void> {
  // A damaged file is reported when comments are listed.
  const open = await comments.openCount(noteId).catch(() => undefined);
  if (open !== undefined && connection.noteId === noteId)
    hub.send(connection, 'TIDING_COMMENTS', { open });
}
