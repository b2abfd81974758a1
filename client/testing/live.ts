/** The live operations of a memory server. */
import { splitMagic, magicOf } from '../model/magic.ts';
import { isTrashed, normalizePath, restoredPath, trashPath } from '../model/note-path.ts';
import { isRunning } from '../model/status.ts';
import { TRASH_FOLDER_ID, type Bag, type SentOp, type Sends } from '../protocol/index.ts';
import { TextConflict } from '../model/text-history.ts';
import { MemoryEditor, type Content } from './editor.ts';
import { left, tellTogether, togetherHandlers } from './together.ts';
import { revisionHandlers } from './revisions.ts';
import { MemoryRuns } from './runs.ts';
import {
  Refusal,
  type Line,
  type Person,
  type StoredNote,
  type StoredParagraph,
  type World,
} from './world.ts';

/** The parts of a memory server. */
export interface Parts {
  readonly world: World;
  readonly editor: MemoryEditor;
  readonly runs: MemoryRuns;
}

/** A live request. `noteId` is the note it concerns: named, else the connection's. */
export interface LiveRequest<Op extends SentOp = SentOp> {
  readonly data: Sends[Op];
  readonly line: Line;
  readonly person: Person;
  readonly msgId: string | undefined;
  readonly noteId: string;
}

/** Handlers by name of the operation. */
export type Handlers = {
  [Op in SentOp]?: (request: LiveRequest<Op>, parts: Parts) => void | Promise<void>;
};

function join(
  { line, data }: LiveRequest<'GET_NOTE' | 'RELOAD_NOTE'>,
  { world, runs }: Parts,
): void {
  const note = world.note(data.id);
  const before = line.noteId;
  Object.assign(line, { noteId: note.id, jobs: false });
  world.tell(line, 'NOTE', { note: world.wire(note) });
  if (before !== undefined && before !== note.id) left(world, line, before);
  if ([...world.lines].filter(({ noteId }) => noteId === note.id).length > 1)
    tellTogether(world, note.id);
  if (runs.isSequential(note)) world.tell(line, 'NOTE_RUNNING_STATUS', { status: true });
}

/** A text that does not merge: its author alone is told. */
export function orConflict(
  { line, noteId, msgId }: Pick<LiveRequest, 'line' | 'noteId' | 'msgId'>,
  { world }: Parts,
  act: () => void,
): void {
  try {
    act();
  } catch (error) {
    if (!(error instanceof TextConflict)) throw error;
    const {
      paragraph: { id, rev, text },
      baseText,
    } = error;
    world.tell(line, 'PARAGRAPH_CONFLICT', { id, noteId, rev, text, baseText }, msgId);
  }
}

/** Who may run but not write runs what is stored. */
function runnable(
  note: StoredNote,
  paragraph: StoredParagraph,
  content: Content,
  person: Person,
  { world }: Parts,
): Content {
  if (world.has(person, note.id, 'writer')) return content;
  if (content.paragraph !== undefined && content.paragraph !== paragraph.text)
    world.require(person, note.id, 'writer');
  return content.params ? { params: content.params } : {};
}

/** A copy under ids of its own. What runs in the source never ran in the copy. */
export function copyOf(source: StoredNote, name: string | undefined, { world }: Parts): StoredNote {
  const { id: _id, ...rest } = JSON.parse(JSON.stringify(source)) as StoredNote;
  const paragraphs = rest.paragraphs.map((each) => ({
    ...each,
    id: world.newParagraph().id,
    status: isRunning(each.status) ? ('READY' as const) : each.status,
  }));
  return {
    ...world.newNote(world.path(name?.trim() || `${source.name} copy`), paragraphs),
    config: rest.config,
    noteParams: rest.noteParams,
    noteForms: rest.noteForms,
  };
}

