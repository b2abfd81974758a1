/** The interpreter settings, in `interpreter.json`: one for each interpreter from the start, and those that people make. */
import { join } from 'node:path';
import type { NewSetting } from 'tiding/protocol';
import type { Secrets } from '../auth/secrets.ts';
import { Refusal, storageFailure } from '../errors.ts';
import { readJson, writeDurably, writer } from '../files.ts';
import type { InterpreterSpec } from '../interpreters/contract.ts';
import { changed, checkName, defaultSetting, type StoredSetting } from './setting.ts';

interface Stored {
  interpreterSettings?: Record<string, StoredSetting>;
  /** Settings of the server's own that were deleted; the others are there whether or not the file names them. */
  removed?: string[];
}

/** See the head of this file. */
export class InterpreterSettings {
  readonly #file: string;
  readonly #specs: readonly InterpreterSpec[];
  readonly #secrets: Secrets;
  #settings = new Map<string, StoredSetting>();
  #removed = new Set<string>();
  readonly #save: () => Promise<void>;
  #changing: Promise<unknown> = Promise.resolve();

  private constructor(folder: string, specs: readonly InterpreterSpec[], secrets: Secrets) {
    this.#file = join(folder, 'interpreter.json');
    this.#specs = specs;
    this.#secrets = secrets;
    this.#save = writer(() =>
      writeDurably(
        this.#file,
        `${JSON.stringify({ interpreterSettings: Object.fromEntries(this.#settings), removed: [...this.#removed] } satisfies Stored, null, 2)}\n`,
      ),
    );
  }

  /** Reads the file of a data folder; rejects where it is damaged. */
  static async open(
    folder: string,
    specs: readonly InterpreterSpec[],
    secrets: Secrets,
  ): Promise<InterpreterSettings> {
    const made = new InterpreterSettings(folder, specs, secrets);
    const stored = (await readJson(made.#file)) as Stored | undefined;
    made.#removed = new Set(stored?.removed);
    const all = new Map(
      Object.entries(stored?.interpreterSettings ?? {}).map(([id, setting]) => {
        const fresh = defaultSetting({ name: setting.group, editor: {}, create: unknownSpec }, id);
        return [id, { ...fresh, ...setting, option: { ...fresh.option, ...setting.option } }];
      }),
    );
    const own = specs
      .filter(({ name }) => !made.#removed.has(name))
      .map((spec) => [spec.name, all.get(spec.name) ?? defaultSetting(spec)] as const);
    made.#settings = new Map([...own, ...all]);
    return made;
  }

  /** All settings, the server's own first. Those of an interpreter that this server no longer has are kept, but not here. */
  all(): StoredSetting[] {
    return [...this.#settings.values()].filter(({ group }) => this.spec(group));
  }

  get(id: string): StoredSetting | undefined {
    const found = this.#settings.get(id);
    return found && this.spec(found.group) ? found : undefined;
  }

  /** The interpreter behind a group. */
  spec(group: string): InterpreterSpec | undefined {
    return this.#specs.find(({ name }) => name === group);
  }

  /** Makes a setting. Refuses a bad or taken name and an unknown group (404), and what {@link changed} refuses. */
  async create(given: NewSetting): Promise<StoredSetting> {
    const name = given.name.trim();
    checkName(name);
    return this.#store(() => {
      // Its folder has this name, and some disks do not tell capitals.
      const taken = [...this.#settings.keys()].some(
        (id) => id.toLowerCase() === name.toLowerCase(),
      );
      if (taken) throw new Refusal(404, `Interpreter ${name} already existed`);
      const spec = this.spec(given.group);
      if (!spec) throw new Refusal(404, `No such interpreter group: ${given.group}`);
      const fresh = defaultSetting(spec, name);
      const properties = given.properties && { ...fresh.properties, ...given.properties };
      const setting = changed(fresh, { ...given, properties }, spec, this.#secrets);
      this.#settings.set(name, setting);
      return setting;
    });
  }

  /** Changes a setting; parts that are absent stay. Refuses an unknown one (404). */
  async update(
    id: string,
    change: Pick<NewSetting, 'option' | 'properties' | 'dependencies'>,
  ): Promise<StoredSetting> {
    return this.#store(() => {
      const before = this.get(id);
      const spec = before && this.spec(before.group);
      if (!spec) throw noSuchSetting(id);
      const setting = changed(before, change, spec, this.#secrets);
      this.#settings.set(id, setting);
      return setting;
    });
  }

  /** Removes a setting. Refuses an unknown one (404). */
  async remove(id: string): Promise<void> {
    await this.#store(() => {
      if (!this.get(id)) throw noSuchSetting(id);
      this.#settings.delete(id);
      if (this.spec(id)) this.#removed.add(id);
    });
  }

  /** What the disk does not take does not hold either. One change after another, each of what the one before left. */
  #store<T>(change: () => T): Promise<T> {
    const done = this.#changing.then(async () => {
      const before = [new Map(this.#settings), new Set(this.#removed)] as const;
      const result = change();
      for (const name of [...this.#removed])
        if (this.#settings.has(name)) this.#removed.delete(name);
      try {
        await this.#save();
      } catch (error) {
        [this.#settings, this.#removed] = before;
        throw storageFailure(error);
      }
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
