/**
 * Values that the pages of notes and the code of their interpreters share: of a paragraph, of a note, or of all notes that
 * an interpreter serves. The first two are stored in the note; those of all notes in a file of their own, because a note that
 * came from elsewhere must not bring values for others along.
 *
 * A name stands once among the values of a note, and once among those of each of its paragraphs, whoever bound it last.
 */
import { join } from 'node:path';
import type { Person } from '../auth/permissions.ts';
import { Refusal, storageFailure } from '../errors.ts';
import { SharedList } from '../files.ts';
import type { Connection, Hub } from '../hub.ts';
import {
  addValue,
  changeValues,
  findValue,
  isValueOf,
  valuesIn,
  type GroupedValue,
  type SharedObject,
} from '../notes/bound-values.ts';
import type { Editor } from '../notes/editor.ts';
import type { StoredNote } from '../notes/note.ts';
import type { NoteRepository } from '../notes/repository.ts';
import type { InterpreterPool } from './pool.ts';

/** Whose values: a paragraph's, or (`paragraphId` absent) the note's. */
export interface Place {
  readonly note: StoredNote;
  readonly paragraphId?: string | undefined;
}

interface Parts {
  hub: Hub;
  editor: Editor;
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
/** Bytes of JSON of one value that code binds: templates take no more. */
export const MAX_VALUE_BYTES = 64_000;
/** Bytes of JSON of all values of a note that code adds to, and of all values that an interpreter has for all notes. */
export const MAX_VALUES_BYTES = 2 ** 20;

/** Whether two values are told as the same JSON. */
export const sameValue = (a: unknown, b: unknown): boolean =>
  JSON.stringify(a) === JSON.stringify(b);

function checkSize(all: unknown, what: string): void {
  if (Buffer.byteLength(JSON.stringify(all)) > MAX_VALUES_BYTES)
    throw new Refusal(
      413,
      `${what} are more than ${MAX_VALUES_BYTES} bytes of JSON together: take some away first`,
    );
}

/** See the head of this file. */
export class SharedValues {
  readonly #globals: SharedList<GlobalObject>;
  readonly #parts: Parts;

  private constructor(folder: string, parts: Parts) {
    this.#globals = new SharedList(join(folder, 'shared-values.json'), 'values');
    this.#parts = parts;
  }

  /** Reads the values of all notes from the data folder. */
  static async open(folder: string, parts: Parts): Promise<SharedValues> {
    const values = new SharedValues(folder, parts);
    await values.#globals.refresh();
    return values;
  }

  /** The value of a name and where it is kept; of the groups that have it, the last. */
  find({ note, paragraphId }: Place, name: string): GroupedValue | undefined {
    return findValue(note, name, paragraphId);
  }

  /** A value of all notes. */
  findGlobal(group: string, name: string): { object: unknown } | undefined {
    return this.#globals.items.find((entry) => entry.group === group && entry.name === name);
  }

