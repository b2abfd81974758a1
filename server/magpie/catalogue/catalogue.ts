/**
 * Stores objects, permissions and the usage log of a server, in `catalogue.json` and `events.jsonl`
 * of a folder.
 */
import { join } from 'node:path';
import { privateFolder, readJsonFile, writeDurably } from '../../storage/files.ts';
import { type ErrorSubject, MetadataError, wrongName } from '../contract.ts';
import type { Ref } from '../language/statements.ts';
import type { ItemType } from './definitions.ts';
import { EventLog } from './events.ts';
import { byId, canSee, chainOf, may, type Requester } from './permissions.ts';
import {
  firstState,
  holderOf,
  type Item,
  isSameName,
  type Permission,
  type State,
  upgradeState,
} from './state.ts';

/** Encrypts text that only the server may read. */
export interface SecretBox {
  encrypt(text: string): string;
  decrypt(text: string): string;
}

/** The current objects of a session, where unqualified names are looked up. */
export interface SessionScope {
  readonly repositoryId: number;
  readonly schemaId: number | undefined;
  readonly projectId: number | undefined;
  readonly dataSourceId: number | undefined;
  readonly clusterId: number | undefined;
}

/** A type and name to resolve. */
export interface ObjectReference {
  readonly type: ItemType;
  readonly ref: Ref;
}

/**
 * The catalogue of a server. Reads are synchronous; changes run one after another and are stored
 * before they take effect.
 */
export class ObjectCatalogue {
  readonly #file: string;
  #state: State;
  #changing: Promise<unknown> = Promise.resolve();
  readonly secrets: SecretBox;
  readonly events: EventLog;

  private constructor(file: string, state: State, secrets: SecretBox, events: EventLog) {
    this.#file = file;
    this.#state = state;
    this.secrets = secrets;
    this.events = events;
  }

  /**
   * Opens the catalogue in a folder, or creates the initial one. Rejects if the file is damaged.
   */
  static async open(folder: string, secrets: SecretBox): Promise<ObjectCatalogue> {
    await privateFolder(folder);
    const file = join(folder, 'catalogue.json');
    const stored = await readJsonFile(file);
    if (stored !== undefined && !isState(stored))
      throw new Error(`The file ${file} is damaged: it is not a catalogue.`);
    const now = new Date().toISOString();
    const { state, taken } = upgradeState(stored ?? firstState(now));
    const made = new ObjectCatalogue(file, state, secrets, await EventLog.open(folder));
    if (stored?.version !== state.version) await made.#write(state);
    for (const { item, permission } of taken) {
      made.events.add({
        eventTime: now,
        userName: 'system',
        eventType: 'Metadata',
        objectType: 'DataSource',
        permissionType: permission,
        isSuccess: true,
        dataSourceName: item.name,
        objectName: item.name,
        activityType: 'Revoke',
        description: `${permission} from organization ${made.organization.name}`,
      });
    }
    return made;
  }

  /** Current state. Never modified in place. */
  get state(): State {
    return this.#state;
  }

