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
import type { Sends, SentOp } from '../protocol/index.ts';
import { folderHandlers } from './folders.ts';
import { broadcastMemoryViewers, onConnectionLeft, presenceHandlers } from './presence.ts';
import { revisionHandlers } from './revisions.ts';
import type { MemoryRuns } from './runs.ts';
import type { MemoryConnection, MemoryPerson, World } from './world.ts';

/** The parts of a memory server. */
export interface Parts {
  readonly world: World;
  readonly runs: MemoryRuns;
}

/** A live request. `noteId` is the note in the message, or else the one open on the connection. */
export interface MemoryLiveRequest<Op extends SentOp = SentOp> {
  readonly data: Sends[Op];
  readonly line: MemoryConnection;
  readonly person: MemoryPerson;
  readonly msgId: string | undefined;
  readonly noteId: string;
}

/** Handlers by operation. */
export type Handlers = {
  [Op in SentOp]?: (request: MemoryLiveRequest<Op>, parts: Parts) => void | Promise<void>;
};

function join(
  { line, data }: MemoryLiveRequest<'GET_NOTE' | 'RELOAD_NOTE'>,
  { world, runs }: Parts,
): void {
  const note = world.note(data.id);
  const before = line.noteId;
  Object.assign(line, { noteId: note.id, jobs: false });
  world.tell(line, 'NOTE', { note: world.wire(note) });
  if (before !== undefined && before !== note.id) onConnectionLeft(world, line, before);
  if ([...world.lines].filter(({ noteId }) => noteId === note.id).length > 1)
    broadcastMemoryViewers(world, note.id);
  if (runs.isSequential(note)) world.tell(line, 'NOTE_RUNNING_STATUS', { status: true });
}

/** Runs `act` and reports a text that does not merge to its author only. */
function reportConflict(
  { line, noteId, msgId }: MemoryLiveRequest,
  { world }: Parts,
  act: () => void,
): void {
  try {
    act();
  } catch (error) {
    if (!(error instanceof TextConflict)) throw error;
    world.tell(line, 'PARAGRAPH_CONFLICT', conflictMessage(noteId, error), msgId);
  }
}

const handlerOf =
  (op: NoteOperationName) =>
  (request: MemoryLiveRequest, parts: Parts): void =>
    reportConflict(request, parts, () => {
      const { data, noteId, person } = request;
      const { world, runs } = parts;
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
  { world }: Parts,
): ParagraphContent =>
  runnableContent(paragraph, content, world.has(person, note.id, 'writer'), () =>
    world.require(person, note.id, 'writer'),
  );

/** Stops a paragraph's run, then removes it. */
export async function removeMemoryParagraph(
  note: StoredNote,
  id: string,
  { world, runs }: Parts,
  rev?: number,
): Promise<void> {
  const paragraph = paragraphOf(note, id);
  checkSeen(paragraph, rev);
  if (note.paragraphs.length > 1) await runs.cancel(paragraph);
  world.make(note, paragraphRemoval(note, id, world.rules, rev));
}

/** Renames a note, unless it has the name already. */
export function renameMemoryNote(note: StoredNote, path: string, { world }: Parts): void {
  const change = noteRename(note, path, [...world.notes.values()], world.rules);
  if (change) world.make(note, change);
}

/** Adds a note owned by the user, opens it on the connection, and updates all lists. */
function opened(note: StoredNote, { line, person }: MemoryLiveRequest, { world }: Parts): void {
  world.add(note, person.principal);
  line.noteId = note.id;
  world.tell(line, 'NEW_NOTE', { note: world.wire(note) });
  world.tellLists();
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Refusal(400, 'A message must be JSON.');
  }
}

