import type { CallOptions } from '../core/abort.ts';
import { requireNoteName, TidingError } from '../core/errors.ts';
import { requireKnown } from '../core/known-options.ts';
import { isZeppelin } from '../core/server-support.ts';
import type { NoteEntry } from '../core/state.ts';
import {
  isTrashed,
  newNoteBody,
  normalizePath,
  notePath,
  restoredPath,
} from '../model/notes/note-path.ts';
import { TRASH_FOLDER_ID } from '../protocol/constants.ts';
import type {
  JsonObject,
  Note,
  NoteInfo,
  ReceivedMessage,
  SearchResult,
  Sends,
  SentOp,
} from '../protocol/index.ts';
import { ClientArea } from '../session/client-area.ts';
import type { NoteFormat } from './note-file.ts';
import { atPath, freePathIn, inFolder, pathOf } from './note-lookup.ts';

const conversion = () => import('./file-conversion.ts');

/** Options of a new note. */
export interface NewNote {
  /** Full path with folders separated by `/`. If blank, the server chooses a name. */
  path?: string;
  /** Id of the interpreter setting to use as the note's default. */
  interpreter?: string;
  /**
   * What happens if there is a note with this path. Default: the server refuses. `number`: appends
   * the next free number. `fail`: rejects with `conflict`. `existing`: returns the id of that note.
   */
  onConflict?: 'number' | 'fail' | 'existing';
}

/**
 * The list of notes, and operations on notes and folders that need no open note. Every method takes
 * a signal and a time limit (default 15 s).
 *
 * @example
 * const notes = await client.notes.list();
 * const id = await client.notes.create({ path: 'Reports/Weekly' });
 * const note = await client.open(id);
 */
export class NotesApi extends ClientArea {
  /**
   * Returns the notes that the user may read, including those in the trash, and keeps
   * `client.state.notes` up to date from now on.
   */
  async list(options: CallOptions = {}): Promise<readonly NoteEntry[]> {
    return this.#lists('LIST_NOTES', {}, () => true, options);
  }

  /** Makes the server read its storage again, for notes that changed on disk. */
  async reload(options: CallOptions = {}): Promise<readonly NoteEntry[]> {
    return this.#lists('RELOAD_NOTES_FROM_REPO', {}, () => true, options);
  }

  /** Creates a note, which its creator trusts, and returns its id. Does not open it. */
  async create(init: NewNote = {}, options: CallOptions = {}): Promise<string> {
    requireKnown(init, ['path', 'interpreter', 'onConflict'], 'NEW_NOTE');
    const { path, interpreter, onConflict } = init;
    const taken = path && onConflict ? atPath(await this.list(options), path) : undefined;
    if (taken && onConflict === 'existing') return taken.id;
    if (taken && onConflict === 'fail')
      throw new TidingError('conflict', `There is already a note '${taken.path}'.`, {
        operation: 'NEW_NOTE',
      });
    const name = taken ? freePathIn(this.context.store.get().notes, taken.path) : path;
    const channel = await this.context.lobby();
    const id = await channel.request(
      'NEW_NOTE',
      {
        ...(name === undefined ? {} : { name }),
        ...(interpreter
          ? { defaultInterpreterId: interpreter, defaultInterpreterGroup: interpreter }
          : {}),
      },
      (message) => message.op === 'NEW_NOTE' && message.data.note.id,
      { matchId: true, ...options },
    );
    // A gateway can't see who creates a note of the Zeppelin behind it. The note exists either way.
    if (this.context.store.get().server?.gatewayCalls)
      await this.context
        .call('setTrust', { ...options, params: { noteId: id }, body: { trusted: true } })
        .catch(() => {});
    return id;
  }

  /**
   * Imports a note in Zeppelin's format (`.json`, `.zpln`) or Jupyter's (`.ipynb`) and returns its
   * id. Use `readNoteFile` for other files. `path` replaces its name. If `source` is invalid,
   * rejects with 'JSON parse exception' or 'Invalid JSON' (specification) without sending anything.
   */
  async importNote(
    source: string | JsonObject,
    path?: string,
    options: CallOptions = {},
  ): Promise<string> {
    const note = await (await conversion()).noteToImport(source);
    const id = await this.context.call('importNote', {
      ...options,
      body: path ? { ...note, name: path, path: undefined } : note,
    });
    // Apache Zeppelin does not announce notes that were imported over REST, so a displayed list is
    // requested again.
    const { notes } = this.context.store.get();
    if (notes && isZeppelin(this.context) && !notes.some((entry) => entry.id === id))
      await this.list(options).catch(() => {});
    return id;
  }

