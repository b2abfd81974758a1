/** Live handlers of the memory server. */
import { magicOf, splitMagic } from '../model/notes/magic.ts';
import { isRunning } from '../model/notes/paragraph-status.ts';
import { TextConflict } from '../model/text/text-history.ts';
import {
  checkSeen,
  conflictMessage,
  copiedNote,
  createdNote,
  importedNote,
  type NoteOperationName,
  noteOperation,
  noteOperationNames,
  noteRename,
  type ParagraphContent,
  paragraphOf,
  paragraphRemoval,
  Refusal,
  renamedPath,
  runContents,
  runGrowth,
  runnableContent,
  type StoredNote,
  type StoredParagraph,
  settingsChange,
  updatedPath,
} from '../notebook/index.ts';
import { sendMemoryComments } from './comments.ts';
import { folderHandlers } from './folders.ts';
import type { Handlers, MemoryLiveRequest, MemoryServices } from './handlers.ts';
import { parsedJson } from './json.ts';
import { broadcastMemoryViewers, onConnectionLeft, presenceHandlers } from './presence.ts';
import { revisionHandlers } from './revisions.ts';
import type { MemoryPerson, World } from './world.ts';

function join(
  { connection, data }: MemoryLiveRequest<'GET_NOTE' | 'RELOAD_NOTE'>,
  { world, runs }: MemoryServices,
): void {
  const note = world.note(data.id);
  const before = connection.noteId;
  Object.assign(connection, { noteId: note.id, jobs: false });
  world.send(connection, 'NOTE', { note: world.wire(note) });
  if (before !== undefined && before !== note.id) onConnectionLeft(world, connection, before);
  if ([...world.connections].filter(({ noteId }) => noteId === note.id).length > 1)
    broadcastMemoryViewers(world, note.id);
  if (runs.isSequential(note)) world.send(connection, 'NOTE_RUNNING_STATUS', { status: true });
  sendMemoryComments(world, connection, note.id);
}

/** Runs `act` and reports a text that does not merge to its author only. */
function reportConflict(
  { connection, noteId, msgId }: MemoryLiveRequest,
  { world }: MemoryServices,
  act: () => void,
): void {
  try {
    act();
  } catch (error) {
    if (!(error instanceof TextConflict)) throw error;
    world.send(connection, 'PARAGRAPH_CONFLICT', conflictMessage(noteId, error), msgId);
  }
}

const handlerOf =
  (op: NoteOperationName) =>
  (request: MemoryLiveRequest, services: MemoryServices): void =>
    reportConflict(request, services, () => {
      const { data, noteId, person } = request;
      const { world, runs } = services;
      const note = world.note(noteId);
      const isSequential = runs.isSequential(note);
      world.make(
        note,
        noteOperation(op)({ note, data, user: person.principal, isSequential }, world.rules),
        request,
      );
    });

const runnable = (
  note: StoredNote,
  paragraph: StoredParagraph,
  content: ParagraphContent,
  person: MemoryPerson,
  { world }: MemoryServices,
): ParagraphContent =>
  runnableContent(paragraph, content, world.has(person, note.id, 'writer'), () =>
    world.require(person, note.id, 'writer'),
  );

/** Stops a paragraph's run, then removes it. */
export async function removeMemoryParagraph(
  note: StoredNote,
  id: string,
  { world, runs }: MemoryServices,
  rev?: number,
): Promise<void> {
  const paragraph = paragraphOf(note, id);
  checkSeen(paragraph, rev);
  if (note.paragraphs.length > 1) await runs.cancel(paragraph);
  world.make(note, paragraphRemoval(note, id, world.rules, rev));
}

/** Renames a note, unless it has the name already. */
export function renameMemoryNote(note: StoredNote, path: string, { world }: MemoryServices): void {
  const change = noteRename(note, path, [...world.notes.values()], world.rules);
  if (change) world.make(note, change);
}

/** Adds a note owned by the user, opens it on the connection, and updates all lists. */
function opened(
  note: StoredNote,
  name: unknown,
  { connection, person }: MemoryLiveRequest,
  { world }: MemoryServices,
): void {
  world.addChosen(note, name, person.principal);
  connection.noteId = note.id;
  world.send(connection, 'NEW_NOTE', { note: world.wire(note) });
  world.broadcastLists();
}

