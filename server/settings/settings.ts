/**
 * The interpreter settings, in `interpreter.json`: a built-in one per interpreter, and those
 * created by users.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { NewSetting } from '@tiding/client/protocol';
import { ADMINISTRATORS } from '../auth/permissions.ts';
import type { Secrets } from '../auth/secrets.ts';
import { Refusal } from '../base/errors.ts';
import type { InterpreterSpec } from '../interpreters/contract.ts';
import { JsonFile } from '../storage/files.ts';
import {
  changedSetting,
  checkName,
  defaultSetting,
  type StoredSetting,
  serverOf,
} from './setting.ts';

/** Version of the stored format. Files without one have `shared` where nobody chose a mode. */
const FORMAT = 2;

interface Stored {
  format?: number;
  interpreterSettings?: Record<string, StoredSetting>;
  /**
   * Built-in settings that were deleted. The others exist whether or not the file contains them.
   */
  removed?: string[];
}

/** Stores the interpreter settings. */
export class InterpreterSettings {
  readonly #folder: string;
  readonly #file: JsonFile<Stored>;
  #specs: readonly InterpreterSpec[];
  readonly #secrets: Secrets;
  #settings = new Map<string, StoredSetting>();
  #removed = new Set<string>();
  #changing: Promise<unknown> = Promise.resolve();

