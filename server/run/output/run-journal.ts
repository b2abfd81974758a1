/** What a current run stores in its note and tells the viewers at intervals. */
import type { Hub } from '../../hub/hub.ts';
import type { JobLinks } from '../../interpreters/contract.ts';
import type { Logger } from '../../logging/log.ts';
import type { StoredNote, StoredParagraph } from '../../notes/note.ts';
import type { NoteRepository } from '../../notes/repository.ts';
import type { OutputStream } from './output.ts';

interface JournalOptions {
  readonly notes: NoteRepository;
  readonly hub: Hub;
  readonly log: Logger;
}

/** Interval at which the output of a current run is stored, in ms. */
const JOURNAL_MS = 500;
const PROGRESS_MS = 500;
/** Time after which the start of a run is stored if the run has not ended, in ms. */
const START_MS = 50;

const store = ({ notes, log }: JournalOptions, note: StoredNote, problem: string): void =>
  void notes
    .save(note)
    .catch((error: Error) => log.error({ note: note.id, error: error.message }, problem));

/**
 * Stores the start of a run that has no new content. A short run is stored only once, with its
 * result: waiting for the disk takes longer than most of them.
 */
export function storeStart(options: JournalOptions, note: StoredNote, end: Promise<void>): void {
  const timer = setTimeout(() => store(options, note, 'a start could not be stored'), START_MS);
  void end.finally(() => clearTimeout(timer));
}

/**
 * Broadcasts the progress of a run and stores its output in the note, both at intervals. Returns a
 * function that ends it.
 */
export function reportRun(
  options: JournalOptions,
  note: StoredNote,
  paragraph: StoredParagraph,
  output: OutputStream,
  progressOf: () => number,
): () => void {
  const progress = setInterval(
    () =>
      options.hub.broadcastToNote(note.id, 'PROGRESS', {
        id: paragraph.id,
        progress: progressOf(),
      }),
    PROGRESS_MS,
  );
  let stored = 0;
  const journal = setInterval(() => {
    if (output.size === stored) return;
    stored = output.size;
    paragraph.results = { code: 'INCOMPLETE', msg: output.results() };
    store(options, note, 'output could not be stored');
  }, JOURNAL_MS);
  return () => {
    clearInterval(progress);
    clearInterval(journal);
  };
}

/** Links a paragraph to the jobs of its run, in the note and on the pages that show it. */
export function reportJobs(
  { hub }: JournalOptions,
  note: StoredNote,
  paragraph: StoredParagraph,
  links: JobLinks,
): void {
  paragraph.runtimeInfos = { jobUrl: { ...links, values: [...links.values] } };
  hub.broadcastToNote(note.id, 'PARAS_INFO', {
    id: paragraph.id,
    infos: paragraph.runtimeInfos,
  });
}
