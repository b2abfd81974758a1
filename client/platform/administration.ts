/** What an administrator sees and sets of the server itself. */
import type { CallOptions } from '../core/abort.ts';
import type { Context } from '../context.ts';
import type { Bag } from '../protocol/index.ts';

/** Levels of a server's log. */
export type LogLevel = 'DEBUG' | 'ERROR' | 'FATAL' | 'INFO' | 'TRACE' | 'WARN';

/** Configuration, storages and log of the server. Calls reject with 401 or 403 without the role. */
export class Administration {
  readonly #context: Context;

  /** @internal */
  constructor(context: Context) {
    this.#context = context;
  }

  /** All settings of the server; secrets are left out. `prefix` narrows them. */
  configurations(prefix?: string, options: CallOptions = {}): Promise<Bag> {
    if (prefix === undefined) return this.#context.call('configurations', options);
    return this.#context.call('configurationsByPrefix', { ...options, params: { prefix } });
  }

  /** Where notes are stored, and what may be set of it. */
  async storages(options: CallOptions = {}) {
    return this.#context.call('listStorages', options);
  }

  /** Reads the storages again. */
  async reloadStorages(options: CallOptions = {}): Promise<void> {
    await this.#context.call('reloadStorages', options);
  }

  /** Sets what may be set of a storage, by its class name. 404 for an unknown one, 406 for what cannot be set. */
  async updateStorage(name: string, settings: Bag, options: CallOptions = {}) {
    return this.#context.call('updateStorage', { ...options, body: { name, settings } });
  }

  /** Sets the level of the server's log; 406 for a level that there is not. */
  async setLogLevel(level: LogLevel, options: CallOptions = {}): Promise<void> {
    await this.#context.call('setLogLevel', { ...options, params: { level } });
  }

  /** Version of the product, where it says one beside that of its protocol (ours and the fork). */
  async productVersion(options: CallOptions = {}): Promise<string> {
    return (await this.#context.call('magpieVersion', options)).version;
  }

  /** What the product tells its pages: name, login mode, features. Every field may be absent. It is in the state (`config`) then. */
  async magpieConfig(options: CallOptions = {}): Promise<Bag> {
    const config = await this.#context.call('magpieConfig', options);
    this.#context.emit({ type: 'magpieConfig', config });
    return config;
  }
}
