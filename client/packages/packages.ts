import type { CallOptions } from '../core/abort.ts';
import { TidingError } from '../core/errors.ts';
import { isZeppelin } from '../core/server-support.ts';
import type { HeliumConfig, HeliumEntry, JsonObject } from '../protocol/index.ts';
import { ClientArea } from '../session/client-area.ts';

/**
 * Packages that the server offers (Helium): visualizations, spells, interpreters and applications.
 */
export class PackagesApi extends ClientArea {
  /** Lists all packages by name, with the newest artifact first. */
  list(options: CallOptions = {}): Promise<Readonly<Record<string, readonly HeliumEntry[]>>> {
    return this.context.call('listPackages', options);
  }

  /** Returns the versions of one package; empty if there is no such package. */
  get(name: string, options: CallOptions = {}): Promise<readonly HeliumEntry[]> {
    return this.context.call('getPackage', { ...options, params: { name } });
  }

  /** Lists the enabled packages. */
  enabled(options: CallOptions = {}): Promise<readonly HeliumEntry[]> {
    return this.context.call('listEnabledPackages', options);
  }

  /**
   * Returns the script of an enabled package, or `undefined` if it isn't enabled. Rejects with
   * `server` if the script could not be built.
   */
  async bundle(
    name: string,
    options: CallOptions & { refresh?: boolean } = {},
  ): Promise<string | undefined> {
    const { refresh, ...call } = options;
    const response = await this.context.call('loadBundle', {
      ...call,
      params: { name },
      query: refresh === undefined ? {} : { refresh },
    });
    const text = await response.text();
    if (text.startsWith('ERROR:'))
      throw new TidingError('server', text.slice(6).trim(), { operation: 'loadBundle' });
    return text.trim() === '' ? undefined : text;
  }

  /** Returns the saved settings of all packages, by package name, artifact and key. */
  configs(options: CallOptions = {}): Promise<JsonObject> {
    return this.context.call('listPackageConfigs', options);
  }

  /**
   * Returns the settings of one version of a package: the available options and the saved values.
   */
  config(name: string, artifact: string, options: CallOptions = {}): Promise<HeliumConfig> {
    return this.context.call('getPackageConfig', { ...options, params: { name, artifact } });
  }

  /** Saves settings of one version of a package. */
  async configure(
    name: string,
    artifact: string,
    values: JsonObject,
    options: CallOptions = {},
  ): Promise<void> {
    await this.context.call('setPackageConfig', {
      ...options,
      params: { name, artifact },
      body: values,
    });
    this.context.emit({ type: 'packages-changed' });
  }

  /** Returns the settings of a spell. Rejects with status 400 if the package isn't enabled. */
  spellConfig(name: string, options: CallOptions = {}): Promise<HeliumConfig> {
    return this.context.call('getSpellConfig', { ...options, params: { name } });
  }

  /**
   * Enables a version of a package. `type` is needed by Magpie servers in addition to the artifact.
   */
  async enable(
    name: string,
    artifact: string,
    type = '',
    options: CallOptions = {},
  ): Promise<void> {
    const byArtifact = await this.#byArtifact();
    await this.context.call('enablePackage', {
      ...options,
      params: { name: byArtifact ? artifact : name },
      body: byArtifact ? type : artifact,
    });
    this.context.emit({ type: 'packages-changed' });
  }

  /** Disables a package. */
  async disable(name: string, artifact = name, options: CallOptions = {}): Promise<void> {
    await this.context.call('disablePackage', {
      ...options,
      params: { name: (await this.#byArtifact()) ? artifact : name },
    });
    this.context.emit({ type: 'packages-changed' });
  }

  /** Returns the names of visualizations in the order in which they are offered. */
  async order(options: CallOptions = {}): Promise<readonly string[]> {
    return (await this.context.call('getPackageOrder', options)) ?? [];
  }

  /** Sets the order in which visualizations are offered. */
  async setOrder(names: readonly string[], options: CallOptions = {}): Promise<void> {
    await this.context.call('setPackageOrder', { ...options, body: [...names] });
    this.context.emit({ type: 'packages-changed' });
  }

  /** Returns the applications that fit the output of a paragraph. */
  async suggest(
    noteId: string,
    paragraphId: string,
    options: CallOptions = {},
  ): Promise<readonly HeliumEntry[]> {
    return (
      (await this.context.call('suggestPackages', { ...options, params: { noteId, paragraphId } }))
        .available ?? []
    );
  }

  /** Starts an application on a paragraph and returns the application's id. APP_* events follow. */
  load(
    noteId: string,
    paragraphId: string,
    pkg: JsonObject,
    options: CallOptions = {},
  ): Promise<string> {
    return this.context.call('loadPackage', {
      ...options,
      params: { noteId, paragraphId },
      body: pkg,
    });
  }

  /**
   * Removes an application from a paragraph. Tiding servers only; others reject with `unsupported`.
   */
  async unload(
    noteId: string,
    paragraphId: string,
    appId: string,
    options: CallOptions = {},
  ): Promise<void> {
    await this.context.call('unloadPackage', {
      ...options,
      params: { noteId, paragraphId, appId },
    });
  }

  /** Magpie servers identify packages by artifact and say so in their configuration. */
  async #byArtifact(): Promise<boolean> {
    const { server } = this.context.store.get();
    if (!isZeppelin(this.context) || server?.generation === 'B') return false;
    const config = await this.context.call('magpieConfig').catch((): JsonObject => ({}));
    return (config['helium'] as { enableBy?: unknown } | undefined)?.enableBy === 'artifact';
  }
}
