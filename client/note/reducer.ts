/** Reducer of an open note. A change to one paragraph keeps the identity of all others. */

import type { ClientEvent } from '../core/events.ts';
import {
  type NoteState,
  type ParagraphState,
  paragraphOf,
  type SharedValue,
} from '../core/state.ts';
import { isSameJson } from '../model/json-object.ts';
import { notePath } from '../model/notes/note-path.ts';
import { isRunning } from '../model/notes/paragraph-status.ts';
import type { Note, Paragraph, Presence } from '../protocol/index.ts';
import { reduceApplication } from './paragraph/application-reducer.ts';
import {
  appendOutput,
  applyEdit,
  commitAnswered,
  commitRefused,
  commitSent,
  keepRemovedParagraph,
  paragraphState,
  receiveConflict,
  receiveParagraph,
  receivePatched,
  rereadParagraph,
  resolveConflict,
  updateOutput,
} from './paragraph/reducer.ts';
import { sharedValueKey } from './shared-value-names.ts';

/** Returns the state of a note that is being opened. */
export function noteState(id: string): NoteState {
  return {
    id,
    connection: 'idle',
    phase: 'loading',
    error: undefined,
    path: '',
    config: {},
    info: {},
    params: {},
    forms: {},
    order: [],
    paragraphs: {},
    sequential: false,
    collaborative: false,
    collaborators: [],
    presence: {},
    bindings: undefined,
    shared: {},
  };
}

function receiveNote(state: NoteState, note: Note): NoteState {
  const incoming = note.paragraphs ?? [];
  const paragraphs = new Map<string, ParagraphState>();
  for (const paragraph of incoming) {
    // A paragraph that is listed twice keeps its first position and its last content.
    const known = paragraphs.get(paragraph.id) ?? paragraphOf(state, paragraph.id);
    paragraphs.set(
      paragraph.id,
      known ? rereadParagraph(known, paragraph) : paragraphState(paragraph),
    );
  }
  // Paragraphs that were removed on the server while they had a draft stay at the end until the
  // draft is discarded.
  const lost = Object.values(state.paragraphs).filter(
    (known) => known.draft !== undefined && !paragraphs.has(known.id),
  );
  for (const known of lost) paragraphs.set(known.id, keepRemovedParagraph(known));
  const running = note.info?.['isRunning'];
  return {
    ...state,
    // Generation B sends it with each note; other servers only with NOTE_RUNNING_STATUS.
    sequential: typeof running === 'boolean' ? running : state.sequential,
    phase: 'ready',
    error: undefined,
    path: notePath(note),
    config: note.config ?? {},
    info: note.info ?? {},
    params: note.noteParams ?? {},
    forms: note.noteForms ?? {},
    order: [...paragraphs.keys()],
    paragraphs: Object.fromEntries(paragraphs),
  };
}

/**
 * Whether a paragraph arrived late, with an older revision than the known one. Only a complete NOTE
 * may go back.
 */
function isOlder({ rev }: Paragraph, known: ParagraphState): boolean {
  return rev !== undefined && known.server.rev !== undefined && rev < known.server.rev;
}

/** A constant, so that resetting an empty presence is not a change. */
const nobody: NoteState['presence'] = {};

function receivePresence(state: NoteState, people: readonly Presence[]): NoteState {
  const presence = { ...state.presence };
  for (const person of people) {
    if (person.gone) delete presence[person.connection];
    else presence[person.connection] = person;
  }
  return { ...state, presence };
}

function change(
  state: NoteState,
  id: string,
  update: (paragraph: ParagraphState) => ParagraphState,
): NoteState {
  const before = paragraphOf(state, id);
  if (!before) return state;
  const after = update(before);
  if (after === before) return state;
  return after.removed && after.draft === undefined
    ? without(state, id)
    : { ...state, paragraphs: { ...state.paragraphs, [id]: after } };
}

/** Changes fields of the paragraph as the server has it. */
const changeServer = (
  state: NoteState,
  id: string,
  fields: (server: Paragraph) => Partial<Paragraph>,
): NoteState =>
  change(state, id, (known) => ({
    ...known,
    server: { ...known.server, ...fields(known.server) },
  }));

function without(state: NoteState, id: string): NoteState {
  const { [id]: _removed, ...paragraphs } = state.paragraphs;
  return { ...state, order: state.order.filter((entry) => entry !== id), paragraphs };
}

/**
 * `index` counts the paragraphs on the server; those that were removed there and are kept here
 * don't count.
 */
