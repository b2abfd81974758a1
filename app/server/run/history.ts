/**
 * The last runs of each note as a whole, oldest first, in `runs.json` beside the note's file: removed with the note, and nothing
 * of what ran. Read when somebody asks; a server that is killed in the middle of a run has nothing of that run.
 */
import { join } from 'node:path';
import type { NoteRun } from 'tiding/protocol';
import { Refusal } from '../errors.ts';
import { readJson, writeDurably } from '../files.ts';
import type { Logger } from '../log.ts';

/** Runs of a note that are kept. */
export const KEPT_RUNS = 50;

/** See the head of this file. */
export class RunHistory {
  readonly #folder: string;
  readonly #log: Logger;
  /** By note: the last write that is under way. */
  readonly #writing = new Map<string, Promise<void>>();

  constructor(folder: string, log: Logger) {
    this.#folder = join(folder, 'notebook');
    this.#log = log;
  }

  /** The runs of a note, oldest first. Refuses with 500 where the file cannot be read. */
  async of(noteId: string): Promise<NoteRun[]> {
    await this.#writing.get(noteId);
    try {
      return await this.#read(noteId);
    } catch (error) {
      this.#log.error(
        { note: noteId, error: (error as Error).message },
        'the runs of a note cannot be read',
      );
      throw new Refusal(500, 'The runs of this note cannot be read: the file is damaged.');
    }
  }

  /** Adds a run. One that cannot be stored is said in the log: the run itself is as it is. */
  add(noteId: string, run: NoteRun): void {
    const write = (this.#writing.get(noteId) ?? Promise.resolve())
      .then(async () =>
        writeDurably(
          this.#file(noteId),
          `${JSON.stringify([...(await this.#read(noteId)), run].slice(-KEPT_RUNS))}\n`,
        ),
      )
      .catch((error: NodeJS.ErrnoException) => {
        // The note was removed meanwhile, with its folder.
        if (error.code !== 'ENOENT')
          this.#log.error({ note: noteId, error: error.message }, 'a run could not be kept');
      })
      .finally(() => {
        if (this.#writing.get(noteId) === write) this.#writing.delete(noteId);
      });
    this.#writing.set(noteId, write);
  }

  /** Resolves when everything is written. */
  async settled(): Promise<void> {
    await Promise.all(this.#writing.values());
  }

  #file(noteId: string): string {
    return join(this.#folder, noteId, 'runs.json');
  }

  async #read(noteId: string): Promise<NoteRun[]> {
    const stored = await readJson(this.#file(noteId));
    if (stored === undefined) return [];
    if (!Array.isArray(stored)) throw new Error('it is no list');
    return stored as NoteRun[];
  }
}
