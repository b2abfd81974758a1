/** Packages: which are there, which are on, in which order views are offered, and what is set of them. Kept in `helium.json`, with upstream's names. */
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod/mini';
import type { Bag, HeliumConfig, HeliumEntry } from 'tiding/protocol';
import { Refusal, storageFailure } from '../errors.ts';
import { readJson, writeDurably, writer } from '../files.ts';
import type { Logger } from '../log.ts';
import { Registry, type FoundPackage } from './registry.ts';

const bags = z.record(z.string(), z.unknown());
const stored = z.object({
  /** Artifact that is on, by name. */
  enabled: z.optional(z.record(z.string(), z.string())),
  /** What is set, by name and artifact. */
  packageConfig: z.optional(z.record(z.string(), z.record(z.string(), bags))),
  bundleDisplayOrder: z.optional(z.array(z.string())),
});

interface State {
  readonly enabled: ReadonlyMap<string, string>;
  readonly configs: ReadonlyMap<string, ReadonlyMap<string, Bag>>;
  readonly order: readonly string[];
}

/** Most names of an order. */
const MAX_ORDER = 1_000;
const noPackage = (name: string) => new Refusal(404, `There is no package ${name}.`);
const toObject = <T>(map: ReadonlyMap<string, T>): Record<string, T> => Object.fromEntries(map);

/** The packages of a data folder. */
export class Packages {
  readonly #file: string;
  readonly #registry: Registry;
  readonly #save: () => Promise<void>;
  #state: State = { enabled: new Map(), configs: new Map(), order: [] };

