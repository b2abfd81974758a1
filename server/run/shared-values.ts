/**
 * Stores values that pages of notes share with the code of their interpreters. A value belongs to a
 * paragraph, to a note, or globally to all notes that an interpreter serves. The first two are
 * stored in the note. Global values are in a separate file, because an imported note must not set
 * values of other notes.
 *
 * A name is unique among the values of a note, and among those of each of its paragraphs. The last
 * binding wins.
 */
import { join } from 'node:path';
import { isSameJson } from '@tiding/client/model';
import {
  addValue,
  changeValues,
  findValue,
  type GroupedValue,
  isValueOf,
  type SharedObject,
  valuesIn,
} from '@tiding/client/notebook';
import type { ActingUser } from '../auth/permissions.ts';
import { Refusal, storageFailure } from '../base/errors.ts';
import type { Hub, LiveConnection } from '../hub/hub.ts';
import type { NoteEditor } from '../notes/editor.ts';
import type { StoredNote } from '../notes/note.ts';
import type { NoteRepository } from '../notes/repository.ts';
import { SharedList } from '../storage/files.ts';
import type { InterpreterPool } from './pool.ts';

/** Scope of a value: a paragraph, or the whole note if `paragraphId` is absent. */
interface ValueScope {
  readonly note: StoredNote;
  readonly paragraphId?: string | undefined;
}

interface Services {
  hub: Hub;
  editor: NoteEditor;
  notes: NoteRepository;
  pool: InterpreterPool;
}

interface GlobalObject {
  readonly group: string;
  readonly name: string;
  readonly object: unknown;
}

/** Group of the values that pages bind. */
export const PAGE_GROUP = 'page:shared_process';
/** Maximum size of a value bound by code, in bytes of JSON; templates accept no more. */
export const MAX_VALUE_BYTES = 64_000;
/**
 * Maximum total size of the values of a note that code adds to, and of an interpreter's global
 * values, in bytes of JSON.
 */
const MAX_VALUES_BYTES = 2 ** 20;

function checkSize(all: unknown, what: string): void {
  if (Buffer.byteLength(JSON.stringify(all)) > MAX_VALUES_BYTES)
    throw new Refusal(
      413,
      `${what} may have at most ${MAX_VALUES_BYTES} bytes of JSON in total. Remove some first.`,
    );
}

/** Stores shared values and sends their changes to viewers. */
export class SharedValues {
  readonly #globals: SharedList<GlobalObject>;
  readonly #services: Services;

  private constructor(folder: string, services: Services) {
    this.#globals = new SharedList(join(folder, 'shared-values.json'), 'values');
    this.#services = services;
  }

  /** Loads the global values from the data folder. */
  static async open(folder: string, services: Services): Promise<SharedValues> {
    const values = new SharedValues(folder, services);
    await values.#globals.refresh();
    return values;
  }

  /** Finds a value and where it is stored. If several groups have the name, the last one wins. */
  find({ note, paragraphId }: ValueScope, name: string): GroupedValue | undefined {
    return findValue(note, name, paragraphId);
  }

  findGlobal(group: string, name: string): { object: unknown } | undefined {
    return this.#globals.items.find((entry) => entry.group === group && entry.name === name);
  }