/** A note from a file. */
export function noteOfFile(raw: Bag, { world }: Parts): StoredNote {
  const { paragraphs } = raw;
  if (
    !Array.isArray(paragraphs) ||
    paragraphs.length === 0 ||
    paragraphs.some((each) => typeof each !== 'object' || each === null)
  ) {
    throw new Refusal(400, 'Invalid JSON');
  }
  const text = (key: string): string | undefined =>
    typeof raw[key] === 'string' && raw[key] !== '' ? raw[key] : undefined;
  const object = (key: string): Bag =>
    typeof raw[key] === 'object' && raw[key] !== null ? (raw[key] as Bag) : {};
  const note = world.newNote(
    world.path(text('path') ?? text('name') ?? 'Imported note'),
    (paragraphs as Partial<StoredParagraph>[]).map(({ id: _id, ...each }) =>
      world.newParagraph({
        ...each,
        ...(isRunning(each.status) ? { status: 'ABORT' as const } : {}),
      }),
    ),
  );
  return {
    ...note,
    config: { ...note.config, ...object('config') },
    noteParams: object('noteParams'),
    noteForms: object('noteForms') as StoredNote['noteForms'],
  };
}

function inFolder(folder: string, person: Person, { world }: Parts): StoredNote[] {
  const notes = [...world.notes.values()].filter(({ name }) =>
    name.startsWith(`${normalizePath(folder)}/`),
  );
  if (notes.length === 0) throw new Refusal(404, `No such folder: ${folder}`);
  for (const { id } of notes) world.require(person, id, 'owner');
  return notes;
}

function renameAll(
  notes: readonly StoredNote[],
  to: (name: string) => string,
  { world }: Parts,
): void {
  const names = notes.map(({ name }) => world.path(to(name)));
  for (const [at, note] of notes.entries()) {
    note.name = world.freeName(names[at]!, note);
    world.tellWhole(note);
  }
  world.tellLists();
}

const trashed = (person: Person, { world }: Parts) =>
  [...world.notes.values()].filter(
    ({ id, name }) => isTrashed(name) && world.has(person, id, 'owner'),
  );

/** Removes a note for good. */
export async function removeNote(note: StoredNote, { world, runs }: Parts): Promise<void> {
  await runs.cancelNote(note);
  world.notes.delete(note.id);
  world.permissions.delete(note.id);
  world.revisions.delete(note.id);
}

/** Stops a run, then removes its paragraph; the last one stays. */
export async function removeParagraph(
  note: StoredNote,
  id: string,
  { world, editor, runs }: Parts,
  rev?: number,
): Promise<void> {
  const paragraph = world.paragraph(note, id);
  const check = () => {
    if (rev !== undefined && paragraph.rev > rev)
      throw new Refusal(409, 'the paragraph was changed meanwhile');
  };
  check();
  if (note.paragraphs.length > 1) await runs.cancel(paragraph);
  check();
  editor.remove(note, id);
}

/** Clears every output of a note. */
export function clearNote(note: StoredNote, { world, editor, runs }: Parts): void {
  if (runs.isSequential(note)) throw new Refusal(409, 'the note is running');
  editor.clear(note.paragraphs);
  world.tellWhole(note);
}

function contentsOf(paragraphs: string | Bag[] | undefined): Bag[] {
  if (typeof paragraphs !== 'string') return paragraphs ?? [];
  let list: unknown;
  try {
    list = JSON.parse(paragraphs);
  } catch {
    throw new Refusal(400, 'paragraphs is not the JSON text of a list');
  }
  if (!Array.isArray(list)) throw new Refusal(400, 'paragraphs is not the JSON text of a list');
  return list.filter((entry): entry is Bag => typeof entry === 'object' && entry !== null);
}

/** Adds a note of somebody's: his, its connection's, and on every list. */
function opened(note: StoredNote, { line, person }: LiveRequest, { world }: Parts): void {
  world.add(note, person.principal);
  line.noteId = note.id;
  world.tell(line, 'NEW_NOTE', { note: world.wire(note) });
  world.tellLists();
}

