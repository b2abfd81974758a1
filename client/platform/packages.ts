/** Packages of the catalogue (Helium): visualizations, spells, interpreters, applications. */
import type { CallOptions } from '../core/abort.ts';
import type { Context } from '../context.ts';
import { TidingError } from '../errors.ts';
import type { Bag, HeliumConfig, HeliumEntry } from '../protocol/index.ts';

/** The catalogue. */
export class Packages {
  readonly #context: Context;

  /** @internal */
  constructor(context: Context) {
    this.#context = context;
  }

  /** All packages by name, newest artifact first. */
  list(options: CallOptions = {}): Promise<Readonly<Record<string, readonly HeliumEntry[]>>> {
    return this.#context.call('listPackages', options);
  }

  /** The versions of one package; empty where there is none. */
  get(name: string, options: CallOptions = {}): Promise<readonly HeliumEntry[]> {
    return this.#context.call('getPackage', { ...options, params: { name } });
  }

  /** Packages that are on. */
  enabled(options: CallOptions = {}): Promise<readonly HeliumEntry[]> {
    return this.#context.call('listEnabledPackages', options);
  }

  /** The script of a package that is on; `undefined` for one that is not. Rejects with `server` when it could not be built. */
  async bundle(
    name: string,
    options: CallOptions & { refresh?: boolean } = {},
  ): Promise<string | undefined> {
    const { refresh, ...call } = options;
    const response = await this.#context.call('loadBundle', {
      ...call,
      params: { name },
      query: refresh === undefined ? {} : { refresh },
    });
    const text = await response.text();
    if (text.startsWith('ERROR:'))
      throw new TidingError('server', text.slice(6).trim(), { operation: 'loadBundle' });
    return text.trim() === '' ? undefined : text;
  }

  /** Saved settings of all packages: by name, by artifact, by key. */
  configs(options: CallOptions = {}): Promise<Bag> {
    return this.#context.call('listPackageConfigs', options);
  }

  /** Settings of one version of a package: what may be set, and what was. */
  config(name: string, artifact: string, options: CallOptions = {}): Promise<HeliumConfig> {
    return this.#context.call('getPackageConfig', { ...options, params: { name, artifact } });
  }

  /** Saves settings of one version of a package. */
  async configure(
    name: string,
    artifact: string,
    values: Bag,
    options: CallOptions = {},
  ): Promise<void> {
    await this.#context.call('setPackageConfig', {
      ...options,
      params: { name, artifact },
      body: values,
    });
    this.#context.emit({ type: 'packages-changed' });
  }

  /** Settings of a spell; 400 for a package that is not on. */
  spellConfig(name: string, options: CallOptions = {}): Promise<HeliumConfig> {
    return this.#context.call('getSpellConfig', { ...options, params: { name } });
  }

  /** Turns a version of a package on. `type` is what the fork wants beside the artifact. */
  async enable(
    name: string,
    artifact: string,
    type = '',
    options: CallOptions = {},
  ): Promise<void> {
    const byArtifact = await this.#byArtifact();
    await this.#context.call('enablePackage', {
      ...options,
      params: { name: byArtifact ? artifact : name },
      body: byArtifact ? type : artifact,
    });
    this.#context.emit({ type: 'packages-changed' });
  }

  /** Turns a package off. */
  async disable(name: string, artifact = name, options: CallOptions = {}): Promise<void> {
    await this.#context.call('disablePackage', {
      ...options,
      params: { name: (await this.#byArtifact()) ? artifact : name },
    });
    this.#context.emit({ type: 'packages-changed' });
  }

  /** Names of visualizations in the order in which they are offered. */
  async order(options: CallOptions = {}): Promise<readonly string[]> {
    return (await this.#context.call('getPackageOrder', options)) ?? [];
  }

  /** Sets that order. */
  async setOrder(names: readonly string[], options: CallOptions = {}): Promise<void> {
    await this.#context.call('setPackageOrder', { ...options, body: [...names] });
    this.#context.emit({ type: 'packages-changed' });
  }

  /** Applications that fit what a paragraph printed. */
  async suggest(
    noteId: string,
    paragraphId: string,
    options: CallOptions = {},
  ): Promise<readonly HeliumEntry[]> {
    return (
      (await this.#context.call('suggestPackages', { ...options, params: { noteId, paragraphId } }))
        .available ?? []
    );
  }

  /** Starts an application on a paragraph; answers its id. APP_* events follow. */
  load(noteId: string, paragraphId: string, pkg: Bag, options: CallOptions = {}): Promise<string> {
    return this.#context.call('loadPackage', {
      ...options,
      params: { noteId, paragraphId },
      body: pkg,
    });
  }

  /** Takes an application off a paragraph (ours; elsewhere `unsupported`). */
  async unload(
    noteId: string,
    paragraphId: string,
    appId: string,
    options: CallOptions = {},
  ): Promise<void> {
    await this.#context.call('unloadPackage', {
      ...options,
      params: { noteId, paragraphId, appId },
    });
  }

  /** The fork names packages by artifact, and says so in its configuration. */
  async #byArtifact(): Promise<boolean> {
    const { server } = this.#context.store.get();
    if (server?.tiding !== undefined || server?.generation === 'B') return false;
    const config = await this.#context.call('magpieConfig').catch((): Bag => ({}));
    return (config['helium'] as { enableBy?: unknown } | undefined)?.enableBy === 'artifact';
  }
}