  /**
   * Stores a value and sends it to all viewers of the note except `except`. With `limited`, throws
   * if the note has no room for it.
   */
  async put(
    { note, paragraphId }: ValueScope,
    group: string,
    name: string,
    object: unknown,
    { except, limited = false }: { except?: LiveConnection; limited?: boolean } = {},
  ): Promise<void> {
    // Object keys from outside must not pollute prototypes.
    if (group === '__proto__') throw new Refusal(400, `No such group of values: ${group}`);
    const entry: SharedObject = {
      name,
      noteId: note.id,
      ...(paragraphId === undefined ? {} : { paragraphId }),
      object,
    };
    await this.#services.editor.change(note, [], () => {
      const angularObjects = addValue(this.#without(note, name, paragraphId), { group, entry });
      if (limited) checkSize(angularObjects, 'The values of this note');
      note.angularObjects = angularObjects;
    });
    this.#services.hub.broadcastToNote(
      note.id,
      'ANGULAR_OBJECT_UPDATE',
      { angularObject: entry, interpreterGroupId: group, noteId: note.id, paragraphId },
      except ? { except } : {},
    );
  }

  /** Removes a value; a global value of the same name becomes visible again. */
  async remove({ note, paragraphId }: ValueScope, name: string): Promise<void> {
    await this.#services.editor.change(
      note,
      [],
      () => (note.angularObjects = this.#without(note, name, paragraphId)),
    );
    this.#services.hub.broadcastToNote(note.id, 'ANGULAR_OBJECT_REMOVE', {
      name,
      noteId: note.id,
      paragraphId,
    });
    if (paragraphId === undefined)
      for (const entry of this.#globals.items)
        if (entry.name === name) this.#sendGlobal(entry, { only: note.id });
  }

  #without(
    note: StoredNote,
    name: string,
    paragraphId: string | undefined,
  ): StoredNote['angularObjects'] {
    return changeValues(note.angularObjects, (entry) =>
      isValueOf(entry, name, paragraphId) ? undefined : entry,
    );
  }

  /** Stores a global value and sends it to all viewers who can see it except `except`. */
  async putGlobal(
    group: string,
    name: string,
    object: unknown,
    except?: LiveConnection,
  ): Promise<void> {
    const entry: GlobalObject = { group, name, object };
    await this.#change((all) => {
      const rest = all.filter((known) => known.group !== group || known.name !== name);
      checkSize(
        [...rest.filter((known) => known.group === group), entry],
        'The values that this interpreter shares with all notes',
      );
      return [...rest, entry];
    });
    this.#sendGlobal(entry, except ? { except } : {});
  }

  /** Removes a global value and notifies the viewers who could see it. */
  async removeGlobal(group: string, name: string): Promise<void> {
    await this.#change((all) =>
      all.some((entry) => entry.group === group && entry.name === name)
        ? all.filter((entry) => entry.group !== group || entry.name !== name)
        : all,
    );
    for (const { connection, note } of this.#audience(group, name))
      this.#services.hub.send(connection, 'ANGULAR_OBJECT_REMOVE', { name, noteId: note.id });
  }

  async #change(change: (all: readonly GlobalObject[]) => readonly GlobalObject[]): Promise<void> {
    try {
      await this.#globals.update(change);
    } catch (error) {
      throw error instanceof Refusal ? error : storageFailure(error);
    }
  }

  /**
   * Returns whether a user can see a group's global values on a note. Pages with an embed token see
   * only the values of their note.
   */
  #canSee(group: string, note: StoredNote, user: ActingUser | undefined): boolean {
    return (
      user !== undefined &&
      !user.embed &&
      this.#services.pool.valueGroups(note, user.principal).includes(group)
    );
  }

  /** Yields the viewers who see the group's global value of this name, with the note they view. */
  *#audience(
    group: string,
    name: string,
  ): Generator<{ connection: LiveConnection; note: StoredNote }> {
    const { hub, notes } = this.#services;
    for (const connection of hub.connections) {
      const note = connection.noteId === undefined ? undefined : notes.find(connection.noteId);
      if (note && !this.find({ note }, name) && this.#canSee(group, note, connection.person))
        yield { connection, note };
    }
  }

  #sendGlobal(
    entry: GlobalObject,
    { only, except }: { only?: string; except?: LiveConnection },
  ): void {
    for (const { connection, note } of this.#audience(entry.group, entry.name)) {
      if (connection === except || (only !== undefined && note.id !== only)) continue;
      this.#tellGlobal(connection, note, entry);
    }
  }

  #tellGlobal(
    connection: LiveConnection,
    { id: noteId }: StoredNote,
    { group: interpreterGroupId, name, object }: GlobalObject,
  ): void {
    this.#services.hub.send(connection, 'ANGULAR_OBJECT_UPDATE', {
      angularObject: { name, object },
      interpreterGroupId,
      noteId,
    });
  }

  /** Sends all shared values of a note to a connection that has just opened it. */
  tellAll(connection: LiveConnection, note: StoredNote): void {
    const { hub } = this.#services;
    for (const entry of this.#globals.items)
      if (!this.find({ note }, entry.name) && this.#canSee(entry.group, note, connection.person))
        this.#tellGlobal(connection, note, entry);
    for (const [interpreterGroupId, list] of Object.entries(note.angularObjects)) {
      for (const angularObject of valuesIn(list))
        hub.send(connection, 'ANGULAR_OBJECT_UPDATE', {
          angularObject,
          interpreterGroupId,
          noteId: note.id,
          paragraphId: angularObject.paragraphId,
        });
    }
  }

  /**
   * Applies a change made by a page. It changes the global value if the note has none of that name
   * and the user can see the global one. `except` already has the value and is not notified.
   */
  async changedByPage(
    scope: ValueScope,
    group: string,
    name: string,
    object: unknown,
    user: ActingUser,
    except: LiveConnection,
  ): Promise<void> {
    const global =
      scope.paragraphId === undefined &&
      !this.find(scope, name) &&
      this.#canSee(group, scope.note, user)
        ? this.findGlobal(group, name)
        : undefined;
    if (!global) return this.put(scope, group, name, object, { except });
    if (!isSameJson(global.object, object)) await this.putGlobal(group, name, object, except);
  }
}
