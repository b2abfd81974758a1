/** Schedules of notes, and what of the job list is by asking. */
import { isRunning, isTrashed, normalizePath, parseDate, parseQuartz } from 'tiding/model';
import type { JobEntry, NoteConfig } from 'tiding/protocol';
import type { Person } from '../auth/permissions.ts';
import type { LiveHandlers, RestHandlers, ServerContext } from '../context.ts';
import { Refusal } from '../errors.ts';
import { wireNote, type StoredNote } from '../notes/note.ts';
import { jobEntry } from './jobs.ts';
import { withRight } from './notes.ts';

/** A config with this schedule, to be run as this person; without an expression with none. */
export function withSchedule(
  config: NoteConfig,
  cron: string,
  person: Person,
  releaseresource = config.releaseresource ?? false,
): NoteConfig {
  const { cron: _cron, cronExecutingUser: _user, cronExecutingRoles: _roles, ...rest } = config;
  if (cron.trim() === '') return { ...rest, releaseresource };
  return {
    ...rest,
    releaseresource,
    cron,
    cronExecutingUser: person.principal,
    cronExecutingRoles: JSON.stringify(person.roles),
  };
}

/** Stores a schedule and tells who has the note open, and the job list. */
async function schedule(
  note: StoredNote,
  config: NoteConfig,
  { editor, schedules, hub }: ServerContext,
): Promise<void> {
  await editor.change(note, [], () => (note.config = config));
  schedules.check(note);
  hub.tellNote(note.id, 'NOTE_UPDATED', {
    name: note.name,
    config: wireNote(note).config,
    info: note.info,
  });
  editor.onChange(note);
}

/** When a note last changed as a job, in ms. */
function changedAt(note: StoredNote): number {
  const times = note.paragraphs.flatMap(
    ({ dateCreated, dateUpdated, dateStarted, dateFinished }) => [
      dateCreated,
      dateUpdated,
      dateStarted,
      dateFinished,
    ],
  );
  // Dates have whole seconds: one too many is merged away, one too few is missed.
  return Math.max(0, ...times.map((time) => (parseDate(time)?.getTime() ?? 0) + 999));
}

/** The jobs a person may see that changed since a moment, the removed ones among them. */
function jobsSince(
  since: number,
  person: Person,
  context: ServerContext,
): { lastResponseUnixTime: number; jobs: JobEntry[] } {
  const { notes, permissions, hub } = context;
  const lastResponseUnixTime = Date.now();
  const jobs = notes
    .all()
    .filter(
      (note) =>
        permissions.has(person, note.id, 'reader') &&
        (Math.max(changedAt(note), hub.jobChangedAt(note.id)) >= since ||
          note.paragraphs.some(({ status }) => isRunning(status))),
    );
  return {
    lastResponseUnixTime,
    jobs: [...jobs.map((note) => jobEntry(note, context)), ...hub.jobsRemovedSince(since, person)],
  };
}

/** Live operations. */
export const schedulesLive = {
  LIST_UPDATE_NOTE_JOBS: ({ data, connection, person }, context) =>
    context.hub.tell(connection, 'LIST_UPDATE_NOTE_JOBS', {
      noteRunningJobs: jobsSince(data.lastUpdateUnixTime, person, context),
    }),
  CANCEL_ALL_PARAGRAPHS: async ({ data }, { notes, runs }) =>
    runs.cancelNote(notes.get(data.noteId)),
} satisfies Partial<LiveHandlers>;

/** REST calls. */
export const schedulesRest = {
  jobHistory: ({ params, person }, context) =>
    context.runs.history.of(withRight(params, person, 'reader', context).id),
  listJobs: ({ person }, context) => {
    const { notes, permissions } = context;
    return {
      lastResponseUnixTime: Date.now(),
      jobs: notes
        .all()
        .filter((note) => permissions.has(person, note.id, 'reader'))
        .map((note) => jobEntry(note, context)),
    };
  },
  listJobsSince: ({ params, person }, context) => {
    const since = Number(params['since']);
    if (!/^\d{1,16}$/.test(params['since'] ?? ''))
      throw new Refusal(400, 'the time is a number of milliseconds');
    return jobsSince(since, person, context);
  },
  setCron: async ({ params, body, person }, context) => {
    const note = withRight(params, person, 'owner', context);
    try {
      parseQuartz(body.cron);
    } catch {
      throw new Refusal(400, 'wrong cron expressions.');
    }
    if (isTrashed(note.name)) throw new Refusal(409, 'a note in the trash is not scheduled');
    await schedule(
      note,
      withSchedule(note.config, body.cron, person, body.releaseResource ?? false),
      context,
    );
  },
  getCron: ({ params, person }, context) => {
    const { config } = withRight(params, person, 'runner', context);
    return config.cron
      ? { cron: config.cron, releaseResource: config.releaseresource ?? false }
      : {};
  },
  deleteCron: async ({ params, person }, context) => {
    const note = withRight(params, person, 'owner', context);
    await schedule(note, withSchedule(note.config, '', person, false), context);
  },
  capabilities: () => ({ isRevisionSupported: true }),
  getNoteByPath: ({ body, person }, { notes, permissions }) => {
    const path = normalizePath(body.notePath.normalize('NFC'));
    const note = notes.all().find(({ name }) => name === path);
    if (!note) throw new Refusal(404, `No such note: ${body.notePath}`);
    permissions.require(person, note.id, 'reader');
    return wireNote(note);
  },
  nextParagraph: async ({ params, query, person }, context) => {
    const { editor, runs } = context;
    const note = withRight(params, person, 'writer', context);
    const limit = query.get('maxParagraph');
    if (limit !== null && !/^[1-9]\d{0,5}$/.test(limit))
      throw new Refusal(400, 'maxParagraph is a number from 1');
    const paragraph = await editor.insert(note, note.paragraphs.length, { user: person.principal });
    while (limit !== null && note.paragraphs.length > Number(limit)) {
      const oldest = note.paragraphs[0]!;
      await runs.cancel(note, oldest.id);
      // Whoever adds at the same time may have removed it.
      if (note.paragraphs.includes(oldest)) await editor.remove(note, oldest.id);
    }
    return paragraph.id;
  },
} satisfies Partial<RestHandlers>;
