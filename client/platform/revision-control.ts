/** The remote that notes are pushed to and pulled from. */
import { deferred, type CallOptions } from '../core/abort.ts';
import type { Context } from '../context.ts';
import { TidingError } from '../errors.ts';
import type { RevisionControl as Configuration } from '../protocol/index.ts';

/** How long a sync may take, in ms (specification). */
export const SYNC_TIMEOUT_MS = 300_000;

/** The configuration of revision control. On ours and on the fork; needs an administrator's role. */
export class RevisionControl {
  readonly #context: Context;

  /** @internal */
  constructor(context: Context) {
    this.#context = context;
  }

  /** The configuration; `undefined` when there is none. `accessToken` is always eight stars. */
  async get(options: CallOptions = {}): Promise<Configuration | undefined> {
    const configuration = await this.#context.call('getRevisionControl', options);
    return configuration.remoteUrl === undefined ? undefined : configuration;
  }

  /**
   * Saves the configuration and waits for the sync that follows. Eight stars as `accessToken` keep the one that is there.
   * Rejects with `server` when the sync failed, and with `timeout` after 300 s (specification): it may still go on.
   */
  async save(configuration: { remoteUrl: string; userName: string; accessToken: string }, options: CallOptions = {}): Promise<void> {
    // Before the call: a quick sync may be over when its answer comes.
    await (await this.#context.lobby()).ready({ timeout: this.#context.timeout, ...options });
    const done = deferred<void>('setRevisionControl', { timeout: SYNC_TIMEOUT_MS, ...options });
    const offs = [
      this.#context.on('REPO_SYNC_SUCCESS', () => done.resolve()),
      this.#context.on('REPO_SYNC_ERROR', ({ data }) =>
        done.reject(new TidingError('server', data.info ?? 'the remote could not be synchronised', { operation: 'setRevisionControl' }))),
    ];
    try {
      await Promise.race([this.#context.call('setRevisionControl', { ...options, body: configuration }), done.promise]);
      await done.promise;
    } finally {
      offs.forEach((off) => off());
    }
  }

  /** Removes the configuration. */
  async remove(options: CallOptions = {}): Promise<void> {
    await this.#context.call('setRevisionControl', { ...options, body: {} });
  }
}
