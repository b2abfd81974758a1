import type { CallOptions } from '../core/abort.ts';
import type { JsonObject } from '../protocol/index.ts';
import { ClientArea } from '../session/client-area.ts';

/** Log levels of a server. */
export type LogLevel = 'DEBUG' | 'ERROR' | 'FATAL' | 'INFO' | 'TRACE' | 'WARN';

/**
 * Configuration, storage and log level of the server. Calls reject with status 401 or 403 if the
 * user lacks the role.
 */
export class AdministrationApi extends ClientArea {
  /**
   * Returns the server's settings without secrets. `prefix` limits them to keys that start with it.
   */
  configurations(prefix?: string, options: CallOptions = {}): Promise<JsonObject> {
    if (prefix === undefined) return this.context.call('configurations', options);
    return this.context.call('configurationsByPrefix', { ...options, params: { prefix } });
  }

  /** Returns where notes are stored, with the settings that can be changed. */
  async storages(options: CallOptions = {}) {
    return this.context.call('listStorages', options);
  }

  /** Rereads the storages. */
  async reloadStorages(options: CallOptions = {}): Promise<void> {
    await this.context.call('reloadStorages', options);
  }

  /**
   * Changes settings of a storage, identified by class name. Rejects with status 404 for an unknown
   * one and 406 for settings that can't be changed.
   */
  async updateStorage(name: string, settings: JsonObject, options: CallOptions = {}) {
    return this.context.call('updateStorage', { ...options, body: { name, settings } });
  }

  /** Sets the server's log level. Rejects with status 406 for an unknown level. */
  async setLogLevel(level: LogLevel, options: CallOptions = {}): Promise<void> {
    await this.context.call('setLogLevel', { ...options, params: { level } });
  }

  /**
   * Returns the product version, on servers that have one besides the protocol version (Tiding and
   * Magpie).
   */
  async productVersion(options: CallOptions = {}): Promise<string> {
    return (await this.context.call('magpieVersion', options)).version;
  }

  /**
   * Loads the server's public configuration into the state (`config`): product name, login mode,
   * features. Every field is optional.
   */
  async magpieConfig(options: CallOptions = {}): Promise<JsonObject> {
    const config = await this.context.call('magpieConfig', options);
    this.context.emit({ type: 'magpieConfig', config });
    return config;
  }
}
