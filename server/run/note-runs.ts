/** Runs of whole notes, one paragraph after another. */
import { type ParagraphContent, runWholeNote } from '@tiding/client/notebook';
import type { NoteRun } from '@tiding/client/protocol';
import { shownName } from '../auth/embed-access.ts';
import { Refusal } from '../base/errors.ts';
import type { Logger } from '../logging/log.ts';
import type { NoteEditor } from '../notes/editor.ts';
import type { StoredNote } from '../notes/note.ts';
import type { NoteRepository } from '../notes/repository.ts';
import type { RunHistoryStore } from './history.ts';
import type { RunInitiator } from './run-origin.ts';

/** Dependencies of {@link NoteRuns}. */
interface NoteRunsOptions {
  readonly notes: NoteRepository;
  readonly editor: NoteEditor;
  readonly history: RunHistoryStore;
  readonly log: Logger;
}

/** Starts a run of one paragraph; `end` resolves when it is over. */
type StartParagraph = (
  note: StoredNote,
  id: string,
  content: ParagraphContent,
  by: RunInitiator,
) => Promise<{ end: Promise<void> }>;

/** Starts, tracks and cancels runs of whole notes. */
export class NoteRuns {
  readonly #options: NoteRunsOptions;
  readonly #startParagraph: StartParagraph;
  readonly #running = new Map<string, AbortController>();

  constructor(options: NoteRunsOptions, startParagraph: StartParagraph) {
    this.#options = options;
    this.#startParagraph = startParagraph;
  }

  /** Returns whether the note is running as a whole. */
  isRunning(noteId: string): boolean {
    return this.#running.has(noteId);
  }

  /**
   * Runs the note paragraph by paragraph until the first failure; `end` resolves with the run when
   * it is over, or with `undefined` if there was nothing to run. `contents` are the texts as the
   * caller sees them, by paragraph id; if any are given, only these paragraphs run, as in Zeppelin.
   */
  start(
    note: StoredNote,
    contents: ReadonlyMap<string, ParagraphContent>,
    by: RunInitiator,
  ): { end: Promise<NoteRun | undefined> } {
    if (this.#running.has(note.id)) throw new Refusal(423, 'The note is already running.');
    const abort = new AbortController();
    this.#running.set(note.id, abort);
    const { editor, history, log, notes } = this.#options;
    let run: NoteRun | undefined;
    const end = runWholeNote(note, contents, {
      user: shownName(by),
      signal: abort.signal,
      start: async (id, content) => (await this.#startParagraph(note, id, content, by)).end,
      send: (message) => editor.send(note, [message]),
      onError: (error) =>
        log.warn({ note: note.id, error: error.message }, 'a note stopped running'),
      onEnd: (entry) => {
        run = entry;
        this.#running.delete(note.id);
        // The change of the last paragraph still counted as a part of the run.
        editor.onChange(note);
        // A note without anything to run counts as not run.
        if (entry && notes.find(note.id) === note) history.add(note.id, entry);
      },
    });
    return { end: end.then(() => run) };
  }

  /** Starts no further paragraph of a note. */
  cancel(noteId: string): void {
    this.#running.get(noteId)?.abort('cancelled');
  }

  /** Starts no further paragraph of any note. */
  close(): void {
    for (const abort of this.#running.values()) abort.abort('shutdown');
  }
}
