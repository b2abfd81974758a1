/**
 * Manages Helium packages: available and enabled ones, the order of views, and settings. Stored in
 * `helium.json` with Zeppelin's names.
 */
import { rename, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { jsonObjectOf } from '@tiding/client/model';
import type { HeliumConfig, HeliumEntry, JsonObject } from '@tiding/client/protocol';
import * as z from 'zod/mini';
import { Refusal } from '../base/errors.ts';
import { succeeds } from '../base/succeeds.ts';
import type { Logger } from '../logging/log.ts';
import { JsonFile, readJsonFile } from '../storage/files.ts';
import { readBundle } from './application.ts';
import { Bundler, entryOf, registersItself } from './bundler.ts';
import { Catalogue, versionsOf } from './catalogue.ts';
import { folderName, Installer, parseArtifact } from './install.ts';
import { NpmRegistry } from './npm-registry.ts';
import { type FoundPackage, mainOf, Registry } from './registry.ts';

const configObject = z.record(z.string(), z.unknown());
const stored = z.object({
  enabled: z.optional(z.record(z.string(), z.string())),
  /** Settings by package name and artifact. */
  packageConfig: z.optional(z.record(z.string(), z.record(z.string(), configObject))),
  bundleDisplayOrder: z.optional(z.array(z.string())),
});

interface State {
  readonly enabled: ReadonlyMap<string, string>;
  readonly configs: ReadonlyMap<string, ReadonlyMap<string, JsonObject>>;
  readonly order: readonly string[];
}

/** An npm registry to install from. */
interface RegistryAddress {
  readonly url: string | undefined;
  /** Access token for the registry. */
  readonly token?: string | undefined;
}

/** A registry and the components that use it. */
interface Source {
  readonly npm: NpmRegistry;
  readonly installer: Installer;
  readonly catalogue: Catalogue;
}

/** Maximum size of a bundle, in bytes. */
const MAX_BUNDLE = 32 * 2 ** 20;
/** Maximum number of names in an order. */
const MAX_ORDER = 1_000;
const noPackage = (name: string) => new Refusal(404, `There is no package ${name}.`);
const toObject = <T>(map: ReadonlyMap<string, T>): Record<string, T> => Object.fromEntries(map);

/** The packages of a data folder. */
export class Packages {
  readonly #file: JsonFile<unknown>;
  readonly #registry: Registry;
  readonly #installed: string;
  readonly #bundler: Bundler;
  readonly #source: Source | undefined;
  readonly #log: Logger;
  #state: State = { enabled: new Map(), configs: new Map(), order: [] };

  private constructor(folder: string, log: Logger, { url, token }: RegistryAddress) {
    this.#log = log;
    this.#installed = join(folder, 'helium-packages');
    this.#registry = new Registry(join(folder, 'helium'), this.#installed, log);
    this.#bundler = new Bundler(join(folder, 'helium-bundles'), (wanted) => this.#library(wanted));
    const npm = url === undefined ? undefined : new NpmRegistry(url, token);
    this.#source = npm && {
      npm,
      installer: new Installer(this.#installed, npm, log),
      catalogue: new Catalogue(npm, log),
    };
    this.#file = new JsonFile(join(folder, 'helium.json'), () => ({
      enabled: toObject(this.#state.enabled),
      packageConfig: Object.fromEntries(
        [...this.#state.configs].map(([name, versions]) => [name, toObject(versions)]),
      ),
      bundleDisplayOrder: this.#state.order,
    }));
  }

  /**
   * Reads the settings. A damaged file is renamed, and no package is enabled. Without a registry,
   * only packages in the data folder are available.
   */
  static async open(
    folder: string,
    log: Logger,
    registry: RegistryAddress = { url: undefined },
  ): Promise<Packages> {
    const packages = new Packages(folder, log, registry);
    await packages.#source?.installer.clean();
    try {
      const raw = await packages.#file.read();
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
      const aside = `${packages.#file.path}.damaged-${Date.now()}`;
      await rename(packages.#file.path, aside);
      log.error(
        { file: aside, error: (error as Error).message },
        'the list of enabled packages was damaged and has been renamed',
      );
    }
    return packages;
  }

  async #change(change: (state: State) => State): Promise<void> {
    const before = this.#state;
    const next = (this.#state = change(before));
    await this.#file.saveOrUndo(() => {
      // Unless it has changed again.
      if (this.#state === next) this.#state = before;
    });
  }

  /** Installs a library that is a global in Zeppelin's page, and returns its folder. */
  async #library(wanted: { name: string; version: string }): Promise<string | undefined> {
    const folder = join(this.#installed, folderName(wanted), 'package');
    try {
      await this.#source?.installer.install(wanted);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      this.#log.warn(
        { library: `${wanted.name}@${wanted.version}`, error: error.message },
        'a library that a package uses is not available',
      );
    }
    return (await succeeds(stat(folder))) ? folder : undefined;
  }

  #entry({ registry, pkg }: Pick<FoundPackage, 'registry' | 'pkg'>): HeliumEntry {
    return { registry, pkg, enabled: this.#state.enabled.get(pkg.name) === pkg.artifact };
  }

  /**
   * Returns all packages by name, with versions in descending order of their artifacts' text.
   * Includes packages of the registry that are not installed.
   */
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

  /**
   * Returns the versions of a package; an empty list if it is unknown. `ask`: requests the package
   * from the registry by name, which also finds packages that no search returns.
   */
  async named(name: string, { ask = false } = {}): Promise<HeliumEntry[]> {
    const document = ask ? await this.#source?.npm.document(name) : undefined;
    const offered = document
      ? versionsOf(document)
      : ((await this.#source?.catalogue.list()) ?? []);
    const all = this.#byName(await this.#registry.read(), offered);
    return Object.hasOwn(all, name) ? all[name]! : [];
  }

  /** Returns the packages that are enabled and still exist. */
  async enabled(): Promise<HeliumEntry[]> {
    return Object.values(this.#byName(await this.#registry.read(), []))
      .flat()
      .filter(({ enabled }) => enabled);
  }

  /** Returns the enabled version of a package, with its location. */
  async enabledNamed(name: string): Promise<FoundPackage | undefined> {
    const artifact = this.#state.enabled.get(name);
    return artifact === undefined
      ? undefined
      : (await this.#registry.read()).find(
          ({ pkg }) => pkg.name === name && pkg.artifact === artifact,
        );
  }

  /**
   * Enables a version of a package and disables the others. `which` is a name, with the artifact in
   * `what`, or an artifact, with the type in `what` or nothing. If only the registry has the
   * version, it is installed. A bundle that needs a build is built first. Throws 404 if the version
   * does not exist, 400 if the type is wrong, 500 if the build fails, and 502 if the registry
   * fails. After an error nothing has changed.
   */
  async enable(which: string, what: string): Promise<void> {
    const wanted = what.trim();
    let one = choose(await this.#registry.read(), which, wanted);
    if (this.#source) {
      // A description in the folder may refer to a package in the registry.
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
          throw new Refusal(400, `The package ${place!} is not a view, a spell or an application.`);
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
      throw new Refusal(400, `${which} has the type ${type}.`);
    await this.bundle(one).catch((error: unknown) => {
      // A missing bundle may be added later. Other errors prevent enabling.
      if (!(error instanceof Refusal) || error.status !== 404) throw error;
    });
    await this.#change((state) => ({
      ...state,
      enabled: new Map(state.enabled).set(name, artifact),
    }));
  }

  /** Returns the location of a package. The artifact in a description may be installed. */
  async #placed(found: FoundPackage): Promise<FoundPackage> {
    const artifact =
      found.isInstalled || (await entryOf(found)) !== undefined
        ? undefined
        : parseArtifact(found.pkg.artifact);
    if (!artifact) return found;
    const folder = join(this.#installed, folderName(artifact), 'package');
    const raw = await readJsonFile(join(folder, 'package.json')).catch(() => undefined);
    if (!raw) return found;
    return { ...found, folder, root: folder, bundle: mainOf(jsonObjectOf(raw)), isInstalled: true };
  }

  /**
   * Returns the script of a package. Scripts that register themselves, and applications in the data
   * folder, are returned unchanged. Others are built from their modules and cached. Throws 404 if
   * there is no script, 413 if it has more than `max` bytes, and 500 if the build fails.
   */
  async bundle(
    found: FoundPackage,
    { max = MAX_BUNDLE, refresh = false }: { max?: number; refresh?: boolean } = {},
  ): Promise<string> {
    const placed = await this.#placed(found);
    const entry = await entryOf(placed);
    if (entry === undefined || (placed.pkg.type === 'APPLICATION' && !placed.isInstalled))
      return readBundle(placed, max);
    // `readBundle` follows no links that lead out of the folder.
    const script = await readBundle(
      { ...placed, bundle: relative(placed.folder, entry).split(sep).join('/') },
      max,
    );
    if (registersItself(script)) return script;
    const code = await this.#bundler.bundle(placed, entry, { refresh });
    if (Buffer.byteLength(code) > max)
      throw new Refusal(
        413,
        `The bundle of the package ${found.pkg.name} is larger than ${max} bytes.`,
      );
    return code;
  }

  /**
   * Disables a package by name or enabled artifact. Throws 404 if it neither exists nor is enabled.
   */
  async disable(which: string): Promise<void> {
    const found = await this.#registry.read();
    const known =
      found.find(({ pkg }) => pkg.name === which) ??
      found.find(({ pkg }) => pkg.artifact === which);
    const { enabled } = this.#state;
    // An enabled package without files can be disabled too.
    const name = enabled.has(which)
      ? which
      : ([...enabled].find(([, artifact]) => artifact === which)?.[0] ?? known?.pkg.name);
    if (name === undefined) throw noPackage(which);
    await this.#change((state) => ({
      ...state,
      enabled: new Map([...state.enabled].filter(([each]) => each !== name)),
    }));
  }

  /**
   * Returns the names of views in display order: the stored order, then other enabled views.
   */
  async order(): Promise<string[]> {
    const on = (await this.enabled())
      .filter(({ pkg }) => pkg.type === 'VISUALIZATION')
      .map(({ pkg }) => pkg.name)
      .sort();
    return [...new Set([...this.#state.order, ...on])];
  }

  async setOrder(names: readonly string[]): Promise<string[]> {
    if (names.length > MAX_ORDER)
      throw new Refusal(400, `An order can have at most ${MAX_ORDER} names.`);
    await this.#change((state) => ({ ...state, order: [...new Set(names)] }));
    return this.order();
  }

  /** Returns the settings by name and artifact. */
  configs(): Record<string, Record<string, JsonObject>> {
    return Object.fromEntries(
      [...this.#state.configs].map(([name, versions]) => [name, toObject(versions)]),
    );
  }

  /** Returns the settings of a version and their definitions. Throws 404 if it does not exist. */
  async config(name: string, artifact: string): Promise<HeliumConfig> {
    const found = (await this.named(name)).find(({ pkg }) => pkg.artifact === artifact);
    if (!found) throw noPackage(`${name} ${artifact}`);
    return {
      confPersisted: this.#state.configs.get(name)?.get(artifact) ?? {},
      confSpec: found.pkg.config ?? {},
    };
  }

  /**
   * Replaces the settings of a version. Throws 404 if it does not exist, and 400 for an unknown
   * setting.
   */
  async setConfig(name: string, artifact: string, values: JsonObject): Promise<JsonObject> {
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

/** Finds a version by name and artifact, else by artifact alone. */
const choose = (
  found: readonly FoundPackage[],
  which: string,
  wanted: string,
): FoundPackage | undefined =>
  found.find(({ pkg }) => pkg.name === which && pkg.artifact === wanted) ??
  found.find(({ pkg }) => pkg.artifact === which);
