/** What exists, who may do what with it, and the log of what was done: in `catalogue.json` and `events.jsonl` of a folder. */
import { join } from 'node:path';
import { MetadataError } from '../contract.ts';
import { privateFolder, readJson, writeDurably } from '../../files.ts';
import type { Ref, Target } from '../language/statements.ts';
import type { ItemType } from './definitions.ts';
import { EventLog } from './events.ts';
import { byId, chainOf, may, maySee, type Who } from './permissions.ts';
import {
  firstState,
  holderOf,
  sameName,
  upgradeState,
  type Item,
  type Permission,
  type State,
} from './state.ts';

/** Encrypts what nobody but the server may read. */
export interface SecretBox {
  encrypt(text: string): string;
  decrypt(text: string): string;
}

/** Where a session looks names up. */
export interface Place {
  readonly repositoryId: number;
  readonly schemaId: number | undefined;
  readonly projectId: number | undefined;
  readonly dataSourceId: number | undefined;
  readonly clusterId: number | undefined;
}

/** A kind and a name that {@link Catalogue.resolve} finds. */
export interface Wanted {
  readonly type: ItemType;
  readonly ref: Ref;
}

/** See the head of this file. */
export class Catalogue {
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

  /** Reads the catalogue of a folder, or makes the first one. Rejects on a damaged file. */
  static async open(folder: string, secrets: SecretBox): Promise<Catalogue> {
    await privateFolder(folder);
    const file = join(folder, 'catalogue.json');
    const stored = await readJson(file);
    if (stored !== undefined && !isState(stored))
      throw new Error(`The file ${file} is damaged: it is no catalogue.`);
    const now = new Date().toISOString();
    const { state, taken } = upgradeState(stored ?? firstState(now));
    const made = new Catalogue(file, state, secrets, await EventLog.open(folder));
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

  /** As it is now. Never changed in place. */
  get state(): State {
    return this.#state;
  }

  /**
   * Changes the state: one change after another. `edit` makes the next state of the newest one, or throws; it is stored, and then
   * `finish` does what belongs to it (the engine's part). Where that fails the state is stored as it was.
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

  /** Resolves when what was changed and logged so far is stored. */
  async flush(): Promise<void> {
    await this.#changing;
    await this.events.flush();
  }

  /** The objects that something holds, in the order they were made. */
  children(parentId: number, type?: ItemType): readonly Item[] {
    return this.#state.items.filter(
      (item) => item.parentId === parentId && (type === undefined || item.type === type),
    );
  }

  /** The child of a name. */
  child(
    parentId: number | undefined,
    type: ItemType,
    name: string,
    state: State = this.#state,
  ): Item | undefined {
    return state.items.find(
      (item) => item.parentId === parentId && item.type === type && sameName(item.name, name),
    );
  }

  /** The object of an id. */
  byId(id: number | undefined): Item | undefined {
    return byId(this.#state, id);
  }

  /** The one organization. */
  get organization(): Item {
    return this.#state.items.find(({ type }) => type === 'organization')!;
  }

  /** What holds an object, of a kind. */
  holder(item: Item, type: ItemType): Item | undefined {
    return chainOf(this.#state, item).find((each) => each.type === type);
  }

  /** The dotted name of an object: what its kind is qualified by, `core.trips`, `flights.daily_load.fetch`. */
  nameOf(item: Item): string {
    const holders = chainOf(this.#state, item).filter(
      ({ type }) => !['organization', 'repository'].includes(type) || type === item.type,
    );
    return holders
      .reverse()
      .map(({ name }) => name)
      .join('.');
  }

  /** The object that a name means, seen from a place; undefined where there is none. */
  find({ type, ref }: Wanted, place: Place): Item | undefined {
    const name = ref.at(-1)!;
    if (type === 'organization')
      return ref.length === 1 && sameName(this.organization.name, name)
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

  /** Where names of a kind are looked up when they are not qualified. */
  #current(type: ItemType, place: Place): Item | undefined {
    const ids: Partial<Record<ItemType, number | undefined>> = {
      organization: this.organization.id,
      repository: place.repositoryId,
      schema: place.schemaId,
      project: place.projectId,
      cluster: place.clusterId,
    };
    return this.byId(ids[type]);
  }

  /** What holds a new object of a kind; throws where the session has no such. */
  holderFor(type: ItemType, above: Ref, place: Place): Item {
    for (const holder of holderOf[type]) {
      const found =
        above.length > 0
          ? this.find({ type: holder, ref: above }, place)
          : this.#current(holder, place);
      if (found) return found;
    }
    const [wanted = 'organization'] = holderOf[type];
    throw new MetadataError(
      above.length > 0
        ? `There is no ${wanted} ${above.join('.')}, or you may not use it.`
        : `No ${wanted} is chosen: start with "use ${wanted} NAME", or qualify the name.`,
    );
  }

  /**
   * The object that a name means, which `who` may see and has `permission` on. Throws {@link MetadataError}: what may not be seen is
   * not told from what does not exist.
   */
  resolve(wanted: Wanted, place: Place, who: Who, permission: Permission): Item {
    const found = this.find(wanted, place);
    if (!found || !maySee(this.#state, who, found))
      throw new MetadataError(
        `There is no ${wanted.type} ${wanted.ref.join('.')}${this.#lookedIn(wanted, place)}, or you may not use it.`,
      );
    this.demand(found, who, permission);
    return found;
  }

  #lookedIn({ type, ref }: Wanted, place: Place): string {
    const [holder] = holderOf[type];
    const where =
      ref.length === 1 && holder !== undefined && holder !== 'organization'
        ? this.#current(holder, place)
        : undefined;
    return where ? ` in ${where.type} ${where.name}` : '';
  }

  /** Throws {@link MetadataError} where a permission is missing. */
  demand(item: Item, who: Who, permission: Permission): void {
    if (!may(this.#state, who, permission, item))
      throw new MetadataError(`You need ${permission} on ${item.type} ${this.nameOf(item)}.`);
  }

  /** Throws unless somebody administers the organization. */
  demandAdmin(who: Who, what: string): void {
    if (!who.isAdmin)
      throw new MetadataError(`Only administrators of the organization may ${what}.`);
  }

  /** Whether a permission holds. */
  may(item: Item, who: Who, permission: Permission): boolean {
    return may(this.#state, who, permission, item);
  }

  /** Those that somebody may see. */
  visible(items: readonly Item[], who: Who): readonly Item[] {
    return items.filter((item) => maySee(this.#state, who, item));
  }

  /** Whether a kind of statement's target is an object of the catalogue; users are not. */
  static isItem(target: Target): target is Target & { readonly type: ItemType & Target['type'] } {
    return target.type !== 'user';
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
