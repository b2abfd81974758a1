/**
 * Stores the last runs of each whole note, oldest first, in `runs.json` beside the note's file. The
 * file is deleted with the note and contains no code or output. It is read on demand. A run during
 * which the server is killed is not recorded.
 */
import { join } from 'node:path';
import type { NoteRun } from '@tiding/client/protocol';
import { Refusal } from '../base/errors.ts';
import { TasksByKey } from '../base/tasks-by-key.ts';
import type { Logger } from '../logging/log.ts';
import { readJsonFile, writeDurably } from '../storage/files.ts';

/** Number of runs kept per note. */
export const MAX_RUNS_KEPT = 50;

/** Stores the most recent full runs of each note. */
export class RunHistoryStore {
  readonly #folder: string;
  readonly #log: Logger;
  /** Writes, by note. */
  readonly #writes = new TasksByKey();

  constructor(folder: string, log: Logger) {
    this.#folder = join(folder, 'notebook');
    this.#log = log;
  }

  /** Returns the runs of a note, oldest first. Throws a 500 refusal if the file can't be read. */
  async of(noteId: string): Promise<NoteRun[]> {
    await this.#writes.ended(noteId);
    try {
      return await this.#read(noteId);
    } catch (error) {
      this.#log.error(
        { note: noteId, error: (error as Error).message },
        'the run history of a note cannot be read',
      );
      throw new Refusal(
        500,
        'The run history of this note cannot be read because its file is damaged.',
      );
    }
  }

  /** Adds a run. A failure to store it is only logged: the run itself is not affected. */
  add(noteId: string, run: NoteRun): void {
    this.#writes
      .run(noteId, async () =>
        writeDurably(
          this.#file(noteId),
          `${JSON.stringify([...(await this.#read(noteId)), run].slice(-MAX_RUNS_KEPT))}\n`,
        ),
      )
      .catch((error: NodeJS.ErrnoException) => {
        // The note was removed meanwhile, together with its folder.
        if (error.code !== 'ENOENT')
          this.#log.error(
            { note: noteId, error: error.message },
            'a run could not be added to the history',
          );
      });
  }

  /** Resolves when everything is written. */
  async settled(): Promise<void> {
    await this.#writes.ended();
  }

  #file(noteId: string): string {
    return join(this.#folder, noteId, 'runs.json');
  }

  async #read(noteId: string): Promise<NoteRun[]> {
    const stored = await readJsonFile(this.#file(noteId));
    if (stored === undefined) return [];
    if (!Array.isArray(stored)) throw new Error('it is not a list');
    return stored as NoteRun[];
  }
}