  private constructor(folder: string, log: Logger) {
    this.#file = join(folder, 'helium.json');
    this.#registry = new Registry(join(folder, 'helium'), log);
    this.#save = writer(() => {
      const { enabled, configs, order } = this.#state;
      const packageConfig = Object.fromEntries([...configs].map(([name, versions]) => [name, toObject(versions)]));
      return writeDurably(this.#file, `${JSON.stringify({ enabled: toObject(enabled), packageConfig, bundleDisplayOrder: order }, null, 2)}\n`);
    });
  }

  /** Reads what is set. A file that is damaged is put aside, and nothing is on. */
  static async open(folder: string, log: Logger): Promise<Packages> {
    const packages = new Packages(folder, log);
    try {
      const raw = await readJson(packages.#file);
      const { enabled = {}, packageConfig = {}, bundleDisplayOrder = [] } = stored.parse(raw ?? {});
      packages.#state = {
        enabled: new Map(Object.entries(enabled)),
        configs: new Map(Object.entries(packageConfig).map(([name, versions]) => [name, new Map(Object.entries(versions))])),
        order: bundleDisplayOrder,
      };
    } catch (error) {
      const aside = `${packages.#file}.damaged-${Date.now()}`;
      await rename(packages.#file, aside);
      log.error({ file: aside, error: (error as Error).message }, 'the list of packages that are on was damaged and is put aside');
    }
    return packages;
  }

  async #change(change: (state: State) => State): Promise<void> {
    const before = this.#state;
    const next = (this.#state = change(before));
    try {
      await this.#save();
    } catch (error) {
      // Unless somebody changed it anew meanwhile.
      if (this.#state === next) this.#state = before;
      throw storageFailure(error);
    }
  }

  #entry({ registry, pkg }: FoundPackage): HeliumEntry {
    return { registry, pkg, enabled: this.#state.enabled.get(pkg.name) === pkg.artifact };
  }

  /** All packages by name, versions by the text of their artifact, last first. */
  async all(): Promise<Record<string, HeliumEntry[]>> {
    const byName = new Map<string, HeliumEntry[]>();
    const found = (await this.#registry.read()).sort((a, b) => (a.pkg.artifact < b.pkg.artifact ? 1 : -1));
    for (const one of found) byName.set(one.pkg.name, [...(byName.get(one.pkg.name) ?? []), this.#entry(one)]);
    return toObject(byName);
  }

  /** The versions of a package; none where it is not known. */
  async named(name: string): Promise<HeliumEntry[]> {
    const all = await this.all();
    return Object.hasOwn(all, name) ? all[name]! : [];
  }

  /** The packages that are on and still there. */
  async enabled(): Promise<HeliumEntry[]> {
    return Object.values(await this.all()).flat().filter(({ enabled }) => enabled);
  }

  /** The version of a package that is on, with its place. */
  async enabledNamed(name: string): Promise<FoundPackage | undefined> {
    const artifact = this.#state.enabled.get(name);
    return artifact === undefined ? undefined : (await this.#registry.read()).find(({ pkg }) => pkg.name === name && pkg.artifact === artifact);
  }

  /**
   * Turns a package on, and another version of it off. `which` is a name, with the artifact in `what`; or an artifact, with
   * the type in `what` or nothing. Refuses with 404 what is not there, with 400 a type that is not the package's.
   */
  async enable(which: string, what: string): Promise<void> {
    const found = await this.#registry.read();
    const wanted = what.trim();
    const named = found.filter(({ pkg }) => pkg.name === which);
    const byName = named.find(({ pkg }) => pkg.artifact === wanted);
    const byArtifact = found.find(({ pkg }) => pkg.artifact === which);
    const one = byName ?? byArtifact;
    if (!one) throw named.length > 0 ? new Refusal(404, `The package ${which} has no version ${wanted}.`) : noPackage(which);
    const { name, artifact, type } = one.pkg;
    if (!byName && wanted !== '' && wanted.toUpperCase() !== type) throw new Refusal(400, `${which} is of the type ${type}.`);
    await this.#change((state) => ({ ...state, enabled: new Map(state.enabled).set(name, artifact) }));
  }

  /** Turns a package off, by its name or the artifact that is on. Refuses with 404 what is neither there nor on. */
  async disable(which: string): Promise<void> {
    const found = await this.#registry.read();
    const known = found.find(({ pkg }) => pkg.name === which) ?? found.find(({ pkg }) => pkg.artifact === which);
    const { enabled } = this.#state;
    // One that is on and whose files are gone can be turned off as well.
    const name = enabled.has(which) ? which : ([...enabled].find(([, artifact]) => artifact === which)?.[0] ?? known?.pkg.name);
    if (name === undefined) throw noPackage(which);
    await this.#change((state) => ({ ...state, enabled: new Map([...state.enabled].filter(([each]) => each !== name)) }));
  }

  /** Names of views in the order in which they are offered: as it was set, then the others that are on. */
  async order(): Promise<string[]> {
    const on = (await this.enabled()).filter(({ pkg }) => pkg.type === 'VISUALIZATION').map(({ pkg }) => pkg.name).sort();
    return [...new Set([...this.#state.order, ...on])];
  }

  /** Sets the order. */
  async setOrder(names: readonly string[]): Promise<string[]> {
    if (names.length > MAX_ORDER) throw new Refusal(400, `an order has at most ${MAX_ORDER} names`);
    await this.#change((state) => ({ ...state, order: [...new Set(names)] }));
    return this.order();
  }

  /** What is set, by name and artifact. */
  configs(): Record<string, Record<string, Bag>> {
    return Object.fromEntries([...this.#state.configs].map(([name, versions]) => [name, toObject(versions)]));
  }

  /** What is set of a version, and what may be. Refuses with 404. */
  async config(name: string, artifact: string): Promise<HeliumConfig> {
    const found = (await this.named(name)).find(({ pkg }) => pkg.artifact === artifact);
    if (!found) throw noPackage(`${name} ${artifact}`);
    return { confPersisted: this.#state.configs.get(name)?.get(artifact) ?? {}, confSpec: found.pkg.config ?? {} };
  }

  /** Sets a version's values, all of them at once. Refuses with 404 what is not there, with 400 a value that the package does not have. */
  async setConfig(name: string, artifact: string, values: Bag): Promise<Bag> {
    const { confSpec = {} } = await this.config(name, artifact);
    const unknown = Object.keys(values).find((key) => !Object.hasOwn(confSpec, key));
    if (unknown !== undefined) throw new Refusal(400, `The package ${name} has no setting ${unknown}.`);
    await this.#change((state) => ({ ...state, configs: new Map(state.configs).set(name, new Map(state.configs.get(name)).set(artifact, values)) }));
    return values;
  }
}