function insertAt({ order, paragraphs }: NoteState, id: string, index: number): string[] {
  const rest = order.filter((entry) => entry !== id);
  const live = rest.filter((entry) => !paragraphs[entry]?.removed);
  const next = live[Math.max(0, index)];
  rest.splice(next === undefined ? rest.length : rest.indexOf(next), 0, id);
  return rest;
}

/** Applies an event to one open note. Events of other notes are not passed to it. */
export function reduceNote(state: NoteState, event: ClientEvent): NoteState {
  switch (event.type) {
    case 'connection':
      // The end of a sequential run may have been missed; the server reports again if one is still
      // running.
      return {
        ...state,
        connection: event.state,
        collaborative: false,
        presence: nobody,
        sequential: event.state === 'open' ? false : state.sequential,
      };
    case 'note-missing':
      return { ...state, phase: 'missing', error: event.error };
    case 'NOTE':
      return event.data.note && event.data.note.id === state.id
        ? receiveNote(state, event.data.note)
        : state;
    case 'revision-read': {
      // Paragraphs that were running when the checkpoint was created are not running now.
      const paragraphs = event.note.paragraphs?.map((paragraph) =>
        isRunning(paragraph.status) ? { ...paragraph, status: 'ABORT' as const } : paragraph,
      );
      return receiveNote(state, {
        ...event.note,
        info: { ...event.note.info, isRunning: false },
        ...(paragraphs ? { paragraphs } : {}),
      });
    }
    case 'NOTE_UPDATED':
      return {
        ...state,
        config: event.data.config ?? state.config,
        info: event.data.info ?? state.info,
      };
    case 'NOTES_INFO': {
      // Generation B announces a renamed folder only with the list of notes.
      const entry = event.data.notes.find((note) => note.id === state.id);
      const path = entry && notePath(entry);
      return path !== undefined && path !== state.path && state.phase === 'ready'
        ? { ...state, path }
        : state;
    }
    case 'PARAGRAPH':
    case 'RUN_PARAGRAPH_USING_SPELL': {
      const { paragraph } = event.data;
      return change(state, paragraph.id, (known) =>
        // The last message of a run may follow the removal. A restored paragraph is added.
        known.removed || isOlder(paragraph, known) ? known : receiveParagraph(known, paragraph),
      );
    }
    case 'PARAGRAPH_ADDED': {
      const { paragraph, index } = event.data;
      const known = paragraphOf(state, paragraph.id);
      return {
        ...state,
        order: insertAt(state, paragraph.id, index),
        paragraphs: {
          ...state.paragraphs,
          [paragraph.id]: known ? receiveParagraph(known, paragraph) : paragraphState(paragraph),
        },
      };
    }
    case 'PARAGRAPH_MOVED':
      return paragraphOf(state, event.data.id)
        ? { ...state, order: insertAt(state, event.data.id, event.data.index) }
        : state;
    case 'PARAGRAPH_REMOVED': {
      const { id } = event.data;
      if (paragraphOf(state, id)?.draft !== undefined)
        return change(state, id, keepRemovedParagraph);
      return paragraphOf(state, id) ? without(state, id) : state;
    }
    case 'PARAGRAPH_UPDATE_OUTPUT': {
      const { paragraphId, index = 0, type = 'TEXT', data = '' } = event.data;
      return change(state, paragraphId, (known) => updateOutput(known, index, type, data));
    }
    case 'PARAGRAPH_APPEND_OUTPUT': {
      const { paragraphId, index = 0, data = '', storedRows } = event.data;
      return change(state, paragraphId, (known) => appendOutput(known, index, data, storedRows));
    }
    case 'PROGRESS': {
      const { id, progress } = event.data;
      return change(state, id, (known) =>
        known.progress === progress ? known : { ...known, progress },
      );
    }
    case 'PARAS_INFO': {
      const { id, infos } = event.data;
      return changeServer(state, id, () => ({ runtimeInfos: infos }));
    }
    case 'PARAGRAPH_CONFLICT':
      return change(state, event.data.id, (known) =>
        receiveConflict(known, event.data.text, event.data.rev, event.data.baseText !== undefined),
      );
    case 'TIDING_PRESENCE':
      return event.data.noteId === state.id ? receivePresence(state, event.data.people) : state;
    case 'TIDING_COMMENTS':
      return { ...state, openThreads: event.data.open };
    case 'SAVE_NOTE_FORMS': {
      const { params = {}, forms = {} } = event.data.formsData;
      // Apache Zeppelin repeats the forms before every PARAGRAPH, which is not a change.
      return isSameJson(params, state.params) && isSameJson(forms, state.forms)
        ? state
        : { ...state, params, forms };
    }
    case 'NOTE_RUNNING_STATUS':
      return state.sequential === event.data.status
        ? state
        : { ...state, sequential: event.data.status };
    case 'COLLABORATIVE_MODE_STATUS':
      return {
        ...state,
        collaborative: event.data.status,
        collaborators: event.data.status ? (event.data.users ?? []) : [],
        presence: event.data.status ? state.presence : nobody,
      };
    case 'INTERPRETER_BINDINGS':
      return { ...state, bindings: event.data.interpreterBindings };
    case 'ANGULAR_OBJECT_UPDATE': {
      const { angularObject, interpreterGroupId } = event.data;
      const paragraphId = event.data.paragraphId ?? angularObject.paragraphId;
      return share(state, {
        name: angularObject.name,
        value: angularObject.object,
        paragraphId,
        interpreterGroupId,
      });
    }
    case 'ANGULAR_OBJECT_REMOVE': {
      const name = event.data.name ?? event.data.angularObject?.name ?? '';
      const { [sharedValueKey(name, event.data.paragraphId)]: gone, ...shared } = state.shared;
      return gone ? { ...state, shared } : state;
    }
    case 'shared-value-set':
      return share(state, event);
    case 'edited':
      return change(state, event.paragraphId, (known) =>
        applyEdit(known, event.text, event.author, event.change),
      );
    case 'draft-restored': {
      const { text: draft, author } = event;
      const base = { text: event.baseText, rev: event.baseRev };
      // The paragraph was removed meanwhile: show the draft at the end, as a client would that had
      // the note open.
      if (!paragraphOf(state, event.paragraphId)) {
        const gone = keepRemovedParagraph(paragraphState({ id: event.paragraphId, ...base }));
        return {
          ...state,
          order: [...state.order, event.paragraphId],
          paragraphs: {
            ...state.paragraphs,
            [event.paragraphId]: { ...gone, draft, author, base },
          },
        };
      }
      return change(state, event.paragraphId, (known) =>
        receiveParagraph(
          {
            ...known,
            draft,
            author,
            base,
            change: event.change,
            inFlight: event.sent ? [event.sent] : [],
          },
          known.server,
          true,
        ),
      );
    }
    case 'draft-discarded':
      return change(state, event.paragraphId, (known) => resolveConflict(known, 'theirs'));
    case 'draft-kept':
      return change(state, event.paragraphId, (known) => resolveConflict(known, 'mine'));
    case 'commit-sent':
      return change(state, event.paragraphId, (known) => commitSent(known, event.text, event.seq));
    case 'commit-answered':
      return change(state, event.paragraphId, (known) => commitAnswered(known, event));
    case 'patched':
      return change(state, event.paragraphId, (known) => receivePatched(known, event));
    case 'commit-refused':
      return change(state, event.paragraphId, (known) => commitRefused(known, event.error));
    case 'run-requested':
      return change(state, event.paragraphId, (known) => ({
        ...known,
        server: { ...known.server, status: 'PENDING' },
        outputPhase: 'old',
        progress: 0,
      }));
    case 'APP_LOAD':
    case 'APP_STATUS_CHANGE':
    case 'APP_UPDATE_OUTPUT':
    case 'APP_APPEND_OUTPUT':
      return changeServer(state, event.data.paragraphId, (server) =>
        reduceApplication(server, event),
      );
    case 'spell-told':
      return change(state, event.paragraphId, (known) =>
        receiveParagraph(known, { ...known.server, ...event.change }),
      );
    case 'run-refused':
      // Revert only what `run-requested` set; changes by the server since then stay, for example
      // its text in a conflict.
      return change(state, event.paragraphId, (known) => ({
        ...known,
        server: { ...known.server, status: event.before.status },
        outputPhase: known.outputPhase === 'old' ? 'final' : known.outputPhase,
      }));
    case 'configured':
      return changeServer(state, event.paragraphId, () => ({ config: event.config }));
    case 'editor-setting': {
      const { magic, setting } = event;
      return change(state, event.paragraphId, (known) => ({
        ...known,
        editor: { magic, setting },
      }));
    }
    case 'params-changed':
      return changeServer(state, event.paragraphId, ({ settings }) => ({
        settings: { ...settings, params: { ...event.params } },
      }));
    default:
      return state;
  }
}

function share(
  state: NoteState,
  { name, value, paragraphId, interpreterGroupId }: SharedValue,
): NoteState {
  return {
    ...state,
    shared: {
      ...state.shared,
      [sharedValueKey(name, paragraphId)]: { name, value, paragraphId, interpreterGroupId },
    },
  };
}