  /** Stores a value, and tells all who have the note open but `except`. `limited`: refuses what a note has no room for. */
  async put(
    { note, paragraphId }: Place,
    group: string,
    name: string,
    object: unknown,
    { except, limited = false }: { except?: Connection; limited?: boolean } = {},
  ): Promise<void> {
    // The keys of an object from outside: this one is none.
    if (group === '__proto__') throw new Refusal(400, `no such group of values: ${group}`);
    const entry: SharedObject = {
      name,
      noteId: note.id,
      ...(paragraphId === undefined ? {} : { paragraphId }),
      object,
    };
    await this.#parts.editor.change(note, [], () => {
      const angularObjects = addValue(this.#without(note, name, paragraphId), { group, entry });
      if (limited) checkSize(angularObjects, 'the values of this note');
      note.angularObjects = angularObjects;
    });
    this.#parts.hub.tellNote(
      note.id,
      'ANGULAR_OBJECT_UPDATE',
      { angularObject: entry, interpreterGroupId: group, noteId: note.id, paragraphId },
      except ? { except } : {},
    );
  }

  /** Takes a value away; one of all notes of that name is seen again. */
  async remove({ note, paragraphId }: Place, name: string): Promise<void> {
    await this.#parts.editor.change(
      note,
      [],
      () => (note.angularObjects = this.#without(note, name, paragraphId)),
    );
    this.#parts.hub.tellNote(note.id, 'ANGULAR_OBJECT_REMOVE', {
      name,
      noteId: note.id,
      paragraphId,
    });
    if (paragraphId === undefined)
      for (const entry of this.#globals.items)
        if (entry.name === name) this.#tellGlobal(entry, { only: note.id });
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

  /** Stores a value of all notes that a group serves, and tells those who have one of them open. */
  async putGlobal(
    group: string,
    name: string,
    object: unknown,
    except?: Connection,
  ): Promise<void> {
    const entry: GlobalObject = { group, name, object };
    await this.#change((all) => {
      const rest = all.filter((known) => known.group !== group || known.name !== name);
      checkSize(
        [...rest.filter((known) => known.group === group), entry],
        'the values that this interpreter has for all notes',
      );
      return [...rest, entry];
    });
    this.#tellGlobal(entry, except ? { except } : {});
  }

  /** Takes a value of all notes away. */
  async removeGlobal(group: string, name: string): Promise<void> {
    await this.#change((all) =>
      all.some((entry) => entry.group === group && entry.name === name)
        ? all.filter((entry) => entry.group !== group || entry.name !== name)
        : all,
    );
    for (const { connection, note } of this.#audience(group, name))
      this.#parts.hub.tell(connection, 'ANGULAR_OBJECT_REMOVE', { name, noteId: note.id });
  }

  async #change(change: (all: readonly GlobalObject[]) => readonly GlobalObject[]): Promise<void> {
    try {
      await this.#globals.update(change);
    } catch (error) {
      throw error instanceof Refusal ? error : storageFailure(error);
    }
  }

  /** Whether a person sees the values that a group has for all notes, on one note. A page with a token sees those of its note alone. */
  #sees(group: string, note: StoredNote, person: Person | undefined): boolean {
    return (
      person !== undefined &&
      !person.embed &&
      this.#parts.pool.valueGroups(note, person.principal).includes(group)
    );
  }

  /** Who has a note open on which a name of all notes means the one of this group. */
  *#audience(group: string, name: string): Generator<{ connection: Connection; note: StoredNote }> {
    const { hub, notes } = this.#parts;
    for (const connection of hub.connections) {
      const note = connection.noteId === undefined ? undefined : notes.find(connection.noteId);
      if (note && !this.find({ note }, name) && this.#sees(group, note, connection.person))
        yield { connection, note };
    }
  }

  #tellGlobal(
    { group, name, object }: GlobalObject,
    { only, except }: { only?: string; except?: Connection },
  ): void {
    for (const { connection, note } of this.#audience(group, name)) {
      if (connection === except || (only !== undefined && note.id !== only)) continue;
      this.#parts.hub.tell(connection, 'ANGULAR_OBJECT_UPDATE', {
        angularObject: { name, object },
        interpreterGroupId: group,
        noteId: note.id,
      });
    }
  }

  /** Tells who has just opened a note of all that it shares. */
  tellAll(connection: Connection, note: StoredNote): void {
    const { hub } = this.#parts;
    for (const { group, name, object } of this.#globals.items) {
      if (this.find({ note }, name) || !this.#sees(group, note, connection.person)) continue;
      hub.tell(connection, 'ANGULAR_OBJECT_UPDATE', {
        angularObject: { name, object },
        interpreterGroupId: group,
        noteId: note.id,
      });
    }
    for (const [interpreterGroupId, list] of Object.entries(note.angularObjects)) {
      for (const angularObject of valuesIn(list))
        hub.tell(connection, 'ANGULAR_OBJECT_UPDATE', {
          angularObject,
          interpreterGroupId,
          noteId: note.id,
          paragraphId: angularObject.paragraphId,
        });
    }
  }

  /**
   * A page has changed a value: one of all notes where the note has none of that name and the page was told that one.
   * `except` hears nothing: it has it already.
   */
  async changedByPage(
    place: Place,
    group: string,
    name: string,
    object: unknown,
    person: Person,
    except: Connection,
  ): Promise<void> {
    const global =
      place.paragraphId === undefined &&
      !this.find(place, name) &&
      this.#sees(group, place.note, person)
        ? this.findGlobal(group, name)
        : undefined;
    if (!global) return this.put(place, group, name, object, { except });
    if (!sameValue(global.object, object)) await this.putGlobal(group, name, object, except);
  }
}