  /**
   * Imports a note over the live channel, for clients without access to REST. Prefer
   * {@link NotesApi.importNote}. Servers before 0.12 don't return the new id; it is found by
   * comparing the lists before and after.
   */
  async importLive(source: JsonObject, options: CallOptions = {}): Promise<string> {
    const note = await (await conversion()).noteToImport(source);
    const channel = await this.context.lobby();
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

  /**
   * Loads the server's settings into the state (`configurations`), for example the maximum message
   * size, and returns them.
   */
  async configurations(options: CallOptions = {}): Promise<JsonObject> {
    const channel = await this.context.lobby();
    return channel.request(
      'LIST_CONFIGURATIONS',
      {},
      (message) => message.op === 'CONFIGURATIONS_INFO' && message.data.configurations,
      options,
    );
  }

  /**
   * Searches names and texts of notes. Returns at most 20 results; see {@link SearchResult} for the
   * highlighting and for what is not escaped.
   */
  search(query: string, options: CallOptions = {}): Promise<readonly SearchResult[]> {
    return this.context.call('searchNotes', { ...options, query: { q: query } });
  }

  /** Returns the home note, or `undefined` if the server has none. */
  async home(options: CallOptions = {}): Promise<Note | undefined> {
    const channel = await this.context.lobby();
    const answer = await channel.request(
      'GET_HOME_NOTE',
      {},
      (message) => message.op === 'NOTE' && { note: message.data.note },
      { matchId: true, ...options },
    );
    return answer.note;
  }

  /**
   * Returns a note by its full path. Needs a server of version 0.11 or later; before that, find the
   * note in the list.
   */
  byPath(path: string, options: CallOptions = {}): Promise<Note> {
    return this.context.call('getNoteByPath', {
      ...options,
      body: { notePath: `/${normalizePath(path)}` },
    });
  }

  /** Returns a note as it is on the server, without opening it. */
  get(id: string, options: CallOptions = {}): Promise<Note> {
    return this.context.call('getNote', { ...options, params: { noteId: id } });
  }

  /**
   * Returns a note as text: JSON in Zeppelin's format (default), a Jupyter notebook, a Python
   * script or Markdown without results. All but scripts and Markdown include the images that the
   * note shows. `renderPage` of `@tiding/elements/snapshot` makes an HTML file of the JSON.
   */
  async export(
    id: string,
    { format = 'zpln', ...call }: CallOptions & { format?: NoteFormat } = {},
  ): Promise<string> {
    const known: readonly string[] = ['zpln', 'json', 'ipynb', 'py', 'md'];
    if (!known.includes(format))
      throw new TidingError(
        'protocol',
        `There is no format '${format}': use ${known.join(', ')}.`,
        {
          operation: 'exportNote',
        },
      );
    const text = await this.context.call('exportNote', { ...call, params: { noteId: id } });
    const path = this.context.store.get().notes?.find((note) => note.id === id)?.path;
    return (await conversion()).exportAs(this.context, { id, text, path, format }, call);
  }

  /**
   * Finds a note by its id or its full path. Rejects with `not-found` if there is none that the
   * user may read.
   */
  async find(idOrPath: string, options: CallOptions = {}): Promise<NoteEntry> {
    requireNoteName(idOrPath, 'find');
    const byId = ({ id }: NoteEntry): boolean => id === idOrPath;
    const known = (await this.#listed(options)).find(byId);
    if (known) return known;
    const notes = await this.list(options);
    const found = notes.find(byId) ?? atPath(notes, idOrPath);
    if (found) return found;
    throw new TidingError('not-found', `There is no note '${idOrPath}'.`, { operation: 'find' });
  }

  /**
   * Renames a note to a new full path. Does nothing if the path is blank or unchanged
   * (specification).
   */
  async rename(id: string, path: string, options: CallOptions = {}): Promise<void> {
    const name = normalizePath(path.trim());
    if (
      name === '' ||
      this.context.store.get().notes?.some((note) => note.id === id && note.path === name)
    )
      return;
    await this.#lists(
      'NOTE_RENAME',
      { id, name: this.#wirePath(name) },
      (notes) => pathOf(notes, id) === name,
      options,
    );
  }

  /** Clones a note and returns the id of the copy. The note need not be open. */
  clone(id: string, path: string, options: CallOptions = {}): Promise<string> {
    return this.context.call('cloneNote', {
      ...options,
      params: { noteId: id },
      body: newNoteBody(this.#wirePath(path)),
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

  /** Moves a note out of the trash. If its path is taken, a number is appended. */
  async restore(id: string, options: CallOptions = {}): Promise<void> {
    await this.context.ready();
    if (isZeppelin(this.context)) {
      const notes = await this.#listed(options);
      const path = restoredPath(pathOf(notes, id) ?? '');
      const free = freePathIn(notes, path, id);
      // Apache Zeppelin would refuse the taken path.
      if (free !== path) return this.rename(id, free, options);
    }
    await this.#lists(
      'RESTORE_NOTE',
      { id },
      (notes) => !isTrashed(pathOf(notes, id) ?? TRASH_FOLDER_ID),
      options,
    );
  }

  /** Deletes a note permanently. */
  async remove(id: string, options: CallOptions = {}): Promise<void> {
    await this.#lists('DEL_NOTE', { id }, (notes) => pathOf(notes, id) === undefined, options);
  }

  /** Clears the output of every paragraph of a note. The note need not be open. */
  async clear(id: string, options: CallOptions = {}): Promise<void> {
    await this.context.call('clearNote', { ...options, params: { noteId: id } });
  }

  /**
   * Renames a folder. If the target exists, the folders are merged: a number is appended to the
   * paths that both have.
   */
  async renameFolder(folder: string, to: string, options: CallOptions = {}): Promise<void> {
    const target = normalizePath(to);
    const from = normalizePath(folder);
    if (await this.#replaces(target, options))
      return this.#eachIn(from, ({ id, path }) => {
        const { notes } = this.context.store.get();
        return this.rename(id, freePathIn(notes, target + path.slice(from.length), id), options);
      });
    await this.#lists(
      'FOLDER_RENAME',
      { id: folder, name: target },
      (notes) => !inFolder(notes, folder),
      options,
    );
  }

  /** Moves a folder with all its notes to the trash. */
  async trashFolder(folder: string, options: CallOptions = {}): Promise<void> {
    await this.#leaves('MOVE_FOLDER_TO_TRASH', folder, options);
  }

  /** Moves a folder out of the trash. `folder` starts with the trash folder's id. */
  async restoreFolder(folder: string, options: CallOptions = {}): Promise<void> {
    if (await this.#replaces(restoredPath(folder, 'folder'), options))
      return this.#eachIn(folder, ({ id }) => this.restore(id, options));
    await this.#leaves('RESTORE_FOLDER', folder, options);
  }

  /** Permanently deletes a folder and its notes. */
  async removeFolder(folder: string, options: CallOptions = {}): Promise<void> {
    await this.#leaves('REMOVE_FOLDER', folder, options);
  }

  /** Moves everything out of the trash. */
  async restoreAll(options: CallOptions = {}): Promise<void> {
    await this.context.ready();
    await this.#listed(options);
    // Apache Zeppelin moves whole folders, even empty ones, and overwrites folders with the same
    // name.
    if (isZeppelin(this.context))
      return this.#eachIn(TRASH_FOLDER_ID, ({ id }) => this.restore(id, options));
    await this.#lists('RESTORE_ALL', {}, (notes) => !inFolder(notes, TRASH_FOLDER_ID), options);
  }

  /** Permanently deletes everything in the trash, except notes that the user does not own. */
  async emptyTrash(options: CallOptions = {}): Promise<void> {
    await this.#lists('EMPTY_TRASH', {}, () => true, options);
  }

  async #listed(options: CallOptions): Promise<readonly NoteEntry[]> {
    return this.context.store.get().notes ?? this.list(options);
  }

  /**
   * Whether moving a folder to `target` would overwrite an existing folder and lose its notes.
   * Apache Zeppelin does so; a Tiding server merges the folders.
   */
  async #replaces(target: string, options: CallOptions): Promise<boolean> {
    await this.context.ready();
    return (
      isZeppelin(this.context) &&
      (await this.#listed(options)).some(({ path }) => path.startsWith(`${target}/`))
    );
  }

  /**
   * Moves the notes of a folder one by one. Notes that can't be moved stay; throws the first error
   * at the end.
   */
  async #eachIn(folder: string, move: (note: NoteEntry) => Promise<void>): Promise<void> {
    const failures: unknown[] = [];
    const inside = `${normalizePath(folder)}/`;
    for (const note of this.context.store.get().notes ?? [])
      if (note.path.startsWith(inside))
        await move(note).catch((error: unknown) => failures.push(error));
    if (failures.length > 0) throw failures[0];
  }

  /** Sends an operation and waits for the note list that shows its effect. */
  async #lists<Op extends SentOp>(
    op: Op,
    data: Sends[Op],
    done: (notes: readonly NoteInfo[]) => boolean,
    options: CallOptions,
  ): Promise<readonly NoteEntry[]> {
    if ('id' in data) requireNoteName(data.id, op);
    const channel = await this.context.lobby();
    const match = (message: ReceivedMessage) =>
      message.op === 'NOTES_INFO' && done(message.data.notes) && message.data.notes;
    const notes = await channel.request(op, data, match, options);
    return notes.map((note) => ({ id: note.id, path: notePath(note) }));
  }

  /** Resolves when no listed note is in the folder any more. */
  async #leaves(
    op: 'MOVE_FOLDER_TO_TRASH' | 'RESTORE_FOLDER' | 'REMOVE_FOLDER',
    folder: string,
    options: CallOptions,
  ): Promise<void> {
    await this.#lists(op, { id: folder }, (notes) => !inFolder(notes, folder), options);
  }

  #wirePath(path: string): string {
    const isB = this.context.store.get().server?.generation === 'B';
    return `${isB ? '/' : ''}${normalizePath(path)}`;
  }
}