  /**
   * Changes the state. Changes run one after another. `edit` returns the next state or throws. The
   * state is stored, and then `finish` runs related work, such as the engine's part. If `finish`
   * fails, the previous state is restored and stored.
   */
  change<T>(
    edit: (state: State) => { readonly state: State; readonly value: T },
    finish?: () => Promise<void>,
  ): Promise<T> {
    const done = this.#changing.then(async () => {
      const before = this.#state;
      const { state, value } = edit(before);
      if (state !== before) await this.#write(state);
      this.#state = state;
      try {
        await finish?.();
      } catch (error) {
        this.#state = before;
        if (state !== before) await this.#write(before);
        throw error;
      }
      return value;
    });
    this.#changing = done.catch(() => {});
    return done;
  }

  #write(state: State): Promise<void> {
    return writeDurably(this.#file, `${JSON.stringify(state, null, 1)}\n`);
  }

  /** Resolves when all changes and events so far are stored. */
  async flush(): Promise<void> {
    await this.#changing;
    await this.events.flush();
  }

  /** Children of an object in creation order, optionally of one type. */
  children(parentId: number, type?: ItemType): readonly Item[] {
    return this.#state.items.filter(
      (item) => item.parentId === parentId && (type === undefined || item.type === type),
    );
  }

  /** Finds a child by name. */
  child(parentId: number | undefined, type: ItemType, name: string): Item | undefined {
    return this.#state.items.find(
      (item) => item.parentId === parentId && item.type === type && isSameName(item.name, name),
    );
  }

  byId(id: number | undefined): Item | undefined {
    return byId(this.#state, id);
  }

  get organization(): Item {
    return this.#state.items.find(({ type }) => type === 'organization')!;
  }

  /** The ancestor of an object that has the given type, or the object itself. */
  holder(item: Item, type: ItemType): Item | undefined {
    return chainOf(this.#state, item).find((each) => each.type === type);
  }

  /**
   * Qualified name of an object, without organization and repository: `core.trips`,
   * `flights.daily_load.fetch`.
   */
  nameOf(item: Item): string {
    const holders = chainOf(this.#state, item).filter(
      ({ type }) => !['organization', 'repository'].includes(type) || type === item.type,
    );
    return holders
      .reverse()
      .map(({ name }) => name)
      .join('.');
  }

  /** Resolves a name from a place. Undefined if there is no such object. */
  find({ type, ref }: ObjectReference, place: SessionScope): Item | undefined {
    const name = ref.at(-1)!;
    if (type === 'organization')
      return ref.length === 1 && isSameName(this.organization.name, name)
        ? this.organization
        : undefined;
    const above = ref.slice(0, -1);
    for (const holder of holderOf[type]) {
      const parent =
        above.length > 0
          ? this.find({ type: holder, ref: above }, place)
          : this.#current(holder, place);
      const found = parent && this.child(parent.id, type, name);
      if (found) return found;
    }
    return undefined;
  }

  /** The current object of a type, where unqualified names are looked up. */
  #current(type: ItemType, place: SessionScope): Item | undefined {
    const ids: Partial<Record<ItemType, number | undefined>> = {
      organization: this.organization.id,
      repository: place.repositoryId,
      schema: place.schemaId,
      project: place.projectId,
      cluster: place.clusterId,
    };
    return this.byId(ids[type]);
  }

  /** The parent for a new object of a type. Throws if the session has no current one. */
  holderFor(type: ItemType, place: SessionScope): Item {
    for (const holder of holderOf[type]) {
      const found = this.#current(holder, place);
      if (found) return found;
    }
    const [wanted = 'organization'] = holderOf[type];
    throw new MetadataError(
      `No ${wanted} is selected. Select one with "use ${wanted} NAME", or qualify the name.`,
    );
  }

  /**
   * Resolves a name and requires that `who` may see the object and has `permission` on it. Throws
   * {@link MetadataError}. The message for an object that the user may not see is the same as for
   * one that does not exist.
   */
  resolve(
    wanted: ObjectReference,
    place: SessionScope,
    who: Requester,
    permission: Permission,
  ): Item {
    const found = this.find(wanted, place);
    if (!found || !canSee(this.#state, who, found))
      throw new MetadataError(
        `There is no ${wanted.type} ${wanted.ref.join('.')}${this.#lookedIn(wanted, place)}, ` +
          'or you may not use it.',
        { name: { ...wanted, part: this.#wrongPart(wanted, place, who) } },
      );
    this.requirePermission(found, who, permission, wrongName(wanted.type, ...wanted.ref));
    return found;
  }

  /** Index of the first part of a name that is not an object that the user may see. */
  #wrongPart({ type, ref }: ObjectReference, place: SessionScope, who: Requester): number {
    const above = ref.slice(0, -1);
    if (above.length === 0) return 0;
    const parts = holderOf[type].map((holder) => {
      const wanted = { type: holder, ref: above };
      const parent = this.find(wanted, place);
      return parent && canSee(this.#state, who, parent)
        ? above.length
        : this.#wrongPart(wanted, place, who);
    });
    return Math.max(0, ...parts);
  }

  #lookedIn({ type, ref }: ObjectReference, place: SessionScope): string {
    const [holder] = holderOf[type];
    const where =
      ref.length === 1 && holder !== undefined && holder !== 'organization'
        ? this.#current(holder, place)
        : undefined;
    return where ? ` in ${where.type} ${where.name}` : '';
  }

  /** Throws {@link MetadataError} if a permission is missing. */
  requirePermission(
    item: Item,
    who: Requester,
    permission: Permission,
    subject: ErrorSubject = wrongName(item.type, item.name),
  ): void {
    if (!may(this.#state, who, permission, item))
      throw new MetadataError(
        `You need ${permission} on ${item.type} ${this.nameOf(item)}.`,
        subject,
      );
  }

  /** Throws unless the user is an administrator of the organization. */
  requireAdmin(who: Requester, what: string): void {
    if (!who.isAdmin)
      throw new MetadataError(`Only administrators of the organization may ${what}.`);
  }

  /** Whether a user has a permission on an object. */
  may(item: Item, who: Requester, permission: Permission): boolean {
    return may(this.#state, who, permission, item);
  }

  /** Filters objects to those that a user may see. */
  visible(items: readonly Item[], who: Requester): readonly Item[] {
    return items.filter((item) => canSee(this.#state, who, item));
  }
}

function isState(value: unknown): value is Parameters<typeof upgradeState>[0] {
  if (typeof value !== 'object' || value === null) return false;
  const { version, nextId, items, grants, members } = value as Record<string, unknown>;
  return (
    (version === 1 || version === 2) &&
    typeof nextId === 'number' &&
    Array.isArray(items) &&
    Array.isArray(grants) &&
    Array.isArray(members)
  );
}
