/** Notes and folders. */
import { isRunning, normalizePath } from '@tiding/client/model';
import {
  checkChosenName,
  copiedNote,
  createdNote,
  exportedNote,
  freeName,
  importedNote,
  noteClearing,
  noteRename,
  postedNote,
  removedNoteJob,
  renamedPath,
  updatedPath,
  validPath,
} from '@tiding/client/notebook';
import type { JsonObject, Note, Paragraph, Permissions, Receives } from '@tiding/client/protocol';
import type { NoteOrigin } from '../../auth/note-trust.ts';
import type { ActingUser } from '../../auth/permissions.ts';
import { Refusal } from '../../base/errors.ts';
import type { ServerOptions } from '../../base/options.ts';
import { textResponse } from '../../http/large-answers.ts';
import type { LiveConnection } from '../../hub/hub.ts';
import { encodeOutputs, fileParts, withOutputs } from '../../hub/output-parts.ts';
import { sendOpenThreads } from '../../notes/comment-store.ts';
import { keepImages } from '../../notes/imported-images.ts';
import { withRenderedMarkdown } from '../../notes/imported-markdown.ts';
import { type StoredNote, wireNote } from '../../notes/note.ts';
import { reloadNotes } from '../../notes/reload.ts';
import type { LiveHandlers, RestHandlers, ServerContext } from '../context.ts';
import { noteBytes, requireRoom } from '../quotas.ts';
import { restParagraph } from './rest-paragraph.ts';
import { changeSettings, withSchedule } from './schedules.ts';

/** How often to wait for a note that is changed again while it is being stored. */
const SETTLING = 50;

/** Characters of outputs that are sent with a note in pieces. */
const FIRST_OUTPUTS = 65_536;
/** Shorter outputs stay with their note. */
const LONG_OUTPUTS = 1_024;

/** The paragraphs whose results are sent behind their note. */
function laterOutputs(paragraphs: readonly Paragraph[] = []): Paragraph[] {
  let sum = 0;
  return paragraphs.filter(({ results, status }) => {
    const length = results?.msg?.reduce((all, { data }) => all + data.length, 0) ?? 0;
    if (length >= LONG_OUTPUTS && sum >= FIRST_OUTPUTS && !isRunning(status)) return true;
    sum += length;
    return false;
  });
}

/** The note without some results, which follow. */
function firstPiece(note: Note, later: readonly Paragraph[]): Receives['NOTE'] {
  if (later.length === 0) return { note };
  const late = new Set(later);
  const paragraphs = note.paragraphs?.map((paragraph) =>
    late.has(paragraph) ? { ...paragraph, results: undefined } : paragraph,
  );
  return { note: { ...note, paragraphs }, following: later.map(({ id }) => id) };
}

/** Opens the note on the socket: sends the note and subscribes to its changes. */
async function join(
  connection: LiveConnection,
  { id }: StoredNote,
  context: ServerContext,
  inPieces = false,
): Promise<void> {
  const { notes } = context;
  const outputs = await encodeOutputs(notes.get(id));
  // Clients treat text they receive as saved, so it has to be on disk first.
  for (let times = 0; times < SETTLING && (times === 0 || !notes.isStored(id)); times += 1) {
    await notes.stored(id);
    await context.editor.orderSettled(notes.get(id));
  }
  const note = notes.get(id);
  context.runs.catchUp(note);
  context.hub.join(connection, note.id);
  connection.jobs = false;
  const whole = wireNote(note);
  const later = inPieces && !connection.person?.embed ? laterOutputs(whole.paragraphs) : [];
  context.hub.send(connection, 'NOTE', firstPiece(whole, later));
  // Sent before anything else can change the note.
  for (const paragraph of later) context.hub.send(connection, 'PARAGRAPH', { paragraph });
  outputs.length = 0;
  context.hub.broadcastViewers(note.id, connection);
  if (context.runs.isSequential(note.id))
    context.hub.send(connection, 'NOTE_RUNNING_STATUS', { status: true });
  context.values.tellAll(connection, note);
  await sendOpenThreads(connection, id, context);
}

