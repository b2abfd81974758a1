/** Notes and folders. */
import {
  isNotebook,
  isRunning,
  isTrashed,
  normalizePath,
  checkNotePath,
  restoredPath,
  trashPath,
} from 'tiding/model';
import { TRASH_FOLDER_ID, type Bag, type SentOp } from 'tiding/protocol';
import type { NoteOrigin } from '../auth/note-trust.ts';
import type { Person } from '../auth/permissions.ts';
import type { LiveRequest, RestHandlers, LiveHandlers, ServerContext } from '../context.ts';
import { Refusal } from '../errors.ts';
import {
  checkText,
  newNote,
  newNoteId,
  newParagraph,
  newParagraphId,
  readNote,
  serializeNote,
  wireNote,
  type StoredNote,
} from '../notes/note.ts';
import { withSchedule } from './schedules.ts';
import { changeValues } from '../notes/bound-values.ts';
import { notebookAsNote } from '../notes/import-notebook.ts';
import { reloadNotes } from '../notes/reload.ts';
import type { Connection } from '../hub.ts';

/** A path that will do, without a leading slash, in the one spelling of its characters; refuses another. */
function goodPath(path: string, { options }: ServerContext): string {
  const name = normalizePath(path.normalize('NFC'));
  const problem = name.trim() === '' ? 'name can not be empty' : checkNotePath(name, options);
  if (problem) throw new Refusal(400, problem);
  return name;
}

/** How often a note is waited for that is written again and again. */
const SETTLING = 50;

/** The socket now belongs to this note: it is told of it and of what happens to it. */
async function join(
  connection: Connection,
  { id }: StoredNote,
  context: ServerContext,
): Promise<void> {
  // A text that is read counts as saved for who wrote it, so it has to be on the disk.
  for (
    let times = 0;
    times < SETTLING && (times === 0 || !context.notes.isStored(id));
    times += 1
  ) {
    await context.notes.stored(id);
    await context.editor.quiet(context.notes.get(id));
  }
  const note = context.notes.get(id);
  context.runs.catchUp(note);
  context.hub.join(connection, note.id);
  connection.jobs = false;
  context.hub.tell(connection, 'NOTE', { note: wireNote(note) });
  context.hub.tellTogether(note.id, connection);
  if (context.runs.isSequential(note.id))
    context.hub.tell(connection, 'NOTE_RUNNING_STATUS', { status: true });
  context.values.tellAll(connection, note);
}

