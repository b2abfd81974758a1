/** Entries of the job list. */

import { noteIsRunning } from '../model/notes/paragraph-status.ts';
import { parseDate } from '../model/text/date-parser.ts';
import type { JobEntry } from '../protocol/index.ts';
import { lastRunStarts, runningNotes } from './stored-note.ts';
import type { StoredNote, StoredParagraph } from './types.ts';

/** Returns the job-list entry of a note; `interpreter` is the name of its default interpreter. */
export function noteJob(note: StoredNote, interpreter: string | undefined): JobEntry {
  const last = note.paragraphs.map(({ dateStarted }) => parseDate(dateStarted)?.getTime() ?? 0);
  return {
    noteId: note.id,
    noteName: note.name,
    noteType: note.config.cron ? 'cron' : 'normal',
    interpreter,
    // Between two of its paragraphs, a running note has none that runs.
    isRunningJob: runningNotes.has(note) || noteIsRunning(note.paragraphs),
    isRemoved: false,
    unixTimeLastRun: Math.max(0, lastRunStarts.get(note) ?? 0, ...last),
    paragraphs: note.paragraphs.map(({ id, title, status }) => ({ id, name: title || id, status })),
  };
}

/** Returns the job-list entry that announces the removal of a note. */
export const removedNoteJob = (noteId: string): JobEntry => ({
  noteId,
  isRunningJob: false,
  unixTimeLastRun: 0,
  isRemoved: true,
  paragraphs: [],
});

/** Returns the state of a paragraph as the REST API describes it; `progress` is in percent. */
export const paragraphJob = (
  { id, status, errorMessage, dateStarted, dateFinished }: StoredParagraph,
  progress: number,
): {
  id: string;
  status: string;
  progress: string;
  errorMessage?: string;
  started?: string;
  finished?: string;
} => ({
  id,
  status,
  progress: String(progress),
  ...(errorMessage ? { errorMessage } : {}),
  ...(dateStarted ? { started: dateStarted } : {}),
  ...(dateFinished ? { finished: dateFinished } : {}),
});