/** Handlers by operation; others are rejected with the operation's name. */
export const liveHandlers: Handlers = {
  ...(Object.fromEntries(noteOperationNames.map((op) => [op, handlerOf(op)])) as Pick<
    Handlers,
    NoteOperationName
  >),
  PING: () => {},
  LIST_NOTES: ({ line, person }, { world }) => world.tell(line, 'NOTES_INFO', world.list(person)),
  RELOAD_NOTES_FROM_REPO: (_, { world }) => world.tellLists(),
  GET_NOTE: join,
  RELOAD_NOTE: join,
  GET_HOME_NOTE: ({ line }, { world }) => world.tell(line, 'NOTE', {}),
  LIST_CONFIGURATIONS: ({ line }, { world }) =>
    world.tell(line, 'CONFIGURATIONS_INFO', { configurations: { isRevisionSupported: 'true' } }),
  NEW_NOTE: (request, parts) => {
    const { data, person } = request;
    const { world } = parts;
    const settings = [...world.interpreters.keys()];
    const note = createdNote(data, person.principal, settings, world.rules);
    opened(note, request, parts);
  },
  CLONE_NOTE: (request, parts) => {
    const { world } = parts;
    const copy = copiedNote(world.note(request.data.id), request.data.name, world.rules);
    opened(copy, request, parts);
  },
  IMPORT_NOTE: ({ data, line, person }, { world }) => {
    const note = world.add(importedNote(data.note, 'Imported note', world.rules), person.principal);
    world.tell(line, 'IMPORT_NOTE', { note: world.wire(note) });
    world.tellLists();
  },
  NOTE_UPDATE: ({ data, person }, parts) => {
    const { world } = parts;
    if (!data.config) throw new Refusal(400, 'NOTE_UPDATE: the field config is missing.');
    const note = world.note(data.id);
    const path = updatedPath(note, data.name);
    if (path !== undefined) {
      world.require(person, note.id, 'owner', 'rename');
      renameMemoryNote(note, path, parts);
    }
    world.make(note, settingsChange(note, data.config, world.rules));
    world.tellLists();
  },
  NOTE_RENAME: ({ data }, parts) => {
    const note = parts.world.note(data.id);
    renameMemoryNote(note, renamedPath(note, data, parts.world.rules), parts);
    parts.world.tellLists();
  },
  CANCEL_ALL_PARAGRAPHS: ({ noteId }, { world, runs }) => runs.cancelNote(world.note(noteId)),

  RUN_PARAGRAPH: (request, parts) =>
    reportConflict(request, parts, () => {
      const { data, noteId, person, msgId } = request;
      const { world, runs } = parts;
      const note = world.note(noteId);
      const paragraph = paragraphOf(note, data.id);
      const isLast = note.paragraphs.at(-1) === paragraph;
      const content = runnable(note, paragraph, data, person, parts);
      runs.start(note, paragraph.id, content, person.principal, msgId);
      const growth = isLast && runGrowth(note, paragraph, person.principal, world.rules);
      if (growth) world.make(note, growth);
    }),
  RUN_ALL_PARAGRAPHS: ({ data, noteId, person }, parts) => {
    const note = parts.world.note(noteId);
    const contents = runContents(note, data.paragraphs, parsed, (paragraph, content) =>
      runnable(note, paragraph, content, person, parts),
    );
    parts.runs.startNote(note, contents, person.principal);
  },
  CANCEL_PARAGRAPH: async ({ data, noteId }, { world, runs }) => {
    const note = world.note(noteId);
    const paragraph = paragraphOf(note, data.id);
    if (isRunning(paragraph.status)) await runs.cancel(paragraph);
    else world.tellParagraph(note, paragraph);
  },
  PARAGRAPH_REMOVE: ({ data, noteId }, parts) =>
    removeMemoryParagraph(parts.world.note(noteId), data.id, parts, data.rev),
  COMPLETION: async ({ data, noteId, line }, { world }) => {
    const { magic, script, scriptOffset } = splitMagic(data.buf);
    const settings = () =>
      world.settings().map(({ name }) => ({ name, value: name, meta: 'setting' }));
    const found = world.find(magic, world.note(noteId))?.[1];
    const completions =
      magic !== undefined && data.cursor < scriptOffset
        ? settings()
        : ((await found?.complete?.(script, Math.min(data.cursor - scriptOffset, script.length))) ??
          []);
    world.tell(line, 'COMPLETION_LIST', { id: data.id, completions: [...completions] });
  },
  EDITOR_SETTING: ({ data, line, noteId, person }, { world }) => {
    const magic = data.paragraphText === undefined ? data.magic : magicOf(data.paragraphText);
    const note = world.has(person, noteId, 'reader') ? world.notes.get(noteId) : undefined;
    const editor = note && world.find(magic || undefined, note)?.[1].editor;
    world.tell(line, 'EDITOR_SETTING', {
      paragraphId: data.paragraphId,
      editor: editor ?? { language: 'text', editOnDblClick: false },
    });
  },
  ...folderHandlers,
  ...presenceHandlers,
  ...revisionHandlers,
  GET_INTERPRETER_BINDINGS: ({ data, line }, { world }) =>
    world.tell(line, 'INTERPRETER_BINDINGS', {
      interpreterBindings: world.bindings(world.note(data.noteId)),
    }),
  SAVE_INTERPRETER_BINDINGS: ({ data }, { world }) =>
    bind(world.note(data.noteId), data.selectedSettingIds, world),
  GET_INTERPRETER_SETTINGS: ({ line }, { world }) =>
    world.tell(line, 'INTERPRETER_SETTINGS', { interpreterSettings: world.settings() }),
  LIST_NOTE_JOBS: ({ line, person }, { world }) => {
    Object.assign(line, { noteId: undefined, jobs: true });
    const jobs = [...world.notes.values()]
      .filter(({ id }) => world.has(person, id, 'reader'))
      .map((note) => world.job(note));
    world.tell(line, 'LIST_NOTE_JOBS', { noteJobs: { lastResponseUnixTime: Date.now(), jobs } });
  },
  UNSUBSCRIBE_UPDATE_NOTE_JOBS: ({ line }) => void (line.jobs = false),
};

/** Binds a note to interpreter settings; throws for an unknown one. */
export function bind(note: StoredNote, ids: readonly string[], world: World): void {
  const unknown = ids.find((id) => !world.interpreters.has(id));
  if (unknown !== undefined) throw new Refusal(400, `No such interpreter setting: ${unknown}`);
  note.bindings = [...new Set(ids)];
  world.tellNote(note.id, 'INTERPRETER_BINDINGS', { interpreterBindings: world.bindings(note) });
}