/** Stores a new note, owned by who made it. `trusted`: scripts in its results run for him; what comes from outside has to be looked at first. */
export async function addNote(
  note: StoredNote,
  person: Person,
  context: ServerContext,
  origin: NoteOrigin = 'imported',
  trusted = origin === 'made',
): Promise<StoredNote> {
  if (context.notes.all().some((other) => other.name === note.name)) {
    let n = 1;
    while (context.notes.all().some((other) => other.name === `${note.name} (${n})`)) n += 1;
    note.name = `${note.name} (${n})`;
  }
  // Its owner first: a note without permissions is everybody's.
  await context.permissions.set(
    note.id,
    { owners: [person.principal], writers: [], runners: [], readers: [] },
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

function checkCount(
  paragraphs: readonly unknown[],
  { options: { maxParagraphs } }: ServerContext,
): void {
  if (paragraphs.length > maxParagraphs)
    throw new Refusal(400, `a note holds at most ${maxParagraphs} paragraphs`);
}

/** A schedule runs in somebody's name: it stays with the note it was made for. */
function unscheduled(note: StoredNote): StoredNote {
  const {
    cron: _cron,
    cronExecutingUser: _user,
    cronExecutingRoles: _roles,
    ...config
  } = note.config;
  note.config = config;
  return note;
}

function imported(given: Bag, nameless: string, context: ServerContext): StoredNote {
  const raw = isNotebook(given) ? notebookAsNote(given) : given;
  const { paragraphs } = raw;
  if (!Array.isArray(paragraphs) || paragraphs.length === 0) throw new Refusal(400, 'Invalid JSON');
  if (
    paragraphs.some((entry) => typeof entry !== 'object' || entry === null || Array.isArray(entry))
  )
    throw new Refusal(400, 'Invalid JSON');
  checkCount(paragraphs, context);
  const id = newNoteId();
  let note: StoredNote;
  try {
    note = unscheduled(readNote(raw, id));
  } catch (error) {
    throw new Refusal(400, (error as Error).message);
  }
  for (const { text } of note.paragraphs) checkText(text, context.options);
  note.name = raw['name'] || raw['path'] ? goodPath(note.name, context) : nameless;
  return note;
}

function cloned(source: StoredNote, name: string | undefined, context: ServerContext): StoredNote {
  const copy = unscheduled(readNote(JSON.parse(serializeNote(source)), newNoteId()));
  copy.name = goodPath(name?.trim() || `${source.name} copy`, context);
  const ids = new Map<string, string>();
  for (const [at, paragraph] of copy.paragraphs.entries()) {
    const id = newParagraphId();
    ids.set(paragraph.id, id);
    paragraph.id = id;
    // A run goes on in the source; the copy never ran.
    if (isRunning(source.paragraphs[at]?.status)) {
      paragraph.status = 'READY';
      delete paragraph.errorMessage;
    }
  }
  copy.angularObjects = changeValues(copy.angularObjects, ({ paragraphId, ...entry }) => {
    if (!paragraphId) return entry;
    const id = ids.get(paragraphId);
    return id === undefined ? undefined : { ...entry, paragraphId: id };
  });
  return copy;
}

/** Stores a copy of a note, with the whole tables of its outputs. */
async function addCopy(
  source: StoredNote,
  name: string | undefined,
  person: Person,
  context: ServerContext,
): Promise<StoredNote> {
  const copy = cloned(source, name, context);
  await context.results.copy(source, copy);
  try {
    return await addNote(
      copy,
      person,
      context,
      'copied',
      context.trust.of(source.id, person.principal).trusted,
    );
  } catch (error) {
    context.results.settle(copy.id, undefined);
    throw error;
  }
}

function inFolder(folder: string, context: ServerContext): StoredNote[] {
  const prefix = `${normalizePath(folder)}/`;
  return context.notes.all().filter((note) => note.name.startsWith(prefix));
}

/** Folder operations need the right on every note inside, else nothing moves. */
function ownAll(
  notes: readonly StoredNote[],
  { person, data }: LiveRequest<SentOp>,
  context: ServerContext,
): readonly StoredNote[] {
  if (notes.length === 0)
    throw new Refusal(404, `No such folder: ${(data as { id?: string }).id ?? ''}`);
  for (const note of notes) context.permissions.require(person, note.id, 'owner', 'change');
  return notes;
}

async function renameAll(
  notes: readonly StoredNote[],
  to: (name: string) => string,
  context: ServerContext,
): Promise<void> {
  // All names first: one that will not do stops it before anything has moved.
  const wanted = notes.map((note) => normalizePath(to(note.name)));
  for (const [at, note] of notes.entries()) {
    const name = freeName(wanted[at]!, note, context);
    await context.editor.changeNote(note, () => (note.name = name));
  }
  context.hub.tellLists();
}

function freeName(wanted: string, note: StoredNote, context: ServerContext): string {
  const taken = new Set(
    context.notes
      .all()
      .filter((other) => other !== note)
      .map((other) => other.name),
  );
  let name = wanted;
  for (let n = 1; taken.has(name); n += 1) name = `${wanted} (${n})`;
  return name;
}

export async function removeNote(note: StoredNote, context: ServerContext): Promise<void> {
  await context.runs.cancelNote(note);
  await context.notes.remove(note.id);
  // Who has it open is told that there is none.
  context.hub.tellNote(note.id, 'NOTE', {});
  await context.pool
    .forget(note.id)
    .catch((error: Error) =>
      context.log.warn(
        { note: note.id, error: error.message },
        'an interpreter of a removed note did not end well',
      ),
    );
  // While its permissions still say who may know of it.
  context.hub.tellJobs(note.id, {
    noteRunningJobs: {
      lastResponseUnixTime: Date.now(),
      jobs: [
        {
          noteId: note.id,
          isRunningJob: false,
          unixTimeLastRun: 0,
          isRemoved: true,
          paragraphs: [],
        },
      ],
    },
  });
  await context.trust
    .remove(note.id)
    .catch((error: Error) =>
      context.log.warn({ note: note.id, error: error.message }, 'trust in a removed note is left'),
    );
  // Permissions of no note are in nobody's way.
  await context.permissions
    .remove(note.id)
    .catch((error: Error) =>
      context.log.warn(
        { note: note.id, error: error.message },
        'permissions of a removed note are left',
      ),
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

/** Live operations. */
export const notesLive = {
  LIST_NOTES: ({ connection, person }, { hub }) =>
    hub.tell(connection, 'NOTES_INFO', hub.listFor(person)),
  RELOAD_NOTES_FROM_REPO: (_, context) => reloadNotes(context),
  GET_NOTE: ({ data, connection }, context) =>
    join(connection, context.notes.get(data.id), context),
  RELOAD_NOTE: ({ data, connection }, context) =>
    join(connection, context.notes.get(data.id), context),
  GET_HOME_NOTE: ({ connection, person }, context) => {
    const {
      notes,
      permissions,
      hub,
      options: { homeNote },
    } = context;
    const note = homeNote === undefined ? undefined : notes.find(homeNote);
    if (note) {
      permissions.require(person, note.id, 'reader');
      return join(connection, note, context);
    }
    // As upstream has it: whoever is at home has no note open.
    hub.join(connection, undefined);
    hub.tell(connection, 'NOTE', {});
  },
  NEW_NOTE: async ({ data, connection, person }, context) => {
    const note = newNote(data.name?.trim() ? goodPath(data.name, context) : '', [
      newParagraph({ user: person.principal }),
    ]);
    const first = data.defaultInterpreterId ?? data.defaultInterpreterGroup;
    const ids = context.pool.settings().map(({ id }) => id);
    if (first && ids.includes(first)) note.bindings = [first, ...ids.filter((id) => id !== first)];
    await addNote(note, person, context, 'made');
    context.hub.join(connection, note.id);
    context.hub.tell(connection, 'NEW_NOTE', { note: wireNote(note) });
    context.hub.tellLists();
  },
  DEL_NOTE: async ({ data }, context) => {
    await removeNote(context.notes.get(data.id), context);
    context.hub.tellLists();
  },
  REMOVE_FOLDER: async (request, context) => {
    for (const note of ownAll(inFolder(request.data.id, context), request, context))
      await removeNote(note, context);
    context.hub.tellLists();
  },
  CLONE_NOTE: async ({ data, connection, person }, context) => {
    const note = await addCopy(context.notes.get(data.id), data.name, person, context);
    context.hub.join(connection, note.id);
    context.hub.tell(connection, 'NEW_NOTE', { note: wireNote(note) });
    context.hub.tellLists();
  },
  IMPORT_NOTE: async ({ data, connection, person }, context) => {
    const note = await addNote(imported(data.note, 'Imported note', context), person, context);
    context.hub.tell(connection, 'IMPORT_NOTE', { note: wireNote(note) });
    context.hub.tellLists();
  },
  NOTE_UPDATE: async ({ data, person, connection }, context) => {
    const { hub, permissions, editor, schedules } = context;
    if (!data.config) throw new Refusal(400, 'NOTE_UPDATE: config is missing');
    const note = context.notes.get(data.id);
    let config = { ...data.config };
    // Not every client sends back what is off.
    const value = (text: string | undefined) => (text === 'false' ? '' : (text ?? ''));
    if (OWNERS.some((key) => value(config[key]) !== value(note.config[key])))
      permissions.require(person, note.id, 'owner', 'change');
    // A schedule runs as who sets it, never as somebody else.
    delete config.isZeppelinNotebookCronEnable;
    const { cronExecutingUser } = config;
    if (
      cronExecutingUser &&
      cronExecutingUser !== note.config.cronExecutingUser &&
      cronExecutingUser !== person.principal
    ) {
      throw new Refusal(403, 'a note is scheduled in the name of who schedules it', 'forbidden');
    }
    const path = normalizePath(data.name ?? note.name);
    // B sends the last segment and means no rename.
    if (path !== note.name && !note.name.endsWith(`/${path}`) && path !== '') {
      permissions.require(person, note.id, 'owner', 'rename');
      await editor.rename(note, goodPath(path, context));
    }
    const isRescheduled = value(config.cron) !== value(note.config.cron);
    if (isRescheduled || (config.cron && !config.cronExecutingUser))
      config = withSchedule(config, config.cron ?? '', person);
    await editor.change(note, [], () => (note.config = config));
    schedules.check(note);
    if (isRescheduled)
      context.audit.record('schedule-changed', {
        principal: person.principal,
        address: connection.address,
        command: 'NOTE_UPDATE',
        note: note.id,
        outcome: 'ok',
      });
    hub.tellNote(note.id, 'NOTE_UPDATED', {
      name: note.name,
      config: wireNote(note).config,
      info: note.info,
    });
    hub.tellLists();
  },
  NOTE_RENAME: async ({ data }, context) => {
    const note = context.notes.get(data.id);
    const name = goodPath(data.name, context);
    await context.editor.rename(
      note,
      data.relative
        ? goodPath(`${note.name.slice(0, note.name.lastIndexOf('/') + 1)}${name}`, context)
        : name,
    );
    context.hub.tellLists();
  },
  FOLDER_RENAME: async (request, context) => {
    const from = normalizePath(request.data.id);
    const to = goodPath(request.data.name, context);
    if (to === from) return context.hub.tellLists();
    if (to.startsWith(`${from}/`)) throw new Refusal(400, 'a folder cannot move into itself');
    await renameAll(
      ownAll(inFolder(from, context), request, context),
      (name) => goodPath(to + name.slice(from.length), context),
      context,
    );
  },
  UPDATE_PERSONALIZED_MODE: async ({ data }, { notes, editor }) => {
    const note = notes.get(data.id);
    if (data.personalized !== 'true' && data.personalized !== 'false')
      throw new Refusal(400, 'personalized is "true" or "false"');
    await editor.changeNote(
      note,
      () => (note.config = { ...note.config, personalizedMode: data.personalized }),
    );
  },
  MOVE_NOTE_TO_TRASH: async ({ data }, context) => {
    const note = context.notes.get(data.id);
    if (!isTrashed(note.name)) {
      const name = freeName(trashPath(note.name), note, context);
      const { cron: _cron, ...config } = note.config;
      await context.editor.changeNote(note, () => Object.assign(note, { name, config }));
    }
    context.hub.tellLists();
  },
  MOVE_FOLDER_TO_TRASH: async (request, context) => {
    const folder = normalizePath(request.data.id);
    const notes = ownAll(inFolder(folder, context), request, context);
    const taken = context.notes
      .all()
      .some((note) => note.name.startsWith(`${TRASH_FOLDER_ID}/${folder}/`));
    const stamp = taken ? ` ${new Date().toISOString().slice(0, 19).replace('T', ' ')}` : '';
    await renameAll(
      notes,
      (name) => `${TRASH_FOLDER_ID}/${folder}${stamp}${name.slice(folder.length)}`,
      context,
    );
  },
  RESTORE_NOTE: async ({ data }, context) => {
    const note = context.notes.get(data.id);
    if (!isTrashed(note.name)) throw new Refusal(400, 'the note is not in the trash');
    await renameAll([note], (name) => restoredPath(name), context);
  },
  RESTORE_FOLDER: async (request, context) => {
    const folder = normalizePath(request.data.id);
    if (!isTrashed(folder)) throw new Refusal(400, 'the folder is not in the trash');
    const to = restoredPath(folder, 'folder');
    await renameAll(
      ownAll(inFolder(folder, context), request, context),
      (name) => to + name.slice(folder.length),
      context,
    );
  },
  RESTORE_ALL: async (request, context) => {
    const trashed = context.notes
      .all()
      .filter(
        (note) => isTrashed(note.name) && context.permissions.has(request.person, note.id, 'owner'),
      );
    await renameAll(trashed, (name) => restoredPath(name), context);
  },
  EMPTY_TRASH: async ({ person }, context) => {
    const trashed = context.notes
      .all()
      .filter((note) => isTrashed(note.name) && context.permissions.has(person, note.id, 'owner'));
    for (const note of trashed) await removeNote(note, context);
    context.hub.tellLists();
  },
  PARAGRAPH_CLEAR_ALL_OUTPUT: async ({ data }, context) =>
    clearNote(context.notes.get(data.id), context),
} satisfies Partial<LiveHandlers>;

async function clearNote(note: StoredNote, { editor, runs }: ServerContext): Promise<void> {
  if (runs.isSequential(note.id)) throw new Refusal(409, 'the note is running');
  const idle = note.paragraphs.filter(({ status }) => !isRunning(status));
  await editor.changeNote(note, () => editor.clearOutputs(idle), idle);
}

/** REST calls. */
export const notesRest = {
  listNotes: ({ person }, { hub }) => hub.listFor(person).notes,
  createNote: async ({ body, person }, context) => {
    checkCount(body.paragraphs ?? [], context);
    for (const { text } of body.paragraphs ?? []) checkText(text ?? '', context.options);
    const paragraphs = (body.paragraphs ?? []).map((init) =>
      newParagraph({
        ...(init as { text?: string; title?: string; config?: Bag }),
        user: person.principal,
      }),
    );
    if (paragraphs.length === 0 || body.addingEmptyParagraph)
      paragraphs.push(newParagraph({ user: person.principal }));
    const path = body.name ?? body.notePath;
    const note = await addNote(
      newNote(path?.trim() ? goodPath(path, context) : '', paragraphs),
      person,
      context,
      'made',
    );
    context.hub.tellLists();
    return note.id;
  },
  importNote: async ({ body, query, person }, context) => {
    const note = imported(body, 'Imported note', context);
    const path = query.get('notePath');
    if (path) note.name = goodPath(path, context);
    await addNote(note, person, context);
    context.hub.tellLists();
    return note.id;
  },
  exportNote: ({ params, person }, context) => {
    const note = readable(params, person, context);
    const { bindings: _bindings, ...rest } = JSON.parse(serializeNote(note)) as StoredNote;
    return JSON.stringify(rest, null, 2);
  },
  getNote: ({ params, person }, context) => {
    const note = readable(params, person, context);
    return {
      ...wireNote(note),
      paragraphs: note.paragraphs.map((paragraph) => ({
        ...paragraph,
        progress: context.runs.progress(note, paragraph.id),
      })),
    };
  },
  deleteNote: async ({ params, person }, context) => {
    const note = withRight(params, person, 'owner', context);
    await removeNote(note, context);
    context.hub.tellLists();
  },
  cloneNote: async ({ params, body, person }, context) => {
    const source = readable(params, person, context);
    const note = await addCopy(source, body?.name ?? body?.notePath, person, context);
    context.hub.tellLists();
    return note.id;
  },
  clearNote: ({ params, person }, context) =>
    clearNote(withRight(params, person, 'writer', context), context),
  renameNote: async ({ params, body, person }, context) => {
    const note = withRight(params, person, 'owner', context);
    await context.editor.rename(note, goodPath(body.name, context));
    context.hub.tellLists();
  },
  getPermissions: ({ params, person }, context) =>
    context.permissions.get(readable(params, person, context).id),
  setPermissions: async ({ params, body, person }, context) => {
    const note = withRight(params, person, 'owner', context);
    if (person.principal === 'anonymous')
      throw new Refusal(403, 'Only authenticated user can set the permission.');
    await context.permissions.set(note.id, body, person.principal);
    context.hub.dropUnreadable(note.id);
    context.hub.tellNote(note.id, 'NOTE', { note: wireNote(note) });
    context.hub.tellLists();
  },
} satisfies Partial<RestHandlers>;

/** The note of a path, if the person has the right; 404 where there is none, 403 where the right is missing. */
export function withRight(
  params: Readonly<Record<string, string>>,
  person: Person,
  right: 'reader' | 'runner' | 'writer' | 'owner',
  context: ServerContext,
): StoredNote {
  const note = context.notes.get(params['noteId'] ?? '');
  context.permissions.require(person, note.id, right);
  return note;
}

const readable = (
  params: Readonly<Record<string, string>>,
  person: Person,
  context: ServerContext,
) => withRight(params, person, 'reader', context);
