/** The list of notes: create, import, rename, clone, trash, restore, remove; and folders. */
import type { Received } from '../channel/decode.ts';
import type { CallOptions } from '../core/abort.ts';
import type { Context } from '../context.ts';
import { TidingError } from '../errors.ts';
import { isTrashed, newPathOf, normalizePath, notePath, restoredPath } from '../model/note-path.ts';
import { TRASH_FOLDER_ID } from '../protocol/constants.ts';
import type {
  Bag,
  Note,
  NoteEntry as WireEntry,
  SearchResult,
  SentOp,
  Sends,
} from '../protocol/index.ts';
import type { NoteEntry } from '../state.ts';

/** What a new note may start with. */
export interface NewNote {
  /** Whole path, folders separated by `/`. Blank: the server names it. */
  path?: string;
  /** Id of an interpreter setting that becomes the note's default. */
  interpreter?: string;
}

/** The list of notes. Every call takes a signal and a time limit (default 15 s). */
export class Notes {
  readonly #context: Context;

  /** @internal */
  constructor(context: Context) {
    this.#context = context;
  }

  /** The notes the user may read, trashed ones included. Subscribes the client's state to the list as it changes. */
  async list(options: CallOptions = {}): Promise<readonly NoteEntry[]> {
    return this.#lists('LIST_NOTES', {}, () => true, options);
  }

  /** Reads the storage again, for notes that changed on disk. */
  async reload(options: CallOptions = {}): Promise<readonly NoteEntry[]> {
    return this.#lists('RELOAD_NOTES_FROM_REPO', {}, () => true, options);
  }

  /** Makes a note and returns its id. It is not opened. */
  async create(init: NewNote = {}, options: CallOptions = {}): Promise<string> {
    const { path, interpreter } = init;
    const channel = await this.#context.lobby();
    return channel.request(
      'NEW_NOTE',
      {
        ...(path === undefined ? {} : { name: path }),
        ...(interpreter
          ? { defaultInterpreterId: interpreter, defaultInterpreterGroup: interpreter }
          : {}),
      },
      (message) => (message.op === 'NEW_NOTE' ? message.data.note.id : undefined),
      { exact: true, ...options },
    );
  }