/** By name of the operation; what is not here is refused by its name. */
export const liveHandlers: Handlers = {
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
    const note = world.newNote(data.name?.trim() ? world.path(data.name) : '', [
      world.newParagraph({ user: person.principal }),
    ]);
    const first = data.defaultInterpreterId ?? data.defaultInterpreterGroup;
    const ids = [...world.interpreters.keys()];
    if (first && ids.includes(first)) note.bindings = [first, ...ids.filter((id) => id !== first)];
    opened(note, request, parts);
  },
  CLONE_NOTE: (request, parts) =>
    opened(copyOf(parts.world.note(request.data.id), request.data.name, parts), request, parts),
  IMPORT_NOTE: ({ data, line, person }, parts) => {
    const note = parts.world.add(noteOfFile(data.note, parts), person.principal);
    parts.world.tell(line, 'IMPORT_NOTE', { note: parts.world.wire(note) });
    parts.world.tellLists();
  },
  DEL_NOTE: async ({ data }, parts) => {
    await removeNote(parts.world.note(data.id), parts);
    parts.world.tellLists();
  },
  REMOVE_FOLDER: async ({ data, person }, parts) => {
    for (const note of inFolder(data.id, person, parts)) await removeNote(note, parts);
    parts.world.tellLists();
  },
  NOTE_UPDATE: ({ data, person }, { world, editor }) => {
    if (!data.config) throw new Refusal(400, 'NOTE_UPDATE: config is missing');
    const note = world.note(data.id);
    const path = normalizePath(data.name ?? note.name);
    if (path !== '' && path !== note.name && !note.name.endsWith(`/${path}`)) {
      world.require(person, note.id, 'owner');
      editor.rename(note, path);
    }
    note.config = data.config;
    world.tellNote(note.id, 'NOTE_UPDATED', {
      name: note.name,
      config: note.config,
      info: note.info,
    });
    world.tellLists();
  },
  NOTE_RENAME: ({ data }, { world, editor }) => {
    const note = world.note(data.id);
    editor.rename(
      note,
      data.relative
        ? `${note.name.slice(0, note.name.lastIndexOf('/') + 1)}${data.name}`
        : data.name,
    );
    world.tellLists();
  },
  FOLDER_RENAME: ({ data, person }, parts) => {
    const [from, to] = [normalizePath(data.id), parts.world.path(data.name)];
    if (to.startsWith(`${from}/`)) throw new Refusal(400, 'a folder cannot move into itself');
    renameAll(inFolder(from, person, parts), (name) => to + name.slice(from.length), parts);
  },
  MOVE_NOTE_TO_TRASH: ({ data }, parts) =>
    renameAll([parts.world.note(data.id)], (name) => trashPath(name), parts),
  MOVE_FOLDER_TO_TRASH: ({ data, person }, parts) =>
    renameAll(inFolder(data.id, person, parts), (name) => `${TRASH_FOLDER_ID}/${name}`, parts),
  RESTORE_NOTE: ({ data }, parts) => {
    const note = parts.world.note(data.id);
    if (!isTrashed(note.name)) throw new Refusal(400, 'the note is not in the trash');
    renameAll([note], (name) => restoredPath(name), parts);
  },
  RESTORE_FOLDER: ({ data, person }, parts) => {
    const folder = normalizePath(data.id);
    if (!isTrashed(folder)) throw new Refusal(400, 'the folder is not in the trash');
    renameAll(
      inFolder(folder, person, parts),
      (name) => restoredPath(folder, 'folder') + name.slice(folder.length),
      parts,
    );
  },
  RESTORE_ALL: ({ person }, parts) =>
    renameAll(trashed(person, parts), (name) => restoredPath(name), parts),
  EMPTY_TRASH: async ({ person }, parts) => {
    for (const note of trashed(person, parts)) await removeNote(note, parts);
    parts.world.tellLists();
  },
  PARAGRAPH_CLEAR_ALL_OUTPUT: ({ data }, parts) => clearNote(parts.world.note(data.id), parts),
  CANCEL_ALL_PARAGRAPHS: ({ noteId }, { world, runs }) => runs.cancelNote(world.note(noteId)),

  COMMIT_PARAGRAPH: (request, parts) =>
    orConflict(request, parts, () => {
      const note = parts.world.note(request.noteId);
      const paragraph = parts.world.paragraph(note, request.data.id);
      parts.editor.apply(paragraph, request.data, request.person.principal);
      parts.world.tellParagraph(note, paragraph, request.msgId);
    }),
  RUN_PARAGRAPH: (request, parts) =>
    orConflict(request, parts, () => {
      const { data, noteId, person, msgId } = request;
      const note = parts.world.note(noteId);
      const paragraph = parts.world.paragraph(note, data.id);
      const last = note.paragraphs.at(-1) === paragraph;
      parts.runs.start(
        note,
        paragraph.id,
        runnable(note, paragraph, data, person, parts),
        person.principal,
        msgId,
      );
      // Running the last paragraph adds an empty one below.
      if (last && paragraph.text.trim() !== '')
        parts.editor.insert(note, note.paragraphs.length, { user: person.principal }, true);
    }),
  RUN_ALL_PARAGRAPHS: ({ data, noteId, person }, parts) => {
    const note = parts.world.note(noteId);
    const contents = new Map<string, Content>();
    const wanted = contentsOf(data.paragraphs);
    for (const entry of wanted) {
      const paragraph = note.paragraphs.find(({ id }) => id === entry['id']);
      if (!paragraph) continue;
      const {
        title,
        paragraph: text,
        config,
        params,
        baseRev,
        author,
        authorSeq,
      } = entry as Content;
      contents.set(
        paragraph.id,
        runnable(
          note,
          paragraph,
          { title, paragraph: text, config, params, baseRev, author, authorSeq },
          person,
          parts,
        ),
      );
    }
    if (wanted.length > 0 && contents.size === 0)
      throw new Refusal(404, 'none of these paragraphs is in the note');
    parts.runs.startNote(note, contents, person.principal);
  },
  CANCEL_PARAGRAPH: async ({ data, noteId }, { world, runs }) => {
    const note = world.note(noteId);
    const paragraph = world.paragraph(note, data.id);
    if (isRunning(paragraph.status)) await runs.cancel(paragraph);
    else world.tellParagraph(note, paragraph);
  },
  INSERT_PARAGRAPH: ({ data, noteId, person }, { world, editor }) =>
    void editor.insert(
      world.note(noteId),
      data.index,
      { user: person.principal, ...(data.config ? { config: data.config } : {}) },
      true,
    ),
  COPY_PARAGRAPH: ({ data, noteId, person, msgId }, { world, editor }) => {
    const note = world.note(noteId);
    const paragraph = editor.insert(note, data.index, {
      user: person.principal,
      text: data.paragraph ?? '',
      ...(data.title ? { title: data.title } : {}),
      ...(data.config ? { config: data.config } : {}),
      settings: { params: data.params ?? {}, forms: {} },
    });
    world.tellParagraph(note, paragraph, msgId);
  },
  MOVE_PARAGRAPH: ({ data, noteId }, { world, editor }) =>
    editor.move(world.note(noteId), data.id, data.index),
  PARAGRAPH_REMOVE: ({ data, noteId }, parts) =>
    removeParagraph(parts.world.note(noteId), data.id, parts, data.rev),
  PARAGRAPH_CLEAR_OUTPUT: ({ data, noteId, msgId }, { world, editor }) => {
    const note = world.note(noteId);
    const paragraph = world.paragraph(note, data.id);
    if (isRunning(paragraph.status)) throw new Refusal(409, 'the paragraph is running');
    editor.clear([paragraph]);
    world.tellParagraph(note, paragraph, msgId);
  },
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
  SAVE_NOTE_FORMS: ({ data }, { world }) => {
    const note = world.note(data.noteId);
    note.noteParams = data.noteParams;
    world.tellNote(note.id, 'SAVE_NOTE_FORMS', {
      formsData: { params: note.noteParams, forms: note.noteForms },
    });
  },
  REMOVE_NOTE_FORMS: ({ data }, { world }) => {
    const note = world.note(data.noteId);
    const without = <V>(values: Record<string, V>) =>
      Object.fromEntries(Object.entries(values).filter(([name]) => name !== data.formName));
    Object.assign(note, {
      noteForms: without(note.noteForms),
      noteParams: without(note.noteParams),
    });
    world.tellNote(note.id, 'SAVE_NOTE_FORMS', {
      formsData: { params: note.noteParams, forms: note.noteForms },
    });
  },

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
  ...togetherHandlers,
};

/** Binds a note to settings; refuses one that is not there. */
export function bind(note: StoredNote, ids: readonly string[], world: World): void {
  const unknown = ids.find((id) => !world.interpreters.has(id));
  if (unknown !== undefined) throw new Refusal(400, `No such interpreter setting: ${unknown}`);
  note.bindings = [...new Set(ids)];
  world.tellNote(note.id, 'INTERPRETER_BINDINGS', { interpreterBindings: world.bindings(note) });
}
