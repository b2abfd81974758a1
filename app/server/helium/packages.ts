/** Packages: which are there, which are on, in which order views are offered, and what is set of them. Kept in `helium.json`, with upstream's names. */
import { rename, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import * as z from 'zod/mini';
import type { Bag, HeliumConfig, HeliumEntry } from 'tiding/protocol';
import { Refusal, storageFailure } from '../errors.ts';
import { readJson, writeDurably, writer } from '../files.ts';
import type { Logger } from '../log.ts';
import { readBundle } from './application.ts';
import { Bundler, entryOf, isReady } from './bundler.ts';
import { Catalogue, versionsOf } from './catalogue.ts';
import { Installer, parseArtifact, placeOf } from './install.ts';
import { NpmRegistry } from './npm-registry.ts';
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

/** A registry of npm to install from. */
export interface RegistryAddress {
  readonly url: string | undefined;
  /** Access token for it. */
  readonly token?: string | undefined;
}

/** What is had from a registry. */
interface Source {
  readonly npm: NpmRegistry;
  readonly installer: Installer;
  readonly catalogue: Catalogue;
}

/** Bytes of the largest bundle. */
export const MAX_BUNDLE = 32 * 2 ** 20;
/** Most names of an order. */
const MAX_ORDER = 1_000;
const noPackage = (name: string) => new Refusal(404, `There is no package ${name}.`);
const toObject = <T>(map: ReadonlyMap<string, T>): Record<string, T> => Object.fromEntries(map);

/** The packages of a data folder. */
export class Packages {
  readonly #file: string;
  readonly #registry: Registry;
  readonly #installed: string;
  readonly #bundler: Bundler;
  readonly #source: Source | undefined;
  readonly #log: Logger;
  readonly #save: () => Promise<void>;
  #state: State = { enabled: new Map(), configs: new Map(), order: [] };

  private constructor(folder: string, log: Logger, { url, token }: RegistryAddress) {
    this.#log = log;
    this.#file = join(folder, 'helium.json');
    this.#installed = join(folder, 'helium-packages');
    this.#registry = new Registry(join(folder, 'helium'), this.#installed, log);
    this.#bundler = new Bundler(join(folder, 'helium-bundles'), (wanted) => this.#library(wanted));
    const npm = url === undefined ? undefined : new NpmRegistry(url, token);
    this.#source = npm && {
      npm,
      installer: new Installer(this.#installed, npm, log),
      catalogue: new Catalogue(npm, log),
    };
    this.#save = writer(() => {
      const { enabled, configs, order } = this.#state;
      const packageConfig = Object.fromEntries(
        [...configs].map(([name, versions]) => [name, toObject(versions)]),
      );
      return writeDurably(
        this.#file,
        `${JSON.stringify({ enabled: toObject(enabled), packageConfig, bundleDisplayOrder: order }, null, 2)}\n`,
      );
    });
  }

  /** Reads what is set. A file that is damaged is put aside, and nothing is on. Without a registry there is what the folder has. */
  static async open(
    folder: string,
    log: Logger,
    registry: RegistryAddress = { url: undefined },
  ): Promise<Packages> {
    const packages = new Packages(folder, log, registry);
    await packages.#source?.installer.clean();
    try {
      const raw = await readJson(packages.#file);
      const { enabled = {}, packageConfig = {}, bundleDisplayOrder = [] } = stored.parse(raw ?? {});
      packages.#state = {
        enabled: new Map(Object.entries(enabled)),
        configs: new Map(
          Object.entries(packageConfig).map(([name, versions]) => [
            name,
            new Map(Object.entries(versions)),
          ]),
        ),
        order: bundleDisplayOrder,
      };
    } catch (error) {
      const aside = `${packages.#file}.damaged-${Date.now()}`;
      await rename(packages.#file, aside);
      log.error(
        { file: aside, error: (error as Error).message },
        'the list of packages that are on was damaged and is put aside',
      );
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

  /** Folder of a library that packages find in upstream's page; installed like them. */
  async #library(wanted: { name: string; version: string }): Promise<string | undefined> {
    const folder = join(this.#installed, placeOf(wanted), 'package');
    try {
      await this.#source?.installer.install(wanted);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      this.#log.warn(
        { library: `${wanted.name}@${wanted.version}`, error: error.message },
        'a library that a package uses cannot be had',
      );
    }
    return (await stat(folder).then(
      () => true,
      () => false,
    ))
      ? folder
      : undefined;
  }

  #entry({ registry, pkg }: Pick<FoundPackage, 'registry' | 'pkg'>): HeliumEntry {
    return { registry, pkg, enabled: this.#state.enabled.get(pkg.name) === pkg.artifact };
  }

  /** All packages by name, versions by the text of their artifact, last first; those of the registry too, installed or not. */
  async all(): Promise<Record<string, HeliumEntry[]>> {
    return this.#byName(await this.#registry.read(), (await this.#source?.catalogue.list()) ?? []);
  }

  #byName(
    found: readonly FoundPackage[],
    offered: readonly FoundPackage['pkg'][],
  ): Record<string, HeliumEntry[]> {
    const known = new Set(found.map(({ pkg }) => JSON.stringify([pkg.name, pkg.artifact])));
    const more = offered
      .filter((pkg) => !known.has(JSON.stringify([pkg.name, pkg.artifact])))
      .map((pkg): Pick<FoundPackage, 'registry' | 'pkg'> => ({ registry: 'npm', pkg }));
    const byName = new Map<string, HeliumEntry[]>();
    const all: Pick<FoundPackage, 'registry' | 'pkg'>[] = [...found, ...more];
    for (const one of all.sort((a, b) => (a.pkg.artifact < b.pkg.artifact ? 1 : -1)))
      byName.set(one.pkg.name, [...(byName.get(one.pkg.name) ?? []), this.#entry(one)]);
    return toObject(byName);
  }

  /** The versions of a package; none where it is not known. `ask`: the registry is asked for it by name, also where no search finds it. */
  async named(name: string, { ask = false } = {}): Promise<HeliumEntry[]> {
    const document = ask ? await this.#source?.npm.document(name) : undefined;
    const offered = document
      ? versionsOf(document)
      : ((await this.#source?.catalogue.list()) ?? []);
    const all = this.#byName(await this.#registry.read(), offered);
    return Object.hasOwn(all, name) ? all[name]! : [];
  }

  /** The packages that are on and still there. */
  async enabled(): Promise<HeliumEntry[]> {
    return Object.values(this.#byName(await this.#registry.read(), []))
      .flat()
      .filter(({ enabled }) => enabled);
  }

  /** The version of a package that is on, with its place. */
  async enabledNamed(name: string): Promise<FoundPackage | undefined> {
    const artifact = this.#state.enabled.get(name);
    return artifact === undefined
      ? undefined
      : (await this.#registry.read()).find(
          ({ pkg }) => pkg.name === name && pkg.artifact === artifact,
        );
  }

  /**
   * Turns a package on, and another version of it off. `which` is a name, with the artifact in `what`; or an artifact, with
   * the type in `what` or nothing. One that only the registry has is installed, and what has to be built is built first.
   * Refuses with 404 what is not there, with 400 a type that is not the package's, with 500 what cannot be built, with 502 where
   * the registry fails; then everything stays as it was.
   */
  async enable(which: string, what: string): Promise<void> {
    const wanted = what.trim();
    let one = choose(await this.#registry.read(), which, wanted);
    if (this.#source) {
      // A description in the folder may be of a package that is to be had from the registry.
      const place = one
        ? (await this.#placed(one)) === one && (await entryOf(one)) === undefined
          ? one.pkg.artifact
          : undefined
        : [wanted, which].find(parseArtifact);
      const artifact = place === undefined ? undefined : parseArtifact(place);
      if (artifact && (one || place === which || artifact.name === which)) {
        await this.#source.installer.install(artifact);
        one ??= choose(await this.#registry.read(), which, wanted);
        if (!one)
          throw new Refusal(
            400,
            `The package ${place!} is neither a view nor a spell nor an application.`,
          );
      }
    }
    if (!one) {
      const isNamed = (await this.#registry.read()).some(({ pkg }) => pkg.name === which);
      throw isNamed
        ? new Refusal(404, `The package ${which} has no version ${wanted}.`)
        : noPackage(which);
    }
    const { name, artifact, type } = one.pkg;
    if (!(which === name && wanted === artifact) && wanted !== '' && wanted.toUpperCase() !== type)
      throw new Refusal(400, `${which} is of the type ${type}.`);
    await this.bundle(one).catch((error: unknown) => {
      // What is not there may come later; what cannot be built will not be better for being on.
      if (!(error instanceof Refusal) || error.status !== 404) throw error;
    });
    await this.#change((state) => ({
      ...state,
      enabled: new Map(state.enabled).set(name, artifact),
    }));
  }

  /** Where a package is: what a description names as an artifact may be installed. */
  async #placed(found: FoundPackage): Promise<FoundPackage> {
    const artifact =
      found.isInstalled || (await entryOf(found)) !== undefined
        ? undefined
        : parseArtifact(found.pkg.artifact);
    if (!artifact) return found;
    const folder = join(this.#installed, placeOf(artifact), 'package');
    const raw = (await readJson(join(folder, 'package.json')).catch(() => undefined)) as
      | { main?: unknown }
      | undefined;
    return raw
      ? {
          ...found,
          folder,
          root: folder,
          bundle: typeof raw.main === 'string' && raw.main !== '' ? raw.main : 'index.js',
          isInstalled: true,
        }
      : found;
  }

  /**
   * The script of a package: as it is where it makes itself known, or is an application of the folder; else built of its modules, and
   * kept until one of them changes. Refuses with 404 where there is none, with 413 where it has more than `max` bytes, with 500 what cannot be built.
   */
  async bundle(
    found: FoundPackage,
    { max = MAX_BUNDLE, refresh = false }: { max?: number; refresh?: boolean } = {},
  ): Promise<string> {
    const placed = await this.#placed(found);
    const entry = await entryOf(placed);
    if (entry === undefined || (placed.pkg.type === 'APPLICATION' && !placed.isInstalled))
      return readBundle(placed, max);
    // By the one way that follows no link out of the folder.
    const script = await readBundle(
      { ...placed, bundle: relative(placed.folder, entry).split(sep).join('/') },
      max,
    );
    if (isReady(script)) return script;
    const code = await this.#bundler.bundle(placed, entry, { refresh });
    if (Buffer.byteLength(code) > max)
      throw new Refusal(
        413,
        `The bundle of the package ${found.pkg.name} is larger than ${max} bytes.`,
      );
    return code;
  }

  /** Turns a package off, by its name or the artifact that is on. Refuses with 404 what is neither there nor on. */
  async disable(which: string): Promise<void> {
    const found = await this.#registry.read();
    const known =
      found.find(({ pkg }) => pkg.name === which) ??
      found.find(({ pkg }) => pkg.artifact === which);
    const { enabled } = this.#state;
    // One that is on and whose files are gone can be turned off as well.
    const name = enabled.has(which)
      ? which
      : ([...enabled].find(([, artifact]) => artifact === which)?.[0] ?? known?.pkg.name);
    if (name === undefined) throw noPackage(which);
    await this.#change((state) => ({
      ...state,
      enabled: new Map([...state.enabled].filter(([each]) => each !== name)),
    }));
  }

  /** Names of views in the order in which they are offered: as it was set, then the others that are on. */
  async order(): Promise<string[]> {
    const on = (await this.enabled())
      .filter(({ pkg }) => pkg.type === 'VISUALIZATION')
      .map(({ pkg }) => pkg.name)
      .sort();
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
    return Object.fromEntries(
      [...this.#state.configs].map(([name, versions]) => [name, toObject(versions)]),
    );
  }

  /** What is set of a version, and what may be. Refuses with 404. */
  async config(name: string, artifact: string): Promise<HeliumConfig> {
    const found = (await this.named(name)).find(({ pkg }) => pkg.artifact === artifact);
    if (!found) throw noPackage(`${name} ${artifact}`);
    return {
      confPersisted: this.#state.configs.get(name)?.get(artifact) ?? {},
      confSpec: found.pkg.config ?? {},
    };
  }

  /** Sets a version's values, all of them at once. Refuses with 404 what is not there, with 400 a value that the package does not have. */
  async setConfig(name: string, artifact: string, values: Bag): Promise<Bag> {
    const { confSpec = {} } = await this.config(name, artifact);
    const unknown = Object.keys(values).find((key) => !Object.hasOwn(confSpec, key));
    if (unknown !== undefined)
      throw new Refusal(400, `The package ${name} has no setting ${unknown}.`);
    await this.#change((state) => ({
      ...state,
      configs: new Map(state.configs).set(
        name,
        new Map(state.configs.get(name)).set(artifact, values),
      ),
    }));
    return values;
  }
}

/** The version that is meant: by name and artifact, else by artifact alone. */
const choose = (
  found: readonly FoundPackage[],
  which: string,
  wanted: string,
): FoundPackage | undefined =>
  found.find(({ pkg }) => pkg.name === which && pkg.artifact === wanted) ??
  found.find(({ pkg }) => pkg.artifact === which);