/** Returns the lists of a new note of a user; its folder may decide who else may use it. */
export function newNoteLists(
  principal: string,
  path: string,
  { newNotes, newNotesIn }: Pick<ServerOptions, 'newNotes' | 'newNotesIn'>,
): Permissions {
  const segments = normalizePath(path).split('/').slice(0, -1);
  const folders = segments.map((_, at) => segments.slice(0, at + 1).join('/'));
  const folder = folders.findLast((each) => Object.hasOwn(newNotesIn, each));
  const access = folder === undefined ? newNotes : newNotesIn[folder];
  const [owners, others] = [[principal], access === 'shared' ? [] : [principal]];
  return { owners, writers: others, runners: others, readers: others };
}

/** Returns the notes that a user may read. Names are only compared among these. */
export const readableNotes = (
  person: ActingUser,
  { notes, permissions }: Pick<ServerContext, 'notes' | 'permissions'>,
): StoredNote[] => notes.all().filter(({ id }) => permissions.has(person, id, 'reader'));

/**
 * Stores a new note owned by its creator. `trusted`: scripts in its results run for the creator;
 * content from outside has to be reviewed first.
 */
export async function addNote(
  note: StoredNote,
  person: ActingUser,
  context: ServerContext,
  origin: NoteOrigin = 'imported',
  trusted = origin === 'made',
): Promise<StoredNote> {
  note.name = freeName(note.name, note, readableNotes(person, context));
  await context.permissions.set(
    note.id,
    newNoteLists(person.principal, note.name, context.options),
    person.principal,
  );
  try {
    await context.trust.begin(note.id, origin, person.principal, trusted);
    const added = await context.notes.add(note);
    context.editor.onChange(added);
    return added;
  } catch (error) {
    await context.permissions.remove(note.id).catch(() => {});
    await context.trust.remove(note.id).catch(() => {});
    throw error;
  }
}

/** Adds a note of a file, with its images. `path` replaces its own. */
async function addImported(
  raw: JsonObject,
  path: string | null,
  person: ActingUser,
  context: ServerContext,
): Promise<StoredNote> {
  const { editor, files } = context;
  const given = await withRenderedMarkdown(raw, person.principal);
  const note = importedNote(given, 'Imported note', editor.rules);
  if (path) note.name = validPath(path, editor.rules);
  checkChosenName(path || raw['path'] || raw['name'], note, readableNotes(person, context));
  try {
    await keepImages(given['images'], files.ofNote(note.id));
    await requireRoom(context, {}, person.principal, await noteBytes(context, note.id));
    return await addNote(note, person, context);
  } catch (error) {
    await files.forgetNote(note.id).catch(() => {});
    throw error;
  }
}

/** Stores a copy of a note, including the full tables of its outputs. */
async function addCopy(
  source: StoredNote,
  name: string | undefined,
  person: ActingUser,
  context: ServerContext,
): Promise<StoredNote> {
  const copy = copiedNote(source, name, context.editor.rules);
  checkChosenName(name, copy, readableNotes(person, context));
  await requireRoom(context, {}, person.principal, await noteBytes(context, source.id));
  await context.results.copy(source, copy);
  try {
    await context.files.copyNote(source.id, copy.id);
    const { trusted } = context.trust.of(source.id, person.principal);
    return await addNote(copy, person, context, 'copied', trusted);
  } catch (error) {
    context.results.settle(copy.id, undefined);
    await context.files.forgetNote(copy.id).catch(() => {});
    throw error;
  }
}

async function rename(
  note: StoredNote,
  path: string,
  person: ActingUser,
  context: ServerContext,
): Promise<void> {
  const { editor } = context;
  const change = noteRename(note, path, readableNotes(person, context), editor.rules);
  if (change) await editor.make(note, change);
}