/**
 * No scripted result is a terminal or asks for input, so the sender learns the state of the
 * paragraph.
 */
function withoutTerminal(
  {
    data,
    noteId,
  }: MemoryLiveRequest<'TIDING_TERMINAL_INPUT' | 'TIDING_TERMINAL_SIZE' | 'TIDING_ANSWER'>,
  { world }: MemoryServices,
): void {
  const note = world.note(noteId);
  world.broadcastParagraph(note, paragraphOf(note, data.id));
}

/** Handlers by operation; others are rejected with the operation's name. */
export const liveHandlers: Handlers = {
  ...(Object.fromEntries(noteOperationNames.map((op) => [op, handlerOf(op)])) as Pick<
    Handlers,
    NoteOperationName
  >),
  PING: () => {},
  LIST_NOTES: ({ connection, person }, { world }) =>
    world.send(connection, 'NOTES_INFO', world.list(person)),
  RELOAD_NOTES_FROM_REPO: (_, { world }) => world.broadcastLists(),
  GET_NOTE: join,
  RELOAD_NOTE: join,
  GET_HOME_NOTE: ({ connection }, { world }) => world.send(connection, 'NOTE', {}),
  LIST_CONFIGURATIONS: ({ connection }, { world }) =>
    world.send(connection, 'CONFIGURATIONS_INFO', {
      configurations: { isRevisionSupported: 'true' },
    }),
  NEW_NOTE: (request, services) => {
    const { data, person } = request;
    const { world } = services;
    const settings = [...world.interpreters.keys()];
    const note = createdNote(data, person.principal, settings, world.rules);
    opened(note, data.name, request, services);
  },
  CLONE_NOTE: (request, services) => {
    const { world } = services;
    const copy = copiedNote(world.note(request.data.id), request.data.name, world.rules);
    opened(copy, request.data.name, request, services);
  },
  IMPORT_NOTE: ({ data, connection, person }, { world }) => {
    const note = importedNote(data.note, 'Imported note', world.rules);
    world.addChosen(note, data.note['path'] || data.note['name'], person.principal);
    world.send(connection, 'IMPORT_NOTE', { note: world.wire(note) });
    world.broadcastLists();
  },
  NOTE_UPDATE: ({ data, person }, services) => {
    const { world } = services;
    if (!data.config) throw new Refusal(400, 'NOTE_UPDATE: the field config is missing.');
    const note = world.note(data.id);
    const path = updatedPath(note, data.name);
    if (path !== undefined) {
      world.require(person, note.id, 'owner', 'rename');
      renameMemoryNote(note, path, services);
    }
    world.make(note, settingsChange(note, data.config, world.rules));
    world.broadcastLists();
  },
  NOTE_RENAME: ({ data }, services) => {
    const note = services.world.note(data.id);
    renameMemoryNote(note, renamedPath(note, data, services.world.rules), services);
    services.world.broadcastLists();
  },
  CANCEL_ALL_PARAGRAPHS: ({ noteId }, { world, runs }) => runs.cancelNote(world.note(noteId)),

  RUN_PARAGRAPH: (request, services) =>
    reportConflict(request, services, () => {
      const { data, noteId, person, msgId } = request;
      const { world, runs } = services;
      const note = world.note(noteId);
      const paragraph = paragraphOf(note, data.id);
      const isLast = note.paragraphs.at(-1) === paragraph;
      const content = runnable(note, paragraph, data, person, services);
      runs.start(note, paragraph.id, content, person.principal, msgId);
      const growth = isLast && runGrowth(note, paragraph, person.principal, world.rules);
      if (growth) world.make(note, growth);
    }),
  RUN_ALL_PARAGRAPHS: ({ data, noteId, person }, services) => {
    const note = services.world.note(noteId);
    const contents = runContents(
      note,
      data.paragraphs,
      (text) => parsedJson(text, 'A message'),
      (paragraph, content) => runnable(note, paragraph, content, person, services),
    );
    services.runs.startNote(note, contents, person.principal);
  },
  CANCEL_PARAGRAPH: async ({ data, noteId }, { world, runs }) => {
    const note = world.note(noteId);
    const paragraph = paragraphOf(note, data.id);
    if (isRunning(paragraph.status)) await runs.cancel(paragraph);
    else world.broadcastParagraph(note, paragraph);
  },
  TIDING_TERMINAL_INPUT: withoutTerminal,
  TIDING_TERMINAL_SIZE: withoutTerminal,
  TIDING_ANSWER: withoutTerminal,
  // No scripted result has widgets.
  TIDING_COMM_STATE: ({ data: { id, kernel }, connection, noteId }, { world }) => {
    paragraphOf(world.note(noteId), id);
    world.send(connection, 'TIDING_COMM_STATE', { id, kernel, status: 'ended', models: [] });
  },
  TIDING_COMM: () => {
    throw new Refusal(
      409,
      'The kernel that this widget belongs to has ended. Run the paragraph again to use it.',
    );
  },
  PARAGRAPH_REMOVE: ({ data, noteId }, services) =>
    removeMemoryParagraph(services.world.note(noteId), data.id, services, data.rev),
  COMPLETION: async ({ data, noteId, connection }, { world }) => {
    const { magic, script, scriptOffset } = splitMagic(data.buf);
    const settings = () =>
      world.settings().map(({ name }) => ({ name, value: name, meta: 'setting' }));
    const found = world.find(magic, world.note(noteId))?.[1];
    const completions =
      magic !== undefined && data.cursor < scriptOffset
        ? settings()
        : ((await found?.complete?.(script, Math.min(data.cursor - scriptOffset, script.length))) ??
          []);
    world.send(connection, 'COMPLETION_LIST', { id: data.id, completions: [...completions] });
  },
  TIDING_INSPECT: async ({ data, noteId, connection }, { world }) => {
    const { magic, script, scriptOffset } = splitMagic(data.buf);
    const found = world.find(magic, world.note(noteId))?.[1];
    const at = data.cursor - scriptOffset;
    const text = at < 0 ? undefined : await found?.inspect?.(script, Math.min(at, script.length));
    world.send(connection, 'TIDING_INSPECTION', { id: data.id, text });
  },
  EDITOR_SETTING: ({ data, connection, noteId, person }, { world }) => {
    const magic = data.paragraphText === undefined ? data.magic : magicOf(data.paragraphText);
    const note = world.has(person, noteId, 'reader') ? world.notes.get(noteId) : undefined;
    const editor = note && world.find(magic || undefined, note)?.[1].editor;
    world.send(connection, 'EDITOR_SETTING', {
      paragraphId: data.paragraphId,
      editor: editor ?? { language: 'text', editOnDblClick: false },
    });
  },
  ...folderHandlers,
  ...presenceHandlers,
  ...revisionHandlers,
  GET_INTERPRETER_BINDINGS: ({ data, connection }, { world }) =>
    world.send(connection, 'INTERPRETER_BINDINGS', {
      interpreterBindings: world.bindings(world.note(data.noteId)),
    }),
  SAVE_INTERPRETER_BINDINGS: ({ data }, { world }) =>
    bind(world.note(data.noteId), data.selectedSettingIds, world),
  GET_INTERPRETER_SETTINGS: ({ connection }, { world }) =>
    world.send(connection, 'INTERPRETER_SETTINGS', { interpreterSettings: world.settings() }),
  LIST_NOTE_JOBS: ({ connection, person }, { world }) => {
    Object.assign(connection, { noteId: undefined, jobs: true });
    world.send(connection, 'LIST_NOTE_JOBS', { noteJobs: world.jobs(person) });
  },
  UNSUBSCRIBE_UPDATE_NOTE_JOBS: ({ connection }) => void (connection.jobs = false),
};

/** Binds a note to interpreter settings; throws for an unknown one. */
export function bind(note: StoredNote, ids: readonly string[], world: World): void {
  const unknown = ids.find((id) => !world.interpreters.has(id));
  if (unknown !== undefined) throw new Refusal(400, `No such interpreter setting: ${unknown}`);
  note.bindings = [...new Set(ids)];
  world.sendToViewers(note.id, 'INTERPRETER_BINDINGS', {
    interpreterBindings: world.bindings(note),
  });
}
