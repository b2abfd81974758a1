/** The live job list, with one job per note. */
import { noteJob } from '@tiding/client/notebook';
import type { JobEntry } from '@tiding/client/protocol';
import type { StoredNote } from '../../notes/note.ts';
import type { LiveHandlers, ServerContext } from '../context.ts';

export const jobEntryOf = (
  note: StoredNote,
  { alerts, pool, schedules }: Pick<ServerContext, 'alerts' | 'pool' | 'schedules'>,
): JobEntry => ({
  ...noteJob(note, pool.find(undefined, note)?.name),
  ...(note.config.cron && {
    cron: note.config.cron,
    unixTimeNextRun: schedules.nextRun(note.id)?.getTime(),
    alerts: alerts.of(note.id).alerts.on,
  }),
});

export const jobsLive = {
  LIST_NOTE_JOBS: ({ connection, person }, context) => {
    const { hub, notes, permissions } = context;
    // Opening the job list closes the note on this socket.
    hub.join(connection, undefined);
    connection.jobs = true;
    const jobs = notes
      .all()
      .filter((note) => permissions.has(person, note.id, 'reader'))
      .map((note) => jobEntryOf(note, context));
    hub.send(connection, 'LIST_NOTE_JOBS', {
      noteJobs: { lastResponseUnixTime: Date.now(), jobs },
    });
  },
  UNSUBSCRIBE_UPDATE_NOTE_JOBS: ({ connection }) => {
    connection.jobs = false;
  },
} satisfies Partial<LiveHandlers>;
