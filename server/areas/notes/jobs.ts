/** The live job list, with one job per note. */
import { noteJob } from '@tiding/client/notebook';
import type { JobEntry } from '@tiding/client/protocol';
import type { ActingUser } from '../../auth/permissions.ts';
import type { StoredNote } from '../../notes/note.ts';
import type { LiveHandlers, ServerContext } from '../context.ts';

/** Returns the job of a note, with its schedule and the events of its alerts. */
export const jobEntryOf = (
  note: StoredNote,
  { alerts, pool, schedules }: Pick<ServerContext, 'alerts' | 'pool' | 'schedules'>,
): JobEntry => ({
  ...noteJob(note, pool.lookup.find(undefined, note)?.name),
  ...(note.config.cron && {
    cron: note.config.cron,
    unixTimeNextRun: schedules.nextRun(note.id)?.getTime(),
    alerts: alerts.of(note.id).alerts.on,
  }),
});

/** Returns the jobs of all notes that a user may read. */
export const listJobs = (person: ActingUser, context: ServerContext) => ({
  lastResponseUnixTime: Date.now(),
  jobs: context.notes
    .all()
    .filter(({ id }) => context.permissions.has(person, id, 'reader'))
    .map((note) => jobEntryOf(note, context)),
});

export const jobsLive = {
  LIST_NOTE_JOBS: ({ connection, person }, context) => {
    const { hub } = context;
    // Opening the job list closes the note on this socket.
    hub.join(connection, undefined);
    connection.jobs = true;
    hub.send(connection, 'LIST_NOTE_JOBS', { noteJobs: listJobs(person, context) });
  },
  UNSUBSCRIBE_UPDATE_NOTE_JOBS: ({ connection }) => {
    connection.jobs = false;
  },
} satisfies Partial<LiveHandlers>;
