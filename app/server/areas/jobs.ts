/** The job list: notes as jobs, live. */
import { isRunning, parseDate } from 'tiding/model';
import type { JobEntry } from 'tiding/protocol';
import type { LiveHandlers, ServerContext } from '../context.ts';
import type { StoredNote } from '../notes/note.ts';

/** A note as an entry of the job list. */
export function jobEntry(note: StoredNote, { pool }: Pick<ServerContext, 'pool'>): JobEntry {
  const last = note.paragraphs.map(({ dateStarted }) => parseDate(dateStarted)?.getTime() ?? 0);
  return {
    noteId: note.id,
    noteName: note.name,
    noteType: note.config.cron ? 'cron' : 'normal',
    interpreter: pool.find(undefined, note)?.name,
    isRunningJob: note.paragraphs.some(({ status }) => isRunning(status)),
    isRemoved: false,
    unixTimeLastRun: Math.max(0, ...last),
    paragraphs: note.paragraphs.map(({ id, title, status }) => ({ id, name: title || id, status })),
  };
}

/** Live operations. */
export const jobsLive = {
  LIST_NOTE_JOBS: ({ connection, person }, context) => {
    const { hub, notes, permissions } = context;
    // The list is a note of its own: its socket leaves the note it was on.
    hub.join(connection, undefined);
    connection.jobs = true;
    const jobs = notes
      .all()
      .filter((note) => permissions.has(person, note.id, 'reader'))
      .map((note) => jobEntry(note, context));
    hub.tell(connection, 'LIST_NOTE_JOBS', {
      noteJobs: { lastResponseUnixTime: Date.now(), jobs },
    });
  },
  UNSUBSCRIBE_UPDATE_NOTE_JOBS: ({ connection }) => {
    connection.jobs = false;
  },
} satisfies Partial<LiveHandlers>;