export async function removeNote(note: StoredNote, context: ServerContext): Promise<void> {
  const attempt = (removal: Promise<void>, failure: string) =>
    removal.catch((error: Error) =>
      context.log.warn({ note: note.id, error: error.message }, failure),
    );
  await context.runs.cancelNote(note);
  await context.notes.remove(note.id);
  // Tell viewers that the note no longer exists.
  context.hub.broadcastToNote(note.id, 'NOTE', {});
  await attempt(
    context.pool.forget(note.id),
    'an interpreter of a removed note could not be ended',
  );
  await attempt(context.files.forgetNote(note.id), 'files of a removed note could not be deleted');
  // Sent before the permissions are removed, because they decide who may know.
  context.hub.broadcastJobs(note.id, {
    noteRunningJobs: {
      lastResponseUnixTime: Date.now(),
      jobs: [removedNoteJob(note.id)],
    },
  });
  await attempt(context.trust.remove(note.id), 'trust in a removed note could not be deleted');
  // Left-over permissions of a removed note are harmless.
  await attempt(
    context.permissions.remove(note.id),
    'permissions of a removed note could not be deleted',
  );
}

/** Settings of a note that only its owner may change. */
const OWNERS = [
  'cron',
  'cronExecutingUser',
  'cronExecutingRoles',
  'cronTimeZone',
  'personalizedMode',
] as const;

/** Live handlers for notes. */
export const notesLive = {
  LIST_NOTES: ({ connection, person }, { hub }) =>
    hub.send(connection, 'NOTES_INFO', hub.listFor(person)),
  RELOAD_NOTES_FROM_REPO: (_, context) => reloadNotes(context),
  GET_NOTE: ({ data, connection }, context) =>
    join(connection, context.notes.get(data.id), context, data.inPieces),
  RELOAD_NOTE: ({ data, connection }, context) =>
    join(connection, context.notes.get(data.id), context),
  GET_HOME_NOTE: ({ connection, person }, context) => {
    const { notes, permissions, hub } = context;
    const { homeNote } = context.options;
    const note = homeNote === undefined ? undefined : notes.find(homeNote);
    if (note) {
      permissions.require(person, note.id, 'reader');
      return join(connection, note, context);
    }
    // As in Zeppelin, the home page has no note open.
    hub.join(connection, undefined);
    hub.send(connection, 'NOTE', {});
  },
  NEW_NOTE: async ({ data, connection, person }, context) => {
    const settings = context.pool.settings().map(({ id }) => id);
    const note = createdNote(data, person.principal, settings, context.editor.rules);
    checkChosenName(data.name, note, readableNotes(person, context));
    await addNote(note, person, context, 'made');
    context.hub.join(connection, note.id);
    context.hub.send(connection, 'NEW_NOTE', { note: wireNote(note) });
    context.hub.broadcastLists();
  },
  DEL_NOTE: async ({ data }, context) => {
    await removeNote(context.notes.get(data.id), context);
    context.hub.broadcastLists();
  },
  CLONE_NOTE: async ({ data, connection, person }, context) => {
    const note = await addCopy(context.notes.get(data.id), data.name, person, context);
    context.hub.join(connection, note.id);
    await withOutputs(note, () =>
      context.hub.send(connection, 'NEW_NOTE', { note: wireNote(note) }),
    );
    context.hub.broadcastLists();
  },
  IMPORT_NOTE: async ({ data, connection, person }, context) => {
    const note = await addImported(data.note, null, person, context);
    await withOutputs(note, () =>
      context.hub.send(connection, 'IMPORT_NOTE', { note: wireNote(note) }),
    );
    context.hub.broadcastLists();
  },
  NOTE_UPDATE: async ({ data, person, connection }, context) => {
    const { hub, permissions } = context;
    if (!data.config) throw new Refusal(400, 'NOTE_UPDATE: the field config is missing.');
    const note = context.notes.get(data.id);
    let config = { ...data.config };
    // Some clients omit settings that are off.
    const value = (text: string | undefined) => (text === 'false' ? '' : (text ?? ''));
    if (OWNERS.some((key) => value(config[key]) !== value(note.config[key])))
      permissions.require(person, note.id, 'owner', 'change');
    // A schedule runs in the name of the user who sets it, never of another user.
    delete config.isZeppelinNotebookCronEnable;
    const { cronExecutingUser } = config;
    if (
      cronExecutingUser &&
      cronExecutingUser !== note.config.cronExecutingUser &&
      cronExecutingUser !== person.principal
    ) {
      throw new Refusal(403, 'You can only schedule a note in your own name.', 'forbidden');
    }
    const path = updatedPath(note, data.name);
    if (path !== undefined) {
      permissions.require(person, note.id, 'owner', 'rename');
      await rename(note, path, person, context);
    }
    const isRescheduled = value(config.cron) !== value(note.config.cron);
    if (isRescheduled || (config.cron && !config.cronExecutingUser))
      config = withSchedule(config, config.cron ?? '', person);
    await changeSettings(note, config, context);
    if (isRescheduled)
      context.audit.record('schedule-changed', {
        principal: person.principal,
        address: connection.address,
        command: 'NOTE_UPDATE',
        note: note.id,
        outcome: 'ok',
      });
    hub.broadcastLists();
  },
  NOTE_RENAME: async ({ data, person }, context) => {
    const note = context.notes.get(data.id);
    await rename(note, renamedPath(note, data, context.editor.rules), person, context);
    context.hub.broadcastLists();
  },
} satisfies Partial<LiveHandlers>;

