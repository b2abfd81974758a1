/**
 * Root reducer: handles the session and the lists; passes the events of open notes on to the note
 * reducer.
 */
import type { ClientEvent } from './core/events.ts';
import type { ClientState, NoteState } from './core/state.ts';
import { mergeJobs } from './jobs/reducer.ts';
import { notePath } from './model/notes/note-path.ts';
import { loadedNoteModule } from './note/lazy-note.ts';

/** Applies an event to the state. Returns the same object if nothing changed. */
export function reduce(state: ClientState, event: ClientEvent): ClientState {
  const next = reduceShared(state, event);
  const noteId = 'noteId' in event ? event.noteId : undefined;
  if (noteId !== undefined) return withNote(next, noteId, event);
  // A list affects every open note (a renamed folder changes their paths), whichever channel it
  // arrived on.
  return event.type === 'NOTES_INFO'
    ? Object.keys(next.open).reduce((all, id) => withNote(all, id, event), next)
    : next;
}

function withNote(state: ClientState, id: string, event: ClientEvent): ClientState {
  const before = state.open[id];
  if (!before) return state;
  // The note module is loaded: otherwise no note could be open.
  const after: NoteState = loadedNoteModule()?.reduceNote(before, event) ?? before;
  return after === before ? state : { ...state, open: { ...state.open, [id]: after } };
}

function reduceShared(state: ClientState, event: ClientEvent): ClientState {
  switch (event.type) {
    case 'connection':
      return event.noteId === undefined ? { ...state, connection: event.state } : state;
    case 'server':
      return { ...state, server: event.server };
    case 'signed-in':
      return {
        ...state,
        session: {
          phase: 'signed-in',
          ticket: event.ticket,
          info: undefined,
          reason: undefined,
          renewing: false,
        },
      };
    case 'session_logout':
      return {
        ...state,
        session: {
          phase: 'signed-out',
          ticket: undefined,
          info: event.info,
          reason: event.reason,
          renewing: event.renewing === true,
        },
        notes: undefined,
        tokens: undefined,
        jobs: undefined,
      };
    case 'renewal-failed':
      return { ...state, session: { ...state.session, renewing: false } };
    case 'LIST_NOTE_JOBS':
      return { ...state, jobs: event.data.noteJobs.jobs };
    case 'LIST_UPDATE_NOTE_JOBS': {
      const jobs = mergeJobs(state.jobs ?? [], event.data.noteRunningJobs.jobs);
      return jobs === (state.jobs ?? []) ? state : { ...state, jobs };
    }
    case 'NOTES_INFO':
      return {
        ...state,
        notes: event.data.notes.map((note) => ({ id: note.id, path: notePath(note) })),
      };
    case 'notes-listed':
      return { ...state, notes: event.notes };
    case 'CONFIGURATIONS_INFO':
      return { ...state, configurations: event.data.configurations };
    case 'magpieConfig':
      return { ...state, config: event.config };
    case 'INTERPRETER_SETTINGS':
      return { ...state, interpreters: event.data.interpreterSettings };
    case 'interpreters-listed':
      return { ...state, interpreters: event.settings };
    case 'note-opened':
      return state.open[event.noteId]
        ? state
        : {
            ...state,
            open: { ...state.open, [event.noteId]: loadedNoteModule()!.noteState(event.noteId) },
          };
    case 'note-closed': {
      if (!state.open[event.noteId]) return state;
      const { [event.noteId]: _closed, ...open } = state.open;
      return { ...state, open };
    }
    default:
      return state;
  }
}