  /**
   * Imports a note in the format of this family (`.json`, `.zpln`) and returns its id. `path` replaces its name.
   * Rejects before anything is sent with 'JSON parse exception' or 'Invalid JSON' (specification).
   */
  async importNote(
    source: string | Bag,
    path?: string,
    options: CallOptions = {},
  ): Promise<string> {
    const note = typeof source === 'string' ? parseNote(source) : source;
    if (!Array.isArray(note['paragraphs']) || note['paragraphs'].length === 0)
      throw new TidingError('protocol', 'Invalid JSON');
    const id = await this.#context.call('importNote', {
      ...options,
      body: path ? { ...note, name: path, path: undefined } : note,
    });
    // Upstream tells nobody of a note that came over REST: the list that is shown is asked for again.
    const { server, notes } = this.#context.store.get();
    if (notes && server?.tiding === undefined && !notes.some((entry) => entry.id === id))
      await this.list(options).catch(() => {});
    return id;
  }

  /**
   * Imports over the live channel, where REST is out of reach; {@link Notes.importNote} is the better way. Before 0.12 a
   * server does not tell the new id: it is the one that the list did not have.
   */
  async importLive(note: Bag, options: CallOptions = {}): Promise<string> {
    if (!Array.isArray(note['paragraphs']) || note['paragraphs'].length === 0)
      throw new TidingError('protocol', 'Invalid JSON');
    const channel = await this.#context.lobby();
    const known = new Set((await this.list(options)).map(({ id }) => id));
    const path = normalizePath(typeof note['name'] === 'string' ? note['name'] : '');
    return channel.request(
      'IMPORT_NOTE',
      { note },
      (message) => {
        if (message.op === 'IMPORT_NOTE') return message.data.note?.id;
        if (message.op !== 'NOTES_INFO') return undefined;
        return message.data.notes.find(
          (entry) => !known.has(entry.id) && (path === '' || notePath(entry) === path),
        )?.id;
      },
      options,
    );
  }

  /** The server's settings, for example the largest message it takes; also in the client's state. */
  async configurations(options: CallOptions = {}): Promise<Bag> {
    const channel = await this.#context.lobby();
    return channel.request(
      'LIST_CONFIGURATIONS',
      {},
      (message) => (message.op === 'CONFIGURATIONS_INFO' ? message.data.configurations : undefined),
      options,
    );
  }

  /** Hits in names and texts, at most 20; see {@link SearchResult} for what is marked and what is not escaped. */
  search(query: string, options: CallOptions = {}): Promise<readonly SearchResult[]> {
    return this.#context.call('searchNotes', { ...options, query: { q: query } });
  }

  /** The home note, where the server has one set. */
  async home(options: CallOptions = {}): Promise<Note | undefined> {
    const channel = await this.#context.lobby();
    const answer = await channel.request(
      'GET_HOME_NOTE',
      {},
      (message) => (message.op === 'NOTE' ? { note: message.data.note } : undefined),
      { exact: true, ...options },
    );
    return answer.note;
  }

  /** A note by its whole path. Since 0.11; before, look it up in the list. */
  byPath(path: string, options: CallOptions = {}): Promise<Note> {
    return this.#context.call('getNoteByPath', {
      ...options,
      body: { notePath: `/${normalizePath(path)}` },
    });
  }

  /** A note as the server has it, without opening it. */
  get(id: string, options: CallOptions = {}): Promise<Note> {
    return this.#context.call('getNote', { ...options, params: { noteId: id } });
  }

  /** The note as JSON text in the format of this family. */
  export(id: string, options: CallOptions = {}): Promise<string> {
    return this.#context.call('exportNote', { ...options, params: { noteId: id } });
  }

  /** Renames to a whole new path. Ignored when blank or unchanged (specification). */
  async rename(id: string, path: string, options: CallOptions = {}): Promise<void> {
    const name = normalizePath(path.trim());
    if (
      name === '' ||
      this.#context.store.get().notes?.some((note) => note.id === id && note.path === name)
    )
      return;
    await this.#lists(
      'NOTE_RENAME',
      { id, name: this.#wirePath(name) },
      (notes) => pathOf(notes, id) === name,
      options,
    );
  }

  /** Clones a note, open or not, and returns the id of the copy. */
  clone(id: string, path: string, options: CallOptions = {}): Promise<string> {
    return this.#context.call('cloneNote', {
      ...options,
      params: { noteId: id },
      body: newPathOf(this.#wirePath(path)),
    });
  }

  /** Moves a note to the trash. */
  async trash(id: string, options: CallOptions = {}): Promise<void> {
    await this.#lists(
      'MOVE_NOTE_TO_TRASH',
      { id },
      (notes) => isTrashed(pathOf(notes, id) ?? ''),
      options,
    );
  }

  /** Takes a note out of the trash. */
  async restore(id: string, options: CallOptions = {}): Promise<void> {
    await this.#lists(
      'RESTORE_NOTE',
      { id },
      (notes) => !isTrashed(pathOf(notes, id) ?? TRASH_FOLDER_ID),
      options,
    );
  }

  /** Removes a note for good. */
  async remove(id: string, options: CallOptions = {}): Promise<void> {
    await this.#lists('DEL_NOTE', { id }, (notes) => pathOf(notes, id) === undefined, options);
  }

  /** Clears the output of every paragraph of a note, open or not. */
  async clear(id: string, options: CallOptions = {}): Promise<void> {
    await this.#context.call('clearNote', { ...options, params: { noteId: id } });
  }

  /** Renames a folder; onto one that exists, the two merge. */
  async renameFolder(folder: string, to: string, options: CallOptions = {}): Promise<void> {
    const target = normalizePath(to);
    const from = normalizePath(folder);
    if (await this.#replaces(target, options))
      return this.#eachIn(from, ({ id, path }) =>
        this.rename(id, target + path.slice(from.length), options),
      );
    await this.#lists(
      'FOLDER_RENAME',
      { id: folder, name: target },
      (notes) => !inFolder(notes, folder),
      options,
    );
  }

  /** Moves a folder with all its notes to the trash. */
  async trashFolder(folder: string, options: CallOptions = {}): Promise<void> {
    await this.#lists(
      'MOVE_FOLDER_TO_TRASH',
      { id: folder },
      (notes) => !inFolder(notes, folder),
      options,
    );
  }

  /** Takes a folder out of the trash; `folder` starts with the trash folder's id. */
  async restoreFolder(folder: string, options: CallOptions = {}): Promise<void> {
    if (await this.#replaces(restoredPath(folder, 'folder'), options))
      return this.#eachIn(folder, ({ id }) => this.restore(id, options));
    await this.#lists(
      'RESTORE_FOLDER',
      { id: folder },
      (notes) => !inFolder(notes, folder),
      options,
    );
  }

  /** Removes a folder and its notes for good. */
  async removeFolder(folder: string, options: CallOptions = {}): Promise<void> {
    await this.#lists(
      'REMOVE_FOLDER',
      { id: folder },
      (notes) => !inFolder(notes, folder),
      options,
    );
  }

  /** Takes everything out of the trash. */
  async restoreAll(options: CallOptions = {}): Promise<void> {
    await this.#context.ready();
    await this.#listed(options);
    // A Zeppelin moves whole folders, empty ones too, in the place of those that are there.
    if (this.#context.store.get().server?.tiding === undefined)
      return this.#eachIn(TRASH_FOLDER_ID, ({ id }) => this.restore(id, options));
    await this.#lists('RESTORE_ALL', {}, (notes) => !inFolder(notes, TRASH_FOLDER_ID), options);
  }

  /** Removes what is in the trash for good; notes the user does not own stay. */
  async emptyTrash(options: CallOptions = {}): Promise<void> {
    await this.#lists('EMPTY_TRASH', {}, () => true, options);
  }

  async #listed(options: CallOptions): Promise<readonly NoteEntry[]> {
    return this.#context.store.get().notes ?? this.list(options);
  }

  /** Whether a folder that is moved to `target` would take the place of one there, and the notes in that be lost: a Zeppelin does so, ours merges them. */
  async #replaces(target: string, options: CallOptions): Promise<boolean> {
    await this.#context.ready();
    return (
      this.#context.store.get().server?.tiding === undefined &&
      (await this.#listed(options)).some(({ path }) => path.startsWith(`${target}/`))
    );
  }

  /** Moves the notes of a folder one by one; those that cannot be stay, and the first of these says why. */
  async #eachIn(folder: string, move: (note: NoteEntry) => Promise<void>): Promise<void> {
    const failures: unknown[] = [];
    for (const note of (this.#context.store.get().notes ?? []).filter(({ path }) =>
      path.startsWith(`${normalizePath(folder)}/`),
    )) {
      await move(note).catch((error: unknown) => failures.push(error));
    }
    if (failures.length > 0) throw failures[0];
  }

  /** Sends an operation whose answer is the list in which it has taken effect. */
  async #lists<Op extends SentOp>(
    op: Op,
    data: Sends[Op],
    done: (notes: readonly WireEntry[]) => boolean,
    options: CallOptions,
  ): Promise<readonly NoteEntry[]> {
    const channel = await this.#context.lobby();
    const match = (message: Received) =>
      message.op === 'NOTES_INFO' && done(message.data.notes) ? message.data.notes : undefined;
    const notes = await channel.request(op, data, match, options);
    return notes.map((note) => ({ id: note.id, path: notePath(note) }));
  }

  #wirePath(path: string): string {
    return this.#context.store.get().server?.generation === 'B'
      ? `/${normalizePath(path)}`
      : normalizePath(path);
  }
}

/** Reads a note file: JSON with an optional byte-order mark. */
export function parseNote(text: string): Bag {
  let note: unknown;
  try {
    note = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (cause) {
    throw new TidingError('protocol', 'JSON parse exception', { cause });
  }
  if (typeof note !== 'object' || note === null || Array.isArray(note))
    throw new TidingError('protocol', 'Invalid JSON');
  return note as Bag;
}

function pathOf(notes: readonly WireEntry[], id: string): string | undefined {
  const entry = notes.find((note) => note.id === id);
  return entry && notePath(entry);
}

function inFolder(notes: readonly WireEntry[], folder: string): boolean {
  const prefix = `${normalizePath(folder)}/`;
  return notes.some((note) => notePath(note).startsWith(prefix));
}