/** REST handlers for notes. */
export const notesRest = {
  listNotes: ({ person }, { hub }) => hub.listFor(person).notes,
  createNote: async ({ body, person }, context) => {
    const settings = context.pool.settings().map(({ id }) => id);
    const note = postedNote(body, person.principal, settings, context.editor.rules);
    checkChosenName(body.name ?? body.notePath, note, readableNotes(person, context));
    await addNote(note, person, context, 'made');
    context.hub.broadcastLists();
    return note.id;
  },
  importNote: async ({ body, query, person }, context) => {
    const note = await addImported(body, query.get('notePath'), person, context);
    context.hub.broadcastLists();
    return note.id;
  },
  exportNote: async ({ params, person }, context) => {
    const note = withRight(params, person, 'reader', context);
    return textResponse('exportNote', await fileParts(note, () => exportedNote(note)));
  },
  getNote: ({ params, person }, context) => {
    const note = withRight(params, person, 'reader', context);
    return {
      version: context.options.zeppelinVersion,
      defaultInterpreterGroup: context.pool.settings()[0]?.id,
      ...wireNote(note),
      paragraphs: note.paragraphs.map((paragraph) => restParagraph(note, paragraph, context)),
    };
  },
  deleteNote: async ({ params, person }, context) => {
    const note = withRight(params, person, 'owner', context);
    await removeNote(note, context);
    context.hub.broadcastLists();
  },
  cloneNote: async ({ params, body, person }, context) => {
    const source = withRight(params, person, 'reader', context);
    const note = await addCopy(source, body?.name ?? body?.notePath, person, context);
    context.hub.broadcastLists();
    return note.id;
  },
  clearNote: async ({ params, person }, context) => {
    const note = withRight(params, person, 'writer', context);
    await context.editor.make(note, noteClearing(note, context.runs.isSequential(note.id)));
  },
  renameNote: async ({ params, body, person }, context) => {
    const note = withRight(params, person, 'owner', context);
    await rename(note, body.name, person, context);
    context.hub.broadcastLists();
  },
  getPermissions: ({ params, person }, context) =>
    context.permissions.get(withRight(params, person, 'reader', context).id),
  setPermissions: async ({ params, body, person }, context) => {
    const note = withRight(params, person, 'owner', context);
    if (person.principal === 'anonymous')
      throw new Refusal(403, 'Only authenticated user can set the permission.');
    await context.permissions.set(note.id, body, person.principal);
    context.hub.dropUnreadable(note.id);
    await withOutputs(note, () =>
      context.hub.broadcastToNote(note.id, 'NOTE', { note: wireNote(note) }),
    );
    context.hub.broadcastLists();
  },
} satisfies Partial<RestHandlers>;

/**
 * Returns the note with this id if the person has the permission. Throws 404 if there is no such
 * note and 403 if the permission is missing.
 */
export function withRight(
  params: Readonly<Record<string, string>>,
  person: ActingUser,
  right: 'reader' | 'runner' | 'writer' | 'owner',
  context: ServerContext,
): StoredNote {
  const note = context.notes.get(params['noteId'] ?? '');
  context.permissions.require(person, note.id, right);
  return note;
}