  private constructor(folder: string, specs: readonly InterpreterSpec[], secrets: Secrets) {
    this.#folder = folder;
    this.#specs = specs;
    this.#secrets = secrets;
    this.#file = new JsonFile(join(folder, 'interpreter.json'), () => ({
      format: FORMAT,
      interpreterSettings: Object.fromEntries(this.#settings),
      removed: [...this.#removed],
    }));
  }

  /** Reads the file of a data folder; rejects if it is damaged. */
  static async open(
    folder: string,
    specs: readonly InterpreterSpec[],
    secrets: Secrets,
  ): Promise<InterpreterSettings> {
    const made = new InterpreterSettings(folder, specs, secrets);
    const stored = await made.#file.read();
    made.#removed = new Set(stored?.removed);
    const chosen = new Set<string>();
    const all = new Map(
      Object.entries(stored?.interpreterSettings ?? {}).map(([id, setting]) => {
        const fresh = defaultSetting({ name: setting.group, editor: {}, create: unknownSpec }, id);
        const option = { ...fresh.option, ...setting.option };
        const spec = specs.find(({ name }) => name === id && name === setting.group);
        const isUnchosen =
          stored?.format === undefined &&
          option.perNote === 'shared' &&
          option.perUser === 'shared';
        if (!isUnchosen) chosen.add(id);
        return [
          id,
          { ...fresh, ...setting, option: { ...option, ...(isUnchosen ? spec?.sharing : {}) } },
        ];
      }),
    );
    const own = specs
      .filter(({ isTemplate, name }) => !isTemplate && !made.#removed.has(name))
      .map((spec) => [spec.name, all.get(spec.name) ?? defaultSetting(spec)] as const);
    made.#settings = new Map([...own, ...all]);
    if (stored?.format === undefined) {
      for (const setting of made.all()) made.#keepOlder(setting, chosen.has(setting.id));
      // Otherwise the next start would take the data of new settings for older ones.
      await made.#file.save();
    }
    return made;
  }

  /** Gives a setting that was used before format 2 the values that keep its behaviour. */
  #keepOlder(setting: StoredSetting, isChosen: boolean): void {
    const { older, properties = [] } = this.spec(setting.group)!;
    if (!older || !existsSync(join(this.#folder, 'interpreters', setting.id))) return;
    if (!isChosen && setting.id === setting.group) Object.assign(setting.option, older.sharing);
    for (const [name, value] of Object.entries(older.properties)) {
      const { type, description } = properties.find((each) => each.name === name)!;
      setting.properties[name] = { name, value, type, description };
    }
  }

  /**
   * Returns all settings, built-in ones first. Settings of interpreters that no longer exist are
   * kept in the file but not returned.
   */
  all(): StoredSetting[] {
    return [...this.#settings.values()].filter(({ group }) => this.spec(group));
  }

  get(id: string): StoredSetting | undefined {
    const found = this.#settings.get(id);
    return found && this.spec(found.group) ? found : undefined;
  }

  /** Returns a text that changes when secrets of a setting would be sent elsewhere. */
  serverOf(id: string): string | undefined {
    const setting = this.get(id);
    return setting && serverOf(setting, this.spec(setting.group)!);
  }

  get specs(): readonly InterpreterSpec[] {
    return this.#specs;
  }

  /** Adds interpreters that were installed since the start. Settings kept for them return. */
  addSpecs(specs: readonly InterpreterSpec[]): void {
    this.#specs = [...this.#specs, ...specs];
    for (const spec of specs)
      if (!this.#removed.has(spec.name) && !this.#settings.has(spec.name))
        this.#settings.set(spec.name, defaultSetting(spec));
  }

  spec(group: string): InterpreterSpec | undefined {
    return this.#specs.find(({ name }) => name === group);
  }

  /**
   * Creates a setting. Throws a 404 refusal for an invalid or taken name or an unknown group, and
   * everything {@link changedSetting} throws.
   */
  async create(given: NewSetting): Promise<StoredSetting> {
    const name = given.name.trim();
    checkName(name);
    return this.#store(() => {
      // The name is also a folder name, and some file systems are case-insensitive.
      const taken = [...this.#settings.keys()].some(
        (id) => id.toLowerCase() === name.toLowerCase(),
      );
      if (taken) throw new Refusal(404, `Interpreter ${name} already existed`);
      const spec = this.spec(given.group);
      if (!spec) throw new Refusal(404, `No such interpreter group: ${given.group}`);
      const fresh = defaultSetting(spec, name);
      const properties = given.properties && { ...fresh.properties, ...given.properties };
      const setting = changedSetting(fresh, { ...given, properties }, spec, this.#secrets);
      this.#settings.set(name, setting);
      return setting;
    });
  }

  /** Changes a setting; absent parts stay unchanged. Throws a 404 refusal for an unknown one. */
  async update(
    id: string,
    change: Pick<NewSetting, 'option' | 'properties' | 'dependencies'>,
  ): Promise<StoredSetting> {
    return this.#store(() => {
      const before = this.get(id);
      const spec = before && this.spec(before.group);
      if (!spec) throw noSuchSetting(id);
      const setting = changedSetting(before, change, spec, this.#secrets);
      this.#settings.set(id, setting);
      return setting;
    });
  }

  /**
   * Removes a user from the owners of all settings. A setting that loses its last owner belongs to
   * the administrators, because without owners it would be open to everybody.
   */
  async forgetUser(name: string): Promise<void> {
    if (![...this.#settings.values()].some(({ option }) => option.owners.includes(name))) return;
    await this.#store(() => {
      for (const [id, setting] of this.#settings) {
        const left = setting.option.owners.filter((owner) => owner !== name);
        if (left.length === setting.option.owners.length) continue;
        const owners = left.length === 0 ? [...ADMINISTRATORS] : left;
        this.#settings.set(id, { ...setting, option: { ...setting.option, owners } });
      }
    });
  }

  /** Removes a setting. Throws a 404 refusal for an unknown one. */
  async remove(id: string): Promise<void> {
    await this.#store(() => {
      if (!this.get(id)) throw noSuchSetting(id);
      this.#settings.delete(id);
      if (this.spec(id) && !this.spec(id)?.isTemplate) this.#removed.add(id);
    });
  }

  /**
   * Stores the change, or reverts it if the disk write fails. Changes run one after another, each
   * on the result of the previous one.
   */
  #store<T>(change: () => T): Promise<T> {
    const done = this.#changing.then(async () => {
      const before = [new Map(this.#settings), new Set(this.#removed)] as const;
      const result = change();
      for (const name of [...this.#removed])
        if (this.#settings.has(name)) this.#removed.delete(name);
      await this.#file.saveOrUndo(() => {
        [this.#settings, this.#removed] = before;
      });
      return result;
    });
    this.#changing = done.catch(() => {});
    return done;
  }
}

/** The setting does not exist. */
export const noSuchSetting = (id: string): Refusal =>
  new Refusal(404, `Interpreter setting id ${id} not found`);

const unknownSpec = (): never => {
  throw new Error('no such interpreter');
};
