/** Settings of an open note that its runs change or read as well. */
import type { CallOptions } from '../core/abort.ts';
import type { InterpreterBinding, NoteConfig } from '../protocol/index.ts';
import type { NoteConnection } from './note-connection.ts';

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
  const isB = note.context.store.get().server?.generation === 'B';
  const name = isB ? path.slice(path.lastIndexOf('/') + 1) : path;
  await sendChange(configsInFlight, note, change, (changes) =>
    note.request(
      'NOTE_UPDATE',
      { id: note.id, name, config: { ...config, ...changes } },
      ({ op }) => op === 'NOTE_UPDATED',
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
      ({ op }) => op === 'SAVE_NOTE_FORMS',
      options,
    ),
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
    ({ op, data }) => op === 'INTERPRETER_BINDINGS' && data.interpreterBindings,
    options,
  );
}
