/** Schedules of notes, and the job list, with one job per note. */

import { isRunning, isTrashed, normalizePath, parseDate } from '@tiding/client/model';
import {
  applyChange,
  noteJob,
  paragraphInsertion,
  paragraphRemoval,
  settingsChange,
  settingsMessage,
  withoutSchedule,
} from '@tiding/client/notebook';
import type { JobEntry, NoteConfig } from '@tiding/client/protocol';
import { parseQuartz } from '@tiding/client/schedules';
import type { ActingUser } from '../../auth/permissions.ts';
import { Refusal } from '../../base/errors.ts';
import { type StoredNote, wireNote } from '../../notes/note.ts';
import type { LiveHandlers, RestHandlers, ServerContext } from '../context.ts';
import { readableNotes, withRight } from './notes.ts';

/**
 * Returns a note config with this schedule, run in this user's name; an empty expression removes
 * the schedule.
 */
export function withSchedule(
  config: NoteConfig,
  cron: string,
  person: ActingUser,
  releaseresource = config.releaseresource ?? false,
): NoteConfig {
  const rest = { ...withoutSchedule(config), releaseresource };
  if (cron.trim() === '') return rest;
  return {
    ...rest,
    cron,
    cronExecutingUser: person.principal,
    cronExecutingRoles: JSON.stringify(person.roles),
  };
}

/** Ends the schedules and alerts in the name of a removed user. A new user may get that name. */
export async function endSchedulesOf(principal: string, context: ServerContext): Promise<void> {
  for (const note of context.notes.all())
    if (note.config.cronExecutingUser === principal)
      await changeSettings(note, withSchedule(note.config, '', { principal, roles: [] }), context);
  await context.alerts.forgetUser(principal);
}

/**
 * Stores the settings of a note, with its schedule, and notifies the note's viewers and the job
 * list.
 */
export async function changeSettings(
  note: StoredNote,
  config: NoteConfig,
  { editor, schedules }: ServerContext,
): Promise<void> {
  const change = settingsChange(note, config, editor.rules);
  await editor.change(note, [], () => applyChange(note, change));
  // Adds an error in the schedule to the note's info, which the message contains.
  schedules.check(note);
  editor.send(note, [settingsMessage(note, editor.rules)]);
  if (change.changesJob) editor.onChange(note);
}

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
const listJobs = (person: ActingUser, context: ServerContext) => ({
  lastResponseUnixTime: Date.now(),
  jobs: readableNotes(person, context).map((note) => jobEntryOf(note, context)),
});

const DATES = ['dateCreated', 'dateUpdated', 'dateStarted', 'dateFinished'] as const;

/** Time of a note's last change as a job, in ms. */
function changedAt(note: StoredNote): number {
  const times = note.paragraphs.flatMap((paragraph) => DATES.map((date) => paragraph[date]));
  // The dates have whole seconds. Round up: clients merge a job that is sent twice, but would miss
  // an omitted one.
  return Math.max(0, ...times.map((time) => (parseDate(time)?.getTime() ?? 0) + 999));
}

/** Returns the jobs that the user may see and that changed since a time, including removed ones. */
function jobsSince(
  since: number,
  person: ActingUser,
  context: ServerContext,
): { lastResponseUnixTime: number; jobs: JobEntry[] } {
  const { hub } = context;
  const lastResponseUnixTime = Date.now();
  const jobs = readableNotes(person, context).filter(
    (note) =>
      Math.max(changedAt(note), hub.jobChangedAt(note.id)) >= since ||
      note.paragraphs.some(({ status }) => isRunning(status)),
  );
  return {
    lastResponseUnixTime,
    jobs: [
      ...jobs.map((note) => jobEntryOf(note, context)),
      ...hub.jobsRemovedSince(since, person),
    ],
  };
}

export const schedulesLive = {
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
  LIST_UPDATE_NOTE_JOBS: ({ data, connection, person }, context) =>
    context.hub.send(connection, 'LIST_UPDATE_NOTE_JOBS', {
      noteRunningJobs: jobsSince(data.lastUpdateUnixTime, person, context),
    }),
  CANCEL_ALL_PARAGRAPHS: async ({ data }, { notes, runs }) =>
    runs.cancelNote(notes.get(data.noteId)),
} satisfies Partial<LiveHandlers>;

export const schedulesRest = {
  jobHistory: ({ params, person }, context) =>
    context.runs.history.of(withRight(params, person, 'reader', context).id),
  getAlerts: ({ params, person }, context) =>
    context.alerts.of(withRight(params, person, 'owner', context).id),
  setAlerts: async ({ params, body, person }, context) => {
    const note = withRight(params, person, 'owner', context);
    await context.alerts.set(note, body, person);
    context.editor.onChange(note);
  },
  testAlerts: ({ params, body, person }, context) =>
    context.alerts.test(withRight(params, person, 'owner', context), body, person),
  listJobs: ({ person }, context) => listJobs(person, context),
  listJobsSince: ({ params, person }, context) => {
    const since = Number(params['since']);
    if (!/^\d{1,16}$/.test(params['since'] ?? ''))
      throw new Refusal(400, 'The time must be a number of milliseconds.');
    return jobsSince(since, person, context);
  },
  setCron: async ({ params, body, person }, context) => {
    const note = withRight(params, person, 'owner', context);
    try {
      parseQuartz(body.cron);
    } catch {
      throw new Refusal(400, 'wrong cron expressions.');
    }
    if (isTrashed(note.name))
      throw new Refusal(409, 'A note in the trash cannot be scheduled. Restore it first.');
    await changeSettings(
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
    await changeSettings(note, withSchedule(note.config, '', person, false), context);
  },
  capabilities: () => ({ isRevisionSupported: true }),
  getNoteByPath: ({ body, person }, context) => {
    const path = normalizePath(body.notePath.normalize('NFC'));
    // The same answer for a missing and an unreadable note, so that names can't be guessed.
    const note = readableNotes(person, context).find(({ name }) => name === path);
    if (!note) throw new Refusal(404, `No such note: ${body.notePath}`);
    return wireNote(note);
  },
  nextParagraph: async ({ params, query, person }, context) => {
    const { editor, runs } = context;
    const note = withRight(params, person, 'writer', context);
    const limit = query.get('maxParagraph');
    if (limit !== null && !/^[1-9]\d{0,5}$/.test(limit))
      throw new Refusal(400, 'maxParagraph must be a number of at least 1.');
    const user = person.principal;
    const insertion = paragraphInsertion(note, note.paragraphs.length, { user }, editor.rules);
    await editor.make(note, insertion);
    while (limit !== null && note.paragraphs.length > Number(limit)) {
      const oldest = note.paragraphs[0]!;
      await runs.cancel(note, oldest.id);
      // A concurrent call may already have removed it.
      if (note.paragraphs.includes(oldest))
        await editor.make(note, paragraphRemoval(note, oldest.id, editor.rules));
    }
    return insertion.paragraph.id;
  },
} satisfies Partial<RestHandlers>;
