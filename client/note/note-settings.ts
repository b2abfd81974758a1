/** Settings of an open note: name, forms, interpreter bindings and schedule. */
import type { CallOptions } from '../core/abort.ts';
import type { InterpreterBinding, NoteConfig } from '../protocol/index.ts';
import type { NoteConnection } from './note-connection.ts';

const isGenerationB = ({ context }: NoteConnection): boolean =>
  context.store.get().server?.generation === 'B';

/** Renames a note; see {@link Note.rename}. */
export async function renameNote(
  note: NoteConnection,
  path: string,
  options: CallOptions,
): Promise<void> {
  const name = path.trim().replace(/^\/+/, '');
  if (name === '' || name === note.path) return;
  await note.request(
    'NOTE_RENAME',
    { id: note.id, name: isGenerationB(note) ? `/${name}` : name },
    (message) =>
      message.op === 'NOTE' || message.op === 'NOTES_INFO'
        ? note.path === name
          ? true
          : undefined
        : undefined,
    options,
  );
}

type ChangesInFlight = WeakMap<NoteConnection, Set<object>>;
const configsInFlight: ChangesInFlight = new WeakMap();
const paramsInFlight: ChangesInFlight = new WeakMap();

/**
 * Sends a change together with the earlier ones that were not yet answered: the request contains
 * all values, so it would undo them otherwise.
 */
async function sendChange(
  inFlight: ChangesInFlight,
  note: NoteConnection,
  change: object,
  send: (changes: object) => Promise<unknown>,
): Promise<void> {
  const changes = inFlight.get(note) ?? new Set();
  inFlight.set(note, changes.add(change));
  try {
    await send(Object.assign({}, ...changes) as object);
  } finally {
    changes.delete(change);
  }
}

/** Changes settings of a note; see {@link Note.configure}. */
export async function configureNote(
  note: NoteConnection,
  change: NoteConfig,
  options: CallOptions,
): Promise<void> {
  const { path, config } = note.state;
  const name = isGenerationB(note) ? path.slice(path.lastIndexOf('/') + 1) : path;
  await sendChange(configsInFlight, note, change, (changes) =>
    note.request(
      'NOTE_UPDATE',
      { id: note.id, name, config: { ...config, ...changes } },
      (message) => (message.op === 'NOTE_UPDATED' ? true : undefined),
      options,
    ),
  );
}

/** Sets values of a note's forms; see {@link Note.setParams}. */
export async function setNoteParams(
  note: NoteConnection,
  params: Record<string, unknown>,
  options: CallOptions,
): Promise<void> {
  await sendChange(paramsInFlight, note, params, (changes) =>
    note.request(
      'SAVE_NOTE_FORMS',
      { noteId: note.id, noteParams: { ...note.state.params, ...changes } },
      (message) => (message.op === 'SAVE_NOTE_FORMS' ? true : undefined),
      options,
    ),
  );
}

/** Removes a form of a note; see {@link Note.removeForm}. */
export async function removeNoteForm(
  note: NoteConnection,
  name: string,
  options: CallOptions,
): Promise<void> {
  await note.request(
    'REMOVE_NOTE_FORMS',
    { noteId: note.id, formName: name },
    (message) => (message.op === 'SAVE_NOTE_FORMS' ? true : undefined),
    options,
  );
}

/** Turns personalized mode on or off; see {@link Note.setPersonalized}. */
export async function setNotePersonalized(
  note: NoteConnection,
  personalized: boolean,
  options: CallOptions,
): Promise<void> {
  await note.request(
    'UPDATE_PERSONALIZED_MODE',
    { id: note.id, personalized: String(personalized) },
    (message) => (message.op === 'NOTE' ? true : undefined),
    options,
  );
}

/** Loads a note's interpreter bindings; see {@link Note.bindings}. */
export async function loadBindings(
  note: NoteConnection,
  options: CallOptions,
): Promise<readonly InterpreterBinding[]> {
  return note.request(
    'GET_INTERPRETER_BINDINGS',
    { noteId: note.id },
    (message) =>
      message.op === 'INTERPRETER_BINDINGS' ? message.data.interpreterBindings : undefined,
    options,
  );
}

/** Binds interpreter settings to a note; see {@link Note.bind}. */
export async function bindInterpreters(
  note: NoteConnection,
  settingIds: readonly string[],
  options: CallOptions,
): Promise<readonly InterpreterBinding[]> {
  return note.request(
    'SAVE_INTERPRETER_BINDINGS',
    { noteId: note.id, selectedSettingIds: [...settingIds] },
    (message) =>
      message.op === 'INTERPRETER_BINDINGS' ? message.data.interpreterBindings : undefined,
    options,
  );
}

/** Loads a note's schedule; see {@link Note.schedule}. */
export async function loadSchedule(
  note: NoteConnection,
  options: CallOptions,
): Promise<{ cron: string; releaseResource: boolean } | undefined> {
  const { cron, releaseResource = false } = await note.context.call('getCron', {
    ...options,
    params: { noteId: note.noteId },
  });
  return cron ? { cron, releaseResource } : undefined;
}

/** Sets or removes a note's schedule; see {@link Note.setSchedule}. */
export async function setNoteSchedule(
  note: NoteConnection,
  cron: string | undefined,
  options: CallOptions & { releaseResource?: boolean },
): Promise<void> {
  note.assertEditable('setCron');
  const { releaseResource = false, ...call } = options;
  if (cron === undefined)
    await note.context.call('deleteCron', { ...call, params: { noteId: note.id } });
  else
    await note.context.call('setCron', {
      ...call,
      params: { noteId: note.id },
      body: { cron, releaseResource },
    });
}
